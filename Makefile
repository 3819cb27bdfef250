# fs-tools: builds, tests and installs everything. Objects go to build/<variant>/.
CC ?= cc
PREFIX ?= /usr/local
DESTDIR ?=
V ?= release
CURSES ?= yes
ZSTD ?= yes
PKG_CONFIG ?= pkg-config
ZSH_COMPLETIONS ?= $(PREFIX)/share/zsh/site-functions
FISH_COMPLETIONS ?= $(PREFIX)/share/fish/vendor_completions.d
BASH_COMPLETIONS ?= $(PREFIX)/share/bash-completion/completions

B := build/$(V)
# Prints one short line for each file; VERBOSE=1 shows the commands.
SHORT = $(if $(VERBOSE),,@echo '  $(1)  $@';)
WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wvla \
	-Wundef -Wpointer-arith -Wwrite-strings
WARN += $(if $(DEVELOPER),-Werror)
# Gives the same bytes in any build folder.
OPT_release := -O2 -g -ffile-prefix-map=$(CURDIR)=.
OPT_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer \
	-DFSI_ARENA_DEBUG
# A fixed address: otherwise each start relocates hundreds of thousands of entries of the sanitizers.
LINK_asan := -no-pie
OPT_debug := -O0 -g -DFSI_ARENA_DEBUG
CFLAGS ?= $(OPT_$(V))
LIB_CFLAGS := -fPIC -fvisibility=hidden
STD := -std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off
CJSON_CFLAGS = $(shell $(PKG_CONFIG) --cflags libcjson 2>/dev/null)
CJSON_LIBS = $(or $(shell $(PKG_CONFIG) --libs libcjson 2>/dev/null),-lcjson)
CURSES_CFLAGS = $(shell $(PKG_CONFIG) --cflags ncursesw 2>/dev/null)
CURSES_LIBS = $(if $(filter-out no,$(CURSES)),$(or $(shell $(PKG_CONFIG) --libs ncursesw 2>/dev/null),-lncursesw))
ZSTD_CFLAGS = $(shell $(PKG_CONFIG) --cflags libzstd 2>/dev/null)
ZSTD_LIBS = $(if $(filter-out no,$(ZSTD)),$(or $(shell $(PKG_CONFIG) --libs libzstd 2>/dev/null),-lzstd))
LDLIBS = $(CJSON_LIBS) -lm

VERSION := $(shell sed -n 's/^.define FS_VERSION "\(.*\)"/\1/p' libfs/include/fs/base.h)
# The interface version of the shared library: increase it after an incompatible change.
SONAME := libfs.so.1
LIBDIR ?= $(PREFIX)/lib
# Not include/ itself, because another package may have a header fs.h.
INCLUDEDIR ?= $(PREFIX)/include/fs-tools

# Links named as the emulated tools are in a separate folder: a site may add it to PATH.
COMPAT_LINKS ?= $(PREFIX)/lib/fs-tools/compat
EMULATED := sshare sprio showq

COMMANDS := fs-share fs-prio fs-showq fs-explain fs-diff fs-top fs-snap
MAN := $(wildcard man/*.1 man/*.3 man/*.5 man/*.7)
LIB_SRC := $(wildcard libfs/*/*.c libfs/*/*/*.c libfs/*/*/*/*.c)
CMD_SRC := $(filter-out $(if $(filter no,$(CURSES)),cmd/top/%,cmd/no_top.c) $(if $(filter no,$(ZSTD)),cmd/files/zstd_frames.c,cmd/files/no_zstd.c),\
	$(wildcard cmd/*.c cmd/*/*.c cmd/*/*/*.c))
TEST_SRC := $(wildcard tests/unit/*/test_*.c tests/unit/*/*/test_*.c tests/unit/*/*/*/test_*.c)
CMD_TEST_SRC := $(wildcard tests/cmd/test_*.c)
LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o)
CMD_OBJ := $(CMD_SRC:%.c=$(B)/%.o) $(B)/cmd/demo.o
TEST_OBJ := $(TEST_SRC:tests/unit/%.c=$(B)/tests/%.o) $(CMD_TEST_SRC:tests/cmd/%.c=$(B)/tests/cmd/%.o)
# One program for each folder of tests.
TEST_BIN := $(addsuffix all,$(sort $(dir $(TEST_OBJ))))
PROGRAM := $(B)/bin/fs-tools

