"""Run folders of HELM in a ZIP archive: one record for each statistic of each run."""

import re
from collections.abc import Iterator
from typing import Any

from registry.importing.formats import archives
from registry.importing.formats.documents import ALWAYS, has_marks, within
from registry.importing.formats.flat import Fields, FlatTable, at, flattened
from registry.importing.formats.json_text import read_json, text_of
from registry.importing.formats.schemas import NUMBER_OR_NULL, TEXT, Schema, check, list_of, object_of
from registry.importing.problems import NotATable, Unreadable

STATS, RUN, SCENARIO = "stats.json", "run_spec.json", "scenario.json"

_RUN = {
    "run": "name",
    "scenario_class": "scenario_spec/class_name",
    "scenario_args": "scenario_spec/args",
    "model": "adapter_spec/model",
    "model_deployment": "adapter_spec/model_deployment",
    "method": "adapter_spec/method",
    "max_train_instances": "adapter_spec/max_train_instances",
    "max_eval_instances": "adapter_spec/max_eval_instances",
    "num_train_trials": "adapter_spec/num_train_trials",
    "temperature": "adapter_spec/temperature",
    "max_tokens": "adapter_spec/max_tokens",
    "groups": "groups",
}
_STAT = {
    "stat": "name/name",
    "split": "name/split",
    "sub_split": "name/sub_split",
    "perturbation": "name/perturbation/name",
    "computed_on": "name/perturbation/computed_on",
    **{name: name for name in ("count", "sum", "mean", "min", "max", "variance", "stddev")},
}
_RUN_SCHEMA: Schema = object_of(["name", "adapter_spec"], name=TEXT, adapter_spec=object_of(["model"], model=TEXT))
_STATS_SCHEMA: Schema = list_of(
    object_of(["name", "count"], name=object_of(["name"], name=TEXT), count=NUMBER_OR_NULL, mean=NUMBER_OR_NULL)
)
COLUMNS = (*ALWAYS, *_RUN, "scenario", *_STAT)
_BESIDE = re.compile(rf"(?:^|/)(?:{RUN}|{STATS})$")


def recognises(_filename: str, content: bytes) -> bool:
    if archives.is_zip(content):
        return any(_BESIDE.search(name) for name in archives.names(content))
    return has_marks(content, (b"{",), (b'"adapter_spec"', b'"scenario_spec"')) or has_marks(
        content, (b"[",), (b'"name"', b'"sum_squared"')
    )


def read(content: bytes, _filename: str = "") -> FlatTable:
    """Raises `NotATable` for one file of a run alone: its numbers and its model stand in different files."""
    if not archives.is_zip(content):
        raise NotATable(f"it is one file of a HELM run. Pack the run's folder, with {RUN} and {STATS}, as a ZIP.")
    # A run folder holds far larger files that are not read.
    files = {
        name: file for name, file in archives.members(content) if name.rpartition("/")[2] in (RUN, STATS, SCENARIO)
    }
    folders = sorted({_BESIDE.sub("", name) for name in files if _BESIDE.search(name)})
    return flattened(COLUMNS, (record for folder in folders for record in _run(folder, files)), "ZIP of UTF-8")


def _run(folder: str, files: dict[str, bytes]) -> Iterator[Fields]:
    path = f"{folder}/" if folder else ""
    missing = [name for name in (RUN, STATS) if path + name not in files]
    if missing:
        yield {"file": folder, "no_results": f"the run has no {missing[0]}."}
        return
    run = _checked(path + RUN, files, _RUN_SCHEMA)
    stats = _checked(path + STATS, files, _STATS_SCHEMA)
    scenario = read_json(files[path + SCENARIO]) if path + SCENARIO in files else None
    shared = {column: text_of(at(run, place)) for column, place in _RUN.items()}
    shared |= {"file": folder, "scenario": text_of(at(scenario, "name"))}
    for stat in stats:
        yield shared | {column: text_of(at(stat, place)) for column, place in _STAT.items()}


def _checked(path: str, files: dict[str, bytes], schema: Schema) -> Any:
    try:
        value = read_json(files[path])
        check(value, schema)
    except Unreadable as faults:
        raise Unreadable(*(within(path, problem) for problem in faults.problems)) from faults
    return value
