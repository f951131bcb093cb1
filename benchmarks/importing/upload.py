"""A file of comparisons uploaded to the web process: memory that does not grow with it, and the answer's time.

The request reaches the application as a server hands it over, the body as a stream, so that what is measured is what
the web process holds. COMPARISON_ROWS in the environment takes another number of rows.
"""

import os
import shutil
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from benchmarks.importing import world
from benchmarks.report import Figures

ROWS = int(os.environ.get("COMPARISON_ROWS", "1000000"))
BOUNDARY = "part-of-the-form"


def measure() -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        figures = {}
        for rows in (ROWS // 10, ROWS):
            path = str(Path(folder) / f"{rows}.csv")
            world.write_comparisons(path, rows)
            for database in world.DATABASES:
                with world.scratch(database) as environment:
                    figures[f"{database}: {rows:,} rows uploaded"] = world.step(environment, "upload.uploaded", path)
        return figures


def uploaded(path: str) -> world.Cost:
    from django.contrib.auth.models import Group, User
    from django.core.handlers.wsgi import WSGIHandler
    from django.test import Client

    editor = User.objects.create_user("editor", is_staff=True)
    editor.groups.add(Group.objects.get(name="editor"))
    browser = Client(HTTP_HOST="127.0.0.1")
    browser.force_login(editor)
    browser.get("/admin/registry/importbatch/add/")
    cookies = {name: morsel.value for name, morsel in browser.cookies.items()}
    body = _request(path, {"mode": "all-or-nothing", "kind": "comparisons"})
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/admin/registry/importbatch/add/",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "127.0.0.1",
        "HTTP_COOKIE": "; ".join(f"{name}={value}" for name, value in cookies.items()),
        "HTTP_X_CSRFTOKEN": cookies["csrftoken"],
        "CONTENT_TYPE": f"multipart/form-data; boundary={BOUNDARY}",
        "CONTENT_LENGTH": str(Path(body).stat().st_size),
        "wsgi.errors": BytesIO(),
        "wsgi.url_scheme": "http",
    }
    answered: list[str] = []

    def start(status: str, headers: Any, exc_info: Any = None) -> Any:
        answered.append(status)

    with Path(body).open("rb") as stream:
        environ["wsgi.input"] = stream
        found = world.cost(lambda: WSGIHandler()(environ, start))
    assert answered == ["302 Found"], answered
    return found


def _request(path: str, fields: dict[str, str]) -> str:
    """The form as a browser sends it, in a file beside that one."""
    told = "".join(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
    told += (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{Path(path).name}"\r\n'
        "Content-Type: text/csv\r\n\r\n"
    )
    with Path(f"{path}.form").open("wb") as form, Path(path).open("rb") as file:
        form.write(told.encode())
        shutil.copyfileobj(file, form)
        form.write(f"\r\n--{BOUNDARY}--\r\n".encode())
    return form.name
