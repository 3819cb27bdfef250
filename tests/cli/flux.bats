#!/usr/bin/env bats
# Flux: pictures of ranges, tables, job ids, pages, captures with a stand-in for flux.

load lib

setup_file() {
	tar -xJf "$BATS_TEST_DIRNAME/../cases/flux/sample.tar.xz" -C "$BATS_FILE_TMPDIR"
	"${FS_BIN:-$BATS_TEST_DIRNAME/../../build/bin}/fs-snap" import flux "$BATS_FILE_TMPDIR/sample" -o "$BATS_FILE_TMPDIR/sample.jsonl"
}

sample() {
	cp "$BATS_FILE_TMPDIR/sample.jsonl" s.jsonl
	export FS_USER=ada
}

note() {
	cat >note.json <<-'EOF'
	{"bank":"root","shares":1,"children":[
	 {"bank":"A","shares":9,"children":[{"username":"alf","shares":1,"usage":7},{"username":"amy","shares":1,"usage":14}]},
	 {"bank":"B","shares":10,"children":[{"username":"ben","shares":1,"usage":10}]},
	 {"bank":"C","shares":16,"children":[{"username":"cat","shares":3,"usage":4},{"username":"cid","shares":1,"usage":0}]}]}
	EOF
	fs-snap import flux note.json -o s.jsonl
}

# widest: prints the length of the picture's longest line, without the legend.
widest() {
	head -n -3 | LC_ALL=C.UTF-8 wc -L
}

