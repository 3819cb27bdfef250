#!/usr/bin/env bats
# fs-explain without an argument, with --me, with mistyped names, and with the name of a reason.

load lib

@test "fs-explain without a job lists the user's pending jobs with starts" {
	fs-explain --demo --as dana >out
	cat >expected <<-'END'
	  job     partition  planned start        why it waits
	  812154  gpu        2026-11-21 05:10:18  Priority: behind 1 job in gpu
	  812160  gpu        2026-11-21 13:10:00  Priority: behind 2 jobs in gpu
	END
	diff expected out
	fs-explain --demo --as dana --me | diff expected -
	run -0 --separate-stderr fs-explain --demo --as nobody
	[[ $output == 'nobody has no pending jobs.'* ]]
	fs-explain --demo --as dana --json | python3 -c 'import json, sys
d = json.load(sys.stdin)
assert d["kind"] == "jobs" and [j["jobid"] for j in d["jobs"]] == [812154, 812160], d
assert d["jobs"][0]["planned_start"] == 1795237818 and d["jobs"][0]["verdict"] == "behind", d'
}

@test "the list of pending jobs does not need a plan" {
	snapshot '{"type":"job","id":9,"state":"PENDING","user":"u","eligible_time":5,"partitions":["p"],"priority":7,"name":"a\u001b[31m"}'
	run -0 fs-explain -f s.jsonl --as u
	[[ $output == *'9  '*' -  '* ]]
	[[ $output != *$'\x1b'* ]]
}

@test "unknown names exit with status 4 and suggest similar names" {
	run -4 fs-explain --demo dan
	[[ $output == *'; did you mean dana?' ]]
	run -4 fs-explain --demo --account quantun
	[[ $output == *'; did you mean quantum?' ]]
	run -4 fs-explain --demo qqqqqqqq
	[[ $output != *'did you mean'* ]]
	run -4 fs-explain --demo --job 99
	[[ $output != *'did you mean'* ]]
}

@test "fs-explain explains a reason by its name in any case" {
	run -0 fs-explain --demo reqnodenotavail
	[[ $output == 'Reason ReqNodeNotAvail'* ]]
	pending=$(grep '"state":"PENDING"' "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" | grep -c '"reason":"Priority"')
	run -0 fs-explain --demo Priority
	[[ ${output//$'\n'/ } == *"$pending pending jobs have this reason."* ]]
	fs-explain --demo Priority --json | python3 -c "import json, sys
d = json.load(sys.stdin)
assert (d['kind'], d['name'], d['pending']) == ('reason', 'Priority', $pending), d"
	run -2 fs-explain --demo Priority --brief
}

@test "explaining a reason does not need a snapshot" {
	run -0 --separate-stderr env -u FS_SNAPSHOT PATH="$FS_BIN" fs-explain priority
	[[ $output == 'Reason Priority'*'It means: '* ]]
	[[ $output != *'it here'* ]]
	[ -z "$stderr" ]
	env -u FS_SNAPSHOT PATH="$FS_BIN" fs-explain --json '(ReqNodeNotAvail, UnavailableNodes:c1)' | python3 -c "import json, sys
d = json.load(sys.stdin)
assert (d['kind'], d['name'], d['pending']) == ('reason', 'ReqNodeNotAvail', None), d"
	run -1 env -u FS_SNAPSHOT PATH="$FS_BIN" fs-explain no_reason
	FS_SNAPSHOT=/nonexistent run -1 fs-explain priority
}

@test "--start --json prints the --plan document with only that job" {
	fs-showq --demo --as root --start 812154 --json >one
	fs-showq --demo --as root --plan --json >all
	python3 - <<'PY'
import json
one, every = json.load(open("one")), json.load(open("all"))
assert one["rows"] == [r for r in every["rows"] if r["jobid"] == 812154] and one["rows"][0]["plan"]["start_time"], one
assert {k: v for k, v in one.items() if k != "rows"} == {k: v for k, v in every.items() if k != "rows"}
PY
	run -4 fs-showq --demo --as root --start 99 --json
	[[ $output == *'cannot find the pending job 99' ]]
	run -4 fs-showq --demo --as root --start 812046 --json
}
