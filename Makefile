# The front door; CMake presets do the work. `make test PRESET=asan` does the same with another preset.
PRESET ?= release
JOBS ?= $(shell nproc)
BUILD := $(if $(filter release,$(PRESET)),build,build/$(PRESET))

SOURCES := $(shell find actio problems papers apps examples tests bench python -name '*.[ch]pp' 2>/dev/null)
TIDIED := $(patsubst %,$(BUILD)/tidy/%.ok,$(filter actio/%.cpp problems/%.cpp apps/%.cpp,$(SOURCES)))
# Warnings are gcc's business; clang must find gcc's quadmath.h behind its own headers.
TIDY_FLAGS = --quiet -p $(BUILD) --extra-arg=-w \
  --extra-arg=-idirafter$(dir $(shell g++ -print-file-name=include/quadmath.h))

CONFIGURE := cmake --preset $(PRESET) $(if $(CI),-D ACTIO_ASSERTIONS=ON)
# The core has no Python package.
WITH_PYTHON := $(if $(filter core core-clang,$(PRESET)),,-D ACTIO_PYTHON=ON)

.PHONY: setup build run test python core processors fuzz random-models functions bench lint tidy format coverage web clean

setup: build/.setup

# What library and program need; tests need more.
build/.setup: tools/install_dependencies.sh
	tools/install_dependencies.sh
	@mkdir -p build && touch $@

build/.setup_tests: tools/install_dependencies.sh
	tools/install_dependencies.sh test
	@mkdir -p build && touch build/.setup $@

$(BUILD)/build.ninja: CMakePresets.json | build/.setup
	$(CONFIGURE)
	@touch $@

# A configuration made before the tests' packages were there has left them out.
$(BUILD)/.configured_tests: build/.setup_tests $(BUILD)/build.ninja
	$(CONFIGURE) $(WITH_PYTHON)
	@touch $@

build: $(BUILD)/build.ninja
	cmake --build --preset $(PRESET) -j $(JOBS) --target actio_cli

run: build
	$(BUILD)/actio run lagrange-top --report $(BUILD)/lagrange-top.html

test: build/.setup_tests $(BUILD)/.configured_tests
	cmake --build --preset $(PRESET) -j $(JOBS) --target all actio_tests
	ctest --preset $(PRESET) -j $(JOBS)

# The Python package, left in build/python: PYTHONPATH=build/python python3 -c 'import actio'.
python: $(BUILD)/build.ninja
	tools/install_dependencies.sh python
	$(CONFIGURE) -D ACTIO_PYTHON=ON
	cmake --build --preset $(PRESET) -j $(JOBS) --target actio_python

# What needs no LLVM, HDF5, libquadmath, MPFR and threads (docs/core.md), built and tested by g++ and by clang.
core:
	tools/install_dependencies.sh core
	for preset in core core-clang; do \
	  cmake --preset $$preset && cmake --build --preset $$preset -j $(JOBS) && ctest --preset $$preset -j $(JOBS) || exit 1; \
	done

# Other processors by emulation (docs/machines.md): kernels for ARM64 in NEON, x86-64 levels below this machine's, and
# the core cross-compiled for ARM64.
processors: $(BUILD)/build.ninja
	tools/install_dependencies.sh processors
	$(CONFIGURE)
	cmake --build --preset $(PRESET) -j $(JOBS) --target actio_cli write_kernels
	tests/processors/run.sh $(BUILD)
	cmake --preset arm64
	cmake --build --preset arm64 -j $(JOBS) --target actio_cli
	tests/processors/run_core.sh $(BUILD)/actio build/arm64/actio

# Searches with libFuzzer and sanitizers for input that breaks a reader, FUZZ_SECONDS for each target of tests/fuzz.
FUZZ_SECONDS ?= 30
fuzz: build/.setup
	tools/install_dependencies.sh fuzz
	JOBS=$(JOBS) tests/fuzz/run.sh $(FUZZ_SECONDS)

# Random models beside an integration that shares nothing with actio: no trusted run may say what is not true.
MODELS ?= 500
SEED ?= 1
random-models: build/.setup_tests $(BUILD)/.configured_tests
	cmake --build --preset $(PRESET) -j $(JOBS) --target random_models
	$(BUILD)/random_models $(MODELS) $(SEED) $(BUILD)/random_models_found

# The largest error of each elementary function, against MPFR at ARGUMENTS random arguments.
ARGUMENTS ?= 10000000
functions: build/.setup_tests $(BUILD)/.configured_tests
	cmake --build --preset $(PRESET) -j $(JOBS) --target measure_functions
	$(BUILD)/measure_functions $(ARGUMENTS)

# Work against precision beside other programs: tables here, build/bench/summary.json and index.html for more.
bench: $(BUILD)/build.ninja
	tools/install_dependencies.sh bench
	$(CONFIGURE) -D ACTIO_BENCH=ON
	cmake --build --preset $(PRESET) -j $(JOBS) --target actio_bench
	$(BUILD)/bench/actio_bench --output $(BUILD)/bench

lint: $(BUILD)/build.ninja
	tools/install_dependencies.sh lint
	tools/check_layers.py
	clang-format-19 --dry-run --Werror $(SOURCES)
	$(MAKE) --no-print-directory -k -j $(JOBS) tidy

tidy: $(TIDIED)

$(BUILD)/tidy/%.ok: % $(filter %.hpp,$(SOURCES)) .clang-tidy | $(BUILD)/build.ninja
	clang-tidy-19 $(TIDY_FLAGS) $<
	@mkdir -p $(@D) && touch $@

format:
	tools/install_dependencies.sh lint
	clang-format-19 -i $(SOURCES)

# Lines and branches that the tests reach; the page is left at build/coverage/report/index.html.
coverage:
	tools/install_dependencies.sh coverage
	$(MAKE) --no-print-directory test PRESET=coverage
	mkdir -p build/coverage/report
	gcovr --root . --filter actio/ --filter problems/ --filter apps/ --exclude-throw-branches \
	  --html-details build/coverage/report/index.html --print-summary build/coverage

# The page of reports, web/report/dist/report.html, from its source; only who changes it needs Node.
web: web/report/node_modules/.package-lock.json
	cd web/report && npm run build

web/report/node_modules/.package-lock.json: web/report/package-lock.json
	cd web/report && npm ci --no-audit --no-fund
	@touch $@

clean:
	rm -rf build
