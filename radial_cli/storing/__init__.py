"""The verbs about the store: where it lies, what goes in and out of it, how it is, what was set aside."""
