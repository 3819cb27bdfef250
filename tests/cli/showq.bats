#!/usr/bin/env bats
# fs-showq: layouts, filters, order, plan, and incomplete snapshots.

load lib

part='{"type":"partition","name":"p","state":"UP","tier":1,"nodes":"n[1-2]","total_cpus":16,"total_nodes":2}'
nodes='{"type":"node","name":"n1","state":"IDLE","cpus":8,"mem_mb":100}
{"type":"node","name":"n2","state":"IDLE","cpus":8,"mem_mb":100}'

# job ID STATE FIELDS: prints a job record.
job() {
	printf '{"type":"job","id":%s,"state":"%s","partitions":["p"],"user":"u","eligible_time":900,"submit_time":900,%s}' "$1" "$2" "$3"
}

@test "the demo shows sections, totals, a plan and one start" {
	run -0 fs-showq --demo --as anna
	[ "${lines[0]}" = "ACTIVE JOBS--------------------" ]
	[[ $output == *"WAITING JOBS"*"BLOCKED JOBS"*"Total Jobs: 67 "*"Active Jobs: 19 "* ]]
	run -0 fs-showq --demo --style tacc -l
	[[ $output == *"CORES  NODES QUEUE"* ]]
	run -0 fs-showq --demo --plan
	[[ $output == *"812268     debug "*" planned "*"The plan assumes:"* ]]
	run -0 fs-showq --demo --start 812178
	[[ $output == *"recorded "*"plan by priority "*"plan with backfill "* ]]
	run -4 --separate-stderr fs-showq --demo --start 1
	[ -z "$output" ]
	run -2 fs-showq --demo --start x
	run -2 fs-showq --demo --start -5
}

@test "-u, -U and -p select jobs by user and partition" {
	snapshot "$part" "$(job 1 PENDING '"priority":5')" "$(job 2 PENDING '"priority":9')" \
		'{"type":"job","id":3,"state":"PENDING","user":"v","partitions":["q"],"priority":7}'
	run -0 fs-showq -f s.jsonl --as u -u
	[[ $output == *"SUMMARY OF JOBS FOR USER: <u>"*"Total Jobs: 2 "* ]]
	run -0 fs-showq -f s.jsonl -U v
	[[ $output == *"Total Jobs: 1 "* ]]
	run -0 fs-showq -f s.jsonl -p p -s
	[[ $output == *"of   16 cores"*"Total Jobs: 2 "* ]]
	[[ $output != *WAITING* ]]
	run -4 --separate-stderr fs-showq -f s.jsonl -p nosuch
	[[ $stderr == *'no partition "nosuch"'* ]]
	[[ $output == *"(  0.00 %)"* && $output != *nan* ]]
	run -2 fs-showq -f s.jsonl -u -U v
	ln -s "$FS_BIN/fs-tools" showq
	export FS_SNAPSHOT=$PWD/s.jsonl
	run -0 --separate-stderr ./showq -u -U v
	[[ $stderr == *"mutually exclusive"* ]]
	FS_EXTENSIONS=1 run -0 --separate-stderr ./showq -f s.jsonl --nosuch word
	[[ $stderr == *--nosuch* && $output == *"Total Jobs: 3 "* ]]
	run -2 fs-showq -f s.jsonl --nosuch
	run -2 fs-showq -f s.jsonl word
}

@test "-o sorts by priority, and --why names the deciding key" {
	snapshot "$part" '{"type":"partition","name":"t","state":"UP","tier":9}' \
		"$(job 1 PENDING '"priority":5,"reason":"Priority"')" "$(job 2 PENDING '"priority":4294967294,"reason":"Priority"')" \
		'{"type":"job","id":3,"state":"PENDING","user":"u","eligible_time":900,"partitions":["t"],"priority":1,"reason":"Resources"}' \
		"$(job 4 PENDING '"priority":0,"reason":"JobHeldUser"')"
	run -0 bash -c "fs-showq -f s.jsonl -o --as u | grep -oE '^[0-9]+ ' | tr -d '\n'"
	[ "$output" = "2 1 3 4 " ]
	run -0 bash -c "fs-showq -f s.jsonl -o --as u --strict-compat | grep -oE '^[0-9]+ ' | tr -d '\n'"
	[ "$output" = "1 3 2 4 " ]
	run -0 fs-showq -f s.jsonl --why --as u
	[[ $output == *"3 "*"  first"*"2 "*"tier: behind 3"*"1 "*"priority: behind 2"*"4 "*"held by its owner"* ]]
}

