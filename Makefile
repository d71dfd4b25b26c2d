# The commands of daily work, each a thin wrapper around cmake, ctest or a script in tools/.
# `make` alone prints the list.
JOBS ?= $(shell nproc)
SECONDS ?= 60
sources = $(shell find include src cli tests bench examples -name '*.h' -o -name '*.cpp')

.PHONY: help demo test build format tidy asan tsan coverage determinism bench fuzz clean

help:  ## this list
	@sed -n 's/^\([a-z ]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

demo:  ## build the program and watch it learn
	tools/setup.sh
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target coppice_cli
	build/release/coppice demo

test:  ## build everything as users run it, and run all tests
	tools/setup.sh bench
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS)
	ctest --preset release

build:  ## build for development: quick, assertions on
	cmake --preset dev
	cmake --build --preset dev --parallel $(JOBS)

format:  ## lay out all sources with clang-format
	tools/setup.sh format
	clang-format -i $(sources)

tidy:  ## read all sources with clang-tidy
	tools/setup.sh tidy
	cmake --preset dev
	run-clang-tidy -quiet -p build/dev -j $(JOBS) '/(src|cli|bench|examples)/'

asan tsan:  ## run all tests under sanitizers: address + undefined, or thread
	tools/setup.sh
	cmake --preset $@
	cmake --build --preset $@ --parallel $(JOBS)
	ctest --preset $@

coverage:  ## line coverage of readers, writers and the validator; fails below 97 %
	tools/setup.sh
	tools/coverage.sh

determinism:  ## train with several compilers, flags, threads; compare the model files
	tools/setup.sh determinism
	tools/determinism.sh

bench:  ## build and run the benchmarks
	tools/setup.sh bench
	cmake --preset release -DCOPPICE_BENCH=ON
	cmake --build --preset release --parallel $(JOBS) --target benchmarks
	for program in build/release/bench/*; do $$program || exit 1; done

fuzz:  ## run every fuzz target for SECONDS=60 each
	tools/setup.sh fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz --parallel $(JOBS)
	tools/fuzz.sh $(SECONDS)

clean:  ## remove everything that was built
	rm -rf build
