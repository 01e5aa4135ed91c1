"""`passphrase`, and where every command has its passphrase from."""
