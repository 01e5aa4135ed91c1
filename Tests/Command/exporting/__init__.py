"""`export`: what is made of a source, where it is put, and what it replaces."""
