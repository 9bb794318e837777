"""Writes histogram.json: what Python's HdrHistogram says of values that the tests record too.

    pip install hdrhistogram
    python histogram.py
"""

import base64
import importlib.metadata
import json
import pathlib
import struct
import zlib

from hdrh.histogram import HdrHistogram

MASK = (1 << 64) - 1
PERCENTS = [0, 0.1, 1, 5, 10, 25, 33.3, 50, 66.6, 75, 90, 95, 99, 99.9, 99.99, 99.999, 100]


class SplitMix64:
    """The generator of the same name in Sources/Statistics."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        return mixed ^ (mixed >> 31)


def drawn(seed, count, bits):
    """Values of every magnitude below 2^bits: first how many bits one has at most, then the bits."""
    random = SplitMix64(seed)
    return [random.next() >> (63 - width) for width in (random.next() % bits for _ in range(count))]


def described(name, digits, lowest, highest, values, counts=None, interval=None, stored=True, encoding=True, **how):
    histogram = HdrHistogram(lowest, highest, digits)
    for place, value in enumerate(values):
        count = counts[place] if counts else 1
        if interval:
            assert histogram.record_corrected_value(value, interval, count)
        else:
            assert histogram.record_value(value, count)
    found = histogram.get_percentile_to_value_dict(PERCENTS) if values else {}
    result = {
        "name": name, "digits": digits, "lowest": lowest, "highest": highest, **how,
        "total": histogram.get_total_count(),
        "minimum": histogram.get_min_value(), "maximum": histogram.get_max_value(),
        "mean": histogram.get_mean_value(), "deviation": histogram.get_stddev(),
        "percentiles": [
            [p, histogram.get_target_count_at_percentile(p), found[p]] for p in found
        ],
    }
    if stored:
        result["values"] = values
    if counts:
        result["counts"] = counts
    if interval:
        result["interval"] = interval
    if encoding:
        result["base64"] = histogram.encode().decode()
    return result


def formula(name, digits, lowest, highest, seed, count, bits, **more):
    values = drawn(seed, count, bits)
    return described(name, digits, lowest, highest, values, stored=False, seed=seed, count=count, bits=bits, **more)


def borders(digits, unit, top):
    """Values beside the borders of levels and of buckets."""
    half = 1 << (10**digits - 1).bit_length()
    result = {0, 1, top}
    level = 0
    while (border := (2 * half * unit) << level) <= top:
        width = unit << level
        for value in (border - width, border, border + width, border + 2 * width):
            result |= {value - 1, value, value + 1}
        level += 1
    return sorted(value for value in result if 0 <= value <= top)


def equivalents(digits, lowest):
    top = (1 << 63) - 1
    histogram = HdrHistogram(lowest, top, digits)
    return {
        "digits": digits, "lowest": lowest,
        "values": [
            [
                value, histogram.get_counts_array_index(value),
                histogram.get_lowest_equivalent_value(value), histogram.get_highest_equivalent_value(value),
            ]
            for value in borders(digits, 1 << (lowest.bit_length() - 1), top)
        ],
    }


def compressed(digits, highest, length, counts):
    """A compressed encoding of any counts, whose header claims any length of them."""
    plain = struct.pack(">IIIIqqd", 0x1C849313, length, 0, digits, 1, highest, 1.0) + counts
    stream = zlib.compress(plain, 9)
    return base64.b64encode(struct.pack(">II", 0x1C849314, len(stream)) + stream).decode()


HOUR = 3_600_000_000_000
cases = [
    described("nothing", 3, 1, HOUR, []),
    described("one zero", 3, 1, HOUR, [0]),
    described("one large value", 3, 1, HOUR, [5_000_000_000]),
    described("every thousandth up to a million", 3, 1, HOUR, list(range(1_000, 1_000_001, 1_000))),
    described("beside borders, 1 digit", 1, 1, HOUR, borders(1, 1, HOUR)),
    described("beside borders, 2 digits", 2, 1, HOUR, borders(2, 1, HOUR)),
    described("beside borders, 3 digits", 3, 1, HOUR, borders(3, 1, HOUR)),
    described("beside borders, 4 digits", 4, 1, HOUR, borders(4, 1, HOUR)),
    described("beside borders, 5 digits", 5, 1, HOUR, borders(5, 1, HOUR)),
    described("beside borders, 3 digits from 1,024", 3, 1_024, HOUR, borders(3, 1_024, HOUR)),
    described("beside borders, 2 digits from 1,000", 2, 1_000, HOUR, borders(2, 512, HOUR), encoding=False),
    described("beside borders up to the last", 3, 1, (1 << 63) - 1, borders(3, 1, (1 << 63) - 1)),
    described("large counts", 2, 1, HOUR, [0, 1, 99, 1_000, 77_777], [1, 3_000_000_000, 127, 1 << 40, (1 << 62) - 1]),
    formula("a thousand values, 1 digit", 1, 1, HOUR, seed=1, count=1_000, bits=41),
    formula("a thousand values, 2 digits", 2, 1, HOUR, seed=2, count=1_000, bits=41),
    formula("a thousand values, 3 digits", 3, 1, HOUR, seed=3, count=1_000, bits=41),
    formula("a thousand values, 4 digits", 4, 1, HOUR, seed=4, count=1_000, bits=41),
    formula("a thousand values, 5 digits", 5, 1, HOUR, seed=5, count=1_000, bits=30),
    formula("997 values, 3 digits", 3, 1, HOUR, seed=6, count=997, bits=41),
    formula("a hundred thousand values, 3 digits", 3, 1, HOUR, seed=7, count=100_000, bits=41, encoding=False),
    # The Python package adds one value below the interval, v mod i, where v is no multiple of i; Java and C do not.
    described("corrected", 3, 1, HOUR, [1_000, 10_000, 250_000, 1_000_000, 90_000_000], interval=10_000),
    described("corrected, with counts", 2, 1, HOUR, [7_000, 700_000], [3, 5], interval=7_000),
]
result = {
    "source": f"hdrhistogram {importlib.metadata.version('hdrhistogram')} of PyPI",
    "cases": cases,
    "equivalents": [equivalents(digits, 1) for digits in range(1, 6)] + [equivalents(3, 1_000), equivalents(2, 1 << 20)],
    # A few kilobytes that unfold to eight megabytes.
    "bombs": [
        compressed(3, HOUR, 1 << 23, bytes(1 << 23)),
        compressed(3, HOUR, 1 << 23, b"\x80" * (1 << 23)),
        compressed(3, HOUR, 1, bytes(1 << 23)),
        compressed(3, HOUR, (1 << 32) - 1, b"\x02" * (1 << 23)),
    ],
}
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(result).replace(', {"', ',\n{"') + "\n")
