"""Rows in the layout of results.csv, as bytes."""

import csv
import io

from tests.registry.importing.usual import CONTRACT, SUBJECT, URL

USUAL = {"contract": CONTRACT, "configuration": SUBJECT, "value": "0.5", "source_url": URL}
Cells = dict[str, str]


def table(*rows: Cells, end: str = "\n") -> bytes:
    """What a row does not say is as usual; each has an id and a place in its source of its own."""
    full = [USUAL | _place(number) | row for number, row in enumerate(rows, 1)]
    columns = list(dict.fromkeys(name for row in full for name in row))
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, columns, lineterminator=end)
    writer.writeheader()
    writer.writerows(full)
    return out.getvalue().encode()


def _place(number: int) -> Cells:
    return {"source_ref": f"row {number}", "external_id": f"c-{number}"}


def each(column: str, *texts: str) -> bytes:
    """A row for every text of a column."""
    return table(*({column: text} for text in texts))


ROWS = table({}, {"value": "0.6"})
HEADER, FIRST, SECOND = ROWS.splitlines(keepends=True)
