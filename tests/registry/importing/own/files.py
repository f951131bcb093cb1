"""All of them by name."""

from tests.registry.importing.own.documents import DOCUMENTS
from tests.registry.importing.own.sheets import SHEETS
from tests.registry.importing.own.workbooks import WORKBOOKS

FILES = SHEETS | WORKBOOKS | DOCUMENTS
