from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from ranking import demo


class Command(BaseCommand):
    help = "Prepare the example registry, its data and its people; a second run changes nothing."

    def handle(self, *_: Any, **__: Any) -> None:
        accounts = settings.DATA_DIR / "demo-accounts.txt"
        people = demo.people(accounts)
        if demo.is_ready():
            self.stdout.write("The example registry is there already.")
        else:
            for step in demo.prepare(people, Path(settings.BASE_DIR) / "examples"):
                self.stdout.write(step)
        self.stdout.write(f"Log in at {settings.SITE_URL}/admin/ with an account from {accounts}")
        self.stdout.write(f"The example category: {settings.SITE_URL}/categories/customer-service/")
