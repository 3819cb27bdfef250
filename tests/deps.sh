#!/bin/sh
# deps.sh build|test|packages: checks that everything needed for building, testing or packaging is installed, with the
# compiler, pkg-config and the PATH, on any system. With INSTALL=1 it installs the Debian packages of missing things
# only, as root or with a sudo that needs no password; NO_INSTALL=1 forbids it. Otherwise it prints one line for each
# missing thing, and last the command that installs them.
# CURSES=no: ncurses is not needed. ZSTD=no: libzstd is not needed.
set -u

cc=${CC:-cc}
pkg_config=${PKG_CONFIG:-pkg-config}
missing='' packages=''

lacks() { # PACKAGE WHAT
	missing="$missing
  $2"
	case " $packages " in *" $1 "*) ;; *) packages="$packages $1" ;; esac
}

program() { # NAME PACKAGE
	command -v "$1" >/dev/null 2>&1 || lacks "$2" "$1"
}

# Returns 0 if a program that includes the header compiles and links.
library() { # HEADER PKG-CONFIG-NAME LIBS PACKAGE
	if ! command -v "${cc%% *}" >/dev/null 2>&1; then # only pkg-config is left to check with
		$pkg_config --exists "$2" 2>/dev/null || lacks "$4" "$1"
		return
	fi
	flags=$($pkg_config --cflags "$2" 2>/dev/null)
	libs=$($pkg_config --libs "$2" 2>/dev/null) || libs=$3
	# shellcheck disable=SC2086 # flags are words
	printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <%s>\nint main(void) { return 0; }\n' "$1" |
		$cc $flags -x c -o "$scratch" - $libs 2>/dev/null || lacks "$4" "$1"
}

need_build() {
	if command -v "${cc%% *}" >/dev/null 2>&1; then
		library stdio.h fs-tools-needs-none '' libc6-dev
	else
		lacks gcc "a C compiler ($cc)"
	fi
	program make make
	program "$pkg_config" pkg-config
	library cjson/cJSON.h libcjson -lcjson libcjson-dev
	[ "${CURSES:-yes}" = no ] || library curses.h ncursesw -lncursesw libncurses-dev
	[ "${ZSTD:-yes}" = no ] || library zstd.h libzstd -lzstd libzstd-dev
}

need_test() {
	library cmocka.h cmocka -lcmocka libcmocka-dev
	program bats bats
	program valgrind valgrind
	program mandoc mandoc
	program shellcheck shellcheck
	program xz xz-utils
	[ "${CURSES:-yes}" = no ] || program tmux tmux
	python3 -c 'import jsonschema' 2>/dev/null || lacks python3-jsonschema "python3 with jsonschema"
	program clang clang
	printf 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { (void)d; (void)n; return 0; }\n' |
		clang -fsanitize=fuzzer,address -x c -o "$scratch" - 2>/dev/null || lacks libclang-rt-dev "clang's sanitizers and fuzzer"
}

need_packages() {
	program dpkg-buildpackage dpkg-dev
	program dh debhelper
	program fakeroot fakeroot
	program lintian lintian
	program debootstrap debootstrap
	program rpmbuild rpm
	program musl-gcc musl-tools
	program tclsh tcl
}

tell() {
	echo "fs-tools needs what is not here:$missing" >&2
	if command -v apt-get >/dev/null 2>&1; then
		echo "  make deps                                # brings it, as root or with sudo" >&2
		echo "  apt-get install --no-install-recommends$packages" >&2
	else
		echo "  Fedora:  dnf install gcc make pkgconf cjson-devel ncurses-devel libzstd-devel libcmocka-devel bats tmux clang compiler-rt valgrind python3-jsonschema mandoc ShellCheck" >&2
		echo "  macOS:   brew install pkg-config cjson ncurses zstd cmocka bats-core tmux mandoc shellcheck" >&2
	fi
	exit 1
}

install() {
	if [ "$(id -u)" = 0 ]; then
		as_root=
	elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
		as_root='sudo -n'
	else
		tell
	fi
	command -v apt-get >/dev/null 2>&1 || tell
	echo "installing:$packages" >&2
	# shellcheck disable=SC2086 # packages are words
	{ $as_root apt-get update -q && $as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -q --no-install-recommends $packages; } >/dev/null ||
		{ echo "could not install:$packages" >&2; tell; }
}

look() {
	missing='' packages=''
	need_build
	case $1 in test) need_test ;; packages) need_packages ;; esac
}

case ${1:-} in
build | test | packages) ;;
*) echo 'usage: deps.sh build|test|packages' >&2; exit 2 ;;
esac
scratch=$(mktemp)
trap 'rm -f "$scratch"' EXIT
trap 'exit 1' INT TERM
look "$1"
[ -n "$missing" ] || exit 0
if [ "${INSTALL:-}" != 1 ] || [ -n "${NO_INSTALL:-}" ]; then
	tell
fi
install
look "$1"
[ -z "$missing" ] || tell
