"""The statistics that the checks share: reliability, stepped-up correlations, rank agreement."""

import numpy as np
from scipy.stats import kendalltau

from ranking.method.arrays import Floats


def reliability(covariance: Floats, score: Floats) -> float:
    """Share of the variance between scores that is not error: R = 1 - [tr(C S C)/(n-1)] / Var(score), C = I - 11'/n.

    Source: separation reliability, Kinnear, Jones and Davies 2025.
    """
    size = len(score)
    error = (np.trace(covariance) - covariance.sum() / size) / (size - 1)
    return _share(float(error), float(score.var(ddof=1)))


def reliability_without_each(covariance: Floats, score: Floats) -> Floats:
    """(n,) R of the other rows; constants and fits stay."""
    kept = ~np.eye(len(score), dtype=np.bool_)
    return np.array([reliability(covariance[np.ix_(one, one)], score[one]) for one in kept])


def _share(error: float, variance: float) -> float:
    return 1 - error / variance if variance > 0 else 0.0


def correlation(a: Floats, b: Floats) -> Floats:
    """(...,) Pearson's r over the last axis; 0 where one side has no spread."""
    a, b = a - a.mean(axis=-1, keepdims=True), b - b.mean(axis=-1, keepdims=True)
    product = (a * b).sum(axis=-1)
    size = np.sqrt((a**2).sum(axis=-1) * (b**2).sum(axis=-1))
    r: Floats = np.divide(product, size, out=np.zeros_like(product), where=size > 0)
    return r


def stepped_up(r: Floats, parts: int = 2) -> Floats:
    """Spearman-Brown: the agreement of `parts` parts together, k r / (1 + (k - 1) r); r <= 0 counts as 0."""
    positive = np.clip(r, 0.0, 1.0)
    result: Floats = parts * positive / (1 + (parts - 1) * positive)
    return result


def tau(a: Floats, b: Floats) -> float:
    """Kendall's tau-b; 0 where one side has no order."""
    value = float(kendalltau(a, b).statistic)
    return value if np.isfinite(value) else 0.0