@test "--ranges draws 80 columns of plain ASCII in the C locale" {
	note
	LC_ALL=C COLUMNS=80 run -0 fs-share -f s.jsonl --ranges --position=ratio
	cat >want <<-'EOF'
	bank / user  factor   0.0   0.1  0.2   0.3   0.4  0.5   0.6   0.7  0.8   0.9  1.0
	root         1.0000  |=========================================================|
	 C           0.8000  |                            [================o           |
	  cid        0.8000  |                                             o           |
	  cat        0.6286  |                                   o                     |
	 B           0.5000  |                 [==========o                            |
	  ben        0.4000  |                      o                                  |
	 A           0.3000  |[================o                                       |
	  alf        0.1800  |          o                                              |
	  amy        0.1286  |       o                                                 |
	[==o is the range of a bank, which contains all its members.
	Position in the range: weight/(1+weight); weight = shares/usage among siblings.
	A member that used exactly its shares is in the middle.
	EOF
	diff <(sed 1d want) <(sed 1d <<<"$output")
	[ "$(widest <<<"$output")" = 80 ]
}

@test "--ranges fits the terminal width but has at least 31 columns" {
	local columns want
	note
	while read -r columns want; do
		COLUMNS=$columns run -0 fs-share -f s.jsonl --ranges
		[ "$(widest <<<"$output")" = "$want" ] || { echo "$columns: $output"; return 1; }
	done <<-'EOF'
	200 200
	100 100
	40 40
	30 31
	1 31
	EOF
	unset COLUMNS
	[ "$(fs-share -f s.jsonl --ranges | widest)" = 80 ]
	COLUMNS=nonsense run -0 fs-share -f s.jsonl --ranges
	[ "$(widest <<<"$output")" = 80 ]
}

@test "--ranges truncates long names and marks them with a plus" {
	echo '{"bank":"root","shares":1,"children":[{"username":"a_name_that_is_longer_than_any_other","shares":1,"usage":1}]}' >t.json
	fs-snap import flux t.json -o s.jsonl
	COLUMNS=40 run -0 fs-share -f s.jsonl --ranges
	grep -q '^ a_name_that_is+ ' <<<"$output"
	[ "$(widest <<<"$output")" = 40 ]
}

@test "--ranges uses UTF-8 only if the locale supports it" {
	note
	[ "$(LC_ALL=C fs-share -f s.jsonl --ranges | LC_ALL=C grep -c '[^ -~]')" = 0 ]
	LC_ALL=C.UTF-8 fs-share -f s.jsonl --ranges | grep -q '├──*●'
	COLUMNS=60 LC_ALL=C.UTF-8 run -0 fs-share -f s.jsonl --ranges
	[ "$(widest <<<"$output")" = 60 ]
	# the same cells in both
	diff <(LC_ALL=C fs-share -f s.jsonl --ranges) \
		<(LC_ALL=C.UTF-8 fs-share -f s.jsonl --ranges | sed 's/│/|/g; s/├/[/g; s/─/=/g; s/●/o/g')
}

@test "--ranges supports row selection, positions and Slurm snapshots" {
	note
	run -0 fs-share -f s.jsonl --ranges -h --subtree A
	[ "${#lines[@]}" = 3 ]
	run -0 fs-share -f s.jsonl --ranges -h -u ben
	[ "${#lines[@]}" = 5 ]
	run -0 fs-share -f s.jsonl --ranges -h --as cat --me
	[ "${#lines[@]}" = 3 ]
	fs-share -f s.jsonl --ranges --position=pow2 | grep -q '2^(-1/weight)'
	fs-share -f s.jsonl --ranges --position=rank | grep -q 'rank among the siblings'
	fs-share -f s.jsonl --ranges --position=rank | grep -q '^ B  *0.6667 '
	fs-share --demo --ranges --subtree physics | grep -q '^physics  *0\.[0-9]* '
	run -2 fs-share -f s.jsonl --ranges --algorithm=flux
	[[ $output == *"flux has no ranges; use --algorithm=flux_range"* ]]
	run -2 fs-share -f s.jsonl --ranges --position=middle
	[[ $output == *"pow2, ratio, rank"* ]]
}

@test "fs-share on Flux has sshare's columns, and Low and High for flux_range" {
	note
	[ "$(fs-share -f s.jsonl -aP | head -1)" = 'Account|User|RawShares|NormShares|RawUsage|EffectvUsage|FairShare' ]
	[ "$(fs-share -f s.jsonl -aP --algorithm=flux_range | head -1)" = \
		'Account|User|RawShares|NormShares|RawUsage|EffectvUsage|FairShare|Low|High' ]
	[ "$(fs-share -f s.jsonl -alP | head -1)" = \
		'Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS' ]
	[ "$(fs-share -f s.jsonl -aUP -h --sort=-fairshare -o user,fairs)" = \
		$'cid|1.000000\ncat|0.800000\nben|0.600000\nalf|0.400000\namy|0.200000' ]
	run -2 fs-share -f s.jsonl -o nosuch
	ln -sf "$(command -v fs-tools)" sshare
	FS_SNAPSHOT=s.jsonl run -1 ./sshare -o Low
	[[ $output == *'Invalid field requested: "Low"'* ]]
	absent Low <(./sshare -e)
}

@test "every algorithm gives valid JSON for Flux and Slurm snapshots" {
	local a s
	sample
	for a in fair_tree classic depth_oblivious flux flux_exact flux_range; do
		for s in "-f s.jsonl" --demo; do
			# shellcheck disable=SC2086
			fs-share $s -a --json --algorithm=$a >doc.json
			python3 -c '
import json, jsonschema, sys
doc = json.load(open("doc.json"))
jsonschema.validate(doc, json.load(open(sys.argv[1])))
users = [r for r in doc["rows"] if r["user"] and r["counted"]]
assert users and all(r["fairshare"] is not None for r in users), users
assert all(r["fairshare"] is None for r in doc["rows"] if not r["counted"])
' "$BATS_TEST_DIRNAME/../../man/fs-share-1.schema.json"
		done
	done
	fs-prio -f s.jsonl --json >doc.json
	python3 -c '
import json, jsonschema, sys
doc = json.load(open("doc.json"))
jsonschema.validate(doc, json.load(open(sys.argv[1])))
assert len(doc["rows"]) == 47
for r in doc["rows"]:
    assert [t["factor"] for t in r["terms"]] == ["fairshare", "queue", "bank", "urgency"]
    if not r["direct"]:
        assert abs(sum(t["points"] for t in r["terms"]) - r["sum"]) < 1e-6
        assert all(abs(t["value"] * t["weight"] - t["points"]) < 1e-6 for t in r["terms"])
    assert r["accrue"] is None
held = {r["f58"]: r["reasons"] for r in doc["rows"] if r["reasons"]}
assert held["\u01922fFrrM1jm"] == [{"reason": "max-running-jobs-user-limit", "limit": "max_running_jobs",
                                    "scope": "physics", "value": 5, "used": 1}], held
' "$BATS_TEST_DIRNAME/../../man/fs-prio-1.schema.json"
}

@test "fs-prio on Flux prints Flux columns and accepts both id forms" {
	local id
	sample
	export LC_ALL=C.UTF-8
	run -0 fs-prio -f s.jsonl -j ƒ2fTbPdLaT
	[ "${lines[0]}" = '       JOBID USER     BANKNAME   QUEUENAME   PRIORITY  FAIRSHARE      QUEUE     BANK  URGENCY  REASON' ]
	[ "${lines[1]}" = '  ƒ2fTbPdLaT dana     physics    pbatch             0          0          0        0        0  held' ]
	for id in f2fTbPdLaT 212978838274048; do
		diff <(echo "$output") <(fs-prio -f s.jsonl -j $id)
	done
	[ "$(LC_ALL=C fs-prio -f s.jsonl -h -j 212978838274048 -o %i)" = f2fTbPdLaT ]
	[ "$(fs-prio -f s.jsonl -h -j f2fTbPdLaT -o %I)" = 212978838274048 ]
	[ "$(fs-prio -f s.jsonl -h | wc -l)" = 47 ]
	[ "$(fs-prio -f s.jsonl -h --state RUNNING | wc -l)" = 10 ]
	[ "$(fs-prio -f s.jsonl -h -j ƒ2dTcXC3ts -o %Y)" = 14286 ]
	[ "$(fs-prio -f s.jsonl -h -w -o '%F %Q %B %U')" = '100000 10000 0 1000' ]
	[ "$(fs-prio -f s.jsonl -h -S -Y -o %Y | head -2 | tail -1)" = 10099238 ]
	[ "$(fs-prio -f s.jsonl -n -j ƒ2f2KcZQcf -o '%f %q %b %g' -h)" = '0.952381 1000 0 20' ]
	fs-prio -f s.jsonl -j ƒ2fK25EFjV | grep -qF 'max-run-jobs-queue (0 of 2 in pdebug),after-success=ƒ2RsQrcw'
	run -4 fs-prio -f s.jsonl -j f1
	run -2 fs-prio -f s.jsonl -j f0
	run -2 fs-prio -f s.jsonl --style=slurm
	[[ $output == *"in the layout of another scheduler"* ]]
	run -2 fs-prio --demo --style=flux
	[ "$(fs-prio --helpformat --style=flux | tr -s ' \n' '\n\n' | grep -c %)" = 15 ]
}

@test "fs-prio --algorithm computes the factor instead of using the recorded one" {
	sample
	sed -i 's/"fairshare":0.142857/"fairshare":0.9/; s/"fairshare_ppm":142857/"fairshare_ppm":900000/' s.jsonl
	[ "$(fs-prio -f s.jsonl -h -j f2dTAM4jKm -o %Y)" = 90000 ]
	[ "$(fs-prio -f s.jsonl -h -j f2dTAM4jKm -o %Y --algorithm=flux)" = 14286 ]
	run -4 fs-snap verify s.jsonl
	[[ $output == *"user ada in physics: fairshare: listed 0.900000, computed 0.142857"* ]]
}

@test "fs-snap verify reports a wrong queue factor but counts no difference" {
	sample
	# one of ada's jobs has the factor of another queue
	sed -i '/"id":208546432024576,/s/"priority":14286/"priority":10014286/' s.jsonl
	run -0 fs-snap verify s.jsonl
	[[ $output == *"job ƒ2dTAM4jKm (pbatch): priority 10014286 has the factor of queue pdebug"* ]]
	[[ $output == *"all 73 values agree"* ]]
}

@test "fs-share escapes control characters in Flux names" {
	printf '{"bank":"ro\\u001bot","shares":1,"children":[{"username":"e\\u001b[31mvil","shares":1,"usage":1}]}' >t.json
	fs-snap import flux t.json -o s.jsonl
	for o in --ranges --style=flux "--style=flux -P" -a; do
		# shellcheck disable=SC2086
		fs-share -f s.jsonl $o >out
		absent -q $'\033' out
		grep -q '\^\[' out
	done
}

@test "import errors name file, line and field and leave no output" {
	mkdir dir
	cp "$BATS_FILE_TMPDIR"/sample/* dir
	sed -i '4s/| 60 /| -60/' dir/list-banks.txt
	rm dir/list-banks_--json.json
	run -3 fs-snap import flux dir -o out.jsonl
	[[ $output == *"dir/list-banks.txt:4: shares: expected a number from 0 to 4294967295, got \"-60\""* ]]
	[ ! -e out.jsonl ]
	run -3 fs-snap import flux - -o out.jsonl <<<'{"bank":'
	[[ $output == *"standard input:2: the file ends inside"* ]]
	run -1 fs-snap import flux nosuch
	mkdir empty
	run -1 fs-snap import flux empty
	[[ $output == *'no output of `flux account list-banks` or `flux jobs --json`'* ]]
	run -2 fs-snap import pbs dir
}

# stand_in [ARGUMENTS]: makes bin/flux, which replays the sample and logs its arguments. Its flux jobs accepts only
# ARGUMENTS.
stand_in() {
	mkdir -p bin told
	cp "$BATS_FILE_TMPDIR"/sample/* told
	sed -n '3,$ s/^\([^ |]*\).*/\1: Job submission is enabled\n\1: Scheduling is started/p' told/list-queues.txt >told/flux_queue_status.txt
	echo '{"from":0,"jobs":[{"id":99999999999999,"userid":1002,"username":"nobody","queue":"none","t_submit":5.5}]}' >told/flux_jobs_ended.json
	for t in sh cat; do
		ln -sf "$(command -v $t)" bin
	done
	cat >bin/flux <<-EOF
	#!/bin/sh
	d='$BATS_FILE_TMPDIR/sample'
	echo "\$*" >>'$PWD/args'
	case \$* in
	version) echo 'libflux-core: 0.88.0' ;;
	'account list-banks --json') cat "\$d/list-banks_--json.json" ;;
	'account list-users -j') cat "\$d/list-users_-j.json" ;;
	'account list-factors --json') cat "\$d/list-factors_--json.json" ;;
	'account list-queues') cat "\$d/list-queues.txt" ;;
	'account list-configs') cat "\$d/list-configs.txt" ;;
	'queue status') cat '$PWD/told/flux_queue_status.txt' ;;
	'config get') echo '{}' ;;
	'module list') echo 'Module Idle S Service' ;;
	'resource R') echo '{"version":1,"execution":{"R_lite":[],"starttime":0,"expiration":0}}' ;;
	'resource list') echo 'STATE NNODES NCORES NGPUS NODELIST' ;;
	'resource status') echo 'STATE UP NNODES NODELIST' ;;
	'python -c '*jobtap*) echo '{"mf_priority_map":[]}' ;;
	'python -c '*INACTIVE*) cat '$PWD/told/flux_jobs_ended.json' ;;
	'python -c '*) echo '{"jobspecs":[]}' ;;
	'account view-bank root -t -P') cat "\$d/view-bank_root_-t_-P.txt" ;;
	'jobs ${1:--A --json --count=10000000}') cat "\$d/flux-jobs_--json.json" ;;
	*) echo "flux: unknown arguments: \$*" >&2; exit 1 ;;
	esac
	EOF
	chmod +x bin/flux
}

