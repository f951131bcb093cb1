"""A model: its configurations, and where live rankings have them. No other release names a model."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse

from ranking import live
from ranking.catalogue import Catalogue, Entry, Place
from ranking.public import figures, indexes
from ranking.public.configurations import configured
from ranking.public.evidence import named
from ranking.public.serving import page, public


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one ranking has a configuration."""

    place: Place

    @property
    def range(self) -> str:
        row = self.place.row
        return f"{figures.span(row['rank_low'], row['rank_high'])} of {self.of}"

    @property
    def of(self) -> int:
        return len(self.place.release.content["ranking"]["rows"])

    @property
    def score(self) -> str:
        return figures.one(self.place.row["score"])

    @property
    def interval(self) -> str:
        return figures.interval(self.place.row["low"], self.place.row["high"])

    @property
    def coverage(self) -> str:
        return figures.percent(self.place.row["coverage"])


@dataclass(frozen=True, slots=True)
class Configured:
    """One configuration of the model with every ranking that lists it."""

    entry: Entry
    standings: list[Standing]

    @property
    def name(self) -> str:
        return configured(self.entry.record)


@public
def model(request: HttpRequest, key: str) -> HttpResponse:
    catalogue = live.catalogue()
    entry = named(catalogue, "models", key, "ranking that lists the model")
    return page(
        request,
        "model",
        title=entry.record["name"],
        description="The configurations of one model, and where live rankings have each of them.",
        data=f"models/{key}/",
        releases=entry.releases,
        crumbs=[indexes.MODELS.crumb],
        catalogue=catalogue,
        entry=entry,
        configurations=_configurations(catalogue, key),
    )


def _configurations(catalogue: Catalogue, model: str) -> list[Configured]:
    return [
        Configured(entry, [Standing(place) for place in catalogue.places_of(entry.key)])
        for entry in catalogue.configurations_of(model)
    ]
