"""`session retry`: what failed in an export is done again."""
