#!/usr/bin/env bats
# Promises of fs-tools(7) that no other file tests.

load lib

@test "the program imports no network, privilege, code loading or shell functions" {
	command -v nm >/dev/null || skip "no nm"
	nm -D --undefined-only "$FS_BIN/fs-tools" | awk '{ sub(/@.*/, "", $2); print $2 }' >symbols
	grep -qx malloc symbols
	absent -xE '(socket|socketpair|connect|bind|listen|accept4?|send(to|msg)?|recv(from|msg)?|getaddrinfo|gethostby.*)' symbols
	absent -xE '(set(re|res|e)?[ug]id|setgroups|initgroups|capset|chroot|dlopen|dlmopen|system|exec[lv]p?e?)' \
		<(grep -vx execve symbols)
}

@test "only the pager runs in a shell" {
	cd "$BATS_TEST_DIRNAME/../.."
	[ "$(grep -rlE '\bpopen\(' cmd)" = cmd/explain/explain.c ]
	absent -rE '\bpopen\(|"/bin/sh"|"sh"' libfs
	absent -rE '"/bin/sh"|"sh"' cmd
	echo 'echo shell >&2' >"$BATS_TEST_TMPDIR/pager"
	PAGER="sh $BATS_TEST_TMPDIR/pager" run -0 fs-explain --demo --user anna
	[[ $output != *shell* ]]
}

@test "commands that read a snapshot write no file" {
	local job
	mkdir here tmp
	cd here
	export HOME=$PWD TMPDIR=$BATS_TEST_TMPDIR/tmp FS_USER=root TERM=dumb
	job=$(fs-prio --demo -h -o %i | head -1)
	fs-share --demo -a >/dev/null
	fs-share -f "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" --usage=compare -a >/dev/null
	cat "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" | fs-share -f - --usage=computed -a >/dev/null
	fs-prio --demo -l >/dev/null
	fs-showq --demo --plan >/dev/null
	fs-explain --demo "${job// /}" >/dev/null
	fs-top --demo --once --size 80x24 >/dev/null
	fs-snap check "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" >/dev/null
	[ -z "$(ls -A . "$TMPDIR" | grep -v ':$' | grep .)" ]
}

@test "check shows each type's record count, source and unavailable results" {
	local demo="$BATS_TEST_DIRNAME/../../cmd/demo.jsonl"
	fs-snap check "$demo" >out
	grep -qE '^job +67 +scontrol show job, squeue$' out
	grep -qE '^association +38 ' out
	grep -qE '^recorded +0 .*; not available: fs-snap verify' out
	sed '/"type":"job"/d; s/,"records":{[^}]*}//; 1s/}$/,"hidden":["job"]}/' "$demo" >s.jsonl
	fs-snap check s.jsonl >out
	grep -qE '^job +0 +incomplete +scontrol show job, squeue; not available: the queue in fs-showq' out
}

# without_file KIND CAPTURE TYPE FILE WORDS FOLDER: check reports WORDS for TYPE if FILE (a pattern of find) is missing, and
# reports nothing if it exists.
without_file() {
	local dir
	mkdir got
	tar -xJf "$BATS_TEST_DIRNAME/../cases/$2.tar.xz" -C got
	dir=$(find got -path "*$6*" \( -name maui.cfg -o -name "flux-jobs*.json" \) -printf '%h\n' | head -1)
	fs-snap import "$1" "$dir" -o whole.jsonl 2>/dev/null
	find "$dir" -name "$4" -delete
	fs-snap import "$1" "$dir" -o less.jsonl 2>/dev/null
	fs-snap check whole.jsonl | grep -E "^$3 " >whole
	fs-snap check less.jsonl | grep -E "^$3 " >less
	absent -F "without $4: " whole
	grep -F "no $4" less | grep -F "without $4: $5"
	fs-snap check less.jsonl --json >less.json
	python3 - "$3" "$4" "$5" <<-'PY'
	import json, sys
	row = next(r for r in json.load(open("less.json"))["rows"] if r["type"] == sys.argv[1])
	file = next(f for f in row["files"] if f["file"] == sys.argv[2])
	assert file["state"] == "missing" and file["without"].startswith(sys.argv[3]), file
	PY
	rm -r got
}

@test "check shows the consequence of each missing Flux or Maui file" {
	without_file flux flux/living partition flux_queue_status.txt "which queues are stopped" main
	without_file flux flux/living association 'list-users*' "limits and queues of users" main
	without_file flux flux/living config date_begin "the exact time of the capture" main
	without_file maui maui-plan/early job showres_-n.txt "nodes of each job and reservations of administrators" m10
	without_file maui maui-plan/early job diagnose_-j.txt "queue times of jobs" m10
	without_file maui maui-plan/early job 'showq_-r.*' "start times and nodes of running jobs" m10
}

@test "snapshots record the source of each type, and anonymise keeps it" {
	local in="$BATS_TEST_DIRNAME/stand-ins/data"
	cp -r "$in" in
	rm in/scontrol_reservation.txt
	sed -i 's/ Account=[^ ]*//' in/scontrol_job_o.txt
	fs-snap import slurm in -o s.jsonl 2>/dev/null
	fs-snap anonymise s.jsonl -o other.jsonl
	for s in s.jsonl other.jsonl; do
		fs-snap check "$s" >out 2>/dev/null
		grep -qE '^job .*: scontrol_job_o.txt \(incomplete\).*; uncertain: the queue in fs-showq, the jobs in fs-prio' out
		grep -qE '^reservation .*: no scontrol_reservation.txt' out
		grep -qE '^partition .*: scontrol_partition_o.txt$' out
	done
}

