"""Writes statistics.json: inputs and what SciPy, statsmodels and diptest, or a formula written out here, say of them.

    pip install numpy scipy statsmodels diptest
    python3 Tests/StatisticsTests/Golden/statistics.py

The tests of Tests/StatisticsTests read it. Seeds are fixed: it writes the same file each time, but for the last digits
that differ between versions of the libraries. Made with SciPy 1.17.1, NumPy 2.4.6, statsmodels 0.15.0, diptest 0.12.0.
"""

import json
import math
import pathlib
import warnings

import diptest
import numpy
import scipy.stats
from statsmodels.tsa.stattools import acf


def normal(count, seed):
    return numpy.random.default_rng(seed).standard_normal(count)


def autoregressive(count, rho, seed):
    noise = normal(count, seed)
    series = [noise[0]]
    for step in noise[1:]:
        series.append(rho * series[-1] + math.sqrt(1 - rho * rho) * step)
    return numpy.array(series)


def bimodal(count, seed):
    random = numpy.random.default_rng(seed)
    return random.standard_normal(count) + numpy.where(random.random(count) < 0.4, 6.0, 0.0)


# A few series of many kinds; the statistics below take of them what they can.
SERIES = {
    "one": numpy.array([3.5]),
    "two": numpy.array([3.0, 1.0]),
    "ties": numpy.array([1, 2, 2, 3, 3, 3, 7, 1, 2, 40.0]),
    "normal 30": 100 + 5 * normal(30, 1),
    "log-normal 50": numpy.exp(normal(50, 2)),
    "bimodal 60": bimodal(60, 3),
    "ticks 80": numpy.round(20 + 2 * normal(80, 4)),
    "autoregressive 200": autoregressive(200, 0.7, 5),
    "far from zero": 1e9 + normal(20, 6),
    "drifting 25": normal(25, 7) + 0.1 * numpy.arange(25),
    "drifting ticks 32": numpy.round(normal(32, 8) + 0.05 * numpy.arange(32)),
    "wild": numpy.concatenate([normal(20, 9), [50.0, -9.0, 6.0]]),
}


def listed(values):
    return [float(value) for value in values]


def quantiles():
    for name, values in SERIES.items():
        shares = [0, 0.01, 0.1, 0.25, 0.5, 0.6, 0.75, 0.95, 0.999, 1]
        yield {
            "values": listed(values),
            "shares": shares,
            "linear": listed(numpy.quantile(values, shares, method="linear")),
            "medianUnbiased": listed(numpy.quantile(values, shares, method="median_unbiased")),
        }


def normals():
    for share in [1e-300, 1e-12, 1e-6, 0.001, 0.025, 0.05, 0.3, 0.5, 0.7, 0.975, 0.995, 0.999999]:
        yield {"share": share, "z": float(scipy.stats.norm.ppf(share))}


def spreads():
    for name, values in SERIES.items():
        yield {
            "values": listed(values),
            "mean": float(math.fsum(values) / len(values)),
            "standardDeviation": float(numpy.std(values, ddof=1)) if len(values) > 1 else None,
            "median": float(numpy.median(values)),
            "mad": float(scipy.stats.median_abs_deviation(values)),
            "normalizedMAD": float(scipy.stats.median_abs_deviation(values, scale="normal")),
        }


def outliers():
    for name, values in SERIES.items():
        lower, upper = numpy.percentile(values, [25, 75])
        reach = upper - lower
        yield {
            "values": listed(values),
            "lowerQuartile": float(lower),
            "upperQuartile": float(upper),
            "lowSevere": int(numpy.sum(values < lower - 3 * reach)),
            "lowMild": int(numpy.sum((values < lower - 1.5 * reach) & (values >= lower - 3 * reach))),
            "highMild": int(numpy.sum((values > upper + 1.5 * reach) & (values <= upper + 3 * reach))),
            "highSevere": int(numpy.sum(values > upper + 3 * reach)),
        }


