from typing import Any

import django.db.models.deletion
import registry.models.staging
from django.db import migrations, models

from registry import triggers


PIECE = 1024 * 1024


def carry_bytes_over(apps: Any, _: Any) -> None:
    """A source's bytes are kept in parts."""
    sources, parts = apps.get_model("registry", "Source").objects, apps.get_model("registry", "SourcePart").objects
    for pk in list(sources.values_list("pk", flat=True)):
        content = bytes(sources.values_list("content", flat=True).get(pk=pk))
        for number, start in enumerate(range(0, len(content), PIECE)):
            parts.create(source_id=pk, number=number, content=content[start : start + PIECE])


def let_staged_go(apps: Any, _: Any) -> None:
    """Their rows were kept in another form; the files are there and can be staged again."""
    apps.get_model("registry", "ImportBatch").objects.filter(status="staged").update(
        status="discarded", reason="Staged by an earlier version: stage the file again."
    )


def open_sources(_: Any, schema_editor: Any) -> None:
    """The trigger names the column that goes."""
    triggers.unseal(schema_editor, "registry_source")


# The bytes of a source are its parts.
SEALED = {"registry_source": ("sha256", "size", "uploaded_by", "uploaded_at"), "registry_sourcepart": ()}


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0007_addresses_without_accounts"),
    ]

    operations = [
        migrations.CreateModel(
            name="SourcePart",
            fields=[
                (
                    "source",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="parts",
                        to="registry.source",
                    ),
                ),
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("content", models.BinaryField()),
            ],
            options={
                "ordering": ("source", "number"),
            },
        ),
        migrations.CreateModel(
            name="StagedComparison",
            fields=[
                (
                    "a",
                    registry.models.staging.Loose(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="registry.configuration",
                    ),
                ),
                (
                    "b",
                    registry.models.staging.Loose(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="registry.configuration",
                    ),
                ),
                (
                    "batch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="registry.importbatch",
                    ),
                ),
                (
                    "lineage",
                    registry.models.staging.Loose(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="registry.lineage",
                    ),
                ),
                (
                    "stored",
                    registry.models.staging.Loose(
                        db_constraint=False,
                        db_index=False,
                        help_text="The comparison that it is, or contradicts.",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="registry.comparison",
                    ),
                ),
                (
                    "task",
                    registry.models.staging.Loose(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="registry.task",
                    ),
                ),
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "batch_id", "line", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("line", models.PositiveIntegerField(help_text="Where the record begins in the file.")),
                ("raw", models.TextField(help_text="The cells as they stood, in the order of the header: a list in JSON.")),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("new", "new"),
                            ("same", "same as stored"),
                            ("changed", "correction of a stored value"),
                            ("conflict", "conflict"),
                            ("skipped", "skipped by a rule of the profile"),
                            ("refused", "refused"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "values",
                    models.JSONField(help_text="What could be read of a row that is refused, by column.", null=True),
                ),
                (
                    "problems",
                    models.JSONField(help_text="Column, value, reason code and sentence of each problem.", null=True),
                ),
                ("comparison_id", models.CharField(max_length=200)),
                ("outcome", models.CharField(max_length=10)),
                ("raw_outcome", models.CharField(max_length=60)),
                ("judge", models.CharField(max_length=120)),
                ("order", models.CharField(max_length=2)),
                ("judged_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ("batch", "line"),
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="StagedResult",
            fields=[
                (
                    "batch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="registry.importbatch",
                    ),
                ),
                (
                    "configuration",
                    registry.models.staging.Loose(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="registry.configuration",
                    ),
                ),
                (
                    "contract",
                    registry.models.staging.Loose(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="registry.metriccontract",
                    ),
                ),
                (
                    "stored",
                    registry.models.staging.Loose(
                        db_constraint=False,
                        db_index=False,
                        help_text="The result of the same identity: equal, or to be corrected.",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="registry.result",
                    ),
                ),
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "batch_id", "line", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("line", models.PositiveIntegerField(help_text="Where the record begins in the file.")),
                ("raw", models.TextField(help_text="The cells as they stood, in the order of the header: a list in JSON.")),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("new", "new"),
                            ("same", "same as stored"),
                            ("changed", "correction of a stored value"),
                            ("conflict", "conflict"),
                            ("skipped", "skipped by a rule of the profile"),
                            ("refused", "refused"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "values",
                    models.JSONField(help_text="What could be read of a row that is refused, by column.", null=True),
                ),
                (
                    "problems",
                    models.JSONField(help_text="Column, value, reason code and sentence of each problem.", null=True),
                ),
                ("source_url", models.CharField(max_length=500)),
                ("source_ref", models.CharField(max_length=250)),
                ("external_id", models.CharField(max_length=200)),
                ("value", models.FloatField(null=True)),
                ("absence", models.CharField(max_length=20)),
                ("stderr", models.FloatField(null=True)),
                ("sd", models.FloatField(null=True)),
                ("n", models.PositiveIntegerField(null=True)),
                ("runs", models.PositiveIntegerField(null=True)),
                ("observed_on", models.DateField(null=True)),
                ("notes", models.TextField()),
            ],
            options={
                "ordering": ("batch", "line"),
                "abstract": False,
            },
        ),
        migrations.RemoveConstraint(
            model_name="importbatch",
            name="batch_status",
        ),
        migrations.AddField(
            model_name="importbatch",
            name="basis",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Digest of what its rows were read against: while it stays the same, so does the reading.",
                max_length=64,
            ),
        ),
        migrations.AddField(
            model_name="importbatch",
            name="format",
            field=models.CharField(
                db_default="csv", default="csv", help_text="What kind of file it was read as.", max_length=40
            ),
        ),
        migrations.AddField(
            model_name="importbatch",
            name="header",
            field=models.JSONField(
                db_default=models.Value([], models.JSONField()), default=list, help_text="Columns of the file."
            ),
        ),
        migrations.AddField(
            model_name="importbatch",
            name="read_as",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="The batch whose rows are this one's too: the same bytes, read the same way.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="read_again",
                to="registry.importbatch",
            ),
        ),
        migrations.AlterField(
            model_name="importbatch",
            name="status",
            field=models.CharField(
                choices=[
                    ("reading", "being read"),
                    ("staged", "waiting for a decision"),
                    ("refused", "refused as a whole"),
                    ("applying", "being applied"),
                    ("applied", "applied"),
                    ("reverted", "reverted"),
                    ("discarded", "discarded"),
                ],
                default="staged",
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="importbatch",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("status__in", ["reading", "staged", "refused", "applying", "applied", "reverted", "discarded"])
                ),
                name="batch_status",
            ),
        ),
        migrations.DeleteModel(
            name="StagedRow",
        ),
        migrations.RunPython(carry_bytes_over, migrations.RunPython.noop),
        migrations.RunPython(let_staged_go, migrations.RunPython.noop),
        migrations.RunPython(open_sources, migrations.RunPython.noop),
        migrations.RemoveField(
            model_name="source",
            name="content",
        ),
        migrations.AddConstraint(
            model_name="sourcepart",
            constraint=models.UniqueConstraint(fields=("source", "number"), name="source_part"),
        ),
        migrations.RunPython(*triggers.operations(SEALED)),
    ]
