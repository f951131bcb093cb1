"""Everything of one kind that live releases speak of, alphabetically: what an address says when its end is cut off."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from ranking import live
from ranking.catalogue import Entries
from ranking.public.serving import page, public

Crumb = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Index:
    """One index of the catalogue as a page."""

    name: str
    """As the catalogue and the API call it; also the address."""
    titled: str
    """What a record is called by: `title`, or `name` for a model."""
    told: str

    @property
    def title(self) -> str:
        return self.name.capitalize()

    @property
    def crumb(self) -> Crumb:
        return self.title, reverse(f"public:{self.name}")


LINEAGES = Index(
    "lineages",
    "title",
    "A lineage is one stream of evidence, of one version and one track. Results of two lineages are never merged.",
)
CONTRACTS = Index(
    "contracts",
    "title",
    "A metric contract is the exact meaning of one number: what was measured, how, in which unit, and its use.",
)
ATOMS = Index(
    "atoms", "title", "Capability atoms are one controlled list of small abilities that every category shares."
)
MODELS = Index(
    "models",
    "name",
    "The models of which a live ranking lists a configuration. Categories without a ranking name none, and this order "
    "says nothing of how good a model is.",
)
INDEXES = (LINEAGES, CONTRACTS, ATOMS, MODELS)


@public
def index(request: HttpRequest, kind: Index) -> HttpResponse:
    catalogue = live.catalogue()
    known: Entries = getattr(catalogue, kind.name)
    entries = [(entry, str(entry.record[kind.titled])) for entry in known.values()]
    return page(
        request,
        "index",
        title=kind.title,
        description=kind.told,
        data=f"{kind.name}/",
        releases=catalogue.releases,
        catalogue=catalogue,
        kind=kind,
        entries=sorted(entries, key=lambda found: (found[1].casefold(), found[0].key)),
    )