# same_as_sample FILE: the captured snapshot has the records of the sample.
same_as_sample() {
	fs-snap import flux told | sed 1d >want
	sed 1d "$1" | diff want -
	head -1 "$1" | grep -q '"scheduler":"flux 0.88.0"'
	head -1 "$1" | grep -q "\"captured_by\":\"$(id -un)\""
}

@test "capture uses flux if scontrol is missing" {
	local snap
	snap=$(command -v fs-snap)
	stand_in
	PATH=$PWD/bin run -0 "$snap" capture --raw raw -o s.jsonl
	[ -z "$output" ]
	same_as_sample s.jsonl
	[ "$(find raw -name 'flux-jobs*')" = raw/flux-jobs_-A_--json.json ]
	# an older flux jobs; the argument flux selects the scheduler
	stand_in '-a --json'
	PATH=$PWD/bin run -0 "$snap" capture flux -o s2.jsonl
	same_as_sample s2.jsonl
	run -2 "$snap" capture pbs
	# reading commands capture live
	PATH=$PWD/bin run -0 "${snap%snap}share" --style=flux
	diff "$BATS_FILE_TMPDIR/sample/view-bank_root_-t.txt" - <<<"$output"
}

@test "capture warns of failed flux commands and hides their records" {
	local snap
	snap=$(command -v fs-snap)
	stand_in 'nothing'
	PATH=$PWD/bin run -0 "$snap" capture -o s.jsonl
	[[ $output == *"warning: flux jobs: exit status 1: flux: unknown arguments: jobs -a --json"* ]]
	head -1 s.jsonl | grep -q '"hidden":\["job"\]'
	echo '#!/bin/sh
exit 1' >bin/flux
	PATH=$PWD/bin run -1 "$snap" capture -o s3.jsonl
	[[ $output == *"no Flux command worked"* ]]
	[ ! -e s3.jsonl ]
}

