"""`decrypt`: a part of an archive, by types, times and entries."""
