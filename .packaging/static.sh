#!/bin/sh
# static.sh FILE: builds one program without shared libraries, for machines where nothing can be installed. It has no
# fs-top. It is compiled by musl-gcc (MUSL_CC) with the cJSON whose source is in the folder CJSON; without CJSON the
# source of Debian's cjson is fetched, as any user, from the archives configured on this machine.
set -eu

file=$1
cc=${MUSL_CC:-musl-gcc}
cd "$(dirname "$0")/.."
build=build/static
mkdir -p "$build/cjson" "$(dirname "$file")"

command -v "${cc##* }" >/dev/null || { echo "static.sh: no $cc (Debian: apt-get install musl-tools)" >&2; exit 1; }

# Fetches from Debian's source archives, with separate lists and caches.
fetch() {
	mkdir -p "$build/apt/lists/partial" "$build/apt/parts" "$build/apt/cache/archives/partial"
	for list in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
		[ -s "$list" ] || continue
		case $list in
		*.sources) sed 's/^Types:.*/Types: deb-src/' "$list" >"$build/apt/parts/debian.sources" ;;
		*) sed 's/^deb /deb-src /' "$list" >"$build/apt/parts/debian.list" ;;
		esac
	done
	archives="-q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts=$PWD/$build/apt/parts
		-o Dir::State::Lists=$PWD/$build/apt/lists -o Dir::Cache=$PWD/$build/apt/cache -o APT::Sandbox::User="
	# shellcheck disable=SC2086 # options are words
	(apt-get $archives update && cd "$build/apt" && apt-get $archives source --download-only cjson) >"$build/apt/log" 2>&1 ||
		{ tail -3 "$build/apt/log" >&2; echo 'static.sh: no source of cjson; CJSON=DIR names one' >&2; exit 1; }
	tar -xzf "$build"/apt/cjson_*.orig.tar.gz -C "$build/cjson" --strip-components=1
}

if [ -n "${CJSON:-}" ]; then
	cp "$CJSON/cJSON.c" "$CJSON/cJSON.h" "$build/cjson"
elif [ ! -e "$build/cjson/cJSON.c" ]; then
	fetch
fi
mkdir -p "$build/include/cjson"
cp "$build/cjson/cJSON.h" "$build/include/cjson"
# shellcheck disable=SC2086 # a compiler may be two words
$cc -O2 -c -o "$build/cJSON.o" "$build/cjson/cJSON.c"
make --no-print-directory V=static CC="$cc" CFLAGS="-Os -fno-asynchronous-unwind-tables -ffile-prefix-map=$PWD=." CURSES=no ZSTD=no \
	CJSON_CFLAGS="-I$PWD/$build/include" CJSON_LIBS="$build/cJSON.o" LDFLAGS='-static -s' \
	build/static/bin/fs-tools >"$build/log" 2>&1 || { grep -E 'error|undefined' "$build/log" >&2; exit 1; }
cp build/static/bin/fs-tools "$file"
