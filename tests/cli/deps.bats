#!/usr/bin/env bats
# What tests/deps.sh asks for, and that it installs nothing unless it is told to.

setup() {
	deps=$BATS_TEST_DIRNAME/../deps.sh
	bin=$BATS_TEST_TMPDIR/bin
	mkdir "$bin"
	# whatever would install something leaves a trace
	for tool in apt-get sudo; do
		printf '#!/bin/sh\necho "%s $*" >>"%s/called"\nexit 1\n' "$tool" "$BATS_TEST_TMPDIR" >"$bin/$tool"
		chmod +x "$bin/$tool"
	done
	PATH=$bin:$PATH
	unset NO_INSTALL INSTALL CURSES
}

@test "nothing is missing here, and nothing is said" {
	run "$deps" test
	[ "$status" = 0 ]
	[ -z "$output" ]
}

@test "a missing library is named with the one command that brings it, and nothing else" {
	printf '#!/bin/sh\ncase "$*" in *libcjson*) exit 1 ;; esac\nexec /usr/bin/pkg-config "$@"\n' >"$bin/pkg-config"
	printf '#!/bin/sh\ncat >"%s/source"\n! grep -q cJSON "%s/source" || exit 1\nexec cc "$@" <"%s/source"\n' \
		"$bin" "$bin" "$bin" >"$bin/nocjson"
	chmod +x "$bin/pkg-config" "$bin/nocjson"
	CC=nocjson run "$deps" build
	[ "$status" = 1 ]
	[[ $output == *cjson/cJSON.h* ]]
	[[ $output == *'make deps'* ]]
	[[ $output == *'--no-install-recommends libcjson-dev' ]]
	[ ! -e "$BATS_TEST_TMPDIR/called" ]
}

@test "NO_INSTALL=1 forbids what INSTALL=1 allows" {
	INSTALL=1 NO_INSTALL=1 CC=no-such-compiler run "$deps" build
	[ "$status" = 1 ]
	[[ $output == *'a C compiler (no-such-compiler)'* ]]
	[ ! -e "$BATS_TEST_TMPDIR/called" ]
	INSTALL=1 CC=no-such-compiler run "$deps" build
	[ "$status" = 1 ]
	grep -q apt-get "$BATS_TEST_TMPDIR/called"
}

@test "CURSES=no asks for no curses" {
	printf '#!/bin/sh\ncat >"%s/source"\n! grep -q curses "%s/source" || exit 1\nexec cc "$@" <"%s/source"\n' \
		"$bin" "$bin" "$bin" >"$bin/nocurses"
	chmod +x "$bin/nocurses"
	CC=nocurses run "$deps" build
	[ "$status" = 1 ]
	CC=nocurses CURSES=no run "$deps" build
	[ "$status" = 0 ]
}
