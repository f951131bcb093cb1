"""JSON, YAML and archives, and files of the tools and boards that are read."""

import json
from typing import Any

from tests.registry.importing.own.rows import ROWS
from tests.registry.importing.own.workbooks import archive
from tests.registry.importing.usual import CONTRACT, SUBJECT, URL

ROW = {"contract": CONTRACT, "configuration": SUBJECT, "value": 0.5, "source_url": URL, "external_id": "c-1"}


def listed(*rows: dict[str, Any]) -> bytes:
    return json.dumps([ROW | {"source_ref": f"row {number}"} | row for number, row in enumerate(rows, 1)]).encode()


JSON = {
    "p01_a_list.json": listed({}, {"value": 1e-3, "external_id": "c-2"}, {"value": None, "external_id": "c-3"}),
    "p02_a_key_twice.json": listed({}).replace(b'"value"', b'"value": 0.4, "value"'),
    "p03_nan_and_infinity.json": listed({"value": float("nan")}, {"value": float("inf"), "external_id": "c-2"}),
    "p04_half_a_character.json": listed({}, {"notes": "\ud800", "external_id": "c-2"}),
    "p05_nul_in_a_string.json": listed({"external_id": "c\0-1"}),
    "p06_nul_in_a_key.json": listed({"notes\0": "x"}),
    "p07_half_a_character_in_a_key.json": listed({"\udfff": "x"}),
    "p08_nested_a_thousandfold.json": b"[" * 1_000 + b"]" * 1_000,
    "p09_nested_a_hundred_thousandfold.json": b"[" * 100_000,
    "p10_a_pair_of_surrogates.json": listed({"notes": "\U0001f600"}),
    "p11_numbers_for_rows.json": b"[1, 2]",
    "p12_one_bad_line.jsonl": json.dumps(ROW).encode() + b'\n{"contract": \n' + json.dumps(ROW).encode() + b"\n",
    "p13_lines.jsonl": json.dumps(ROW).encode() + b"\n\n" + json.dumps(ROW | {"external_id": "c-2"}).encode() + b"\n",
    "p14_cut_off.json": listed({}, {})[:-40],
    "p15_a_list_for_a_value.json": listed({"value": [0.5]}, {"value": True, "external_id": "c-2"}),
    "p16_a_text_for_a_number.json": listed({"value": "0.5", "n": 100}),
    "p17_empty_list.json": b"[]",
    "p18_only_null.json": b"null",
}
YAML = {
    "p20_aliases_that_unfold.yaml": b"a: &a [x, x, x, x]\nb: &b [*a, *a, *a, *a]\nc: [*b, *b, *b, *b]\n",
    "p21_no_evaluations.yaml": b"contract: x\nvalue: 0.5\n",
    "p22_nul_escaped.yaml": b'- dataset:\n    id: "a\\0b"\n    task_id: t\n  value: 0.5\n',
}
ARCHIVES = {
    "p30_names_outside.zip": archive({"../results.csv": ROWS}),
    "p31_archive_in_an_archive.zip": archive({"inner.zip": archive({"a.json": b"{}"})}),
    "p32_nothing_in_it.zip": archive({}),
    "p33_only_csv.zip": archive({"results.csv": ROWS}),
    "p34_cut_off.zip": archive({"results.csv": ROWS})[:-40],
}


HOSTED = {"deployment_type": "externally_managed", "model_availability": "open_weights"}


def eee(**changed: Any) -> dict[str, Any]:
    return {
        "schema_version": "0.3.0",
        "evaluation_id": "own/vendor0-model-000/1750000000",
        "retrieved_timestamp": "1750000001",
        "source_metadata": {
            "source_type": "documentation",
            "source_organization_name": "Own",
            "evaluator_relationship": "third_party",
        },
        "eval_library": {"name": "unknown", "version": "unknown"},
        "model_info": {"name": "Model 0", "id": SUBJECT, "additional_details": HOSTED},
        "evaluation_results": [
            {
                "evaluation_name": "own",
                "evaluation_result_id": "own.1",
                "source_data": {"dataset_name": "own", "source_type": "url", "url": [URL]},
                "metric_config": {
                    "metric_id": "accuracy",
                    "lower_is_better": False,
                    "score_type": "continuous",
                    "min_score": 0.0,
                    "max_score": 1.0,
                },
                "score_details": {"score": 0.75},
            }
        ],
    } | changed


def tau2(**domains: Any) -> dict[str, Any]:
    results = {"retail": None, "telecom": None} | domains
    return {
        "model_name": SUBJECT,
        "model_organization": "Vendor 0",
        "submitting_organization": "Own",
        "submission_date": "2025-03-01",
        "contact_info": {"email": "contact@example.org"},
        "results": results,
    }


def lm_eval(stderr: Any) -> dict[str, Any]:
    return {
        "results": {"own": {"alias": "own", "acc,none": 0.5, "acc_stderr,none": stderr}},
        "configs": {"own": {"task": "own", "num_fewshot": 0}},
        "versions": {"own": 1.0},
        "n-shot": {"own": 0},
        "n-samples": {"own": {"original": 100, "effective": 100}},
        "config": {"model": "hf", "model_args": f"pretrained={SUBJECT}"},
        "model_name": SUBJECT,
        "date": 1750000000.5,
    }


def inspect(status: str) -> dict[str, Any]:
    metrics = {"accuracy": {"name": "accuracy", "value": 0.5}, "stderr": {"name": "stderr", "value": 0.1}}
    error = {"error": {"message": "The provider refused.", "traceback": ""}} if status == "error" else {}
    return {
        "version": 2,
        "status": status,
        "eval": {"run_id": "r1", "task_id": "t1", "created": "2025-05-12T20:28:13Z", "task": "own", "model": SUBJECT},
        "results": {"total_samples": 3, "completed_samples": 3, "scores": [{"name": "s", "metrics": metrics}]},
    } | error


RUN = {"name": "own:model=m", "adapter_spec": {"model": SUBJECT}}
STAT = {"name": {"name": "exact_match", "split": "test"}, "count": 10, "sum": 5.0, "mean": 0.5}


def as_json(value: Any) -> bytes:
    return json.dumps(value).encode()


TOOLS = {
    "p40_eee.json": as_json(eee()),
    "p41_eee_of_an_unknown_version.json": as_json(eee(schema_version="9.9.9")),
    "p42_eee_against_its_schema.json": as_json(eee(model_info={"name": 5}, evaluation_results=[{}])),
    "p43_tau2_with_null.json": as_json(tau2(retail={"pass_1": 50.0, "pass_2": None}, telecom={"pass_1": None})),
    "p44_lm_eval_without_standard_error.json": as_json(lm_eval("N/A")),
    "p45_inspect_that_failed.json": as_json(inspect("error")),
    "p46_inspect.json": as_json(inspect("success")),
    "p47_helm_without_stats.zip": archive({"run/run_spec.json": as_json(RUN)}),
    "p48_helm.zip": archive({"run/run_spec.json": as_json(RUN), "run/stats.json": as_json([STAT])}),
    "p49_eee_and_tau2.zip": archive({"a.json": as_json(eee()), "b.json": as_json(tau2(retail={"pass_1": 50.0}))}),
    "p50_eee_with_half_a_character.json": as_json(
        eee(model_info={"name": "\ud800", "id": SUBJECT, "additional_details": HOSTED})
    ),
    "p51_eee_twice.zip": archive({"a.json": as_json(eee()), "b.json": as_json(eee(evaluation_id="b"))}),
}
DOCUMENTS = JSON | YAML | ARCHIVES | TOOLS
