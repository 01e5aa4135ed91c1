"""What others can learn."""
