"""Reading verbs that ask the core: what waits, what is in flight, what happened, what came from what."""
