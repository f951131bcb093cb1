"""The registry as reviewable YAML: one file a model, one record an item, round trip equal.

Field names are the models' own and default values are left out. A reference is the natural key of its target: a plain
string, or a flat list of the parts where the key has several. Results, comparisons and the bytes of sources are not
here: they come in by import, and a decision about one source loads only where that source was uploaded. `MODELS` is the
order of loading.
"""

from registry.exchange.dumping import dump, write_file
from registry.exchange.loading import load
from registry.exchange.places import MODELS, file_name
from registry.exchange.problems import Bad, LoadRefused, Problem
from registry.exchange.reading import records
from registry.exchange.values import read, text

__all__ = [
    "MODELS",
    "Bad",
    "LoadRefused",
    "Problem",
    "dump",
    "file_name",
    "load",
    "read",
    "records",
    "text",
    "write_file",
]
