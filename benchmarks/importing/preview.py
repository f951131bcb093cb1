"""Fifty rows uploaded at the desk and looked at, with what applying them would do to each gate.

On the registry of `make demo`, as an editor's browser asks for it: the upload, the page of the batch with its preview,
and the confirm page, which has the gates answer anew. Beside them the desk, a page that every session opens. The rows
count where they arrive: in a gate of published figures (STATE-Bench), or in two gates that fit a model of human
comparisons (AlpacaEval), the dearest there are.
"""

import time
from typing import Any

from benchmarks.importing import world
from benchmarks.report import Figures

ROWS = 50
FILES = {
    "50 new results of STATE-Bench": "v0.7.main.customer_support.pass_at_1",
    "50 new results of AlpacaEval": "alpaca-eval-2.win_rate",
}


def measure() -> Figures:
    return {
        f"{database}: {name}": line
        for database in world.DATABASES
        for name, contract in FILES.items()
        for line in [world.medians([_on(database, contract) for _ in range(world.REPEATS)])]
    }


def _on(database: str, contract: str) -> world.Cost:
    with world.scratch(database, filled="demo") as environment:
        return world.step(environment, "preview.previewed", contract)


def previewed(contract: str) -> world.Cost:
    """In a process with the registry of the demo: seconds of the clock a page."""
    from django.contrib.auth.models import User
    from django.test import Client
    from django.test.utils import setup_test_environment

    setup_test_environment()  # A page's context can be read.
    browser = Client(HTTP_HOST="127.0.0.1")
    browser.force_login(User.objects.get(username="editor"))
    _timed(lambda: browser.get("/admin/"))  # Templates are read once in a process.
    desk, _ = _timed(lambda: browser.get("/admin/"))
    text = _rows(contract)
    uploaded, answer = _timed(lambda: browser.post("/admin/registry/importbatch/add/", text))
    opened, page = _timed(lambda: browser.get(answer["Location"]))
    assert [count for _, label, count in page.context["counts"] if label == "new"] == [ROWS]
    asked, _ = _timed(lambda: browser.get(page.context["apply_url"]))
    return {
        "desk s": desk,
        "upload s": uploaded,
        "preview s": opened,
        "confirm s": asked,
        "in all s": uploaded + opened,
    }


def _timed(act: Any) -> tuple[float, Any]:
    started = time.perf_counter()
    answer = act()
    seconds = time.perf_counter() - started
    assert answer.status_code in (200, 302), answer.content
    return seconds, answer


def _rows(contract: str) -> dict[str, str]:
    from registry.models import Configuration

    known = Configuration.objects.filter(subject_kind="model").order_by("key").values_list("key", flat=True)[:ROWS]
    lines = [f"{contract},{key},{40 + number / 2},https://example.org/run,r1" for number, key in enumerate(known)]
    assert len(lines) == ROWS
    return {"text": "\n".join(["contract,configuration,value,source_url,source_ref", *lines]), "mode": "all-or-nothing"}
