"""Writes the rows of Sources/Statistics/DipTable.swift: quantiles of sqrt(n) * dip under the uniform distribution.

    pip install numpy diptest
    python3 Tests/StatisticsTests/Golden/dip_table.py

200,000 seeded draws for each number of values; some minutes on one core.
"""

import numpy
from diptest import dipstat

DRAWS = 200_000
COUNTS = [10, 12, 15, 20, 30, 50, 75, 100, 200, 500, 1000, 2000, 5000, 10000]
SHARES = [0, 0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.925, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99, 0.995, 0.998]
SHARES += [0.999, 0.9995, 0.9999]

for count in COUNTS:
    random = numpy.random.default_rng(count)
    dips = numpy.empty(DRAWS)
    for draw in range(DRAWS):
        dips[draw] = dipstat(numpy.sort(random.random(count)), sort_x=False)
    scaled = numpy.sqrt(count) * numpy.quantile(dips, SHARES)
    print(f"        ({count}, [{', '.join(f'{value:.4f}' for value in scaled)}]),", flush=True)
