"""What a public installation must not leave as it is."""
