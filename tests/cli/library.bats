#!/usr/bin/env bats
# The installed library: the manual's program and a C++ program use header, archive, shared object and pkg-config file of
# a DESTDIR, and nothing of the source tree.

setup_file() {
	export ROOT=$BATS_FILE_TMPDIR/root
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	make --no-print-directory V="${FS_VARIANT:-release}" install NO_INSTALL=1 PREFIX=/usr DESTDIR="$ROOT" >/dev/null
	# the example program of libfs(3), without its mdoc escapes
	awk '/^\.Bd -literal/ { inside = 1; next } /^\.Ed/ { inside = 0 } inside' man/libfs.3 |
		sed 's/\\en/\\n/g' >"$BATS_FILE_TMPDIR/onejob.c"
}

setup() {
	FS_BIN=$(cd "${FS_BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd)
	cd "$BATS_TEST_TMPDIR" || return 1
	case ${FS_VARIANT:-release} in asan) sanitize='-fsanitize=address,undefined' ;; *) sanitize= ;; esac
	export PKG_CONFIG_SYSROOT_DIR=$ROOT PKG_CONFIG_LIBDIR=$ROOT/usr/lib/pkgconfig
}

cc_() { # COMPILER ARG...
	# shellcheck disable=SC2086 # flags are words
	"$@" $sanitize
}

flags() {
	# shellcheck disable=SC2046 # flags are words
	pkg-config "$@" fs-tools
}

@test "the manual's program prints the priority that fs-prio prints" {
	[ "$(wc -l <"$BATS_FILE_TMPDIR/onejob.c")" -le 40 ]
	cc_ cc -std=c99 -Wall -Wextra -Werror -pedantic $(flags --cflags) "$BATS_FILE_TMPDIR/onejob.c" -o onejob $(flags --libs)
	cp "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" demo.jsonl
	LD_LIBRARY_PATH=$ROOT/usr/lib run ./onejob demo.jsonl 812154
	[ "$status" = 0 ]
	[ "$(awk '$1 == "priority" { print $2 }' <<<"$output")" = "$("$FS_BIN/fs-prio" --demo -h -j 812154 -o %Y | tr -d ' ')" ]
	LD_LIBRARY_PATH=$ROOT/usr/lib run ./onejob demo.jsonl 1
	[ "$status" = 1 ]
	LD_LIBRARY_PATH=$ROOT/usr/lib run ./onejob nothing.jsonl 1
	[ "$status" = 1 ]
	[[ $output == *nothing.jsonl* ]]
}

@test "the manual's program links with the static library" {
	cc_ cc $(flags --cflags) "$BATS_FILE_TMPDIR/onejob.c" -o onejob "$ROOT/usr/lib/libfs.a" \
		$(pkg-config --static --libs-only-l fs-tools | sed 's/-lfs //')
	run ./onejob "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" 812154
	[ "$status" = 0 ]
}

@test "a C++ program compiles and links with each header" {
	command -v g++ >/dev/null || skip "g++ is not installed"
	for header in fs.h $(cd "$BATS_TEST_DIRNAME/../../libfs/include" && echo fs/*.h); do
		echo "#include <$header>" >>all.cc
	done
	{
		echo 'static size_t sizes() { size_t n = 0;'
		for options in prios queue plan usage read edit import maui_import anonymise; do
			echo "{ struct fs_${options}_options o = FS_${options^^}_OPTIONS_INIT; n += o.size == sizeof(o); }"
		done
		echo 'return n; }'
	} >>all.cc
	echo 'int main() { if (sizes() != 9) return 2; fs_snapshot_free(nullptr); return fs_version()[0] == 0; }' >>all.cc
	cc_ g++ -Wall -Wextra -Werror -pedantic $(flags --cflags) all.cc -o all $(flags --libs)
	LD_LIBRARY_PATH=$ROOT/usr/lib ./all
}

@test "the shared library exports only fs_ names, and all versions agree" {
	run nm -D --defined-only "$ROOT/usr/lib/libfs.so.1"
	[ "$status" = 0 ]
	[[ $output == *fs_snapshot_read* ]]
	run awk '$3 !~ /^fs_/' <<<"$output"
	[ -z "$output" ]
	readelf -d "$ROOT/usr/lib/libfs.so.1" | grep -q 'SONAME.*libfs.so.1'
	[ "$(pkg-config --modversion fs-tools)" = "$("$FS_BIN/fs-tools" --version | cut -d' ' -f2)" ]
}

@test "uninstall removes every installed file" {
	cp -r "$ROOT" gone
	make -C "$BATS_TEST_DIRNAME/../.." --no-print-directory uninstall NO_INSTALL=1 PREFIX=/usr DESTDIR="$PWD/gone" >/dev/null
	run find gone ! -type d
	[ -z "$output" ]
}