@test "memory stays bounded, and time grows roughly with the input" {
	local n line='{"type":"job","id":%d,"user":"u%d","account":"root","state":"PENDING","partitions":["p"],"cpus":1}'
	for n in 20000 80000; do
		{
			echo '{"type":"snapshot","format":1,"time":1700000000,"cluster":"c","scheduler":"slurm 24.11.0"}'
			seq "$n" | awk -v f="$line\n" '{ printf f, $1, $1 % 97 }'
		} >"$n.jsonl"
		( [ "${FS_VARIANT:-}" = asan ] || ulimit -v 400000; fs-snap check "$n.jsonl" >/dev/null )
		(TIMEFORMAT=%U; { time fs-showq -f "$n.jsonl" >/dev/null 2>&1; } 2>"$n.s")
	done
	awk 'NR == 1 { a = $1 } END { exit !($1 <= 12 * (a + 0.02)) }' 20000.s 80000.s
}

@test "endless files and huge variables use bounded time and memory" {
	local huge
	huge=$(head -c 30000 /dev/zero | tr "\0" 9)
	bounded() { # STATUS COMMAND...
		run "-$1" timeout 20 bash -c '[ "$0" = asan ] || ulimit -v 1500000; exec "$@"' "${FS_VARIANT:-}" "${@:2}"
		[ "${#output}" -lt 2000000 ]
	}
	FS_SNAPSHOT=/dev/zero bounded 3 fs-share
	FS_SNAPSHOT=/proc/self/mem bounded 1 fs-share
	bounded 3 fs-snap check /dev/urandom
	bounded 3 fs-snap import text /dev/zero
	bounded 3 fs-snap import flux /dev/zero
	bounded 3 fs-explain --text /dev/zero 5
	bounded 1 fs-snap index /dev/zero
	bounded 1 fs-snap import slurm /proc
	TACC_SHOWQ_CONF=/dev/zero bounded 0 fs-showq --demo --style=tacc -l
	[[ $output == *"warning: /dev/zero: lines after line 10000 are ignored"* ]]
	FS_THREADS=$huge bounded 0 fs-prio --demo
	FS_USER=$huge bounded 0 fs-prio --demo
	COLUMNS=$huge bounded 0 fs-share --demo --ranges
	COLUMNS=999999999 bounded 0 fs-share --demo --ranges
	bounded 2 fs-top --demo --once --size "${huge}x$huge"
	bounded 2 fs-share --demo --at="$huge"
	bounded 2 fs-share --demo --bill="cpu=$huge"
	sed 's/"state":"RUNNING"/&,"node_list":"n[1-4294967295]"/; s/"node_list":"[^"]*"//2' "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" | sed 's/,,/,/g; s/,}/}/' >s.jsonl
	bounded 3 fs-showq -f s.jsonl
	[[ $output == *"node lists name more than 16777216 nodes in total"* ]]
}

@test "check reports missing, truncated or failed files with their consequences" {
	local data="$BATS_TEST_DIRNAME/stand-ins/data" name kind
	told() { # FILE: passes if the import refuses the capture or a row of check names FILE
		fs-snap import slurm in -o s.jsonl 2>err || return 0
		fs-snap check s.jsonl >out 2>>err || :
		grep -qE "^[a-z]+ .*(no $1|$1 \(incomplete\)).*; (not available|uncertain)" out || { cat out err; echo "$1 $kind"; return 1; }
	}
	for name in scontrol_{config,assoc_mgr_o,job_o,partition_o,node_o,reservation}.txt sacctmgr_{tres,user,assoc,qos_all}.txt sprio.txt \
		sshare.txt squeue_O.txt date_begin; do
		for kind in gone cut error; do
			rm -rf in
			cp -r "$data" in
			case $kind in
			gone) rm "in/$name" ;;
			cut) head -c $(($(stat -c %s "$data/$name") * 2 / 5)) "$data/$name" >"in/$name" ;;
			error) echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >"in/$name" ;;
			esac
			[ "$name $kind" = "date_begin cut" ] || told "$name"
		done
	done
}

@test "check reports an empty value that the scheduler never prints empty" {
	local data="$BATS_TEST_DIRNAME/stand-ins/data" key file
	cp -r "$data" data
	while read -r file key; do
		sed "s/\\b$key=[^ ]*/$key=/" "$data/$file" >"data/$file"
		fs-snap import slurm data -o s.jsonl 2>said
		grep -qF "$key" said || { echo "$file: $key"; return 1; }
		cp "$data/$file" "data/$file"
	done <<-'EOF'
	scontrol_job_o.txt Priority
	scontrol_job_o.txt QOS
	scontrol_job_o.txt TimeLimit
	scontrol_job_o.txt SubmitTime
	scontrol_job_o.txt AccrueTime
	scontrol_job_o.txt Partition
	scontrol_job_o.txt NumNodes
	scontrol_job_o.txt NumCPUs
	scontrol_job_o.txt ReqTRES
	scontrol_partition_o.txt PriorityTier
	scontrol_partition_o.txt PriorityJobFactor
	scontrol_partition_o.txt MaxTime
	scontrol_partition_o.txt State
	scontrol_node_o.txt Weight
	EOF
}
