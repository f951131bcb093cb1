"""Sealed is sealed, in the database too: releases, snapshots and evaluations never change.

Of a publication only its state may: superseded or withdrawn, with who, when and why.
"""

from django.db import migrations

from registry import triggers

SEALED = {
    "ranking_release": (),
    "ranking_snapshot": (),
    "ranking_gateevaluation": (),
    "ranking_publication": (
        "release_id",
        "collection_id",
        "number",
        "identifier",
        "predecessor_id",
        "published_by",
        "published_at",
        "reason",
    ),
}


class Migration(migrations.Migration):
    dependencies = [("ranking", "0001_initial")]

    operations = [migrations.RunPython(*triggers.operations(SEALED))]
