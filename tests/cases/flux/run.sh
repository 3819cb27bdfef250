#!/bin/bash
# What flux-accounting's own code computed and printed for the trees in these archives, and an independent
# reference for the ranges, against ours: doubles to the last bit, the database's six decimals, tables byte for byte.
# With FS_UPSTREAM_DATA, or the folder it usually is in, also upstream's own data, which are not ours to copy.
# Usage: run.sh BIN_DIR
. "$(dirname "$0")/../lib.sh"
export FS_USER=root LC_ALL=C.UTF-8

result() { # STATUS WHAT
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $2"
	fi
}

import() {
	"$bin/fs-snap" import flux "$1" -o "$work/s.jsonl" 2>"$work/warnings" && "$bin/fs-snap" check "$work/s.jsonl" >/dev/null
}

share() {
	"$bin/fs-share" -f "$work/s.jsonl" "$@"
}

# rows KIND EXPECTED OPTION...
rows() {
	local kind=$1 expected=$2
	shift 2
	share -a --json "$@" >"$work/rows.json" && python3 "$here/compare.py" "$kind" "$expected" "$work/rows.json"
}

check_tree() { # a case folder
	local name=${1##*/}
	import "$1/tree.json"
	result $? "$name: import"
	rows walk "$1/walk.tsv" --algorithm=flux
	result $? "$name: walk"
	[ ! -e "$1/stored.tsv" ] || {
		rows stored "$1/stored.tsv" --algorithm=flux
		result $? "$name: stored"
	}
	[ ! -e "$1/view-bank.txt" ] || {
		share --style=flux -P | diff "$1/view-bank.txt" - >"$work/diff"
		result $? "$name: view-bank $(head -3 "$work/diff")"
	}
}

check_range() {
	local position
	import "$1/tree.json"
	for position in pow2 ratio rank; do
		rows range "$1/$position.tsv" --algorithm=flux_range --position="$position"
		result $? "${1##*/}: $position"
	done
}

check_large() {
	python3 "$here/compare.py" tree "$1/tree.csv" "$work/tree.json"
	import "$work/tree.json"
	rows ranks "$1/walk.tsv" --algorithm=flux
	result $? "${1##*/}: walk"
}

# The outputs of one system: every table again from the others.
check_sample() {
	local s=$1 options
	import "$s"
	result $? "sample: import"
	for options in '' ' -c' ' -P'; do
		# shellcheck disable=SC2086 # options, in words
		share --style=flux $options | diff "$s/view-bank_root_-t${options/ /_}.txt" - >"$work/diff"
		result $? "sample: view-bank$options $(head -3 "$work/diff")"
		# shellcheck disable=SC2086
		share --style=flux $options --algorithm=flux | diff "$s/view-bank_root_-t${options/ /_}.txt" - >"$work/diff"
		result $? "sample: view-bank$options, computed $(head -3 "$work/diff")"
	done
	share --style=flux --active | diff "$s/view-bank_root_-t_-A.txt" - >"$work/diff"
	result $? "sample: view-bank -A $(head -3 "$work/diff")"
	share --bank-info | diff "$s/bank-info_-t_root.txt" - >"$work/diff"
	result $? "sample: bank-info $(head -3 "$work/diff")"
	share --bank-info -v -P | diff "$s/bank-info_-t_root_-v_-P.txt" - >"$work/diff"
	result $? "sample: bank-info -v -P $(head -3 "$work/diff")"
	"$bin/fs-snap" verify "$work/s.jsonl" >"$work/verify" && grep -q 'all 73 values agree' "$work/verify"
	result $? "sample: verify $(tail -1 "$work/verify")"
	"$bin/fs-prio" -f "$work/s.jsonl" --state PENDING,RUNNING -P -o '%i%r%g%Y' -h >"$work/prio"
	python3 "$here/compare.py" jobs "$s/flux-jobs_-o_deps.txt" "$work/prio"
	result $? "sample: priorities of flux jobs -o deps"
	mkdir "$work/tables"
	cp "$s"/*.txt "$s/NOW" "$s/flux-jobs_--json.json" "$work/tables"
	cp "$work/s.jsonl" "$work/json.jsonl"
	import "$work/tables"
	cmp "$work/json.jsonl" "$work/s.jsonl"
	result $? "sample: the text tables give the same snapshot as JSON"
}

# Trees in the form of upstream's captures.
check_upstream() {
	local f
	for f in "$1"/flux/up_*.json; do
		python3 "$here/compare.py" unpack "$f" "$work"
		import "$work/tree.json"
		rows walk "$work/walk.tsv" --algorithm=flux
		result $? "upstream ${f##*/}"
	done
	python3 "$here/compare.py" tree "$1/flux/llnl_sacct_sample.csv" "$work/tree.json"
	import "$work/tree.json"
	rows column:fluxacct_fairshare "$1/flux/llnl_sacct_sample.expected.csv.gz" --algorithm=flux
	result $? "upstream llnl_sacct_sample: flux"
	for f in pow2 ratio; do
		rows "column:range_$f" "$1/flux/llnl_sacct_sample.expected.csv.gz" --algorithm=flux_range --position=$f
		result $? "upstream llnl_sacct_sample: $f"
	done
}

for archive in "$here"/*.tar.xz; do
	tar -xJf "$archive" -C "$work" || exit 1
done
for c in "$work"/tree/*/; do check_tree "${c%/}"; done
for c in "$work"/range/*/; do check_range "${c%/}"; done
for c in "$work"/large/*/; do check_large "${c%/}"; done
check_sample "$work/sample"
for upstream in "${FS_UPSTREAM_DATA:-}" "$here"/../../../../*/goldens/upstream-data; do
	[ ! -d "$upstream/flux" ] || { check_upstream "$upstream"; break; }
done
echo "flux: $passed passed, $failed failed"
[ $failed = 0 ]
