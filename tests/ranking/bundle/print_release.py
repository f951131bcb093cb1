"""Builds the human world in the database of the environment, publishes a ranking, prints digest and bundle SHA-256."""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.core.management import call_command  # noqa: E402  Django must be set up first

from ranking.actions import seal  # noqa: E402
from ranking.bundle import releases  # noqa: E402
from ranking.bundle.archive import sha256  # noqa: E402
from tests.ranking import human_world as world  # noqa: E402

call_command("migrate", verbosity=0)
release = seal.seal(collection=world.build(), by=world.person("sealer"), kind="ranking")
sys.stdout.write(f"{release.digest} {sha256(releases.bundle(world.publish(release)))}\n")
