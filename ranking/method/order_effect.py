"""How much being shown first is worth: Bradley-Terry with a term for the order. Shown beside a ranking, never in it.

log-odds that the first shown wins = theta_first - theta_second + effect. Source: Agresti 2002, Categorical Data
Analysis, section 10.6, where it is the home advantage.
"""

import numpy as np
from scipy.linalg.lapack import dposv

from ranking.method.arrays import Floats
from ranking.method.bradley_terry import climb


def order_effect(points: Floats, verdicts: Floats, ghost: float = 1.0) -> tuple[float, float]:
    """Log-odds for the first shown, and their standard error as if all verdicts were independent.

    `points` (p, p) are those of the row, shown first, against the column in so many `verdicts` (p, p).
    """
    size = len(points)

    def system(theta: Floats) -> tuple[Floats, Floats]:
        """(p + 1, p + 1) information and (p + 1,) score of the log-worths and the effect."""
        win = 1 / (1 + np.exp(theta[:size] - theta[:size, None] - theta[size]))
        own = 1 / (1 + np.exp(-theta[:size]))
        rest, weight = points - verdicts * win, verdicts * win * (1 - win)
        information = np.zeros((size + 1, size + 1))
        information[:size, :size] = -weight - weight.T
        information.flat[: -1 : size + 2] += weight.sum(axis=1) + weight.sum(axis=0) + ghost * own * (1 - own)
        information[size, :size] = information[:size, size] = weight.sum(axis=1) - weight.sum(axis=0)
        information[size, size] = weight.sum()
        score = np.append(rest.sum(axis=1) - rest.sum(axis=0) + ghost * (0.5 - own), rest.sum())
        return information, score

    def step(theta: Floats) -> Floats:
        information, score = system(theta)
        _, move, fault = dposv(information, score)
        return np.full_like(score, np.nan) if fault else move

    found = climb(step, np.zeros(size + 1))
    variance = np.linalg.inv(system(found)[0])[size, size]
    return float(found[size]), float(np.sqrt(variance))
