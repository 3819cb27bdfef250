# fs-tools: everything is built, tested and installed from here. Objects go to build/<variant>/.
CC ?= cc
PREFIX ?= /usr/local
DESTDIR ?=
V ?= release
PKG_CONFIG ?= pkg-config
ZSH_COMPLETIONS ?= $(PREFIX)/share/zsh/site-functions
FISH_COMPLETIONS ?= $(PREFIX)/share/fish/vendor_completions.d
BASH_COMPLETIONS ?= $(PREFIX)/share/bash-completion/completions

B := build/$(V)
WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wvla \
	-Wundef -Wpointer-arith -Wwrite-strings
WARN += $(if $(DEVELOPER),-Werror)
OPT_release := -O2 -g
OPT_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer \
	-DFSI_ARENA_DEBUG
OPT_debug := -O0 -g -DFSI_ARENA_DEBUG
CFLAGS ?= $(OPT_$(V))
STD := -std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off
CJSON_CFLAGS = $(shell $(PKG_CONFIG) --cflags libcjson 2>/dev/null)
CJSON_LIBS = $(or $(shell $(PKG_CONFIG) --libs libcjson 2>/dev/null),-lcjson)
CURSES_CFLAGS = $(shell $(PKG_CONFIG) --cflags ncursesw 2>/dev/null)
CURSES_LIBS = $(or $(shell $(PKG_CONFIG) --libs ncursesw 2>/dev/null),-lncursesw)
LDLIBS = $(CJSON_LIBS) -lm

COMMANDS := fs-share fs-prio fs-showq fs-explain fs-top fs-snap
MAN := $(wildcard man/*.1 man/*.5 man/*.7)
LIB_SRC := $(wildcard libfs/*/*.c)
CMD_SRC := $(wildcard cmd/*.c cmd/*/*.c)
TEST_SRC := $(wildcard tests/unit/test_*.c)
CMD_TEST_SRC := $(wildcard tests/cmd/test_*.c)
LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o)
CMD_OBJ := $(CMD_SRC:%.c=$(B)/%.o) $(B)/cmd/demo.o
TEST_BIN := $(TEST_SRC:tests/unit/%.c=$(B)/tests/%) $(CMD_TEST_SRC:tests/cmd/%.c=$(B)/tests/cmd/%)
PROGRAM := $(B)/bin/fs-tools

.PHONY: all program demo check check-unit check-cli check-cases check-asan check-valgrind check-fuzz check-compilers \
	check-slurm lint bench deps install uninstall clean
.DELETE_ON_ERROR:
.SECONDARY:

all: deps-quiet
	@$(MAKE) --no-print-directory program

# The program under build/bin, whatever the variant, with a link for each command.
program: $(PROGRAM)
	@mkdir -p build/bin
	@ln -sf ../$(V)/bin/fs-tools build/bin/fs-tools
	@for c in $(COMMANDS); do ln -sf fs-tools build/bin/$$c; done

$(PROGRAM): $(CMD_OBJ) $(B)/libfs.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -pthread -o $@ $^ $(LDLIBS) $(CURSES_LIBS)

$(B)/libfs.a: $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

# Layer rule, physically: libfs sees libfs, commands see fs.h alone.
$(B)/libfs/%.o: libfs/%.c $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(STD) $(WARN) $(CFLAGS) $(CJSON_CFLAGS) -Ilibfs -MMD -MP -c -o $@ $<

$(B)/cmd/demo.o: $(B)/cmd/demo.c $(B)/flags
	$(CC) $(STD) $(WARN) $(CFLAGS) -Icmd -c -o $@ $<

$(B)/cmd/top/%.o: THREADS := -pthread
$(B)/cmd/top/term.o: CURSES = $(CURSES_CFLAGS)
$(B)/cmd/%.o: cmd/%.c $(B)/flags $(B)/include/fs.h
	@mkdir -p $(@D)
	$(CC) $(STD) $(WARN) $(CFLAGS) $(CURSES) $(THREADS) -I$(B)/include -Icmd -MMD -MP -c -o $@ $<

$(B)/include/fs.h: libfs/fs.h
	@mkdir -p $(@D)
	cp $< $@

$(B)/cmd/demo.c: cmd/demo.jsonl
	@mkdir -p $(@D)
	@{ echo '#include "demo.h"'; echo 'const unsigned char demo_snapshot[] = {'; \
	  od -An -v -tx1 $< | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'; echo '};'; \
	  echo 'const size_t demo_snapshot_size = sizeof(demo_snapshot);'; } > $@

# Rebuilds when the compiler or its flags change.
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(STD) $(WARN) $(CFLAGS)' | cmp -s - $@ || echo '$(CC) $(STD) $(WARN) $(CFLAGS)' > $@
FORCE:

-include $(LIB_OBJ:.o=.d) $(CMD_OBJ:.o=.d) $(TEST_BIN:=.d) $(B)/tests/cmd/every_job.d

# ---- dependencies

include tests/deps.mk

demo: deps-quiet
	@$(MAKE) --no-print-directory program >/dev/null
	@tests/demo.sh build/bin

# ---- tests

check: deps-test-quiet
	@$(MAKE) --no-print-directory program check-unit check-cli check-cases

