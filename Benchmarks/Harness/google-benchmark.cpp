// The loop of the benchmark Harness/qsort under google-benchmark: the same numbers, the same qsort, the same copy.
// `make compare-google-benchmark` builds and runs both, in turns.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

static int compare(const void *left, const void *right) {
    int32_t a = *static_cast<const int32_t *>(left), b = *static_cast<const int32_t *>(right);
    return (a > b) - (a < b);
}

static void qsort_1000(benchmark::State &state) {
    static int32_t originals[256][1000], copy[1000];
    uint32_t generator = 1;
    for (auto &original : originals) {
        for (int32_t &number : original) {
            generator = generator * 1103515245u + 12345u;
            number = static_cast<int32_t>(generator >> 1);
        }
    }
    size_t turn = 0;
    for (auto _ : state) {
        std::memcpy(copy, originals[turn], sizeof copy);
        turn = (turn + 1) % 256;
        std::qsort(copy, 1000, sizeof copy[0], compare);
        benchmark::DoNotOptimize(copy);
        benchmark::ClobberMemory();
    }
}
BENCHMARK(qsort_1000);
BENCHMARK_MAIN();
