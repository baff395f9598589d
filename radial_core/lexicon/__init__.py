"""Lexicons as validators.

Strategy: documents are judged once (`documents`), turned once into closures (`compiling`, `checks`), and from then on
a value costs what its fields cost: a sound record allocates nothing, and only a fault builds a path. Every fault of a
value is found at once, as `message @ $.path`, in the order in which the lexicon names the fields. Lexicons are open:
fields they do not name are never a fault, and `knownValues` never bind (L1).
"""

from radial_core.lexicon.compiling import Catalog, LexiconError, compile_lexicons
from radial_core.lexicon.faults import Fault

__all__ = ["Catalog", "Fault", "LexiconError", "compile_lexicons"]
