#!/bin/sh
# Makes sure that the Debian packages named are there: installs what is missing as root or through sudo,
# else says what to install and fails. On other systems it only looks whether a compiler finds cJSON.
set -u

elsewhere() {
	cat >&2 <<-EOF
	fs-tools needs a C compiler, GNU make, pkg-config, cJSON and ncurses; its tests also cmocka, bats, tmux and valgrind.
	  Debian:  apt-get install $*
	  Fedora:  dnf install gcc make pkgconf cjson-devel ncurses-devel libcmocka-devel bats tmux clang valgrind python3-jsonschema mandoc ShellCheck
	  macOS:   brew install pkg-config cjson ncurses cmocka bats-core tmux mandoc shellcheck
	EOF
	exit 1
}

if ! command -v dpkg-query >/dev/null 2>&1; then
	printf '#include <cjson/cJSON.h>\n' | ${CC:-cc} -E $(pkg-config --cflags libcjson 2>/dev/null) - \
		>/dev/null 2>&1 || elsewhere "$@"
	exit 0
fi

missing=
for p in "$@"; do
	dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q '^install ok installed' || missing="$missing $p"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
	run=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
	run='sudo -n'
else
	elsewhere "$@"
fi
echo "installing:$missing" >&2
{ $run apt-get update -q && $run env DEBIAN_FRONTEND=noninteractive \
	apt-get install -y -q --no-install-recommends $missing; } >/dev/null ||
	{ echo "could not install:$missing" >&2; elsewhere "$@"; }
