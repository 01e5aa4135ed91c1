"""`session`: exports that have a name are listed, shown and forgotten; what their records hold."""
