#!/bin/bash
# Builds the distributed files and uses them: Debian packages in a fresh root, the files of the RPM, the static program,
# units, modulefiles, and two builds in two folders. Uses the committed tree. Last line: "packages: N passed, N failed".
# A part whose tools are missing, or that needs root, is skipped with a message.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
version=$(sed -n 's/^.define FS_VERSION "\(.*\)"/\1/p' libfs/include/fs/base.h)
dist=build/dist

check() { # WHAT COMMAND...
	local what=$1
	shift
	if "$@" >"$work/out" 2>&1; then
		passed=$((passed + 1))
		echo "ok: $what"
	else
		failed=$((failed + 1))
		echo "not ok: $what"
		tail -15 "$work/out"
	fi
}

without() { # PART TOOL...
	local part=$1 tool
	shift
	for tool; do
		command -v "$tool" >/dev/null || { echo "left out: $part ($tool is not here)"; return 0; }
	done
	return 1
}

# Compares the explanation of the demo by the program at $1 and by ours; further words are the command to run it.
like_ours() {
	"$@" fs-explain --demo 812154 >"$work/theirs" && build/bin/fs-explain --demo 812154 | cmp - "$work/theirs"
}

empty() { # COMMAND...: succeeds and says nothing
	local said
	said=$("$@" 2>&1) || said="failed: $said"
	echo "$said"
	[ -z "$said" ]
}

below() { # BYTES FILE
	[ "$(stat -c %s "$2")" -lt "$1" ]
}

fresh_root() {
	{ tests/fresh/root.sh "$work/root" && chroot "$work/root" true; } >"$work/out" 2>&1
}

in_fresh_root() {
	local root=$work/root
	cp $dist/deb/*.deb "$root/tmp" && rm -f "$root"/tmp/*dbgsym*
	chroot "$root" sh -c 'apt-get install -y -q --no-install-recommends /tmp/*.deb gcc libc6-dev pkg-config' || return 1
	like_ours chroot "$root" fs-tools || return 1
	awk '/^\.Bd -literal/ { inside = 1; next } /^\.Ed/ { inside = 0 } inside' man/libfs.3 | sed 's/\\en/\\n/g' >"$root/tmp/onejob.c"
	cp cmd/demo.jsonl "$root/tmp"
	# shellcheck disable=SC2016 # the other root's shell expands it
	chroot "$root" sh -ec 'cd /tmp; cc $(pkg-config --cflags fs-tools) onejob.c $(pkg-config --libs fs-tools) -o onejob
		./onejob demo.jsonl 812154; apt-get remove -y -q --purge fs-tools libfs-dev; ! command -v fs-share' || return 1
}

debian() {
	without 'Debian packages' dpkg-buildpackage dh || {
		check 'Debian packages build' env DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" CC=cc make deb
		without 'lintian' lintian || check 'lintian has nothing to say' empty lintian --allow-root --fail-on none $dist/deb/*.changes
		without 'packages in a fresh root' debootstrap chroot || {
			if fresh_root; then
				check 'packages install, run, serve a program of one'"'"'s own, and go' in_fresh_root
			else
				echo "left out: packages in a fresh root (none can be made here: $(tail -1 "$work/out"))"
			fi
		}
	}
}

red_hat() {
	without 'RPM' rpmbuild || {
		check 'RPMs build, and no file is in none' env CC=cc make rpm RPM_FLAGS=--nodeps
		check 'the RPM has the programs' sh -c "rpm -qlp $dist/rpm/RPMS/*/fs-tools-$version-1.*.rpm | grep -x /usr/bin/fs-explain"
	}
}

static() {
	without 'static program' musl-gcc || {
		check 'the static program builds' make dist-static
		if grep -q 'no source of cjson' "$work/out"; then
			failed=$((failed - 1))
			echo 'left out: the static program (no archive of sources is within reach; CJSON=DIR names one)'
			return
		fi
		check 'it is smaller than 2 MB' below 2000000 $dist/fs-tools-static
		check 'it needs no library' sh -c "! readelf -d $dist/fs-tools-static | grep NEEDED"
		check 'it says what ours says' like_ours $dist/fs-tools-static
	}
}

# If nothing is changed, the build here is one of the two.
two_folders() {
	local here=$work/here there=$work/over/there folder
	git diff --quiet HEAD && here=$PWD
	for folder in "$here" "$there"; do
		[ "$folder" = "$PWD" ] || { mkdir -p "$folder" && git archive HEAD | tar -xf - -C "$folder"; } || return 1
		make -C "$folder" CC=cc NO_INSTALL=1 -j"$(nproc)" || return 1
	done
	cmp "$here/build/release/bin/fs-tools" "$there/build/release/bin/fs-tools" &&
		cmp "$here/build/release/libfs.so.1" "$there/build/release/libfs.so.1"
}

installed() {
	make NO_INSTALL=1 CC=cc PREFIX=/opt/fs DESTDIR="$work/site" install
}

units() {
	local unit=$work/site/opt/fs/lib/systemd/system
	sed -i "s|/opt/fs/bin|$PWD/build/bin|" "$unit"/*.service # the program must be there to be found
	empty systemd-analyze verify --man=no "$unit"/*
}

modulefile() {
	tclsh >"$work/module" <<-E
		proc module-whatis {text} {}
		proc prepend-path {name value} { puts "\$name \$value" }
		source "$work/site/opt/fs/share/fs-tools/modulefiles/fs-tools.tcl"
	E
	grep -qx 'PATH /opt/fs/bin' "$work/module" && [ -x "$work/site/opt/fs/bin/fs-explain" ]
}

make NO_INSTALL=1 program >/dev/null || exit 1
check 'a site is installed' installed
check 'no place is left to be filled in' sh -c "! grep -rI '@[A-Z]*@' $work/site"
without 'modulefile' tclsh || check 'the modulefile names the program'"'"'s folder' modulefile
without 'units' systemd-analyze || check 'systemd has nothing to say of the units' units
check 'two builds in two folders are equal' two_folders
static
debian
red_hat
echo "packages: $passed passed, $failed failed"
[ "$failed" = 0 ]
