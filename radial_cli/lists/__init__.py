"""Lists of many things of one kind, one row each."""
