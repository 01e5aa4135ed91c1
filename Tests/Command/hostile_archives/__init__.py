"""Archives and plain folders of someone who knows the passphrase and means harm."""
