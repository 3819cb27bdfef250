#!/usr/bin/env bats
# tests/deps.sh: reports missing dependencies and installs them only on request.

setup() {
	deps=$BATS_TEST_DIRNAME/../deps.sh
	bin=$BATS_TEST_TMPDIR/bin
	mkdir "$bin"
	# stand-ins for the installers record their calls
	for tool in apt-get sudo; do
		printf '#!/bin/sh\necho "%s $*" >>"%s/called"\nexit 1\n' "$tool" "$BATS_TEST_TMPDIR" >"$bin/$tool"
		chmod +x "$bin/$tool"
	done
	PATH=$bin:$PATH
	unset NO_INSTALL INSTALL CURSES
}

@test "deps.sh prints nothing if nothing is missing" {
	run "$deps" test
	[ "$status" = 0 ]
	[ -z "$output" ]
}

@test "deps.sh names a missing library and the command that installs it" {
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

@test "NO_INSTALL=1 overrides INSTALL=1" {
	INSTALL=1 NO_INSTALL=1 CC=no-such-compiler run "$deps" build
	[ "$status" = 1 ]
	[[ $output == *'a C compiler (no-such-compiler)'* ]]
	[ ! -e "$BATS_TEST_TMPDIR/called" ]
	INSTALL=1 CC=no-such-compiler run "$deps" build
	[ "$status" = 1 ]
	grep -q apt-get "$BATS_TEST_TMPDIR/called"
}

@test "deps.sh does not require curses with CURSES=no" {
	printf '#!/bin/sh\ncat >"%s/source"\n! grep -q curses "%s/source" || exit 1\nexec cc "$@" <"%s/source"\n' \
		"$bin" "$bin" "$bin" >"$bin/nocurses"
	chmod +x "$bin/nocurses"
	CC=nocurses run "$deps" build
	[ "$status" = 1 ]
	CC=nocurses CURSES=no run "$deps" build
	[ "$status" = 0 ]
}
