#!/usr/bin/env python
"""Django's command line, on Assay's settings."""

import os
import sys

from django.core.management import execute_from_command_line

USAGE = 2


def main() -> None:
    refuse_unreadable(sys.argv)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    execute_from_command_line(sys.argv)


def refuse_unreadable(arguments: list[str]) -> None:
    """Bytes that are no UTF-8 become lone surrogates, which nothing can print or store: commands would fail late."""
    for place, argument in enumerate(arguments):
        if any("\ud800" <= character <= "\udfff" for character in argument):
            shown = argument.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
            sys.stderr.write(f"Argument {place} is not valid UTF-8: {shown}\n")
            sys.exit(USAGE)


if __name__ == "__main__":
    main()
