"""arena-rank's sandwich of the rows in a folder, one facet after the other. Runs in arena-rank's own environment.

`python arena_sandwich.py FOLDER`: each FOLDER/*.npz holds `a`, `b` (numbers of configurations) and `outcome` (0 for a,
1 for b, 2 for a tie), one entry a row. Prints a JSON object: CPU seconds in all and without reading the rows, peak MB.
"""

import json
import resource
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from arena_rank.models.bradley_terry import BradleyTerry
from arena_rank.utils.data_utils import PairDataset

WINNERS = np.array(["model_a", "model_b", "tie"])


def main(folder: Path) -> None:
    first, *others = sorted(folder.glob("*.npz"))
    # Compiling is once in a process, whatever the number of facets: it is paid before the clock runs.
    sandwich(first)
    taken = [sandwich(path) for path in (first, *others)]
    whole, fits = (sum(column) for column in zip(*taken, strict=True))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"whole": whole, "fits": fits, "peak": peak}))


def sandwich(path: Path) -> tuple[float, float]:
    """CPU seconds from rows to intervals, and of fit and covariance alone."""
    rows = np.load(path)
    frame = pd.DataFrame({"model_a": rows["a"], "model_b": rows["b"], "winner": WINNERS[rows["outcome"]]})
    begin = time.process_time()
    dataset = PairDataset.from_pandas(frame)
    counted = time.process_time()
    model = BradleyTerry(n_competitors=len(dataset.competitors))
    found = model.compute_ratings_and_cis(dataset, ci_method="sandwich")
    assert np.isfinite(np.asarray(found["rating_upper"])).all()
    end = time.process_time()
    return end - begin, end - counted


if __name__ == "__main__":
    main(Path(sys.argv[1]))