priorities() {
	fs-prio -f "$1.jsonl" "${@:2}" --json 2>/dev/null |
		python3 -c 'import json, sys; print(json.dumps([row["priority"] for row in json.load(sys.stdin)["rows"]]))'
}

# told FILE JOB: prints the job's page on one line.
told() {
	fs-explain -f "$1" "$2" 2>/dev/null | tr -s ' \n' ' '
}

# Two owners have jobs that wait for a dependency. The last job of one owner was in another queue, and has failed.
@test "a Flux job's queue factor is that of its owner's last job" {
	mkdir dir
	cat >dir/list-banks_--json.json <<<'[{"bank":"root","parent_bank":"","shares":1},{"bank":"b","parent_bank":"root","shares":1}]'
	cat >dir/list-users_--json.json <<<'[{"username":"u","userid":7,"bank":"b","default_bank":"b","shares":1,"fairshare":0.25},
		{"username":"v","userid":8,"bank":"b","default_bank":"b","shares":1,"fairshare":0.5}]'
	printf '%s\n' 'queue | min_nodes_per_job | max_nodes_per_job | max_time_per_job | priority' '---' 'fast | 1 | 1 | 60 | 5' 'slow | 1 | 1 | 60 | -3' >dir/list-queues.txt
	cat >dir/flux-jobs_-A_--json.json <<<'{"jobs":[
		{"id":20,"state":"DEPEND","urgency":16,"t_submit":40.5,"username":"u","bank":"b","queue":"fast","ncores":1,"dependencies":["x"]},
		{"id":21,"state":"DEPEND","urgency":16,"t_submit":50.5,"username":"v","bank":"b","queue":"fast","ncores":1,"dependencies":["x"]}]}'
	echo 100 >dir/NOW
	fs-snap import flux dir -o no.jsonl
	run -0 fs-snap check no.jsonl
	[[ $output == *"2 jobs have no priority yet. Flux will use the queue of each owner's last job, active or ended. Ended jobs were not captured, so the last active job is used"* ]]
	[ "$(priorities no)" = "[75000, 100000]" ]
	run -0 told no.jsonl ƒM
	[[ $output == *"priority of queue fast, unless a later job of its owner has ended"* ]]

	cat >dir/flux_jobs_ended.json <<<'{"from":45.5,"jobs":[{"id":30,"userid":8,"username":"v","bank":"b","queue":"slow","t_submit":60.5}]}'
	fs-snap import flux dir -o cut.jsonl
	run -0 fs-snap check cut.jsonl
	[[ $output == *"1 job has no priority yet. Flux will use the queue of the owner's last job, active or ended. The captured ended jobs do not reach back that far, so the priority is unknown"* ]]
	[ "$(priorities cut)" = "[null, 20000]" ]
	run -0 told cut.jsonl ƒM
	[[ $output == *"unknown: its owner's last job, which may have ended, was not captured"* ]]
	run -0 told cut.jsonl ƒN
	[[ $output == *"of queue slow (from its owner's last job)"* ]]

	sed -i 's/"from":45.5/"from":0/' dir/flux_jobs_ended.json
	fs-snap import flux dir -o all.jsonl
	run -0 fs-snap check all.jsonl
	[[ $output != *"no priority yet"* ]]
	[ "$(priorities all)" = "[75000, 20000]" ]
	# after a move, the new queue is that of the owner's last job
	[ "$(priorities all --if 'flux update 21 queue=fast')" = "[75000, 100000]" ]
}

