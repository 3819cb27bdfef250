#!/bin/bash
# Each difference between versions of Slurm that the manual lists is checked with a capture that shows it
# (slurm/versions.tsv): with another version the result must differ. Usage: versions.sh BIN_DIR
. "$(dirname "$0")/lib.sh"
mkdir "$work/links"
ln -s "$bin/fs-tools" "$work/links/sshare"
ln -s "$bin/fs-tools" "$work/links/sprio"
PATH=$work/links:$bin:$PATH
export FS_EXTENSIONS=1 # --compat under the names of the tools
export FS_USER=root

# snapshot CASE: makes the snapshot of the capture once, without printed values, which would replace computed ones.
snapshot() {
	[ -f "$work/$1.jsonl" ] && return
	mkdir "$work/$1"
	tar -xJf "$here/slurm/$1.tar.xz" -C "$work/$1" --strip-components=1 &&
		fs-snap import slurm "$work/$1/in" --exact-usage "$work/$1/truth/assoc_usage.txt" -o "$work/full.jsonl" &&
		sed -E '1s/"recorded":[0-9]+/"recorded":0/; /^\{"type":"recorded"/d' "$work/full.jsonl" >"$work/$1.jsonl"
}

# answer SNAPSHOT COMMAND: prints the output and status of the command.
answer() (
	FS_SNAPSHOT=$1
	export FS_SNAPSHOT
	eval "$2" 2>/dev/null </dev/null
	echo "status $?"
)

# Removes what a document says about the snapshot and its own command line.
without_names() {
	grep -v '^ *"\(scheduler\|major\|minor\|micro\|release\|sshare\|--json\|--compat=.*\|-a\|[^"]*/sshare\)"\(:\|,*$\)' "$1"
}

show() {
	local name=$1 by_compat=$2 case=$3 other=$4 command=$5
	snapshot "$case" || { fail versions "$name: $case cannot be read"; return; }
	sed '1s/"slurm [^"]*"/"slurm '"$other"'"/' "$work/$case.jsonl" >"$work/other.jsonl"
	answer "$work/$case.jsonl" "$command" >"$work/a"
	answer "$work/other.jsonl" "$command" >"$work/b"
	if cmp -s "$work/a" "$work/b"; then
		fail versions "$name: $command answers the same for $case and Slurm $other"
	else
		passed=$((passed + 1))
	fi
	[ "$by_compat" = moved ] || return
	answer "$work/$case.jsonl" "$command --compat=$other" >"$work/a"
	if cmp -s <(without_names "$work/a") <(without_names "$work/b"); then
		passed=$((passed + 1))
	else
		fail versions "$name: $command --compat=$other is not as from Slurm $other"
		diff <(without_names "$work/a") <(without_names "$work/b") | head -6
	fi
}

while IFS=$'\t' read -r name by_compat case other command; do
	[ "$case" = - ] || show "$name" "$by_compat" "$case" "$other" "$command"
done < <(grep -v '^#' "$here/slurm/versions.tsv")

if diff <(grep -v '^#' "$here/slurm/versions.tsv" | cut -f1) \
	<(awk '/^\.\\" versions$/ { inside = 1 } /^\.El/ { inside = 0 }
		inside && /^\.It Cm / { print $3 }' "$here/../../man/fs-tools.1") >"$work/diff"; then
	passed=$((passed + 1))
else
	fail versions "those of the manual are others: $(cat "$work/diff")"
fi
if diff <(awk -F'\t' '!/^#/ && $2 == "captured" { print $1 }' "$here/slurm/versions.tsv") \
	<(awk '/^\.\\" captured$/ { inside = 1 } /^\.\\" versions$/ { inside = 0 }
		inside && /^\.Cm / { print $2 }' "$here/../../man/fs-tools.1") >"$work/diff"; then
	passed=$((passed + 1))
else
	fail versions "those that --compat leaves are others in the manual: $(cat "$work/diff")"
fi
echo "versions: $passed passed, $failed failed"
[ $failed = 0 ]
