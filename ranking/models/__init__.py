"""Gates and releases."""

from ranking.models.gates import GateEvaluation, GatePolicy, PresentGate, Snapshot
from ranking.models.releases import Publication, PublishRequest, Release

__all__ = ["GateEvaluation", "GatePolicy", "PresentGate", "Publication", "PublishRequest", "Release", "Snapshot"]
