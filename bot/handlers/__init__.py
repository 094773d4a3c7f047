"""What Roost does about an intent: one small module for each family of them."""
