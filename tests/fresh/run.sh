#!/bin/bash
# Runs the commands of the README's `sh` blocks, one after the other, on a fresh machine: a minimal Debian root that has make and
# nothing else. Uses the committed tree. DEVELOPER=1 is passed on to make. Prints each command with the seconds that have
# passed. Returns the status of the first command that failed.
#
# The commands run in namespaces of their own: their mounts and processes end with them, or with this script.
set -eu

cd "$(dirname "$0")/../.."
export work
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'kill -KILL "$part" 2>/dev/null || true; exit 1' INT TERM HUP
part=

# Runs the command, which ends with this script, whatever ends the script.
run() {
	setpriv --pdeathsig KILL "$@" </dev/null &
	part=$!
	wait "$part"
}

run tests/fresh/root.sh "$work/debian" >"$work/log" 2>&1 || { tail -5 "$work/log" >&2; exit 1; }
mkdir "$work/debian/fs-tools"
git archive HEAD | tar -xf - -C "$work/debian/fs-tools"
{
	echo "PS4='== \$SECONDS s: '; set -ex; cd /fs-tools"
	awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' README.md
} >"$work/debian/commands.sh"

# shellcheck disable=SC2016 # the shell in the namespaces expands it
run unshare --mount --pid --fork --kill-child bash -euc '
	mount -t proc proc "$work/debian/proc"
	mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$work/debian/dev/pts"
	mount -t tmpfs tmpfs "$work/debian/dev/shm"
	in_root() {
		env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			${TERM:+TERM="$TERM"} ${http_proxy:+http_proxy="$http_proxy"} ${DEVELOPER:+DEVELOPER="$DEVELOPER"} chroot "$work/debian" "$@"
	}
	in_root sh -c "apt-get update -q && apt-get install -y -q --no-install-recommends make" >"$work/log" 2>&1 ||
		{ tail -5 "$work/log" >&2; exit 1; }
	in_root bash /commands.sh'
