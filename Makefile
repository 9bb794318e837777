# TaskMeter's commands. Each sets up by itself what it needs; `make help` lists them.

SWIFT ?= swift
CONFIGURATION := release
BUILD := .build/$(CONFIGURATION)
TASKMETER := $(BUILD)/taskmeter
# Options for taskmeter run: make bench ARGS='--suite Compute --trials 12'
ARGS ?=

# What the build links (libcurl, zlib, PAPI), what a run starts (nginx with Lua, openssl, gnuplot, git; qemu-user and valgrind
# for exact counts), and by what the tests judge the server (curl).
PACKAGES := libcurl4-openssl-dev zlib1g-dev libpapi-dev nginx-light libnginx-mod-http-lua openssl gnuplot-nox git qemu-user valgrind curl

.DEFAULT_GOAL := help
.PHONY: help setup build bench bench-quick bench-scale bench-harness bench-load compare-google-benchmark test test-hardware sanitize report lint clean

help: ## List these targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-24s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install the Debian packages that are missing, and say which; elsewhere print what is needed.
	@if ! command -v $(SWIFT) >/dev/null; then \
	    echo "setup: there is no swift on the PATH; install the toolchain from https://www.swift.org/install/linux" >&2; exit 3; \
	fi; \
	if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then \
	    echo "setup: this is no Debian or Ubuntu; install what these packages hold there: $(PACKAGES)"; exit 0; \
	fi; \
	missing=""; \
	for package in $(PACKAGES); do \
	    dpkg-query -W -f '$${db:Status-Status}\n' $$package 2>/dev/null | grep -q '^installed$$' || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	    if [ "$$(id -u)" = 0 ]; then sudo=""; else sudo=sudo; fi; \
	    echo "setup: installing$$missing (with $${sudo:+sudo }apt-get)"; \
	    $$sudo apt-get update -qq && \
	    $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >.setup.log 2>&1 \
	        || { cat .setup.log >&2; echo "setup: apt-get could not install$$missing" >&2; exit 3; }; \
	    rm -f .setup.log; \
	fi

build: setup
	$(SWIFT) build -c $(CONFIGURATION)

bench: build ## Run all suites and make the report: Reports/latest/index.html.
	$(TASKMETER) run $(ARGS)

bench-quick: build ## The same with a tenth of the tasks and 2 trials: under a minute.
	$(TASKMETER) run --quick $(ARGS)

bench-scale: build ## What TaskMeter itself takes for runs of millions of tasks; fails beyond its limits.
	$(TASKMETER) run --suite Scale --skip Scale/empty --trials 3 --time-limit 300 $(ARGS)

bench-harness: setup ## What the instrument itself costs, beside its rivals; fails beyond what is promised.
	$(SWIFT) build -c $(CONFIGURATION) --build-tests
	$(TASKMETER) run --suite Harness --output .build/bench-harness $(ARGS)
	TASKMETER_HARNESS_RUN=.build/bench-harness/latest $(SWIFT) test -c $(CONFIGURATION) --skip-build --filter HarnessLimits

bench-load: setup ## Our generator of load beside wrk, ab and h2load (installs them); fails beyond what is promised.
	@dpkg-query -W wrk apache2-utils nghttp2-client >/dev/null 2>&1 || $(if $(filter 0,$(shell id -u)),,sudo) apt-get install -y -qq wrk apache2-utils nghttp2-client
	$(SWIFT) build -c $(CONFIGURATION) --build-tests
	$(TASKMETER) run --suite Loads --output .build/bench-load $(ARGS)
	TASKMETER_LOADS_RUN=.build/bench-load/latest $(SWIFT) test -c $(CONFIGURATION) --skip-build --filter LoadLimits

compare-google-benchmark: build ## The same loop under google-benchmark (installs libbenchmark-dev) and under TaskMeter, in turns.
	@dpkg-query -W libbenchmark-dev g++ >/dev/null 2>&1 || $(if $(filter 0,$(shell id -u)),,sudo) apt-get install -y -qq libbenchmark-dev g++
	g++ -O2 -o .build/google-benchmark Benchmarks/Harness/google-benchmark.cpp -lbenchmark -lpthread
	@# Medians of repetitions of half a millisecond, as TaskMeter's are medians of batches; a mean holds the interruptions too.
	@for turn in 1 2 3 4 5 6 7 8 9 10 11 12; do \
	    .build/google-benchmark --benchmark_format=csv --benchmark_repetitions=300 --benchmark_min_time=0.0005 \
	        --benchmark_report_aggregates_only=true 2>/dev/null | awk -F, '/_median/ { printf "google-benchmark: %.1f µs an iteration\n", $$3 / 1000 }'; \
	    $(BUILD)/Harness --filter '/qsort' --trials 1 --quiet --output .build/bench-harness 2>/dev/null; \
	done

test: setup ## Build, run the suites quickly for real, and run all tests.
	$(SWIFT) build -c $(CONFIGURATION) --build-tests
	$(TASKMETER) run --quick --output .build/bench-quick
	$(TASKMETER) run --quick --suite Harness --output .build/bench-harness-quick --no-report
	TASKMETER_CHECKED_RUN=.build/bench-quick/latest $(SWIFT) test -c $(CONFIGURATION) --skip-build

test-hardware: setup ## Test against hardware that this machine lacks, in emulated machines: some minutes (installs QEMU, downloads kernels).
	$(SWIFT) build -c $(CONFIGURATION) --build-tests
	SWIFT="$(SWIFT)" CONFIGURATION=$(CONFIGURATION) Tests/Hardware/run $(ARGS)

# What threads share is exercised and tested under the thread sanitizer, in a build of its own.
SANITIZED := -c $(CONFIGURATION) --sanitize=thread --scratch-path .build/thread
SANITIZER := TSAN_OPTIONS="halt_on_error=1 exitcode=66 suppressions=$(CURDIR)/Tests/Fixtures/Stress/suppressions.txt"

sanitize: setup ## Exercise and test what threads share under the thread sanitizer: some minutes.
	$(SWIFT) build $(SANITIZED) --build-tests
	$(SANITIZER) .build/thread/$(CONFIGURATION)/Stress 20
	$(SANITIZER) $(SWIFT) test $(SANITIZED) --skip-build --filter '^(RecordingTests|ClocksTests|StrategiesTests|HTTPStacksTests)\.' --filter '^RequestsTests\.(Failure|Phase)Tests' \
	    --filter '^ProbesTests\.TaskCountersTests/(sums|elsewhere|overlapping|refused|none)\(' --filter '^StallMonitoringTests\.StallsTests/stress\('

report: build ## Make the report of the newest run anew.
	$(TASKMETER) report $(ARGS)

lint: ## Check layout and style.
	$(SWIFT) format lint --strict --recursive Package.swift Sources Benchmarks Tests

clean: ## Remove the build and all runs but the example.
	rm -rf .build
	find Reports -mindepth 1 -maxdepth 1 ! -name README.md ! -name example -exec rm -rf {} +
