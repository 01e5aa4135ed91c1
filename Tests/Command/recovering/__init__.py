"""`recover`: what can still be had out of a damaged archive."""
