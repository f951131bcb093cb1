"""The secret key of an installation that was given none."""

import os
import secrets
import tempfile
from pathlib import Path


def kept_secret(path: Path) -> str:
    """The key in `path`, made on first use and readable by its owner alone.

    Two processes may start at once: each writes its own file and links it, and the link made first wins.
    """
    if not path.exists():
        # mkstemp opens with mode 600.
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".secret-key-")
        try:
            with os.fdopen(handle, "w") as file:
                file.write(secrets.token_urlsafe(64))
            os.link(name, path)
        except FileExistsError:
            pass
        finally:
            Path(name).unlink()
    return path.read_text().strip()