.PHONY: all program library demo check check-fourth check-fresh check-browser check-unit check-fault check-faults check-deletions check-text check-cli check-cases tested check-asan check-valgrind check-fuzz check-live check-reader check-doubles check-compilers \
	check-slurm check-maui check-flux same lint bench deps install uninstall clean
.DELETE_ON_ERROR:
.SECONDARY:
# With .SECONDARY a target without a file counts as existing: FORCE must run each time.
.PHONY: FORCE

all: look-build
	@$(MAKE) --no-print-directory program library

library: $(B)/libfs.a $(B)/$(SONAME)

# The program, with a link for each command in its folder; build/bin contains those of a release.
program: $(PROGRAM)
	@for c in $(COMMANDS); do ln -sf fs-tools $(B)/bin/$$c; done
	@[ $(V) != release ] || { [ -L build/bin ] || rm -rf build/bin; ln -sfn release/bin build/bin; }

$(PROGRAM): $(CMD_OBJ) $(B)/libfs.a
	@mkdir -p $(@D)
	$(call SHORT,LINK)$(CC) $(CFLAGS) $(LINK_$(V)) $(LDFLAGS) -pthread -o $@ $^ $(LDLIBS) $(CURSES_LIBS) $(ZSTD_LIBS)

$(B)/libfs.a: $(LIB_OBJ)
	@rm -f $@
	$(call SHORT,AR)$(AR) rcs $@ $^

$(B)/$(SONAME): $(LIB_OBJ)
	$(call SHORT,LINK)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--no-undefined -o $@ $^ $(LDLIBS)

# Layer rule, enforced by include paths: libfs includes libfs, commands only its public headers.
$(B)/libfs/%.o: libfs/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call SHORT,CC)$(CC) $(STD) $(WARN) $(CPPFLAGS) $(CFLAGS) $(CJSON_CFLAGS) $(LIB_CFLAGS) -Ilibfs -Ilibfs/include -MMD -MP -c -o $@ $<

$(B)/cmd/demo.o: $(B)/cmd/demo.c $(B)/flags
	$(call SHORT,CC)$(CC) $(STD) $(WARN) $(CPPFLAGS) $(CFLAGS) -Ilibfs/include -Icmd -c -o $@ $<

$(B)/cmd/top/%.o $(B)/cmd/threads.o: THREADS := -pthread
$(B)/cmd/top/terminal.o: USES_CFLAGS = $(CURSES_CFLAGS)
$(B)/cmd/files/zstd_frames.o: USES_CFLAGS = $(ZSTD_CFLAGS)
$(B)/cmd/%.o: cmd/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call SHORT,CC)$(CC) $(STD) $(WARN) $(CPPFLAGS) $(CFLAGS) $(USES_CFLAGS) $(THREADS) -Ilibfs/include -Icmd -MMD -MP -c -o $@ $<

$(B)/cmd/demo.c: cmd/demo.jsonl Makefile
	@mkdir -p $(@D)
	@{ echo '#include "input/input.h"'; echo 'const unsigned char demo_snapshot[] = {'; \
	  od -An -v -tx1 $< | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'; echo '};'; \
	  echo 'const size_t demo_snapshot_size = sizeof(demo_snapshot);'; } > $@

# Rebuilds when the compiler or its flags change; DEVELOPER does not change objects.
BUILT_WITH = $(CC) $(STD) $(filter-out -Werror,$(WARN)) $(CPPFLAGS) $(CFLAGS) $(LIB_CFLAGS) CURSES=$(CURSES) ZSTD=$(ZSTD)
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(BUILT_WITH)' | cmp -s - $@ || echo '$(BUILT_WITH)' > $@
FORCE:

-include $(LIB_OBJ:.o=.d) $(CMD_OBJ:.o=.d) $(TEST_OBJ:.o=.d) $(B)/tests/limit_use.d $(B)/tests/cmd/every_job.d

# ---- dependencies

include tests/deps.mk
include .packaging/packaging.mk

demo: get-build
	@$(MAKE) --no-print-directory $(AT_ONCE) program >/dev/null
	@tests/demo.sh build/bin

# ---- tests

# Runs as many jobs at the same time as there are processors.
AT_ONCE = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 1))

