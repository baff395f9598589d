"""The store: what was seen, by whom it was told, and how far each source was read. One SQLite file, one writer."""
