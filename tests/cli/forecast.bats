#!/usr/bin/env bats
# fs-explain --forecast: forecasts agree with --at and --if; conflicting options are refused.

load lib

@test "--at gives the priority that the forecast shows for that time" {
	for job in 812154 812168 812172; do
		fs-explain --demo "$job" --forecast=+3d --json >doc
		python3 - "$job" <<'PY'
import json, subprocess, sys
job = int(sys.argv[1])
f = json.load(open("doc"))["forecast"]
points = [a for a in f["assumptions"] if a["name"] == "running"][0]["points"]
for p in points[::6]:
    out = subprocess.run(["fs-prio", "--demo", "--as", "root", "--json", "-j", str(job), "--at", str(p["time"])],
                         capture_output=True, text=True, check=True).stdout
    rows = [r["priority"] for r in json.loads(out)["rows"]]
    assert p["priority"] in rows, (job, p, rows)
PY
	done
}

@test "a forecast event happens at its own calculation, not the one before" {
	fs-explain --demo dana --forecast=+14d --json >doc
	python3 - <<'PY'
import json, subprocess
a = json.load(open("doc"))["associations"][0]
f = a["forecast"]
moved = [e for e in f["events"] if e["time"] and "as_now" in e["assumptions"]]
assert moved, f["events"]
for e in moved:
    assert e["before"]["time"] < e["time"] == e["after"]["time"], e
    assert (e["after"]["rank"] > e["before"]["rank"]) == (e["kind"] == "passes"), e
PY
}

@test "decay alone does not change the factor, and the page says so" {
	run -0 fs-explain --demo dana --forecast
	[[ $output == *'FairShare does not change in a, b'* ]]
	fs-explain --demo dana --forecast --json | python3 -c 'import json, sys
f = json.load(sys.stdin)["associations"][0]["forecast"]
idle = f["assumptions"][0]
assert idle["name"] == "idle" and idle["still"] and len({p["fairshare"] for p in idle["points"]}) == 1
assert any(e["time"] is None and e["never"] for e in f["events"])'
}

@test "forecasts support all tree algorithms, accounts, ASCII and Markdown" {
	for a in fair_tree classic depth_oblivious; do
		run -0 fs-explain --demo dana --forecast=+1d --algorithm="$a"
		[[ $output == *'if'*'no job runs from now on'*'current usage is split by shares'* ]]
	done
	run -0 fs-explain --demo quantum --forecast
	[[ $output == *'no factor of its own'* ]]
	LC_ALL=C run -0 fs-explain --demo 812154 --forecast
	[[ $output == *'#####'* && $output != *'█'* ]]
	run -0 fs-explain --demo 812154 --forecast --markdown
}