# living CASE: imports a capture of a real Flux as l.jsonl. main: running, waiting and impossible jobs; stopped: a
# stopped queue and a drained node; noservice: without the accounting service.
living() {
	tar -xJf "$BATS_TEST_DIRNAME/../cases/flux/living.tar.xz" -C .
	fs-snap import flux "$1" -o l.jsonl
}

@test "planned starts equal the start estimates of a real Flux" {
	living main
	fs-explain -f l.jsonl --brief f2q4SP3dq | grep -q '^When *2026-11-22 04:06:11, if jobs run to their time limits and no$'
	fs-showq -f l.jsonl --plan --json >plan.json
	run -0 python3 - <<-'EOF'
		import json
		jobs = {j["id"]: j for j in json.load(open("main/flux-jobs_-A_--json.json"))["jobs"]}
		rows = json.load(open("plan.json"))["rows"]
		queue = sorted((r for r in rows if r.get("plan") and r["plan"]["start_time"]), key=lambda r: -r["priority"])
		estimate = lambda r: jobs[r["jobid"]]["annotations"].get("sched", {}).get("t_estimate")
		# the first jobs have estimates of the last forecast; jobs beyond the queue depth have older ones
		head = [r for r in queue if estimate(r)][:8]
		print(len(head), sum(int(estimate(r)) == r["plan"]["start_time"] for r in head))
	EOF
	[ "$output" = "8 8" ]
}