def autocorrelations():
    for name, values in SERIES.items():
        if len(values) < 10:
            continue
        correlations = acf(values, nlags=len(values) - 1, fft=False)
        time = -1.0
        for first in range(0, len(values), 2):
            pair = sum(correlations[first : first + 2])
            if pair <= 0:
                break
            time += 2 * pair
        yield {
            "values": listed(values),
            "correlations": listed(correlations),
            "effectiveSize": len(values) / min(max(time, 1), len(values)),
        }


def drifts():
    """Series of at most 32 values, of which Drift tests every value."""
    series = {name: values for name, values in SERIES.items() if 10 <= len(values) <= 32}
    series["wandering 32"] = autoregressive(32, 0.8, 10)
    for name, values in series.items():
        n = len(values)
        pairs = [(i, j) for j in range(n) for i in range(j)]
        score = int(sum(numpy.sign(values[j] - values[i]) for i, j in pairs))
        groups = numpy.unique(values, return_counts=True)[1]
        ties = sum(t * (t - 1) * (2 * t + 5) for t in groups)
        variance = (n * (n - 1) * (2 * n + 5) - ties) / 18
        # SciPy's tau-b is the score over a number of pairs.
        unequal = math.sqrt((n * (n - 1) / 2) * (n * (n - 1) / 2 - sum(t * (t - 1) / 2 for t in groups)))
        assert math.isclose(score / unequal, scipy.stats.kendalltau(numpy.arange(n), values).statistic)
        slopes = sorted((values[j] - values[i]) / (j - i) for i, j in pairs)
        slope = float(scipy.stats.theilslopes(values).slope)

        ranks = scipy.stats.rankdata(values - slope * numpy.arange(n))
        neighbours = acf(ranks, nlags=1, fft=False)[1]
        dependence = min(max((n * neighbours + 3) / (n - 6), 0), 0.99)
        lags = numpy.arange(1, n)
        weights = (n - lags) * (n - lags - 1) * (n - lags - 2)
        inflation = 1 + 2 / (n * (n - 1) * (n - 2)) * float(numpy.sum(weights * dependence**lags))
        deviation = math.sqrt(variance * inflation)
        reach = scipy.stats.norm.ppf(0.975) * deviation
        rank = math.floor((len(slopes) - reach) / 2)
        yield {
            "values": listed(values),
            "score": score,
            "slope": slope,
            "dependence": float(dependence),
            "pValue": float(min(2 * scipy.stats.norm.sf(max(abs(score) - 1, 0) / deviation), 1)),
            "lower": float(slopes[rank - 1]) if rank >= 1 else None,
            "upper": float(slopes[-rank]) if rank >= 1 else None,
        }


def dips():
    random = numpy.random.default_rng(11)
    kinds = [
        lambda n: random.random(n),
        lambda n: random.standard_normal(n),
        lambda n: bimodal(n, n),
        lambda n: random.integers(0, 6, n).astype(float),
        lambda n: random.integers(0, 50, n).astype(float),
        lambda n: numpy.exp(random.standard_normal(n)),
        lambda n: numpy.arange(n, dtype=float),
        lambda n: numpy.array([float(k % 2) for k in range(n)]),
    ]
    for count in [1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 20, 50, 200]:
        for kind in kinds:
            values = numpy.round(kind(count), 6)
            yield {"values": listed(values), "dip": float(diptest.dipstat(values, allow_zero=False))}


def dip_p_values():
    """diptest's p-values, from the table of Maechler's R package (a million simulations for each number of values)."""
    for count in [10, 12, 17, 30, 64, 100, 300, 1000, 3000, 10000]:
        for scaled in [0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7]:
            yield {"count": count, "dip": scaled / math.sqrt(count), "pValue": p_value_of(scaled / math.sqrt(count), count)}


def p_value_of(dip, count):
    from diptest.consts import Consts

    counts, quantiles, shares = Consts._SAMPLE_SIZE, Consts._CRIT_VALS, Consts._ALPHA
    above = int(numpy.searchsorted(counts, count))
    below = above if counts[above] == count else above - 1
    part = 0 if above == below else (count - counts[below]) / (counts[above] - counts[below])
    low = math.sqrt(counts[below]) * quantiles[below]
    high = math.sqrt(counts[above]) * quantiles[above]
    return 1 - float(numpy.interp(math.sqrt(count) * dip, low + part * (high - low), shares))


