"""What Roost knows and does, without any chat."""