check-cases: program $(B)/tests/limit_use $(B)/tests/cmd/every_job
	@tests/cases/run.sh build/bin
	@tests/cases/maui.sh build/bin
	@tests/cases/flux/run.sh build/bin
	@tests/cases/showq.sh build/bin
	@tests/cases/plan.sh build/bin
	@tests/cases/limits.sh build/bin $(B)/tests/limit_use
	@tests/cases/explain.sh build/bin $(B)/tests/cmd/every_job

check-unit: $(TEST_BIN)
	@tests/unit/run.sh $(TEST_BIN)

$(B)/tests/%: tests/unit/%.c $(B)/libfs.a $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(STD) $(WARN) $(CFLAGS) $(LDFLAGS) -Ilibfs -Itests/unit -MMD -MP -o $@ $< $(B)/libfs.a \
		$(LDLIBS) -lcmocka

$(B)/tests/limit_use: tests/cases/limit_use.c $(B)/libfs.a $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(STD) $(WARN) $(CFLAGS) $(LDFLAGS) -Ilibfs -MMD -MP -o $@ $< $(B)/libfs.a $(LDLIBS)

# Tests of what commands say see the commands' headers too.
$(B)/tests/cmd/%: tests/cmd/%.c $(B)/libcmd.a $(B)/libfs.a $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(STD) $(WARN) $(CFLAGS) $(LDFLAGS) -I$(B)/include -Icmd -Itests/unit -MMD -MP -o $@ $< $(B)/libcmd.a \
		$(B)/libfs.a $(LDLIBS) -lcmocka

$(B)/libcmd.a: $(CMD_OBJ)
	@rm -f $@
	$(AR) rcs $@ $(filter-out %/main.o,$^)

check-cli: program
	@FS_VARIANT=$(V) FS_BIN=$(CURDIR)/build/bin bats tests/cli tests/top

check-asan: deps-test-quiet
	@$(MAKE) --no-print-directory V=asan program check-unit check-cli check-cases
	@$(MAKE) --no-print-directory program

check-valgrind: deps-test-quiet
	@$(MAKE) --no-print-directory program $(TEST_BIN)
	@VALGRIND=1 tests/unit/run.sh $(TEST_BIN)
	@tests/cli/valgrind.sh build/bin

check-fuzz: deps-test-quiet
	@tests/fuzz/run.sh

check-compilers: deps-test-quiet
	@for cc in gcc clang; do $(MAKE) --no-print-directory CC=$$cc V=$$cc CFLAGS='-O2 -Werror' \
		build/$$cc/bin/fs-tools >/dev/null && echo "$$cc: no warnings" || exit 1; done

check-slurm: program
	@tests/slurm/run.sh

lint:
	@tests/lint/layers.sh
	@tests/lint/purity.sh $(B)/libfs.a
	@tests/lint/headers.sh

bench: deps-quiet
	@$(MAKE) --no-print-directory program
	@tests/bench/run.sh
	@tests/bench/top.sh

# ---- installation

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(BASH_COMPLETIONS) $(DESTDIR)$(PREFIX)/share/fs-tools
	install -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/fs-tools
	for c in $(COMMANDS); do ln -sf fs-tools $(DESTDIR)$(PREFIX)/bin/$$c; done
	for m in $(MAN); do d=$(DESTDIR)$(PREFIX)/share/man/man$${m##*.}; install -d $$d; \
		install -m 644 $$m $$d; done
	install -m 644 man/*.schema.json $(DESTDIR)$(PREFIX)/share/fs-tools
	install -m 644 completions/fs-tools.bash $(DESTDIR)$(BASH_COMPLETIONS)/fs-tools
	for c in $(COMMANDS); do ln -sf fs-tools $(DESTDIR)$(BASH_COMPLETIONS)/$$c; done
	install -d $(DESTDIR)$(ZSH_COMPLETIONS) $(DESTDIR)$(FISH_COMPLETIONS)
	install -m 644 completions/_fs-tools $(DESTDIR)$(ZSH_COMPLETIONS)
	install -m 644 completions/fs-tools.fish $(DESTDIR)$(FISH_COMPLETIONS)
	for c in $(COMMANDS); do ln -sf fs-tools.fish $(DESTDIR)$(FISH_COMPLETIONS)/$$c.fish; done

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/fs-tools $(DESTDIR)$(BASH_COMPLETIONS)/fs-tools
	for c in $(COMMANDS); do rm -f $(DESTDIR)$(PREFIX)/bin/$$c $(DESTDIR)$(BASH_COMPLETIONS)/$$c; done
	rm -f $(DESTDIR)$(ZSH_COMPLETIONS)/_fs-tools $(DESTDIR)$(FISH_COMPLETIONS)/fs-tools.fish
	for c in $(COMMANDS); do rm -f $(DESTDIR)$(FISH_COMPLETIONS)/$$c.fish; done
	for m in $(MAN); do rm -f $(DESTDIR)$(PREFIX)/share/man/man$${m##*.}/$${m##*/}; done
	rm -rf $(DESTDIR)$(PREFIX)/share/fs-tools

clean:
	rm -rf build
