"""An export in other formats: JSON, CSV, SQLite and Apple's own XML."""
