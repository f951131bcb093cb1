"""A small registry as files, and what the tests do with it."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User

from registry import exchange
from registry.exchange import LoadRefused
from registry.models import AuditEvent

# One registry in which every file and every kind of field occurs.
FILES = {
    "editions": "- {key: e1, title: First}",
    "collections": """
- {slug: support, edition: e1, title: Support, question: Which?, summary: Solved., subject_kind: model, planning: false}
- {slug: other, edition: e1, title: Other, question: Which?, summary: Solved., subject_kind: model}
""",
    "facets": """
- {collection: support, slug: same, title: Same, description: One., weight: 33.33, mode: hybrid, position: 1}
- {collection: other, slug: same, title: Same, description: Another., weight: 100, mode: external}
""",
    "tasks": "- {facet: [support, same], key: t1, title: Do it, required: false}",
    "capability_atoms": "[{key: a1, title: One}, {key: a2, title: Two}]",
    "publishers": "- {key: p1, name: Publisher}",
    "suites": "- {key: s1, publisher: p1, title: Suite, url: 'https://suite.example/'}",
    "benchmarks": "- {key: b1, suite: s1, title: Benchmark, eligibility: results-only}",
    "lineages": """
- {key: l1, suite: s1, title: Old, upstream_version: '1.0', track: main}
- {key: l2, suite: s1, title: New, upstream_version: '2.0', track: main, use: usable}
""",
    "lineage_links": "- {a: l1, b: l2, kind: tasks, certainty: unknown, reason: Nobody knows.}",
    "protocols": "- {key: pr1, title: Protocol, runs: 5}",
    "metric_contracts": """
- {key: c1, title: Rate, benchmark: b1, lineage: l2, protocol: pr1, subject_kind: model, unit: percent, kind: rate,
   direction: higher, lower: 0, upper: 99.5, required_identity: [model, effort], assumed_n: 10, assumed_n_reason: Told.}
""",
    "organizations": "- {key: o1, name: Maker}",
    "model_releases": "- {organization: o1, key: m1, name: Model, released_on: 2026-01-31}",
    "configurations": "- {key: o1/m1, model: [o1, m1], subject_kind: model, effort: default, reference: true}",
    "configuration_aliases": """
- {name: 'O|M|', configuration: o1/m1, reviewed_by: ada, reviewed_at: 2026-02-01T09:00:00+01:00}
- {name: 'O|M|not reviewed', configuration: o1/m1}
""",
    "evidence_mappings": """
- {collection: support, benchmark: b1, role: primary, upstream_access: manual, declared_subject: model,
   metric_partitions: [model], projection: allowed, projection_reason: Tested., atoms: [a2, a1]}
- {collection: other, benchmark: b1, role: context, upstream_access: gated, declared_subject: model,
   metric_partitions: [model, product]}
""",
    "mapping_facets": "- {mapping: [support, b1], facet: [support, same], coverage_note: Measured.}",
    "mapping_lineages": "- {mapping: [support, b1], lineage: l2, subject_kind: model}",
    "measurements": "- {mapping: [support, b1], contract: c1, facet: [support, same], reason: It does.}",
    "task_alignments": "- {mapping: [support, b1], task: [support, same, t1], directness: 62.5, reason: Half.}",
    "mapping_profiles": """
- {key: prof, title: Profile, spec: {skip: [{when: {domain: [overall]}, reason: A mean.}], unknown_columns: ignore,
   columns: {value: '{v}', contract: '{c}', configuration: '{m}'}}}
""",
    "rights_decisions": """
- {publisher: p1, use: store, clause: None found.}
- {suite: s1, use: rank, verdict: allowed, clause: MIT, reviewed_by: ada, reviewed_on: 2026-02-01}
""",
    "exclusions": """
- {scope: lineage, target: l1, type: version, reason: Old., lift_condition: None., excluded_by: ada,
   excluded_at: 2026-02-01T09:00:00Z, lifted_by: bea, lifted_at: 2026-02-02T09:00:00Z, lift_reason: Needed.}
- {scope: lineage, target: l1, type: version, reason: Old again., lift_condition: None., excluded_by: ada,
   excluded_at: 2026-02-03T09:00:00.123456Z}
- {scope: contract, target: c1, mapping: [support, b1], type: rights, reason: Not ours., lift_condition: Leave.,
   excluded_by: ada, excluded_at: 2026-02-01T09:00:00Z}
""",
    "judges": "[{key: j1, person: true}, {key: j2, family: f1, organization_key: o1}]",
    "sample_outputs": """
- {task: [support, same, t1], configuration: o1/m1, retired_grade: 4.5, text: "Two\\nlines: 'quoted' – ümlaut 🙂"}
""",
}

SHA256 = "ab" * 32


def write(directory: Path, files: dict[str, str]) -> Path:
    directory.mkdir(exist_ok=True)
    for stem, content in files.items():
        (directory / f"{stem}.yaml").write_text(content, encoding="utf-8")
    return directory


def content(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def refusal(directory: Path, by: User) -> LoadRefused:
    """Load what cannot be loaded; nothing of it may be stored."""
    before = AuditEvent.objects.count()
    with pytest.raises(LoadRefused) as caught:
        exchange.load(directory, by=by)
    assert AuditEvent.objects.count() == before
    return caught.value
