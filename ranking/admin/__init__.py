"""The desk of gates and releases, and of the collections they are about."""

from ranking.admin import collections, gates, outcomes, policies, releases  # noqa: F401  importing registers