def mann_whitneys():
    def ranked(name, x, y, method, p_value):
        u = scipy.stats.mannwhitneyu(x, y, use_continuity=True, method="asymptotic").statistic
        return {
            "name": name,
            "first": listed(x),
            "second": listed(y),
            "statistic": float(u),
            "method": method,
            "pValue": float(p_value),
        }

    # Every division of the pooled values into two groups, ties as they come.
    random = numpy.random.default_rng(21)
    for m, n, kinds in [(2, 3, 3), (4, 4, 4), (3, 8, 5), (7, 7, 5), (8, 6, 3), (5, 9, 100), (10, 4, 8), (8, 8, 12)]:
        x, y = random.integers(0, kinds, m).astype(float), random.integers(0, kinds, n) + float(kinds // 4)
        exact = scipy.stats.permutation_test(
            (x, y),
            lambda x, y: scipy.stats.rankdata(numpy.concatenate([x, y]))[: len(x)].sum(),
            n_resamples=math.inf,
            vectorized=False,
        )
        yield ranked("ties", x, y, "exact", exact.pvalue)
    for m, n in [(3, 5), (10, 12), (30, 33), (1, 40), (100, 9)]:
        x, y = normal(m, m), normal(n, 100 + n) + 0.5
        yield ranked("no ties", x, y, "exact", scipy.stats.mannwhitneyu(x, y, method="exact").pvalue)
    for m, n, digits in [(40, 40, 5), (100, 30, 0), (60, 60, 1), (20, 200, 0)]:
        x, y = numpy.round(normal(m, m), digits), numpy.round(normal(n, 100 + n) + 0.2, digits)
        p_value = scipy.stats.mannwhitneyu(x, y, use_continuity=True, method="asymptotic").pvalue
        yield ranked("many", x, y, "normal", p_value)


def signed_ranks():
    def ranked(name, differences, method, p_value):
        moved = differences[differences != 0]
        positive = scipy.stats.rankdata(abs(moved))[moved > 0].sum()
        return {
            "name": name,
            "differences": listed(differences),
            "statistic": float(positive),
            "method": method,
            "pValue": float(p_value),
        }

    # Every choice of signs, ties as they come.
    random = numpy.random.default_rng(22)
    for count, kinds in [(4, 3), (6, 3), (9, 5), (12, 4), (13, 100), (16, 9)]:
        differences = random.integers(-kinds, kinds + 3, count).astype(float)
        moved = differences[differences != 0]
        exact = scipy.stats.permutation_test(
            (moved,),
            lambda d: scipy.stats.rankdata(abs(d))[d > 0].sum(),
            permutation_type="samples",
            n_resamples=math.inf,
            vectorized=False,
        )
        yield ranked("ties", differences, "exact", exact.pvalue)
    for count in [6, 20, 50, 100]:
        differences = normal(count, 200 + count) + 0.3
        yield ranked("no ties", differences, "exact", scipy.stats.wilcoxon(differences, method="exact").pvalue)
    for count, digits in [(120, 5), (250, 0), (300, 1)]:
        differences = numpy.round(normal(count, 200 + count) + 0.1, digits)
        result = scipy.stats.wilcoxon(differences, zero_method="wilcox", correction=True, method="asymptotic")
        yield ranked("many", differences, "normal", result.pvalue)


def hodges_lehmanns():
    """Point estimates from all pairs, intervals by rank from distributions counted in whole numbers."""

    def interval(pairs, ways, least):
        """The largest rank k with P(statistic < least + k) <= 2.5 %."""
        total, below, rank = sum(ways), 0, 0
        while 40 * (below + ways[least + rank]) <= total:
            below += ways[least + rank]
            rank += 1
        if rank == 0:
            return None, None, None
        return float(pairs[rank - 1]), float(pairs[-rank]), 1 - 2 * below / total

    def one(name, values):
        pairs = sorted((a + b) / 2 for i, a in enumerate(values) for b in values[i:])
        ways = [1]
        for rank in range(1, len(values) + 1):
            ways = [
                (ways[s] if s < len(ways) else 0) + (ways[s - rank] if s >= rank else 0) for s in range(len(ways) + rank)
            ]
        lower, upper, confidence = interval(pairs, ways, 0)
        return {
            "name": name,
            "values": listed(values),
            "estimate": float(numpy.median(pairs)),
            "lower": lower,
            "upper": upper,
            "confidence": confidence,
        }

    def two(name, values, reference):
        pairs = sorted(a - b for a in values for b in reference)
        m, n = len(values), len(reference)
        ways = [[0] * (m * n + 1) for _ in range(m + 1)]
        ways[0][0] = 1
        for place in range(m + n):  # of U: each value of the first group counts those of the second before it
            for chosen in range(min(place, m - 1), -1, -1):
                step = place - chosen
                if step > n:
                    continue
                for s in range(m * n + 1 - step):
                    ways[chosen + 1][s + step] += ways[chosen][s]
        lower, upper, confidence = interval(pairs, ways[m], 0)
        return {
            "name": name,
            "values": listed(values),
            "reference": listed(reference),
            "estimate": float(numpy.median(pairs)),
            "lower": lower,
            "upper": upper,
            "confidence": confidence,
        }

    # Hollander & Wolfe's examples 3.1 (depression; estimate 0.46, about 96 % in 0.010...0.786) and 4.1 (permeability;
    # 0.305), which are those of R's help page of wilcox.test.
    before = numpy.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
    after = numpy.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])
    yield one("depression", before - after)
    for count in [1, 5, 6, 7, 20, 41]:
        yield one("normal", normal(count, 300 + count))
    yield one("ties", numpy.round(2 * normal(25, 301)))
    at_term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    early = [1.15, 0.88, 0.90, 0.74, 1.21]
    yield two("permeability", at_term, early)
    for m, n in [(1, 1), (3, 3), (4, 4), (3, 9), (12, 7), (20, 20)]:
        yield two("normal", normal(m, 310 + m), normal(n, 350 + n) - 1)
    yield two("ties", numpy.round(2 * normal(12, 302)), numpy.round(2 * normal(15, 303)))


