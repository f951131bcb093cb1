"""Write the files."""

from tests.registry.importing.own.files import FILES
from tests.registry.importing.usual import CASES

for name, content in FILES.items():
    (CASES / "own" / name).write_bytes(content)
