from tests.registry.admin.conftest import as_, collection, live, mapping

__all__ = ["as_", "collection", "live", "mapping"]
