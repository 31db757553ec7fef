# SPDX-License-Identifier: GPL-2.0-only
# The front door: Meson and Ninja do the work. `make help` lists the targets.
#
#   V=1      show every command of the compiler
#   CC=      another compiler, e.g. CC=clang
#   O=       another build folder than build/
#   PREFIX=  where to install (/usr/local)

O ?= build
PREFIX ?= /usr/local
SECONDS ?= 15
ROUNDS ?= 15
CASES ?= 1000000
ifneq ($(origin CC),default)
export CC
endif

NINJA_FLAGS := $(if $(V),-v,--quiet)
DEMO := compare --machine epyc-zen3-2s-128c:nps1 --bench hackbench:groups=1/2/4/8/16 \
	--policy tip,sis_node,sis_node_limit4,sis_node_topoext --quick

# $(call configure,FOLDER,OPTIONS): set the folder up once; Ninja sets it up again when needed.
configure = @[ -f $(1)/build.ninja ] || meson setup $(1) --prefix=$(PREFIX) $(2) $(if $(V),,>$(1).log || { cat $(1).log; exit 1; })
# $(call run_tests,FOLDER): run all, then count the cases; fails when a case failed.
run_tests = @scripts/run-tests $(1) $(2)

.PHONY: build deps demo check check-diff vm check-vm bench-vm bench icount lint asan tsan fuzz install clean help

## build: compile build/wakepath
build:
	$(call configure,$(O))
	@ninja $(NINJA_FLAGS) -C $(O) wakepath

## deps: install what is missing to build and test (Debian: apt-get, as root or by sudo)
deps:
	@scripts/install-deps.sh build test

## demo: deps, build, then compare four policies on a simulated two-socket EPYC
demo:
	@scripts/install-deps.sh build
	@$(MAKE) --no-print-directory build
	$(O)/wakepath $(DEMO)

## check: deps, build, run all tests; closes with "N passed, N failed, N skipped"
check: deps
	$(call configure,$(O))
	@ninja $(NINJA_FLAGS) -C $(O)
	$(call run_tests,$(O))

## check-diff: the core in BPF against the core natively, a million requests; "N cases, M different"
check-diff: deps
	$(call configure,$(O))
	@ninja $(NINJA_FLAGS) -C $(O)
	@scripts/check-diff $(O) $(CASES)

## vm: make the guest that check-vm boots (Debian, as root; once)
vm:
	@tests/vm/guest-tree

## check-vm: build in the guest, boot the machines of tests/vm/plan, run their tests
check-vm:
	@tests/vm/check | scripts/show-tap

## bench-vm: in the guest, times against the kernel's class (ROUNDS=15), and where wake-ups go
bench-vm:
	@tests/vm/run --topo one-llc --time 3600 --out $(O)/bench-vm \
		--shell-command '$$WK_SRC/bench/ratios --rounds $(ROUNDS) --csv $$WK_OUT/ratios.csv'
	@tests/vm/run --topo llc2 --time 900 --shell-command '$$WK_SRC/bench/locality'

## bench: one line a figure, "name value unit"
bench:
	$(call configure,$(O))
	@ninja $(NINJA_FLAGS) -C $(O)
	@$(O)/wk-bench

## icount: instructions per operation against tests/bench/icount.txt (callgrind)
icount:
	$(call configure,$(O))
	@ninja $(NINJA_FLAGS) -C $(O)
	@scripts/icount $(O)

## lint: the rules of the source text, and that each check can fail
lint:
	@scripts/install-deps.sh build test lint
	$(call configure,$(O))
	@ninja $(NINJA_FLAGS) -C $(O)
	@tests/lint/run $(O) | scripts/show-tap

## asan: all tests under the address and undefined-behaviour sanitizers
asan: deps
	$(call configure,build-asan,-Db_sanitize=address$(,)undefined -Db_lundef=false \
		-Dc_args=-fno-sanitize-recover=all)
	@ninja $(NINJA_FLAGS) -C build-asan
	$(call run_tests,build-asan)

## tsan: the tests that start threads, under the thread sanitizer
tsan: deps
	$(call configure,build-tsan,-Db_sanitize=thread -Db_lundef=false)
	@ninja $(NINJA_FLAGS) -C build-tsan
	$(call run_tests,build-tsan,'(lab-|sim-identities|cli)')

## fuzz: every fuzz target for SECONDS=15 over its corpus (clang, libFuzzer)
fuzz: deps
	@CC=clang scripts/fuzz build-fuzz $(SECONDS)

## install: DESTDIR= and PREFIX= say where
install: build
	@meson configure $(O) -Dprefix=$(PREFIX)
	@ninja $(NINJA_FLAGS) -C $(O) >$(O).log || { cat $(O).log; exit 1; }
	@DESTDIR=$(DESTDIR) meson install -C $(O) --no-rebuild --quiet

## clean: remove the build folders
clean:
	rm -rf $(O) build-asan build-tsan build-fuzz build-clang build*.log

## help: this list
help:
	@sed -n 's/^## \([a-z-]*\): /\1\t/p' $(MAKEFILE_LIST) | awk -F'\t' '{ printf "  %-10s %s\n", $$1, $$2 }'

, := ,