@test "forecast priorities of a Flux job follow its forecast fair-share factor" {
	living main
	fs-explain -f l.jsonl --as root f2q4SP3dq --forecast --json >doc
	python3 - <<-'EOF'
		import json
		f = json.load(open("doc"))["forecast"]
		for a in f["assumptions"]:
		    rest = {round(p["priority"] - 100000 * p["fairshare"]) for p in a["points"]}
		    assert len(rest) == 1, (a["name"], rest)
		assert any(len({p["fairshare"] for p in a["points"]}) > 1 for a in f["assumptions"])
	EOF
}

@test "Flux pages name impossible requests, stopped queues and drained nodes" {
	living main
	run -0 fs-explain -f l.jsonl --brief f2rRXNjYj
	[[ $output == *"It can never start: it asks for 4 nodes, queue batch has 3"* ]]
	run -0 fs-explain -f l.jsonl --brief f2rWnnBbm
	[[ $(tr -s ' \n' ' ' <<<"$output") == *"it needs a smaller request or another queue."* ]]
	run -0 fs-showq -f l.jsonl
	[[ $output == *"2rWnnBbm"*"it asks for 9 cores on a node, no node of queue standby has more than 8 cores"* ]]
	[[ $output == *"eta:29.78m"* ]]
	living stopped
	run -0 fs-explain -f l.jsonl --brief f4pEgevJT
	[[ $output == *"ueue debug is stopped."*"Not before an administrator lets jobs start there"* ]]
	run -0 fs-showq -f l.jsonl
	[[ $output == *"3 nodes of queue batch suit it: 1 is drained; it needs 3"* ]]
	run -0 fs-explain -f l.jsonl --json f4pS7MPGb
	[[ $output == *'"verdict":"nodes"'* ]]
}

