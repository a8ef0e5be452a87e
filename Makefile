# The thin front: every target is one or two commands that can also be typed by hand.

JOBS ?= $(shell nproc)
SOURCES = $(shell git ls-files -co --exclude-standard '*.cpp' '*.hpp' '*.h' '*.cu' '*.cuh')
# ThreadSanitizer of older compilers needs a fixed address layout.
FIXED_LAYOUT := $(shell setarch $$(uname -m) -R true 2>/dev/null && echo setarch $$(uname -m) -R)

.PHONY: all release setup demo test gpu-test gpu-sanitize gpu-soak dev asan tsan soak bench fuzz format format-check lint clean

all: release

release:
	cmake --preset release
	cmake --build --preset release -j $(JOBS)

setup:
	@cmake/setup.sh

demo: setup
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target product
	build/release/gxr run apps/develop/develop.yaml --stats

test: setup release
	ctest --preset release -j $(JOBS) --output-junit ctest.xml

# The tests that need a GPU; they are part of `make test` too, where they are skipped without one.
gpu-test: setup release
	@nvidia-smi -L 2>/dev/null | grep -q '^GPU' || echo "gpu-test: no GPU here: tests that need one are skipped"
	ctest --preset release -L gpu

# Kernels, the runtime and small applications on a GPU under compute-sanitizer. Left out: what looks
# at how much memory the device has, of which the sanitizer takes its part, or at how long it takes,
# and what is made while another loop runs, for whose end the sanitizer waits. Errors of calls are
# not reported, because some tests make them. Nothing else is to run on the GPU: docs/building.md.
SANITIZE = GXR_TEST_FEW=1 compute-sanitizer --error-exitcode 9 --tool
gpu-sanitize: setup release
	$(SANITIZE) memcheck build/release/tests/gpu/gpu_kernels
	$(SANITIZE) racecheck build/release/tests/gpu/gpu_kernels
	$(SANITIZE) memcheck --report-api-errors no build/release/tests/gpu/gpu_device "~[cycles]~[distance]"
	$(SANITIZE) memcheck --report-api-errors no build/release/tests/gpu/gpu_graphs "~*while another runs"
	tests/gpu/resident/sanitized.py chains --gxr build/release/gxr --extensions build/release/tests/extensions
	tests/gpu/resident/sanitized.py branches --gxr build/release/gxr --extensions build/release/tests/extensions

# Random applications whose graphs loop on a GPU, one after the other, also with random pauses between the halves of signals.
GPU_SOAK_SECONDS ?= 240
gpu-soak: setup release
	tests/gpu/resident/soak.py --seconds $(GPU_SOAK_SECONDS) --gxr build/release/gxr --extensions build/release/tests/extensions \
	  --gpu-device build/release/tests/gpu/gpu_device
	cmake --preset chaos
	cmake --build --preset chaos -j $(JOBS)
	tests/gpu/resident/soak.py --seconds $(GPU_SOAK_SECONDS) --gxr build/chaos/gxr --extensions build/chaos/tests/extensions \
	  --gpu-device build/chaos/tests/gpu/gpu_device

dev: setup
	cmake --preset dev
	cmake --build --preset dev -j $(JOBS)
	ctest --preset dev -j $(JOBS) --output-junit ctest.xml

asan: setup
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS) --output-junit ctest.xml

# Left out: tests in which one thread runs: those of the stages before anything runs, and of the repository.
ONE_THREAD = ^unit/(document|registry|graph|plan|kernels|image|multimedia)|^transcript/(diagnostics|plan|graph|expand|schema|list|describe|explain)/
tsan: setup
	cmake --preset tsan
	$(FIXED_LAYOUT) cmake --build --preset tsan -j $(JOBS)
	$(FIXED_LAYOUT) ctest --preset tsan -j $(JOBS) -LE 'structure|fuzz|install' -E '$(ONE_THREAD)' --output-junit ctest.xml

bench:
	@cmake/setup.sh --bench
	cmake --preset bench
	cmake --build --preset bench -j $(JOBS)
	cmake --build --preset bench --target bench

# The tests with several threads, many times over, under both sanitizers.
SOAK_ROUNDS ?= 100
# every_scheduler runs an application on both schedulers with threads: those where entities wake, end and start
# each other in most ways.
SOAK_TESTS = ^conformance/schedulers|^conformance/behavior_tree/schedulers|^conformance/sample/async
SOAK_TESTS := $(SOAK_TESTS)|^conformance/std/(vault|async|synthetic)|unit/(schedulers|application)
SOAK_TESTS := $(SOAK_TESTS)|every_scheduler/conformance/behavior_tree/(nested|repeat|parallel)$$
SOAK_TESTS := $(SOAK_TESTS)|every_scheduler/conformance/std/(async|memory_available|target_time|topic)
SOAK_TESTS := $(SOAK_TESTS)|every_scheduler/transcripts/schedulers/(boolean|publish_in_stop)

soak: setup
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS) -R '$(SOAK_TESTS)' --repeat until-fail:$(SOAK_ROUNDS)
	cmake --preset tsan
	$(FIXED_LAYOUT) cmake --build --preset tsan -j $(JOBS)
	$(FIXED_LAYOUT) ctest --preset tsan -j $(JOBS) -R '$(SOAK_TESTS)' --repeat until-fail:$(SOAK_ROUNDS)

# How long the fuzzers run, in seconds.
FUZZ_SECONDS ?= 60

fuzz: setup
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS) --target fuzzers
	tests/fuzz/run.sh build/asan $(FUZZ_SECONDS)
ifneq ($(shell command -v clang++),)
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS)
	tests/fuzz/run.sh build/fuzz $(FUZZ_SECONDS)
else
	@echo "fuzz: clang++ not found: libFuzzer is left out"
endif

format:
	clang-format -i $(SOURCES)

format-check:
	@clang-format --dry-run --Werror $(SOURCES)
	@echo "format-check: $(words $(SOURCES)) files"

lint:
	cmake --preset lint
	cmake/lint.sh build/lint $(JOBS)

clean:
	rm -rf build
