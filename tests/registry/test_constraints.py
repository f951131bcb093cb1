"""What a form may run into is told in a sentence, never by the name of a constraint."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db.models import BaseConstraint, Model

from registry.models import Curated, MetricContract
from tests.ranking.public import world


def _with_forms() -> list[type[Model]]:
    return [model for model in apps.get_app_config("registry").get_models() if issubclass(model, Curated)]


def _constraints() -> Iterator[tuple[type[Model], BaseConstraint]]:
    for model in _with_forms():
        for constraint in model._meta.constraints:
            if not _is_the_choice_of_a_field(model, constraint):
                yield model, constraint


def _is_the_choice_of_a_field(model: type[Model], constraint: BaseConstraint) -> bool:
    """The field itself refuses other words, and Django asks no constraint about a field that was refused."""
    conditions = getattr(getattr(constraint, "condition", None), "children", [])
    if len(conditions) != 1 or not isinstance(conditions[0], tuple) or not conditions[0][0].endswith("__in"):
        return False
    return bool(getattr(model._meta.get_field(conditions[0][0].removesuffix("__in")), "choices", None))


@pytest.mark.parametrize(("model", "constraint"), list(_constraints()), ids=lambda it: getattr(it, "name", ""))
def test_every_constraint_has_its_sentence(model: type[Model], constraint: BaseConstraint) -> None:
    told = str(constraint.get_violation_error_message())
    assert told != constraint.default_violation_error_message % {"name": constraint.name}
    assert told.endswith(".")
    assert constraint.name not in told


def test_the_walk_meets_constraints_of_every_kind() -> None:
    names = {constraint.name for _, constraint in _constraints()}
    assert {"alignment_directness", "measurement_facet_lineage", "rights_once_suite", "alias_reviewed"} <= names
    assert "facet_mode" not in names


@pytest.mark.django_db
@pytest.mark.parametrize(("unit", "lower", "upper"), [("fraction", 0, 100), ("fraction", -1, 1), ("percent", 0, 101)])
def test_a_rate_stays_within_its_unit(unit: str, lower: float, upper: float) -> None:
    world.build()
    contract = MetricContract.objects.filter(kind="rate")[0]
    contract.unit, contract.lower, contract.upper = unit, lower, upper
    with pytest.raises(ValidationError, match="A rate in this unit lies between 0 and"):
        contract.full_clean()
    contract.kind = "bounded"
    contract.full_clean()
