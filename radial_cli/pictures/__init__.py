"""Pictures: what is shown of each kind of thing, for a person to read.

Each file draws one kind onto a `Page` and decides nothing: what is said here the views of the core say.
"""
