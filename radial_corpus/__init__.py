"""A seeded generator of realistic Radial spaces, of any size, for tests, benchmarks and `radial sample`.

The same size and seed give the same observations on every machine, Python version and hash seed; nothing here reads a
clock. Nothing is held for longer than one goal takes, so a million records need no more memory than a hundred.
"""

from radial_corpus.corpus import observations

__all__ = ["observations"]