FAULT := $(B)/tests/fault/fault $(B)/tests/fault/preload.so

# The test suites are in tests/suites.tsv. `make check SUITES="unit top"` runs some of them.
SUITES_CASES = clusters captures versions maui maui-plan flux showq living pages explanations limits plan what-if \
	overrides deletions missing text

check: get-test
	@$(MAKE) --no-print-directory $(AT_ONCE) tested
	@tests/check.sh $(V) $(SUITES)

check-cases: SUITES = $(SUITES_CASES)
check-unit: SUITES = unit
check-cli: SUITES = cli top
check-fault: SUITES = fault
check-cases check-unit check-cli check-fault: tested
	@tests/check.sh $(V) $(SUITES)

# All files that the suites need.
tested: program $(TEST_BIN) $(FAULT) $(B)/tests/serve $(B)/tests/limit_use $(B)/tests/cmd/every_job

# Random pastes, many of each capture; FS_SEED gives others.
check-text: program
	@python3 tests/text/text.py $(B)/bin . all

# Tests are compiled separately: after a change of the library they are only linked again.
TEST_CC = $(call SHORT,CC)$(CC) $(STD) $(WARN) $(CFLAGS) $(TEST_INC) $(TEST_MAIN) -MMD -MP -c -o $@ $<
# The mains of all files of unit tests of a folder are in one program (tests/unit/runner.c).
TEST_MAIN = $(if $(filter test_%,$(@F)),-Dmain=run_$(basename $(@F)) -Wno-missing-prototypes)
TEST_LINK = $(call SHORT,LINK)$(CC) $(CFLAGS) $(LINK_$(V)) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/tests/%.o: TEST_INC := -Ilibfs -Ilibfs/include -Itests/unit
$(B)/tests/%.o: tests/unit/%.c $(B)/flags
	@mkdir -p $(@D)
	$(TEST_CC)

# Tests of commands also include the commands' headers.
$(B)/tests/cmd/%.o: TEST_INC := -Ilibfs/include -Icmd -Itests/unit
$(B)/tests/cmd/%.o: tests/cmd/%.c $(B)/flags
	@mkdir -p $(@D)
	$(TEST_CC)

$(B)/tests/limit_use.o: tests/cases/limit_use.c $(B)/flags
	@mkdir -p $(@D)
	$(TEST_CC)

$(B)/tests/limit_use: $(B)/tests/limit_use.o $(B)/libfs.a
	$(TEST_LINK)

$(B)/tests/cmd/every_job: $(B)/tests/cmd/every_job.o $(B)/libcmd.a $(B)/libfs.a
	$(TEST_LINK) -lcmocka $(ZSTD_LIBS)

TEST_ALL = $(call SHORT,LINK)$(CC) $(STD) -D_GNU_SOURCE $(WARN) -Wno-missing-prototypes $(CFLAGS) \
	-DTESTS='$(foreach t,$(filter %.o,$^),X($(basename $(notdir $t))))' $(LINK_$(V)) $(LDFLAGS) -o $@ \
	tests/unit/runner.c $(filter-out %.c,$^) $(LDLIBS) -lcmocka -pthread

$(B)/tests/cmd/all: tests/unit/runner.c $(CMD_TEST_SRC:tests/cmd/%.c=$(B)/tests/cmd/%.o) $(B)/libcmd.a $(B)/libfs.a
	$(TEST_ALL) $(ZSTD_LIBS)

.SECONDEXPANSION:
$(B)/tests/%/all: tests/unit/runner.c $$(foreach o,$(TEST_OBJ),$$(if $$(filter $(B)/tests/$$*/,$$(dir $$(o))),$$(o))) $(B)/libfs.a
	$(TEST_ALL)

$(B)/libcmd.a: $(CMD_OBJ)
	@rm -f $@
	$(call SHORT,AR)$(AR) rcs $@ $(filter-out %/main.o,$^)

# Each allocation and system call fails in turn; the suite `fault` tries a sample of them.
check-faults: program $(FAULT)
	@tests/fault/run.sh $(B)/bin $(FAULT)

# All deletions from all captures: takes hours.
check-deletions: $(B)/tests/serve
	@python3 tests/deletions/deletions.py $< . all

