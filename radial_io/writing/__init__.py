"""Writing to one's own repo: recorded before it is sent, looked up before it is repeated, once whatever happens."""
