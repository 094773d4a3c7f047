"""What a person wants: words in, an intent out."""