@test "unknown reasons are counted without a warning" {
	snapshot "$part" "$(job 1 PENDING '"reason":"Licenses"')" "$(job 2 PENDING '"reason":"NeverHeardOf"')" \
		"$(job 3 PENDING '"reason":"SchedDefer"')"
	run -0 fs-showq -f s.jsonl --as u
	[[ $output == *"Idle Jobs: 1 "*"Blocked Jobs: 2 "* && $output != *"[Warn]"* ]]
	run -0 fs-showq -f s.jsonl --as u --strict-compat
	[[ $output == *"[Warn]: unknown job state - pending job reason = 10"*"Total Jobs: 0 "* ]]
	run -0 fs-showq -f s.jsonl --as u --style tacc
	[[ $output == *"Blocked Jobs: 2 "* && $output != *"[Warn]"* ]]
}

@test "jobs with missing values are listed and counted" {
	snapshot '{"type":"job","id":1,"state":"PENDING"}' '{"type":"job","id":2,"state":"RUNNING"}' \
		'{"type":"job","id":3,"state":"PENDING","partitions":["gone"],"time_limit_s":"unlimited","name":""}'
	run -0 fs-showq -f s.jsonl -l -b
	[[ $output == *"(null)"*nobody*"Unknown"*"Total Jobs: 3 "*"Active Jobs: 1 "*"Idle Jobs: 2 "* ]]
	run -1 --separate-stderr fs-showq -f s.jsonl --plan
	[[ $stderr == *"cannot plan starts: the snapshot has no nodes"* ]]
	[ -z "$output" ]
	run -0 fs-showq -f s.jsonl --json
}

