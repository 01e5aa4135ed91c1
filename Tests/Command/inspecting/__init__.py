"""`inspect` and the manifest: what is in an export or an archive."""
