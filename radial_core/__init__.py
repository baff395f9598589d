"""Radial's pure core: a set of records in, the state that everybody computes alike out.

Nothing here reads a clock, a file, a socket, the environment or randomness: time is an argument, records are given.
(One import waits for its first use, and Python reads its files then: `multiformats`, for a CID in an unusual spelling.)
"""

from radial_core.answers import Explanation
from radial_core.cids import Cid
from radial_core.comparison import Difference
from radial_core.fold import materialize
from radial_core.index import Index
from radial_core.instants import Instant, parse_instant
from radial_core.leases import Lease, live, winner
from radial_core.observations import Deletion, MalformedLine, Record, read_jsonl, to_line
from radial_core.version import __version__

__all__ = [
    "Cid",
    "Deletion",
    "Difference",
    "Explanation",
    "Index",
    "Instant",
    "Lease",
    "MalformedLine",
    "Record",
    "__version__",
    "live",
    "materialize",
    "parse_instant",
    "read_jsonl",
    "to_line",
    "winner",
]
