"""Gates and releases."""

from ranking.models.gates import GateEvaluation, GatePolicy, Snapshot
from ranking.models.releases import Publication, PublishRequest, Release

__all__ = ["GateEvaluation", "GatePolicy", "Publication", "PublishRequest", "Release", "Snapshot"]
