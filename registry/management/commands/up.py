from typing import Any

from django.conf import settings
from django.core import checks
from django.core.management.base import BaseCommand, CommandError, CommandParser

from registry.embedded import Site

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1", "[::1]"})


class Command(BaseCommand):
    help = "Serve web and worker in one process. Anywhere but on loopback it refuses unsafe defaults."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--threads", type=int, default=8)

    def handle(self, *_: Any, host: str, port: int, threads: int, **__: Any) -> None:
        if not 0 < port < 65536:
            raise CommandError(f"A port is a number from 1 to 65535, not {port}.", returncode=2)
        if threads < 1:
            raise CommandError(f"At least one thread must serve, not {threads}.", returncode=2)
        if host not in LOOPBACK:
            self._refuse_unsafe_defaults()
        self.stdout.write(f"{settings.SITE_NAME} is served on http://{host}:{port}/ (stop with Ctrl-C)")
        self.stdout.flush()
        Site(bind=f"{host}:{port}", threads=threads).run()

    def _refuse_unsafe_defaults(self) -> None:
        if faults := checks.run_checks(tags=["public"], include_deployment_checks=True):
            told = "\n".join(f"{fault.msg} {fault.hint or ''}" for fault in faults)
            raise CommandError(f"Not safe to serve beyond this machine:\n{told}", returncode=2)