# The whole program, to be called repeatedly in one process.
$(B)/tests/serve: tests/deletions/serve.c cmd/main.c $(B)/libcmd.a $(B)/libfs.a
	@mkdir -p $(@D)
	$(call SHORT,CC)$(CC) $(STD) $(WARN) -Wno-missing-prototypes -Ilibfs/include -Icmd -c -Dmain=program_main -o $@_main.o $(CFLAGS) cmd/main.c
	$(call SHORT,LINK)$(CC) $(STD) $(WARN) $(CFLAGS) $(LINK_$(V)) $(LDFLAGS) -o $@ tests/deletions/serve.c $@_main.o $(filter %.a,$^) $(LDLIBS) $(CURSES_LIBS) $(ZSTD_LIBS) -pthread

$(B)/tests/fault/fault: tests/fault/fault.c tests/fault/fault.h $(B)/flags
	@mkdir -p $(@D)
	$(call SHORT,CC)$(CC) $(STD) $(WARN) -O2 -g -o $@ $<

$(B)/tests/fault/preload.so: tests/fault/preload.c tests/fault/fault.h $(B)/flags
	@mkdir -p $(@D)
	$(call SHORT,CC)$(CC) $(STD) $(WARN) -O2 -g -fPIC -shared -o $@ $<

# With EVERY_CASE=N the sanitizers run only every Nth capture.
check-asan: get-test
	@$(MAKE) --no-print-directory $(AT_ONCE) V=asan tested
	@tests/check.sh asan cli top unit $(SUITES_CASES)

check-valgrind: get-test
	@$(MAKE) --no-print-directory program $(TEST_BIN)
	@VALGRIND=1 tests/unit/run.sh $(TEST_BIN)
	@tests/cli/valgrind.sh $(B)/bin

check-fuzz: get-test
	@tests/fuzz/run.sh

# The live commands, with each recorded capture played back to them.
check-live: program
	@tests/cases/live.sh $(B)/bin

# Every capture and a million damaged lines through both JSON readers.
check-reader: $(B)/tests/base/all
	@tests/unit/both_ways.sh $<

# Converts a hundred million doubles to text and back.
check-doubles: $(B)/tests/base/all
	FS_DOUBLES=100000000 $< test_num_shortest

# gcc gives some warnings only when it optimises.
COMPILERS ?= gcc clang
check-compilers: get-test
	@for cc in $(COMPILERS); do $(MAKE) --no-print-directory CC=$$cc V=$$cc CFLAGS="-O$$([ $$cc = clang ] && echo 0 || echo 2) -Werror" \
		build/$$cc/bin/fs-tools >/dev/null && echo "$$cc: no warnings" || exit 1; done

# Adds a test scheduler to a copy of the tree.
check-fourth: get-test
	@tests/fourth/run.sh

# The README's commands in a fresh root that has make and nothing else. Needs root.
check-fresh: get-packages
	@tests/fresh/run.sh

# Pages and pictures in a browser, if one is installed.
check-browser: program
	@tests/browser/run.sh $(B)/bin

check-slurm: program
	@tests/slurm/run.sh

# Compares the output of the working tree with that of revision BASE for the same inputs.
same: program
	@tests/same.sh '$(BASE)' $(B)/bin

# Compares with a Maui in simulation: MAUI=DIR has its bin/.
check-maui: program
	@MAUI='$(MAUI)' CC='$(CC)' tests/maui/run.sh $(B)/bin

# Compares with a running Flux: FLUX=DIR has flux-core and flux-accounting.
check-flux: program
	@FLUX='$(FLUX)' tests/flux/run.sh $(B)/bin

# All of libfs except the registry of schedulers, which points to every folder and is used only by name
# (model/scheduler.h).
lint:
	@tests/lint/layers.sh
	@tests/lint/walls.sh
	@tests/lint/words.sh
	@tests/lint/kinds.sh
	@tests/lint/purity.sh $(B)/libfs.a
	@tests/lint/circles.sh $(filter-out $(B)/libfs/scheduler/%,$(LIB_OBJ))
	@tests/lint/circles.sh $(CMD_OBJ)
	@tests/lint/globals.sh $(LIB_OBJ) $(CMD_OBJ)
	@tests/lint/headers.sh
	@tests/lint/numbers.sh
	@tests/lint/negations.sh
	@tests/lint/sinks.sh
	@tests/lint/tables.sh
	@tests/lint/promises.sh
	@tests/lint/cited.sh
	@tests/lint/mirror.sh
	@tests/lint/contracts.sh
	@tests/lint/places.sh
	@tests/lint/prose.sh
	@tests/lint/messages.sh
	@tests/lint/style.sh

