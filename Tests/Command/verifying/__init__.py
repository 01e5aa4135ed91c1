"""`verify`: what is damage, and what is not."""
