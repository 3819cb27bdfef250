#!/usr/bin/env bats
# Every command that takes a job accepts a task of an array, a component of a het job, and each form of a Flux id.

load lib

# takes WORD ID: every command that takes a job reads WORD as the job with that id.
takes() {
	local word=$1 id=$2
	fs-explain "$word" --json | python3 -c 'import json, sys
assert json.load(sys.stdin)["job"]["jobid"] == int(sys.argv[1])' "$id"
	fs-explain --job="$word" --brief >brief
	fs-explain --job="$id" --brief >expected
	cmp brief expected
	fs-explain "$id" --versus "$word" >versus
	fs-prio -j "$word" --json | python3 -c 'import json, sys
assert {r["jobid"] for r in json.load(sys.stdin)["rows"]} == {int(sys.argv[1])}' "$id"
	fs-showq --start "$word" --json | python3 -c 'import json, sys
assert {r["jobid"] for r in json.load(sys.stdin)["rows"]} == {int(sys.argv[1])}' "$id"
	fs-diff "$FS_SNAPSHOT" "$FS_SNAPSHOT" --job "$word" >diff
	fs-snap ticket "$word" "$FS_SNAPSHOT" -o ticket.tar 2>/dev/null
}

# refuses WORD: every command exits with status 4, as for any unknown job.
refuses() {
	local word=$1
	run -4 fs-explain "$word"
	run -4 fs-prio -j "$word"
	run -4 fs-showq --start "$word"
	run -4 fs-diff "$FS_SNAPSHOT" "$FS_SNAPSHOT" --job "$word"
}

@test "every command accepts Slurm's array tasks and het job components" {
	export FS_USER=root FS_SNAPSHOT=$PWD/s.jsonl
	tar -xJf "$BATS_TEST_DIRNAME/../cases/living/v1a.tar.xz"
	fs-snap import slurm v1a/in -o s.jsonl 2>/dev/null
	takes 65_3 65
	takes '65_[1-10]' 65
	takes 70+1 71
	takes 70+0 70
	refuses 65_77
	refuses 70+2
	fs-diff --if 'scontrol update job 70+1 Nice=100' --json | python3 -c 'import json, sys
assert {r["jobid"] for r in json.load(sys.stdin)["jobs"] if r["terms"]} == {71}'
}

@test "every command accepts Flux ids in base 58 and in decimal" {
	export FS_USER=root FS_SNAPSHOT=$BATS_TEST_DIRNAME/examples/flux.jsonl LC_ALL=C.UTF-8
	id=$(fs-prio --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["rows"][0]["jobid"])')
	f58=$(fs-explain "$id" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["job"]["jobid_text"])')
	[[ $f58 == ƒ* ]]
	fs-prio -j "$f58" --json >a
	fs-prio -j "f${f58#ƒ}" --json >b
	fs-prio -j "$id" --json >c
	cmp a b
	cmp a c
	for word in "$f58" "f${f58#ƒ}"; do
		fs-explain "$word" --brief >brief
		fs-explain "$id" --brief >expected
		cmp brief expected
		fs-explain "$id" --versus "$word" >versus
		fs-diff "$FS_SNAPSHOT" "$FS_SNAPSHOT" --job "$word" >diff
		fs-diff --if "flux job urgency $word 20" >diff
	done
	run -4 fs-explain fzzz
	run -4 fs-prio -j fzzz
}

@test "--start, tickets and --history accept each form of a Flux id" {
	local word
	export FS_USER=root LC_ALL=C.UTF-8
	tar -xJf "$BATS_TEST_DIRNAME/../cases/flux/living.tar.xz" main
	fs-snap import flux main -o f.jsonl
	fs-snap keep H f.jsonl
	for word in ƒ2qQCPUUP f2qQCPUUP 4050506481664; do
		fs-showq -f f.jsonl --start "$word" --json | python3 -c 'import json, sys
assert {r["jobid"] for r in json.load(sys.stdin)["rows"]} == {4050506481664}'
		fs-snap ticket "$word" f.jsonl -o t.tar
		fs-explain -f t.tar "$word" --brief | diff <(fs-explain -f f.jsonl 4050506481664 --brief) -
		fs-prio --history H -j "$word" --json | python3 -c 'import json, sys
assert [r["jobid"] for r in json.load(sys.stdin)["rows"]] == [4050506481664]'
	done
}

@test "--history prints the record that contains an array task" {
	local word
	export FS_USER=root
	tar -xJf "$BATS_TEST_DIRNAME/../cases/living/v1a.tar.xz" v1a/in
	fs-snap import slurm v1a/in -o s.jsonl 2>/dev/null
	fs-snap keep H s.jsonl
	for word in 65 65_1 '65_[1-10]'; do
		fs-prio --history H -j "$word" --json | python3 -c 'import json, sys
assert {r["jobid"] for r in json.load(sys.stdin)["rows"]} == {65}'
	done
	run -2 fs-prio --history H -j 65_x
	run -4 fs-prio --history H -j 65_99
}