@test "Flux dependencies name job, owner and state; bank usage is rounded" {
	living main
	run -0 fs-explain -f l.jsonl --brief f2qnLGkX1
	[[ $output == *"aits for job "*"2mqyDNrK (ana, RUNNING) to end successfully."* ]]
	run -0 fs-explain -f l.jsonl --brief f2qyMFQyd
	[[ $output == *"aits for its begin time, 03:51:20 on the day of the capture."* ]]
	run -0 fs-share -f l.jsonl --style=flux --subtree=phys
	[[ ${lines[1]} == *" 368250.77" ]]
	fs-share -f l.jsonl --style=flux | diff main/view-bank_root_-t.txt - | grep '^[<>]' >differ || true
	[ ! -s differ ] || [ "$(cat differ)" = "< " ]
	# no EffectvUsage is above 1
	fs-share -f l.jsonl -a -P -n -o EffectvUsage | awk '$1 > 1 { exit 1 }'
}

@test "without the accounting service, Flux pages show only recorded values" {
	living noservice
	run -0 fs-explain -f l.jsonl f5GEFgc23
	[[ $output == *"FAIRSHARE "*" 1.0000000  unknown  unknown  recorded with the job"*"PRIORITY "*" 150000  as recorded by the scheduler"* ]]
	[[ $output == *"BANK       unknown"*"unknown: banks were not captured"* ]]
	[[ $output != *"no association"* ]]
	run -0 fs-prio -f l.jsonl
	# the weights are unknown; defaults of flux-accounting do not replace them
	grep "5GEFgc23 .* 150000  *?  *?  *?  *? *$" <<<"$output"
	run -0 fs-prio -f l.jsonl -w
	[[ ${lines[1]} == *Weights*"?"*"?"*"?"*"?"* ]]
	run -0 fs-snap check l.jsonl
	[[ $output == *"the configuration is missing or incomplete in this capture"* ]]
	run -0 fs-snap verify l.jsonl
	[[ $output == *"the priority of 26 jobs is not compared: the snapshot does not have the factor queue"* ]]
	[[ $output == *"priority                    3          0"* ]]
	run -0 fs-explain -f l.jsonl --json f5GEFgc23
	[[ $output == *'"reason":{"name":"eligible"'* ]]
}

@test "the page of the first Flux job names missing node data" {
	head='{"type":"snapshot","format":1,"time":1000,"cluster":"c","scheduler":"flux 0.88.0"}'
	job='{"type":"job","id":5,"user":"u","account":"b","state":"PENDING","partitions":["q"],"priority":7,"submit_time":900,"eligible_time":900,"nodes":1,"cpus":1}'
	snapshot '{"type":"partition","name":"q"}' "$job"
	fs-explain -f s.jsonl --as root 5 --brief | tr -s ' \n' '  ' |
		grep -q 'Why First in q; the snapshot does not show which nodes are free or whether the queue is stopped\. When'
	snapshot '{"type":"partition","name":"q","state":"STARTED"}' "$job"
	fs-explain -f s.jsonl --as root 5 --brief | grep -qx 'Why  *First in q; the snapshot does not show which nodes are free\.'
	snapshot '{"type":"partition","name":"q","nodes":"n1"}' '{"type":"node","name":"n1","cpus":4,"state":["IDLE"],"partitions":["q"]}' "$job"
	absent -q 'not captured' <(fs-explain -f s.jsonl --as root 5 --brief)
}

@test "fs-showq prints Flux dependencies with base-58 job ids" {
	snapshot_of_flux() { printf '%s\n' '{"type":"snapshot","format":1,"time":1000,"cluster":"c","scheduler":"flux 0.88.0"}' "$@" >s.jsonl; }
	snapshot_of_flux '{"type":"partition","name":"q"}' \
		'{"type":"job","id":4014485798912,"user":"u","account":"b","state":"PENDING","partitions":["q"],"reason":"Dependency","dependency":"after-success=3915147902976,singleton","submit_time":900}'
	LC_ALL=C.UTF-8 fs-showq -f s.jsonl --as root >got
	grep -qF 'depends:after-success=ƒ2mqyDNrK,singleton' got || { cat got; false; }
}

