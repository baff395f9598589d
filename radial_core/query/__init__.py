"""Asking: what one may want to know of an index without writing anything.

Strategy: everything here is a function of an index and of what its caller knows besides (how fresh the observations
are, what time it is), and gives a value. There is no way from here to anything that writes: an import contract says so.
The command line, a page and a model's tools ask through this room, and so get the same answers.
"""
