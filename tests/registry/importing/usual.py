"""What the rows of these tests name unless they say otherwise, and where the case files are."""

from pathlib import Path

TESTS = Path(__file__).parents[2]
CASES = TESTS / "cases"

CONTRACT = "bench-000-v3.metric-000-pass-at-1"
SUBJECT = "vendor0-model-000"
URL = "https://example.org/r/1.json"
