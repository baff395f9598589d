"""One file a verb: what it is called with, its help, its examples; and which picture or list answers it.

Strategy: a file here imports nothing heavy until its command runs, so that `radial --help` is quick.
"""
