"""The overall leaderboard as plain data, from what live rankings sealed. Pure: anybody recomputes it from a bundle.

Its facets are the categories that it averages, at equal weights. A row says of a configuration what its categories do.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ranking import canonical
from ranking.evidence import Evidence
from ranking.field import Field
from ranking.method.inputs import CellScale, Panel
from ranking.reading import read
from ranking.scoring import inputs_of

if TYPE_CHECKING:
    from ranking.method.solution import Solution

Record = dict[str, Any]

SLUG = "overall"
TITLE = "Overall leaderboard"
QUESTION = "Which configurations do best on average over these categories?"
LIMIT = "group_weight_limit"


@dataclass(frozen=True, slots=True)
class Ranked:
    """A category by its live ranking: the canonical content and snapshot that it sealed."""

    content: str
    snapshot: str

    @property
    def said(self) -> Record:
        found: Record = json.loads(self.content)
        return found

    @property
    def values(self) -> Record:
        return {name: one["value"] for name, one in self.said["policy"]["thresholds"].items()}


def average(categories: Mapping[str, Ranked]) -> Record:
    """`facets`, `policy` and `ranking` of the average over `categories`, by slug.

    The policy is the one among theirs that lets a group of evidence carry least. Raises Refusal as METHOD 6 has it.
    """
    from ranking.method.overall import overall

    said = {slug: one.said for slug, one in sorted(categories.items())}
    policies = [found["policy"] for found in said.values()]
    policy = min(policies, key=lambda one: (one["thresholds"][LIMIT]["value"], one["name"]), default=None)
    limit = {LIMIT: policy["thresholds"][LIMIT]["value"]} if policy else {}
    found = overall({slug: _solved(categories[slug]) for slug in said}, limit)
    told: Record = canonical.plain(
        {
            "facets": [_facet(content, 100 / len(said)) for content in said.values()],
            "policy": policy,
            "ranking": {
                "rows": [_row(row, list(said.values())) for row in found.rows],
                "apart": [],
                "group_weights": [{"group": group, "weight": weight} for group, weight in found.group_weights],
            },
        }
    )
    return told


def _solved(category: Ranked) -> "Solution":
    """On the panel and constants that it sealed."""
    from ranking.method.layout import lay_out
    from ranking.method.solution import solve

    ranking, values = category.said["ranking"], category.values
    panel = Panel(tuple(ranking["panel"]), tuple(ranking["pool"]))
    constants = tuple(read(CellScale, one) for one in ranking["constants"])
    standing = Field.of(read(Evidence, json.loads(category.snapshot)), values)
    return solve(lay_out(inputs_of(standing), values, panel, constants), constants)


def _facet(content: Record, weight: float) -> Record:
    collection, policy = content["collection"], content["policy"]
    return {
        "slug": collection["slug"],
        "title": collection["title"],
        "weight": f"{weight:.6f}".rstrip("0").rstrip("."),
        "policy": policy["name"],
        "weakened": bool(content["ranking"]["weakened"]),
    }


def _row(row: Any, contents: Sequence[Record]) -> Record:
    """With the words of its categories for the configuration; coverage is of a category's own tasks."""
    told: Record = canonical.plain(row)
    key = told.pop("key")
    told |= {"configuration": key, "coverage": None, "notes": []}
    rows = [other for content in contents for other in content["ranking"]["rows"] if other["configuration"] == key]
    return {name: value for name, value in rows[0].items() if name not in told} | told
