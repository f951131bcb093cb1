"""What somebody may have meant: shown beside a refusal, never used to resolve a name."""

import difflib
from collections.abc import Iterable
from itertools import islice

_LONGEST = 120
# Comparing with every name is slow where there are many; a hint is worth no more than this.
_MOST_COMPARED = 5_000


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """A sentence with up to three similar names; empty where none is similar."""
    names = list(islice(known, _MOST_COMPARED))
    folded = {name.casefold(): name for name in names}
    close = difflib.get_close_matches(text[:_LONGEST].strip().casefold(), folded, n=3, cutoff=0.7)
    return f" Did you mean {', '.join(folded[name] for name in close)}?" if close else ""
