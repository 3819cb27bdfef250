#!/bin/bash
# root.sh DIR: makes DIR a fresh Debian root: minbase of the release of this machine. Needs root and debootstrap. The
# first call stores the root as build/fresh/CODENAME.tar. Later calls unpack this file, for a week.
set -euo pipefail

root=$1
codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
kept=$(cd "$(dirname "$0")/../.." && pwd)/build/fresh/$codename.tar

if [ -z "$(find "$kept" -mtime -7 2>/dev/null)" ]; then
	mkdir -p "${kept%/*}"
	# debootstrap mounts /proc and /sys in the root: these mounts end with it, however it ends
	setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc debootstrap --variant=minbase "$codename" "$root" >&2
	tar -cf "$kept.part" -C "$root" .
	mv "$kept.part" "$kept"
else
	mkdir -p "$root"
	tar -xpf "$kept" -C "$root"
fi

# Access to the registry: proxies and the other apt settings of this machine.
cp /etc/resolv.conf "$root/etc/resolv.conf"
apt-config dump | grep -E '^Acquire::(http|https|Check)' >"$root/etc/apt/apt.conf.d/99here" || true
