import json
from typing import Any

from django.contrib.auth.models import User

from ranking import diff
from ranking.management.commands import publish
from ranking.models import Publication, Release
from registry.actions.base import Refused


class Command(publish.Command):
    help = "Publish a newer candidate in place of the live page of a collection, and tell what it changes."

    def act(self, by: User, options: dict[str, Any]) -> dict[str, Any]:
        slug = options["collection"]
        live = Publication.objects.filter(collection__slug=slug, state="live").select_related("release").first()
        if live is None:
            raise Refused("nothing-live", f"{slug!r} has no live page to supersede; publish one.")
        answer = super().act(by, options)
        if "release" not in answer:
            return answer
        newer = Publication.objects.select_related("release").get(identifier=answer["release"])
        return answer | _changes(live.release, newer.release)


def _changes(before: Release, after: Release) -> dict[str, Any]:
    changed = diff.between(json.loads(before.content), json.loads(after.content))
    ranges = {row["configuration"]: " -> ".join(row["ranks"]) for row in diff.rows(changed)}
    return {f"rank of {name}": words for name, words in ranges.items()} | {
        name: f"{was} -> {now}" if was else now for name, was, now in diff.counts(changed)
    }