@test "impossible requests stay in the list and in the plan" {
	snapshot "$part" "$nodes" "$(job 1 PENDING '"priority":9,"cpus":99,"nodes":1,"time_limit_s":60')" \
		"$(job 2 PENDING '"priority":8,"cpus":1,"nodes":1,"time_limit_s":60')" \
		"$(job 3 PENDING '"priority":7,"cpus":1,"nodes":1,"time_limit_s":60,"features":"[a*2&b*1"')"
	run -0 fs-showq -f s.jsonl --plan
	[[ $output == *"1 "*" never "*"2 "*" now "*"3 "*" now "*"part of the request is not modelled"* ]]
	run -0 fs-showq -f s.jsonl
	[[ $output == *"Total Jobs: 3 "* ]]
}

@test "names of users and jobs never reach the terminal raw" {
	snapshot "$part" "$(job 1 PENDING '"name":"a\u001b[31mb","priority":1')" \
		'{"type":"job","id":2,"state":"RUNNING","user":"\u0007x","name":"grün-äöüß-lang","partitions":["p\u001b"]}'
	run -0 fs-showq -f s.jsonl -l
	[[ $output != *$'\e'* && $output != *$'\a'* ]]
	[[ $output == *"a^[[31mb"* ]]
	printf '%s' "$output" | iconv -f UTF-8 -t UTF-8 >/dev/null
}

@test "PrivateData hides other users' jobs" {
	snapshot '{"type":"config","PrivateData":["jobs"]}' "$part" "$nodes" "$(job 1 PENDING '"priority":9')" \
		'{"type":"job","id":2,"state":"PENDING","user":"v","partitions":["p"],"priority":7,"eligible_time":900}'
	run -0 fs-showq -f s.jsonl --as v
	[[ $output == *"Total Jobs: 1 "* ]]
	run -0 bash -c "fs-showq -f s.jsonl --as v --plan | grep -c '^[0-9]'"
	[ "$output" = 1 ]
	run -0 bash -c "fs-showq -f s.jsonl --as v --json=pretty | grep -c jobid"
	[ "$output" = 1 ]
	run -4 fs-showq -f s.jsonl --as v --start 1
	run -0 fs-showq -f s.jsonl --as root
	[[ $output == *"Total Jobs: 2 "* ]]
}

@test "showq.conf is read beside the program, by --config and by TACC_SHOWQ_CONF" {
	snapshot "$part" '{"type":"job","id":1,"state":"RUNNING","user":"u","partitions":["p"],"nodes":2,"node_list":"n[1-2]","cpus":4}'
	printf '# nodes\nhosts_available = 8\n' >my.conf
	run -0 fs-showq -f s.jsonl --config my.conf
	[[ $output == *"1 active job  :    2 of    8 nodes ( 25.00 %)"* ]]
	run -0 env TACC_SHOWQ_CONF=my.conf fs-showq -f s.jsonl --style tacc
	[[ $output == "Using customized configuration file: my.conf "*"2 of    8 hosts ( 25.00 %)"* ]]
	run -0 --separate-stderr fs-showq -f s.jsonl --config nosuch.conf
	[[ $stderr == *nosuch.conf* ]]
	ln -s "$FS_BIN/fs-tools" showq
	cp my.conf showq.conf
	FS_SNAPSHOT=$PWD/s.jsonl run -0 ./showq
	[[ $output == *"of    8 nodes"* ]]
}

@test "styles that the command does not have are refused" {
	run -2 fs-showq --demo --style slurm
	run -2 fs-share --demo --style fasrc
	run -2 fs-prio --demo --style tacc
}

@test "--json is valid and has one row per job and partition" {
	local p=python3
	! /usr/bin/python3 -W ignore -c 'import jsonschema' 2>/dev/null || p=/usr/bin/python3
	$p -W ignore -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is not installed"
	fs-showq --demo --json --plan >out.json
	$p -W ignore -m jsonschema -i out.json "$BATS_TEST_DIRNAME/../../man/fs-showq-1.schema.json"
	fs-showq --demo --json >out.json
	$p -W ignore -m jsonschema -i out.json "$BATS_TEST_DIRNAME/../../man/fs-showq-1.schema.json"
	run -0 $p -c 'import json
rows = json.load(open("out.json"))["rows"]
both = [r for r in rows if r["jobid"] == 812160]
print([(r["partition"], r["position"] is None) for r in both], len(set(r["jobid"] for r in rows)))
line = [r["partition_position"] for r in rows if r["partition"] == "shared" and r["partition_position"]]
print(line == list(range(1, len(line) + 1)))'
	[ "${lines[0]}" = "[('gpu', False), ('shared', True)] 67" ]
	[ "${lines[1]}" = True ]
}

@test "the order of lines does not change the output" {
	local demo=$BATS_TEST_DIRNAME/../../cmd/demo.jsonl
	{ head -1 "$demo"; tail -n +2 "$demo" | tac; } >back.jsonl
	for o in "-l -b" "--why -b" "--plan" "--json --plan"; do
		# shellcheck disable=SC2086 # words
		diff <(fs-showq -f "$demo" --as root $o) <(fs-showq -f back.jsonl --as root $o)
	done
}

# maui_queue: two idle jobs, one job over its cap, a running job without known nodes, and a held job.
maui_queue() {
	head='{"type":"snapshot","format":1,"time":1600000060,"cluster":"c","scheduler":"maui 3.5"}'
	snapshot '{"type":"config","FSPOLICY":"DEDICATEDPS","FSINTERVAL":43200,"USERWEIGHT":1}' \
		'{"type":"node","name":"n1","state":"IDLE","cpus":4}' '{"type":"node","name":"n2","state":"IDLE","cpus":4}' \
		'{"type":"credential","kind":"user","name":"ann","priority":9}' \
		'{"type":"credential","kind":"user","name":"cap","target":5,"target_mode":"cap_abs"}' \
		'{"type":"window","start":1599998400,"kind":"user","name":"cap","usage_s":90}' \
		'{"type":"window","start":1599998400,"kind":"sched","usage_s":200}' \
		'{"type":"job","id":1,"name":"1.host","state":"PENDING","position":3,"user":"bob","group":"g","partitions":["batch"],"cpus":1,"time_limit_s":60,"eligible_time":1600000000,"submit_time":1600000000}' \
		'{"type":"job","id":2,"name":"2","state":"PENDING","position":2,"user":"ann","cpus":1,"time_limit_s":0,"eligible_time":1600000000,"submit_time":1600000000}' \
		'{"type":"job","id":3,"name":"3","state":"PENDING","position":1,"user":"cap","cpus":1,"time_limit_s":60}' \
		'{"type":"job","id":4,"name":"4","state":"RUNNING","user":"ann","cpus":2,"tasks":2,"time_limit_s":600,"start_time":1600000000}' \
		'{"type":"job","id":5,"name":"5\u001b[1m","state":"PENDING","user":"bob","cpus":1,"reason":"UserHold"}'
}

@test "fs-showq prints Maui's pages with ? for unknown values" {
	maui_queue
	run -0 fs-showq -f s.jsonl
	[ "${lines[2]}" = "4                       ann    Running     2    00:09:00  Sun Sep 13 12:26:40" ]
	[ "${lines[4]}" = "                         ? of    2 Nodes Active      (?)" ]
	[[ $output == *$'\n2 '*$'\n1 '*"2 Idle Jobs"*$'\n3 '*"UserHold"*"Blocked Jobs: 2" ]]
	[[ $output != *host* && $output != *$'\x1b'* && $output != *1970* && $output != *"Jan  1"* ]]
	[ "$(fs-showq -f s.jsonl --style=maui)" = "$output" ]
	run -0 fs-showq -f s.jsonl -i
	[ "${lines[1]}" = "                 2          10        ?  -       ann               1    00:00:00         -  Sun Sep 13 12:26:40" ]
	[ "${lines[-1]}" = "Jobs: 2  Total Backlog:  0.02 ProcHours  (0.00 Hours)" ]
	run -0 fs-showq -f s.jsonl -i -p batch
	[ "${lines[0]}" = "Partition: batch" ]
	[ "${lines[-1]}" = "Jobs: 1  Total Backlog:  0.02 ProcHours  (0.00 Hours)" ]
	run -0 fs-showq -f s.jsonl -r -v -u ann
	[ "${lines[1]}" = "                 4  R      ? DEF ------        ? DE       ann                 ?     2    00:09:00  Sun Sep 13 12:26:40" ]
	[ "${lines[-1]}" = "  1 Jobs       2 of     8 Processors Active (25.00%)" ]
	sed 's/"start_time":1600000000}/"start_time":1600000000,"maui_partition":"p2"}/' s.jsonl >p2.jsonl
	run -0 fs-showq -f p2.jsonl -r -u ann
	[ "${lines[1]}" = "                 4  R  p2 ------        ? DE       ann                 ?     2    00:09:00  Sun Sep 13 12:26:40" ]
	sed -i 's/"p2"}/"\\u001b[31m"}/' p2.jsonl
	run -0 fs-showq -f p2.jsonl -r -u ann
	[[ ${lines[1]} == *" R "*"DE"*"ann"* && $output != *$'\x1b'* ]]
	run -0 fs-showq -f s.jsonl -u bob
	[[ $output == *"Total Jobs: 2   Active Jobs: 0   Idle Jobs: 1   Blocked Jobs: 1"* ]]
	run -0 fs-showq -f s.jsonl -u --as ann
	[[ $output == *"Total Jobs: 2   Active Jobs: 1   Idle Jobs: 1   Blocked Jobs: 0"* ]]
	run -0 fs-showq -f s.jsonl -b
	[ "${#lines[@]}" = 2 ]
	[[ ${lines[1]} == *"bob active" ]]
	run -0 fs-showq -f s.jsonl -b --why
	[[ $output == *"cap  "*" is capped at "* ]]
	run -0 fs-showq -f s.jsonl --why
	[[ $output == *"priority: behind 2"* ]]
	run -2 fs-showq -f s.jsonl bob
	run -2 fs-showq -f s.jsonl -u bob more
	run -2 fs-showq --demo -u bob
	run -2 fs-showq --demo -i
	run -1 fs-showq --demo --style=maui
	fs-showq -f s.jsonl --json >out.json
	run -0 python3 -c 'import json
for r in json.load(open("out.json"))["rows"]: print(r["jobid"], r["section"], r["reason"], r["position"], r["why"])'
	[ "$output" = $'4 running None None None\n2 eligible None 1 None\n1 eligible None 2 priority\n3 access FairShare None None\n5 held UserHold None None' ]
}

@test "fs-showq prints Flux's sections, ids and reasons of blocked jobs" {
	tar -xJf "$BATS_TEST_DIRNAME/../cases/flux/sample.tar.xz"
	fs-snap import flux sample -o f.jsonl
	LC_ALL=C run -0 fs-showq -f f.jsonl
	[ "${lines[0]}" = "RUNNING (10)" ]
	[ "${lines[14]}" = "f2fWJSPG15     pbatch    tomas     expedited      36      1        - 4294967295" ]
	[[ $output == *"f2e3Tcf4hd "*"f2dWmk5Htb "* ]]
	[[ $output == *"BLOCKED (6)"*"depends:max-running-jobs-user-limit (max_running_jobs of bank physics: 1 of 5)"*" held"*"priority-wait"* ]]
	[ "${lines[-1]}" = "Total Jobs: 57   Running: 10   Waiting: 41   Blocked: 6" ]
	[[ ! $output =~ \ $'\n' ]]
	run -0 fs-showq -f f.jsonl -u --as ada
	[[ ${lines[-1]} == "Total Jobs: 7 "* ]]
	LC_ALL=C run -0 fs-showq -f f.jsonl --why -p pdebug
	[[ $output == *"f2e3Tcf4hd "*"job id: behind f2dyQ3XBZh"* ]]
	fs-showq -f f.jsonl --json >out.json
	run -0 python3 -c 'import json
rows = json.load(open("out.json"))["rows"]
print(len(rows), [r["reason"] for r in rows if r["state"] == "PENDING" and r["section"] != "eligible"])
print(rows[-1]["f58"][1:], rows[10]["position"], rows[10]["priority"])'
	[[ ${lines[0]} == "57 ["*"'max-run-jobs-queue'"*"'dependency'"* ]]
	[[ ${lines[1]} == *" 1 4294967295" ]]
	run -1 fs-showq -f f.jsonl --plan
	[[ $output == *"cannot plan starts: the snapshot has no nodes"* ]]
}

@test "the name showq accepts whole option words and ignores all others" {
	snapshot '{"type":"partition","name":"p","state":"UP"}' \
		'{"type":"job","id":1,"state":"PENDING","user":"u","priority":5,"reason":"Priority","partitions":["p"]}' \
		'{"type":"job","id":2,"state":"PENDING","user":"v","priority":9,"reason":"Nonesuch","partitions":["p"]}'
	ln -s "$FS_BIN/fs-tools" showq
	export FS_SNAPSHOT=$PWD/s.jsonl FS_USER=root
	./showq >plain
	local o
	for o in -so --json --plan --lon --us --why "-f nosuch" --strict-compat --demo word "--style tacc"; do
		run -0 --separate-stderr ./showq $o
		[ -z "$stderr" ]
		diff plain <(printf '%s\n' "$output")
	done
	[[ $(cat plain) == *"[Warn]"* ]]
	differ plain <(./showq -l)
	diff <(./showq -l -s) <(./showq --long x -s)
	[[ $(./showq -U -l) == *"USER: <-l>"* ]]
	run -0 ./showq --help
	[[ $output != *json* ]]
	FS_EXTENSIONS=1 run -0 ./showq --json
	[[ $output == *fs-showq/1* ]]
	FS_SHOWQ_STYLE=tacc run -0 ./showq
	[[ $output == "Using system default"* ]]
	FS_SHOWQ_STYLE=moab run -2 ./showq
}

@test "no simulated start lies before the snapshot's time" {
	snapshot '{"type":"config","PriorityType":"priority/multifactor","SelectType":"select/cons_tres","SelectTypeParameters":["CR_CPU"],"SchedulerType":"sched/backfill"}' \
		'{"type":"partition","name":"p","state":"UP","tres":{"cpu":4},"max_time_s":3600}' \
		'{"type":"node","name":"n","state":"IDLE","cpus":4,"partitions":["p"]}' \
		'{"type":"job","id":2,"state":"PENDING","user":"u","partitions":["p"],"submit_time":900,"eligible_time":900,"last_sched_eval":998,"time_limit_s":600,"cpus":4,"nodes":1,"priority":5}'
	run -0 fs-showq -f s.jsonl --as root --start 2
	[[ $output == *$'\n'"likely "*' 0:00:00 simulated'* && $output != *':-'* ]]
}
