# The thin front: every target is one or two commands that can also be typed by hand.

JOBS ?= $(shell nproc)
SOURCES = $(shell git ls-files -co --exclude-standard '*.cpp' '*.hpp' '*.h' '*.cu' '*.cuh')
# ThreadSanitizer of older compilers needs a fixed address layout.
FIXED_LAYOUT := $(shell setarch $$(uname -m) -R true 2>/dev/null && echo setarch $$(uname -m) -R)

.PHONY: all release setup demo test slow-test gpu-test gpu-sanitize gpu-soak dev asan tsan soak bench fuzz fuzz-mutator format format-check style lint lint-changed docs arm64 package python wheel clean

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
	ctest --preset release -j $(JOBS) -LE slow --output-junit ctest.xml

# What takes too long for `make test`, which has a short form of each, with the parts that `make test` leaves out; also
# under ThreadSanitizer, what takes too long for `make asan`, the fuzzers with libFuzzer, clang-tidy on all sources, and the
# unit tests for ARM.
slow-test:
	@cmake/setup.sh ci
	-@cmake/setup.sh arm64
	cmake --preset release
	cmake --build --preset release -j $(JOBS)
	ctest --preset release -j $(JOBS) -L slow --output-junit slow.xml
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS) -L slow -R '^(short|unit)/' --output-junit slow.xml
	cmake --preset tsan
	$(FIXED_LAYOUT) cmake --build --preset tsan -j $(JOBS)
	$(FIXED_LAYOUT) ctest --preset tsan -j $(JOBS) -L slow --output-junit slow.xml
	@cmake/setup.sh bench
	cmake --preset bench
	cmake --build --preset bench -j $(JOBS)
	$(MAKE) fuzz
	$(MAKE) lint
	$(MAKE) arm64

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
	build/release/tests/gpu/gpu_device "[.soak]"
	cmake --preset chaos
	cmake --build --preset chaos -j $(JOBS)
	tests/gpu/resident/soak.py --seconds $(GPU_SOAK_SECONDS) --gxr build/chaos/gxr --extensions build/chaos/tests/extensions \
	  --gpu-device build/chaos/tests/gpu/gpu_device

dev: setup
	cmake --preset dev
	cmake --build --preset dev -j $(JOBS)
	ctest --preset dev -j $(JOBS) -LE slow --output-junit ctest.xml

asan: setup
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS) -LE slow --output-junit ctest.xml

# Left out: transcripts in which one thread runs, and MPI jobs that test what ends before a run or passes through it.
NO_RACES = ^transcript/(diagnostics|document|files|plan|graph|expand|schema|list|describe|explain|recording|validate)/
NO_RACES := $(NO_RACES)|^mpi/(pictures|large|mistakes|alone|launch_line)$$
tsan: setup
	cmake --preset tsan
	$(FIXED_LAYOUT) cmake --build --preset tsan -j $(JOBS)
	$(FIXED_LAYOUT) ctest --preset tsan -j $(JOBS) -LE slow -E '$(NO_RACES)' --output-junit ctest.xml

bench:
	@cmake/setup.sh bench
	cmake --preset bench
	cmake --build --preset bench -j $(JOBS)
	cmake --build --preset bench --target bench

# The tests with several threads, many times over, under both sanitizers.
SOAK_ROUNDS ?= 100
SOAK_TESTS = ^conformance/schedulers|^conformance/behavior_tree/schedulers|^conformance/sample/async
SOAK_TESTS := $(SOAK_TESTS)|^conformance/std/(vault|async|synthetic)|unit/(executors|application)
SOAK_TESTS := $(SOAK_TESTS)|^every_scheduler/

soak: setup
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS) -LE slow -R '$(SOAK_TESTS)' --repeat until-fail:$(SOAK_ROUNDS)
	cmake --preset tsan
	$(FIXED_LAYOUT) cmake --build --preset tsan -j $(JOBS)
	$(FIXED_LAYOUT) ctest --preset tsan -j $(JOBS) -LE slow -R '$(SOAK_TESTS)' --repeat until-fail:$(SOAK_ROUNDS)

# How long each fuzzer runs, in seconds.
FUZZ_SECONDS ?= 20

# Without libFuzzer, for which everything is compiled once more.
fuzz-mutator: setup
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS) --target fuzzers
	tests/fuzz/run.sh build/asan $(FUZZ_SECONDS)

fuzz: fuzz-mutator
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

# Spelling, and the words that the pages and headers avoid.
style:
	@if command -v codespell >/dev/null; then codespell; else echo "style: codespell not found: spelling is left out"; fi
	@python3 tests/docs/style.py .

lint:
	cmake --preset lint
	cmake/lint.sh build/lint $(JOBS)

# The sources that changed last, and a tenth of the others, another one after each commit; `make lint` has the rest.
lint-changed:
	cmake --preset lint
	cmake/lint.sh --changed build/lint $(JOBS)

# The pages of docs/ and the API reference, in build/docs.
docs:
	@cmake/setup.sh docs
	@cmake/docs.sh build/docs

# Everything that needs no CUDA, compiled for 64-bit ARM in build/arm64, and its unit tests under QEMU; left out where the
# compiler, QEMU or Debian's packages for ARM cannot be had.
arm64:
	@JOBS=$(JOBS) cmake/arm64.sh

# The .deb files, in build/release/packages.
package:
	@cmake/setup.sh package
	cmake --preset release
	cmake --build --preset release -j $(JOBS)
	rm -rf build/release/packages
	cd build/release && cpack
	lintian --fail-on error --tag-display-limit 0 build/release/packages/*.deb

# The Python package in build/python, and its tests, over the release build, which stays as it is. PYTHON is the interpreter.
PYTHON ?= python3
export PYTHON
python:
	@cmake/setup.sh python
	cmake --preset release
	cmake --build --preset release -j $(JOBS) --target product
	JOBS=$(JOBS) cmake/python.sh test

# dist/gxr-VERSION-….whl, which is built in build/wheel.
wheel:
	@cmake/setup.sh python
	CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) cmake/python.sh wheel

clean:
	rm -rf build
