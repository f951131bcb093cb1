"""The desk of the registry: forms over the actions, and what waits for a person."""

from registry.admin import (  # noqa: F401  importing registers
    benchmarks,
    contracts,
    evidence,
    imports,
    mapping_rows,
    mappings,
    outcomes,
    people,
    profiles,
    subjects,
    taxonomy,
    trail,
)