@test "a forecast shows the next reset of usage" {
	run -0 fs-share --demo -u dana -A quantum --forecast --if PriorityUsageResetPeriod=DAILY --if PriorityDecayHalfLife=0
	[[ ${output//$'\n'/ } == *'Usage is reset on 2026-11-21 00:00:00: earlier usage then no longer counts.'* ]]
	[[ $output != *'same rate'* ]]
	run -0 fs-share --demo -u dana -A quantum --forecast --if PriorityUsageResetPeriod=DAILY --json
	[[ $output =~ \"usage_reset\":[[:space:]]*$(date -u -d '2026-11-21 00:00' +%s) ]]
	run -0 fs-share --demo -u dana -A quantum --forecast --json
	[[ $output =~ \"usage_reset\":[[:space:]]*null ]]
}

@test "a constant value is described in words instead of drawn" {
	run -0 fs-share --demo --as root --forecast -A physics
	[[ $output == *'Usage (%) stays the same in a: 45.14.'* && $output == *'usage'*'now'*'45.14 %'* ]]
	LC_ALL=C.UTF-8 fs-explain --demo 812154 --forecast >page
	LC_ALL=C.UTF-8 fs-share --demo --as root --forecast -A chemistry --algorithm=classic >>page
	python3 - <<'PY'
import re
scales = re.findall(r"^ *([\d.]+) \S*[▁-█].*\n.*\n *([\d.]+) [▁-█]", open("page", encoding="utf-8").read(), re.M)
assert scales and all(high != low for high, low in scales), scales
PY
}

@test "the JSON forecast is null without --forecast" {
	fs-explain --demo 812154 --json | python3 -c 'import json, sys; assert json.load(sys.stdin)["forecast"] is None'
	fs-explain --demo dana --json | python3 -c 'import json, sys
assert all(a["forecast"] is None for a in json.load(sys.stdin)["associations"])'
}

@test "--forecast refuses invalid times and conflicting options" {
	run -2 fs-explain --demo --forecast
	run -2 --separate-stderr fs-explain --demo 812154 --forecast=+0s
	[[ $stderr == *"--forecast: the end must be after the snapshot's time"* ]]
	run -2 fs-explain --demo 812154 --forecast=soon
	run -2 fs-explain --demo Priority --forecast
	for o in --ahead --advise --brief '--versus 812168' '--at +1d'; do run -2 fs-explain --demo 812154 --forecast $o; done
}

@test "--forecast with --if starts from the changed state" {
	run -0 fs-explain --demo 812154 --forecast --if 'scontrol update job 812154 Nice=1000'
	[[ $output == *85910* ]]
}

@test "fs-share --forecast prints the forecast of fs-explain for its rows" {
	fs-share --demo --as dana -u dana --forecast=+7d >rows
	fs-explain --demo --as dana dana --forecast=+7d >page
	sed -n '/^FORECAST/,/never/p' rows >a
	sed -n '/^FORECAST/,/never/p' page >b
	[ -s a ]
	diff a b
	fs-share --demo --as dana -A quantum --forecast=+7d | grep -q '^quantum$'
	run -2 fs-share --demo --forecast --at +1d
	run -2 fs-share --demo --forecast --json --svg=x.svg
	run -2 fs-share --demo --forecast --openmetrics
	run -2 fs-share --demo --forecast --spent
	run -2 fs-share --demo --forecast -o Account
}

@test "fs-share --forecast --json gives the forecasts of fs-explain" {
	fs-share --demo --as root -a -A quantum --forecast=+7d --json >rows.json
	fs-explain --demo --as root quantum --forecast=+7d --json >page.json
	fs-explain --demo --as root dana --forecast=+7d --json >user.json
	python3 -c 'import json
load = lambda n: json.load(open(n + ".json"))
rows = load("rows")
assert rows["schema"] == "fs-forecast/1" and rows["ranked_users"] == 27, rows
by = {r["user"]: r for r in rows["rows"]}
assert by[None]["forecast"] == load("page")["associations"][0]["forecast"]
assert by["dana"]["forecast"] == [a for a in load("user")["associations"] if a["account"] == "quantum"][0]["forecast"]'
	fs-share --demo --as root -a -A quantum --forecast=+7d --jsonl >lines
	[ "$(wc -l <lines)" = "$(python3 -c 'import json; print(1 + len(json.load(open("rows.json"))["rows"]))')" ]
}

# Flux drops usage bins one by one (flux-accounting: calc_usage_factor); snapshots have only their sum.
@test "a Flux forecast names what it leaves out" {
	run -0 fs-share -f "$BATS_TEST_DIRNAME/examples/flux.jsonl" --as root -u carl --forecast
	[[ $(tr -s ' \n' ' ' <<<"$output") == *'as far as the snapshot shows usage'*'Flux also drops usage that is older than the oldest period that counts, which may change the order.'*'this forecast only applies decay.'* ]]
	[[ $output != *'changes no order'* ]]
	fs-explain -f "$BATS_TEST_DIRNAME/examples/flux.jsonl" --as root carl --forecast --json |
		python3 -c 'import json, sys; assert "older than the oldest period that counts" in json.load(sys.stdin)["associations"][0]["forecast"]["left_out"]'
	fs-explain --demo --as root dana --forecast --json |
		python3 -c 'import json, sys; assert json.load(sys.stdin)["associations"][0]["forecast"]["left_out"] is None'
	run -0 fs-share --demo --as root -u dana --forecast
	[[ $output != *'drops usage'* ]]
}

# Three windows count. A job of ann runs. Her pending job of one day is ahead of bob's pending job.
maui_site() {
	python3 - >m.jsonl <<'PY'
import json
t = 1600000000 - 1600000000 % 3600 + 1800
def p(**r): print(json.dumps(r))
p(type="snapshot", format=1, time=t, cluster="c", scheduler="maui 3.5", utc_offset_s=0)
p(type="config", FSPOLICY="DEDICATEDPS", FSINTERVAL=3600, FSDEPTH=3, FSDECAY=0.5, RMPOLLINTERVAL=30, FSWEIGHT=1,
  FSUSERWEIGHT=10, QUEUETIMEWEIGHT=1, QUEUETIMECAP=120, XFACTORWEIGHT=100)
p(type="credential", kind="user", name="ann", target=50)
p(type="credential", kind="user", name="bob", target=20)
for i, (ann, bob) in enumerate(((1800, 0), (3600, 7200), (0, 3600))):
    start = t - 1800 - 3600 * i
    for name, use in (("ann", ann), ("bob", bob)):
        p(type="window", start=start, kind="user", name=name, usage_s=use)
    p(type="window", start=start, kind="sched", usage_s=ann + bob)
p(type="job", id=1, name="1", state="RUNNING", user="ann", submit_time=t, start_time=t, time_limit_s=7200, cpus=1)
for i, (user, limit) in enumerate((("ann", 86400), ("bob", 3600))):
    p(type="job", id=2 + i, name=str(2 + i), state="PENDING", user=user, submit_time=t, eligible_time=t,
      time_limit_s=limit, cpus=1, position=i)
PY
}

@test "a Maui forecast shows priority, usage, factor and windows" {
	maui_site
	run -0 fs-explain -f m.jsonl --as root 3 --forecast
	[[ $(tr -s ' \n' ' ' <<<"$output") == *'FairShare is the factor of bob.'* && $output == *'Priority in a'* ]]
	[[ $(tr -s ' \n' ' ' <<<"$output") == *'Not modelled: which other jobs this job will pass, and when a fair-share cap will no longer block this job.'* ]]
	[[ $(tr -s ' \n' ' ' <<<"$output") == *'the window of 2020-09-13 10:00:00 no longer counts: bob had 1 of its 1 hours'* ]]
	run -0 fs-explain -f m.jsonl --as root user:bob --forecast=+2h
	[[ $output == *'usage'* && $output == *'the usage of bob falls below its target'* ]]
	run -0 fs-share -f m.jsonl --as root -u bob --forecast
	[[ $output == *'user bob'* ]]
	fs-share -f m.jsonl --as root -u bob --forecast --svg=bob.svg
	fs-explain -f m.jsonl --as root 3 --forecast --svg=job.svg
	grep -q 'Priority of job 3' job.svg
}

@test "a Maui job has no priority while a fair-share cap blocks it" {
	maui_site
	sed -i 's/"name": "ann", "target": 50/"name": "ann", "target": 6000, "target_mode": "cap_abs"/; s/86400/3600/' m.jsonl
	run -0 fs-explain -f m.jsonl --as root 2 --forecast=+5h --json
	python3 -c 'import json,sys
f = json.loads(sys.argv[1])["forecast"]
points = [p["priority"] for p in f["assumptions"][0]["points"]]
held = points.index(193)
assert points[:held] == [None] * held and None not in points[held:], points
assert not f["events"], f["events"]
assert f["left_out"].startswith("which other jobs this job will pass"), f["left_out"]' "$output"
	fs-explain -f m.jsonl --as root 2 --forecast=+5h --svg=x.svg
	grep -q '<svg' x.svg
}

@test "a Maui forecast starts at the page's priority and respects --if" {
	maui_site
	fs-explain -f m.jsonl --as root 3 --forecast=+2h --json >doc
	python3 -c 'import json
f = json.load(open("doc"))["forecast"]
assert [a["points"][0]["priority"] for a in f["assumptions"]] == [json.load(open("doc"))["sums"][0]["queue_priority"]] * 4
assert any(e["kind"] == "window_leaves" and e["window_usage_s"] == 3600 for e in f["events"])
assert f["rate"] == 1 and f["assumptions"][0]["points"][0]["usage"] is not None'
	run -0 fs-explain -f m.jsonl --as root 3 --forecast --if 'setspri 10 3'
	[[ $output == *'1000000010'* ]]
}

@test "the page explains why running jobs leave the factor unchanged" {
	run -0 fs-explain --demo --as root 812154 --forecast
	[[ ${output//$'\n'/ } == *'does not change in a, b, d: all usage decays at the same rate, which does not change the order, and neither do the jobs that run in b, d.'* ]]
}
