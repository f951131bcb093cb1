"""The formats that files of results come in, how each is recognised, and how it becomes a table of text.

A format flattens and nothing more: its cells are the file's own text, its columns are listed in docs/imports.md, and
what they mean is said by a mapping profile.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from registry.importing import readers
from registry.importing.formats import (
    archives,
    every_eval_ever,
    helm,
    huggingface,
    inspect_ai,
    json_rows,
    llm_stats,
    lm_eval,
    state_bench,
    tau2_bench,
    xlsx,
)
from registry.importing.formats.documents import ALWAYS, Document, has_marks
from registry.importing.problems import NotATable, Problem
from registry.importing.tables import Table


@dataclass(frozen=True, slots=True)
class Format:
    """`recognises` looks at name and content, `read` flattens the content; the name only fills the column `file`.

    Both may raise `Unreadable`, for an archive that breaks a limit, and `read` `NotATable`, where there are no results.
    `columns` is what every table of the format has; none where the file's header decides. `zipped`: a ZIP archive may
    hold several files of it.
    """

    key: str
    label: str
    recognises: Callable[[str, bytes], bool]
    read: Callable[[bytes, str], Table]
    columns: tuple[str, ...] = ()
    zipped: bool = False


def _of(key: str, label: str, document: Document) -> Format:
    columns = (*ALWAYS, *document.columns)
    return Format(key, label, lambda _, content: document.is_one(content), document.read, columns, zipped=True)


def _csv(content: bytes, _filename: str = "") -> Table:
    if archives.is_zip(content):
        archives.names(content)
        raise NotATable("it is a ZIP archive without a file of a format that is known here.")
    if has_marks(content, (b"{",), ()):
        raise NotATable("it is JSON of a layout that is not known here.")
    return readers.read(content)


FORMATS: dict[str, Format] = {
    each.key: each
    for each in (
        Format("csv", "CSV", lambda _filename, _content: False, _csv),
        Format("xlsx", "XLSX workbook", xlsx.recognises, xlsx.read),
        _of("every-eval-ever", "Every Eval Ever", every_eval_ever.DOCUMENT),
        Format(
            "every-eval-ever-answers",
            "Every Eval Ever, single answers",
            every_eval_ever.is_answers,
            every_eval_ever.refuse_answers,
        ),
        _of("tau2-bench", "τ²-bench submission", tau2_bench.DOCUMENT),
        _of("state-bench", "STATE-Bench leaderboard entries", state_bench.DOCUMENT),
        _of("lm-eval", "lm-evaluation-harness", lm_eval.DOCUMENT),
        Format("inspect", "Inspect AI log", inspect_ai.recognises, inspect_ai.read, inspect_ai.COLUMNS, zipped=True),
        Format("helm", "HELM run folders in a ZIP", helm.recognises, helm.read, helm.COLUMNS),
        replace(
            _of("hf-eval-results", "Hugging Face .eval_results", huggingface.EVAL_RESULTS),
            recognises=huggingface.is_yaml,
        ),
        _of("hf-model-index", "Hugging Face model card", huggingface.MODEL_INDEX),
        _of("llm-stats", "llm-stats model page", llm_stats.DOCUMENT),
        Format("json-rows", "JSON or JSON Lines of flat objects", json_rows.recognises, json_rows.read),
    )
}

# Those whose header is the file's own: what reads the columns of one reads those of the others.
SPREADSHEETS = frozenset({"csv", "xlsx"})
"""What programs open that run formulas."""
SHEETS = SPREADSHEETS | {"json-rows"}


def recognised(filename: str, content: bytes) -> Format:
    """CSV where nothing else fits. Raises `Unreadable` for an archive that breaks a limit."""
    found = _recognised(filename, content)
    if found is None and archives.is_zip(content):
        within = (_recognised(name, member) for name, member in archives.members(content))
        found = next((each for each in within if each and each.zipped), None)
    return found or FORMATS["csv"]


def _recognised(filename: str, content: bytes) -> Format | None:
    return next((each for each in FORMATS.values() if each.recognises(filename, content)), None)


def mismatch(found: Format, wanted: frozenset[str]) -> Problem | None:
    """What to say where a file of one format meets a layout that reads others."""
    if found.key in wanted:
        return None
    labels = " or ".join(each.label for each in FORMATS.values() if each.key in wanted)
    message = f"The file was recognised as {found.label}; this reads {labels}. Choose another profile or format."
    return Problem(1, "", found.key, "other-format", message)