@test "a Flux job with a negative sum shows how to raise it" {
	printf '%s\n' '{"type":"snapshot","format":1,"time":1000,"cluster":"c","scheduler":"flux 0.88.0"}' \
		'{"type":"association","id":1,"account":"root","shares":1}' '{"type":"association","id":2,"account":"b","parent":"root","shares":1}' \
		'{"type":"association","id":3,"account":"b","user":"u","shares":1,"fairshare":0.1}' '{"type":"partition","name":"q","priority":-4}' \
		'{"type":"job","id":5,"user":"u","account":"b","state":"PENDING","phase":"SCHED","urgency":16,"partitions":["q"],"priority":0,"submit_time":900,"nodes":1,"cpus":1}' >s.jsonl
	fs-explain -f s.jsonl --as root 5 --brief >page
	grep -q '^When  *Not before its priority is above 0\.' page
	grep -q 'raise its priority above 0: more urgency, another queue or another bank' <(tr -s ' \n' '  ' <page)
}

@test "a grant on Flux without billing weights counts 1 per CPU" {
	head='{"type":"snapshot","format":1,"time":1000,"cluster":"c","scheduler":"flux"}'
	snapshot '{"type":"tres","id":1,"name":"cpu"}' '{"type":"association","id":1,"account":"root","shares":1}' \
		'{"type":"association","id":2,"account":"A","parent":"root","shares":9}' \
		'{"type":"grant","account":"A","kind":"bought","partitions":["batch"]}' '{"type":"partition","name":"batch"}' \
		'{"type":"node","name":"n1","partitions":["batch"],"cpus":8,"tres":{"cpu":8}}'
	run -0 fs-share -f s.jsonl --as root --grants
	[[ $output == *'8.0000 TRES of batch'* ]]
}

@test "fs-top prints question marks for the unknown values of a job" {
	head='{"type":"snapshot","format":1,"time":1795318598,"cluster":"unknown","scheduler":"flux","hidden":["association","partition","config","node","job","association ids","job fields"]}'
	snapshot '{"type":"job","id":9417487548416,"state":"PENDING"}'
	run -0 fs-top -f s.jsonl --as root --once
	[[ $output =~ FAIRSHARE\ +'? x'\ +'? =' ]]
	[[ $output != *nan* ]]
}

@test "a cluster without users is empty, not hidden; a tree file has no time" {
	mkdir e
	printf 'Bank|Username|Active|RawShares|RawUsage|Fairshare\nroot||true|1|0.0\n' >e/view-bank_root_-t_-P.txt
	fs-snap import flux e -o s.jsonl
	run -0 fs-snap check s.jsonl
	[[ $output != *"association records are missing"* ]]
	fs-share -f s.jsonl --algorithm=flux
	echo '{"bank":"root","shares":1,"children":[{"username":"u","shares":1,"usage":5}]}' >t.json
	fs-snap import flux t.json -o s.jsonl
	fs-explain -f s.jsonl u | grep -qF "captured at an unknown time."
	run -0 fs-top -f s.jsonl --once
	[[ ${lines[0]} == *"time unknown"* ]]
}

@test "urgency 0 is the reason of a held job that also waits for a limit" {
	head='{"type":"snapshot","format":1,"time":100,"cluster":"c","scheduler":"flux 0.88.0"}'
	snapshot '{"type":"association","id":1,"account":"root","shares":1,"usage_tres_s":0}' \
		'{"type":"association","id":2,"account":"root","user":"u","shares":1,"usage_tres_s":1,"fairshare":1}' \
		'{"type":"job","id":7,"state":"PENDING","phase":"DEPEND","account":"root","user":"u","urgency":0,"dependency":"max-run-jobs-queue","reason":"depends:max-run-jobs-queue"}'
	fs-explain -f s.jsonl 7 | grep -qF "Held: the job's urgency is 0."
}

@test "a user without usage has an infinite weight in JSON" {
	note
	run -0 fs-share -f s.jsonl --as root -u cid --json
	[[ $output == *'"level_fs":"inf"'* && $output != *1844674407370955* && $output != *e+19* ]]
}
