// Reads the same known work through PAPI, in the emulated machine whose processor counts. Says what was read, a line each:
//
//   papi WHEN NAME VALUE        what a set of one event counted; or the code by which PAPI refused
//
// PAPI_library_init, PAPI_thread_init, one running set that is read twice: the order of calls in Sources/Probes/Counters.
#include "CCounters.h"

#include <papi.h>
#include <stdio.h>

static void count(const char *when, const char *name, uint64_t steps, int times) {
    int set = PAPI_NULL, code = 0;
    int refusal = PAPI_create_eventset(&set);
    if (refusal == PAPI_OK) refusal = PAPI_event_name_to_code(name, &code);
    if (refusal == PAPI_OK) refusal = PAPI_add_event(set, code);
    if (refusal == PAPI_OK) refusal = PAPI_start(set);
    if (refusal != PAPI_OK) {
        printf("papi %s %s refused %d\n", when, name, refusal);
        return;
    }
    for (; times > 0; times--) {
        long long from = 0, to = 0;
        PAPI_read(set, &from);
        ccounters_spin(steps);
        PAPI_read(set, &to);
        printf("papi %s %s %lld\n", when, name, to - from);
    }
    long long last;
    PAPI_stop(set, &last);
    PAPI_cleanup_eventset(set);
    PAPI_destroy_eventset(&set);
}

int main(int argc, char **argv) {
    const char *when = argc > 1 ? argv[1] : "now";
    setvbuf(stdout, NULL, _IONBF, 0);
    int version = PAPI_library_init(PAPI_VER_CURRENT);
    if (version != PAPI_VER_CURRENT) {
        printf("papi %s init refused %d\n", when, version);
        return 1;
    }
    PAPI_thread_init(ccounters_kernel_thread);
    count(when, "PAPI_TOT_INS", 500000, 10);
    count(when, "PAPI_TOT_CYC", 500000, 1);
    count(when, "PAPI_L1_DCA", 500000, 1);
    count(when, "perf::PERF_COUNT_SW_CONTEXT_SWITCHES", 1, 1);
    const PAPI_component_info_t *component = PAPI_get_component_info(0);
    if (component != NULL && component->disabled) printf("papi %s disabled: %s\n", when, component->disabled_reason);
    return 0;
}
