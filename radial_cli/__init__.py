"""The command `radial`: parse arguments, call the core or an adapter, print."""
