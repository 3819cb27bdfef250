#!/bin/bash
# On a running Slurm of this machine: sshare and sprio of a big cluster, from a file, from an index, and from queries of
# the controller. Usage: live.sh FS-TOOLS
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmdbd slurmd sshare mariadbd munged; do
	command -v "$program" >/dev/null && continue
	echo "beside a living Slurm: skipped: no $program here"
	exit 0
done
links=$(mktemp -d "${TMPDIR:-/tmp}/fs-bench.XXXXXX") || exit 1
trap 'rm -rf "$links"' EXIT
ln -s "$1" "$links/fs-tools"
for command in fs-share fs-prio fs-snap; do
	ln -s fs-tools "$links/$command"
done
FS_BIN=$links FS_FIGURES=1 "$here/../slurm/run.sh" | grep -v ' passed, '
exit "${PIPESTATUS[0]}"