bench: get-build
	@$(MAKE) --no-print-directory program
	@tests/bench/all.sh

# ---- installation

install: all install-site
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(BASH_COMPLETIONS) $(DESTDIR)$(PREFIX)/share/fs-tools
	install -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/fs-tools
	for c in $(COMMANDS); do ln -sf fs-tools $(DESTDIR)$(PREFIX)/bin/$$c; done
	install -d $(DESTDIR)$(COMPAT_LINKS)
	for e in $(EMULATED); do ln -sf $(PREFIX)/bin/fs-tools $(DESTDIR)$(COMPAT_LINKS)/$$e; done
	for m in $(MAN); do d=$(DESTDIR)$(PREFIX)/share/man/man$${m##*.}; install -d $$d; \
		install -m 644 $$m $$d; done
	install -m 644 man/*.schema.json man/fs-tools.grafana.json $(DESTDIR)$(PREFIX)/share/fs-tools
	install -m 644 completions/fs-tools.bash $(DESTDIR)$(BASH_COMPLETIONS)/fs-tools
	for c in $(COMMANDS); do ln -sf fs-tools $(DESTDIR)$(BASH_COMPLETIONS)/$$c; done
	install -d $(DESTDIR)$(ZSH_COMPLETIONS) $(DESTDIR)$(FISH_COMPLETIONS)
	install -m 644 completions/_fs-tools $(DESTDIR)$(ZSH_COMPLETIONS)
	install -m 644 completions/fs-tools.fish $(DESTDIR)$(FISH_COMPLETIONS)
	for c in $(COMMANDS); do ln -sf fs-tools.fish $(DESTDIR)$(FISH_COMPLETIONS)/$$c.fish; done

	install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCLUDEDIR)/fs
	install -m 644 libfs/include/fs.h $(DESTDIR)$(INCLUDEDIR)
	install -m 644 libfs/include/fs/*.h $(DESTDIR)$(INCLUDEDIR)/fs
	install -m 644 $(B)/libfs.a $(DESTDIR)$(LIBDIR)
	install -m 755 $(B)/$(SONAME) $(DESTDIR)$(LIBDIR)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libfs.so
	printf '%s\n' 'Name: fs-tools' 'Description: Shares, usage and priorities of batch schedulers, computed from a snapshot' \
		'Version: $(VERSION)' 'Cflags: -I$(INCLUDEDIR)' 'Libs: -L$(LIBDIR) -lfs' 'Libs.private: $(LDLIBS)' \
		>$(DESTDIR)$(LIBDIR)/pkgconfig/fs-tools.pc

uninstall: uninstall-site
	rm -rf $(DESTDIR)$(INCLUDEDIR)
	rm -f $(DESTDIR)$(LIBDIR)/libfs.a $(DESTDIR)$(LIBDIR)/$(SONAME) $(DESTDIR)$(LIBDIR)/libfs.so $(DESTDIR)$(LIBDIR)/pkgconfig/fs-tools.pc
	rm -f $(DESTDIR)$(PREFIX)/bin/fs-tools $(DESTDIR)$(BASH_COMPLETIONS)/fs-tools
	for e in $(EMULATED); do rm -f $(DESTDIR)$(COMPAT_LINKS)/$$e; done
	for c in $(COMMANDS); do rm -f $(DESTDIR)$(PREFIX)/bin/$$c $(DESTDIR)$(BASH_COMPLETIONS)/$$c; done
	rm -f $(DESTDIR)$(ZSH_COMPLETIONS)/_fs-tools $(DESTDIR)$(FISH_COMPLETIONS)/fs-tools.fish
	for c in $(COMMANDS); do rm -f $(DESTDIR)$(FISH_COMPLETIONS)/$$c.fish; done
	for m in $(MAN); do rm -f $(DESTDIR)$(PREFIX)/share/man/man$${m##*.}/$${m##*/}; done
	rm -rf $(DESTDIR)$(PREFIX)/share/fs-tools

clean:
	rm -rf build
