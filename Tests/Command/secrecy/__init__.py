"""What others can learn, and what SECURITY.md claims."""