def split_mix(seed):
    """The generator of SplitMix64.swift."""
    mask = (1 << 64) - 1
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
        yield mixed ^ (mixed >> 31)


def bootstraps():
    """SciPy's BCa interval of the very samples that Swift draws: it is handed them, and draws none of its own."""

    class Drawn:
        pass

    for name, values in SERIES.items():
        if len(values) < 2:
            continue
        for statistic in ["median", "mean"]:
            resamples, seed, count = 500, 7, len(values)
            random = split_mix(seed)
            compute = getattr(numpy, statistic)
            drawn = Drawn()
            drawn.bootstrap_distribution = numpy.array(
                [compute(values[[(next(random) * count) >> 64 for _ in range(count)]]) for _ in range(resamples)]
            )
            with warnings.catch_warnings(action="ignore"):  # of a median that no single value moves
                result = scipy.stats.bootstrap(
                    (values,), compute, n_resamples=0, bootstrap_result=drawn, method="BCa", confidence_level=0.95
                )
            interval = result.confidence_interval
            if not (math.isfinite(interval.low) and math.isfinite(interval.high)):
                continue
            yield {
                "name": name,
                "values": listed(values),
                "statistic": statistic,
                "resamples": resamples,
                "seed": seed,
                "lower": float(interval.low),
                "upper": float(interval.high),
            }


SECTIONS = [quantiles, normals, spreads, outliers, autocorrelations, drifts, dips, dip_p_values, mann_whitneys, signed_ranks,
            hodges_lehmanns, bootstraps]

if __name__ == "__main__":
    path = pathlib.Path(__file__).with_name("statistics.json")
    lines = []
    for section in SECTIONS:
        cases = ",\n".join("    " + json.dumps(case, allow_nan=False) for case in section())
        lines.append(f'  "{section.__name__}": [\n{cases}\n  ]')
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
