#!/usr/bin/env bats
# fs-snap capture, against stand-ins for Slurm's commands.

bats_require_minimum_version 1.5.0

setup() {
	here=$BATS_TEST_DIRNAME
	FS_BIN=$(cd "${FS_BIN:-$here/../../build/bin}" && pwd)
	data=$here/stand-ins/data
	bin=$BATS_TEST_TMPDIR/bin
	tools=$BATS_TEST_TMPDIR/tools
	tmp=$BATS_TEST_TMPDIR/tmp
	log=$BATS_TEST_TMPDIR/log
	mkdir "$bin" "$tools" "$tmp" "$log"
	unset XDG_RUNTIME_DIR
	cp "$here"/stand-ins/* "$bin" 2>/dev/null || [ -e "$bin/sdiag" ]
	# a PATH without this machine's own Slurm
	for t in sh cat cut date env sed sleep; do
		ln -s "$(command -v "$t")" "$tools/$t"
	done
	settings
}

# settings LINE...: writes the settings that the stand-ins read.
settings() {
	printf '%s\n' "STAND_IN_DIR='$data'" "STAND_IN_LOG='$log'" "$@" >"$bin/settings"
}

snap() {
	env PATH="$bin:$tools" TMPDIR="$tmp" "$FS_BIN/fs-snap" "$@"
}

# eventually COMMAND...: waits up to five seconds until the command succeeds.
eventually() {
	local i
	for ((i = 0; i < 50; i++)); do
		"$@" && return
		sleep 0.1
	done
	false
}

# gone PID: the process has ended or is a zombie.
gone() {
	! kill -0 "$1" 2>/dev/null || [ "$(cut -d ' ' -f 3 "/proc/$1/stat")" = Z ]
}

temporary_folder_removed() {
	[ -z "$(ls -A "$tmp")" ]
}

# lost FILE...: the raw folder has all files except FILE...
lost() {
	local f
	for f in "$data"/*; do
		f=${f##*/}
		[[ " $* " == *" $f "* ]] || [ -s "$raw/$f" ] || { echo "missing: $f"; return 1; }
	done
	for f; do
		[ ! -e "$raw/$f" ] || return 1
	done
}

@test "capture --raw stores what the commands printed" {
	raw=$BATS_TEST_TMPDIR/raw
	run snap capture --raw "$raw" -o "$tmp/s.jsonl" <<<"none of theirs"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	lost nothing
	for f in "$data"/*; do
		case ${f##*/} in
		date_begin) ;;
		scontrol_config.txt) cmp <(tail -n +2 "$f") <(tail -n +2 "$raw/${f##*/}") ;;
		*) cmp "$f" "$raw/${f##*/}" ;;
		esac
	done
	[ "$(cat "$raw/caller")" = "$(id -un)" ]
	grep -qE '^[0-9]+\.[0-9]{9}$' "$raw/date_begin"
}

@test "capture writes the snapshot that importing its files gives" {
	raw=$BATS_TEST_TMPDIR/raw
	snap capture --raw "$raw" -o "$tmp/captured.jsonl"
	snap import slurm "$raw" -o "$tmp/imported.jsonl"
	cmp "$tmp/captured.jsonl" "$tmp/imported.jsonl"
}

@test "capture without -o writes the snapshot to standard output" {
	raw=$BATS_TEST_TMPDIR/raw
	snap capture --raw "$raw" >"$BATS_TEST_TMPDIR/a.jsonl"
	snap import slurm "$raw" | cmp - "$BATS_TEST_TMPDIR/a.jsonl"
	snap capture >"$BATS_TEST_TMPDIR/b.jsonl"
	temporary_folder_removed
	diff <(tail -n +2 "$BATS_TEST_TMPDIR/a.jsonl" | grep -v '"job"') \
		<(tail -n +2 "$BATS_TEST_TMPDIR/b.jsonl" | grep -v '"job"')
	snap check "$BATS_TEST_TMPDIR/b.jsonl"
}

@test "capture creates folders 0700 and files 0600 under any umask" {
	raw=$BATS_TEST_TMPDIR/raw
	umask 000
	snap capture --raw "$raw" -o "$tmp/s.jsonl"
	[ "$(stat -c %a "$raw")" = 700 ]
	[ "$(stat -c %a "$raw"/* | sort -u)" = 600 ]
	[ "$(stat -c %a "$tmp/s.jsonl")" = 600 ]
	[ -z "$(find "$raw" -name '*.??????')" ]
}

@test "capture runs each command exactly once" {
	snap capture -o "$tmp/s.jsonl"
	[ "$(cat "$log"/*.args | wc -l)" -eq 17 ]
	[ -z "$(cat "$log"/*.args | sort | uniq -d)" ]
}

@test "capture runs commands in a clean environment" {
	HOME=/nowhere TZ=Asia/Tokyo SLURM_CONF=/nowhere/slurm.conf SLURM_CLUSTERS=lake \
		SQUEUE_FORMAT=%i SQUEUE_FORMAT2=jobid SPRIO_FORMAT=%i SINFO_FORMAT=%N \
		SACCTMGR_FORMAT=x SLURM_TIME_FORMAT=relative LANG=de_DE.UTF-8 LD_DEBUG_OUTPUT=x \
		snap capture -o "$tmp/s.jsonl"
	for c in scontrol sacctmgr squeue sshare sprio sdiag; do
		# without what the stand-in's shell and settings add
		grep -vE '^(PWD|OLDPWD|SHLVL|_|STAND_IN_[A-Z]*)=' "$log/$c.env" | sort >"$log/env"
		grep -qx 'LC_ALL=C' "$log/env"
		grep -qx 'HOME=/nowhere' "$log/env"
		grep -qx 'TZ=UTC' "$log/env"
		grep -qx 'SLURM_CONF=/nowhere/slurm.conf' "$log/env"
		run grep -vE '^(PATH|HOME|USER|LOGNAME|TZ|LC_ALL|SLURM_CONF|FS_SNAPSHOT)=' "$log/env"
		[ -z "$output" ]
	done
}

@test "capture passes no folder name to a shell" {
	raw="$BATS_TEST_TMPDIR/it's \"raw\" \$(touch hit) ; touch hit"
	mkdir "$raw d"
	cd "$BATS_TEST_TMPDIR"
	TMPDIR="$raw d" PATH="$bin:$tools" "$FS_BIN/fs-snap" capture --raw "$raw" -o "$raw.jsonl"
	lost nothing
	[ ! -e hit ]
	snap check "$raw.jsonl"
}

@test "capture warns of a missing command and continues" {
	raw=$BATS_TEST_TMPDIR/raw
	rm "$bin/sprio"
	run snap capture --raw "$raw" -o "$tmp/s.jsonl"
	[ "$status" -eq 0 ]
	[ "$output" = "fs-snap: warning: sprio: not found on PATH" ]
	lost sprio.txt
}

@test "capture warns of a failing command and continues" {
	raw=$BATS_TEST_TMPDIR/raw
	settings STAND_IN_FAIL=sshare
	run snap capture --raw "$raw" -o "$tmp/s.jsonl"
	[ "$status" -eq 0 ]
	warning="fs-snap: warning: sshare: exit status 1: sshare: error: told to fail"
	[ "$output" = "$warning"$'\n'"$warning" ] # once for the text, once for the JSON
	lost sshare.txt sshare_a.json
}

@test "capture stops a hanging command and its child processes" {
	raw=$BATS_TEST_TMPDIR/raw
	settings STAND_IN_HANG=squeue
	run snap capture --timeout 1 --raw "$raw" -o "$tmp/s.jsonl"
	[ "$status" -eq 0 ]
	[ "$output" = "fs-snap: warning: squeue: timed out after 1 s" ]
	lost squeue_O.txt
	read -r stand_in child <"$log/squeue.pid"
	eventually gone "$stand_in"
	eventually gone "$child"
}

@test "capture stops a command that exceeds the output limit" {
	raw=$BATS_TEST_TMPDIR/raw
	settings STAND_IN_FLOOD=sdiag
	run snap capture --limit 1 --raw "$raw" -o "$tmp/s.jsonl"
	[ "$status" -eq 0 ]
	[ "$output" = "fs-snap: warning: sdiag: stopped: more than 1 MiB of output" ]
	lost sdiag.txt
}

@test "capture ends background processes of its commands" {
	printf '%s\n' '#!/bin/sh' "sleep 300 & echo \$! >'$log/pid'" "echo answer" >"$bin/sdiag"
	snap capture --raw "$BATS_TEST_TMPDIR/raw" -o "$tmp/s.jsonl"
	[ "$(cat "$BATS_TEST_TMPDIR/raw/sdiag.txt")" = answer ]
	eventually gone "$(cat "$log/pid")"
}

@test "capture ends processes that moved to a session of their own" {
	command -v setsid >/dev/null || skip "no setsid"
	ln -s "$(command -v setsid)" "$tools/setsid"
	printf '#!/bin/sh\n(setsid sh -c "echo \\$\\$ >>%s/pids; (setsid sh -c \\"echo \\\\\$\\\\\$ >>%s/pids; sleep 60\\" &) ; sleep 60" </dev/null >/dev/null 2>&1 &)\nsleep 0.5\nexec %s/stand-ins/sdiag\n' \
		"$log" "$log" "$here" >"$bin/sdiag"
	chmod +x "$bin/sdiag"
	snap capture -o "$BATS_TEST_TMPDIR/s.jsonl" 2>/dev/null || true
	[ "$(wc -l <"$log/pids")" -ge 2 ]
	while read -r pid; do
		gone "$pid"
	done <"$log/pids"
}

@test "fs-snap check reports the records of failed commands as missing" {
	cp -r "$data" "$BATS_TEST_TMPDIR/data"
	sed -i 's/^\(PriorityWeightTRES *= \).*/\1(null)/' "$BATS_TEST_TMPDIR/data/scontrol_config.txt" # the weights name TRES
	settings "STAND_IN_DIR='$BATS_TEST_TMPDIR/data'" STAND_IN_FAIL=sacctmgr
	run snap capture -o "$tmp/s.jsonl"
	[ "$status" -eq 0 ]
	[ "$(grep -c '^fs-snap: warning: sacctmgr show ' <<<"$output")" -eq 4 ]
	run snap check "$tmp/s.jsonl"
	[[ "$output" == *"qos records are missing"* ]]
	[[ "$output" == *"tres records are missing"* ]]
}

@test "capture of Slurm 22.05 uses the command forms of that version" {
	raw=$BATS_TEST_TMPDIR/raw
	old=$BATS_TEST_TMPDIR/old
	cp -r "$data" "$old"
	sed -i 's/^SLURM_VERSION .*/SLURM_VERSION           = 22.05.8/' "$old/scontrol_config.txt"
	settings "STAND_IN_DIR='$old'" STAND_IN_OLD_SPRIO=yes STAND_IN_UNKNOWN_FIELD=Lineage
	run snap capture --raw "$raw" -o "$tmp/s.jsonl"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	grep -q 'ParentID,LFT,RGT' "$log/sacctmgr.args"
	run ! grep -q 'Lineage' "$log/sacctmgr.args"
	[ "$(wc -l <"$log/sprio.args")" -eq 1 ]
	[ "$(awk -F '|' '{ print NF }' "$raw/sprio.txt" | sort -u)" = 21 ]
}

@test "capture reads shares with all digits from Slurm 23.11 on" {
	raw=$BATS_TEST_TMPDIR/raw
	copy=$BATS_TEST_TMPDIR/copy
	cp -r "$data" "$copy"
	for version in 22.05.8 23.02.8 23.11.0 24.05.1 26.05.0; do
		sed -i "s/^SLURM_VERSION .*/SLURM_VERSION           = $version/" "$copy/scontrol_config.txt"
		settings "STAND_IN_DIR='$copy'" "$([[ $version > 23.03 ]] || echo STAND_IN_OLD_SPRIO=)"
		rm -rf "$raw" "$log/sshare.args" "$tmp/s.jsonl"
		snap capture --raw "$raw" -o "$tmp/s.jsonl" 2>/dev/null
		if [[ $version > 23.03 ]]; then
			[ "$(sort "$log/sshare.args")" = $'-a --json\n-a -l -P' ]
			cmp "$data/sshare_a.json" "$raw/sshare_a.json"
			head -n 1 "$tmp/s.jsonl" | grep -q '"whole_shares":true'
			grep '"association":5,' "$tmp/s.jsonl" | grep -q '"level_fs":0.88888888888888'
		else
			[ "$(cat "$log/sshare.args")" = "-a -l -P" ]
			[ ! -e "$raw/sshare_a.json" ]
			run ! grep -q whole_shares "$tmp/s.jsonl"
			grep '"association":5,' "$tmp/s.jsonl" | grep -q '"level_fs":0.888889[,}]'
		fi
	done
}

@test "capture of Slurm 26.05 stores the SLUIDs of jobs" {
	raw=$BATS_TEST_TMPDIR/raw
	new=$BATS_TEST_TMPDIR/new
	cp -r "$data" "$new"
	sed -i 's/^SLURM_VERSION .*/SLURM_VERSION           = 26.05.0/' "$new/scontrol_config.txt"
	printf '%s\n' 'JobId=101 JobName=a swim' '   SLUID=sQUACK' >"$new/scontrol_job_d.txt"
	sed -n '/^JobId=101 /d; s/^\(JobId=[0-9]*\) .*/\1 JobName=x/p' "$data/scontrol_job_o.txt" >>"$new/scontrol_job_d.txt"
	settings "STAND_IN_DIR='$new'"
	run snap capture --raw "$raw" -o "$tmp/s.jsonl"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	cmp "$new/scontrol_job_d.txt" "$raw/scontrol_job_d.txt"
	grep -q '"id":101,.*"sluid":"sQUACK"' "$tmp/s.jsonl"
}

@test "capture tries both command forms if the version is unknown" {
	raw=$BATS_TEST_TMPDIR/raw
	settings STAND_IN_OLD_SPRIO=yes STAND_IN_UNKNOWN_FIELD=Lineage
	sed -i 's/^config$/fail/; s/show config.) config/show config'\'') fail "down"/' "$bin/scontrol"
	run snap capture --raw "$raw" -o "$tmp/s.jsonl"
	[ "$status" -eq 0 ]
	[ "$output" = "fs-snap: warning: scontrol show config: exit status 1: scontrol: error: down" ]
	[ "$(awk -F '|' '{ print NF }' "$raw/sprio.txt" | sort -u)" = 21 ]
	cmp "$data/sacctmgr_assoc.txt" "$raw/sacctmgr_assoc.txt"
	lost scontrol_config.txt sshare_a.json
}

@test "capture stores only PriorityFlags of slurm.conf" {
	raw=$BATS_TEST_TMPDIR/raw
	conf=$BATS_TEST_TMPDIR/slurm.conf
	printf '%s\n' 'ClusterName=pond' 'priorityflags=NO_NORMAL_QOS' 'SecretThing=1' >"$conf"
	cp -r "$data" "$BATS_TEST_TMPDIR/data"
	echo "SLURM_CONF              = $conf" >>"$BATS_TEST_TMPDIR/data/scontrol_config.txt"
	settings "STAND_IN_DIR='$BATS_TEST_TMPDIR/data'"
	snap capture --raw "$raw" -o "$tmp/s.jsonl"
	[ "$(cat "$raw/slurm.conf")" = 'priorityflags=NO_NORMAL_QOS' ]
}

@test "capture writes nothing if no command works" {
	rm "$bin"/s[a-z]*
	run snap capture --raw "$BATS_TEST_TMPDIR/raw" -o "$tmp/s.jsonl"
	[ "$status" -eq 1 ]
	[ "$(wc -l <<<"$output")" -eq 17 ]
	[[ "$output" == *"cannot capture: no Slurm command worked"* ]]
	[ ! -e "$BATS_TEST_TMPDIR/raw" ]
	temporary_folder_removed
}

@test "capture --raw accepts only a new or empty folder" {
	raw=$BATS_TEST_TMPDIR/raw
	mkdir "$raw"
	snap capture --raw "$raw" -o "$tmp/s.jsonl"
	lost nothing
	echo kept >"$raw/sprio.txt"
	run snap capture --raw "$raw" -o "$tmp/t.jsonl"
	[ "$status" -eq 1 ]
	[[ "$output" == *"--raw requires a new or empty folder" ]]
	[ "$(cat "$raw/sprio.txt")" = kept ]
	run snap capture --raw "$raw/none/raw"
	[ "$status" -eq 1 ]
	[ ! -e "$tmp/t.jsonl" ]
}

@test "capture reports an unwritable output and leaves no file" {
	run snap capture -o "$BATS_TEST_TMPDIR/none/s.jsonl"
	[ "$status" -eq 1 ]
	[[ "$output" == *"none/s.jsonl: No such file or directory" ]]
	temporary_folder_removed
	[ -z "$(find "$BATS_TEST_TMPDIR" -name 's.jsonl*')" ]
}

@test "capture reports a malformed answer and leaves no file" {
	cp -r "$data" "$BATS_TEST_TMPDIR/data"
	echo 'not|a|table' >"$BATS_TEST_TMPDIR/data/sprio.txt"
	settings "STAND_IN_DIR='$BATS_TEST_TMPDIR/data'"
	run snap capture -o "$tmp/s.jsonl"
	[ "$status" -eq 3 ]
	[[ "$output" == *"sprio.txt:1:"* ]]
	[[ "$output" == *"to keep the captured files, use fs-snap capture --raw DIR"* ]]
	temporary_folder_removed
}

# terminated OPTION...: sends SIGTERM during a capture; its processes and files must be gone afterwards.
terminated() {
	settings STAND_IN_HANG=sprio
	env PATH="$bin:$tools" TMPDIR="$tmp" "$FS_BIN/fs-snap" capture "$@" \
		-o "$BATS_TEST_TMPDIR/s.jsonl" 3>&- &
	eventually test -s "$log/sprio.pid"
	kill -TERM $!
	wait $! || status=$?
	[ "$status" -eq 143 ]
	read -r stand_in child <"$log/sprio.pid"
	eventually gone "$stand_in"
	eventually gone "$child"
	temporary_folder_removed
	[ -z "$(find "$BATS_TEST_TMPDIR" -name 's.jsonl*')" ]
}

@test "capture leaves no files or processes after SIGTERM" {
	terminated
}

@test "capture --raw leaves no raw folder after SIGTERM" {
	terminated --raw "$BATS_TEST_TMPDIR/raw"
	[ ! -e "$BATS_TEST_TMPDIR/raw" ]
}

@test "capture reads past jobs only with --records=DAYS" {
	data=$BATS_TEST_TMPDIR/data
	cp -r "$BATS_TEST_DIRNAME/stand-ins/data" "$data"
	printf '%s\n' "JobIDRaw|User|Account|AssocID|Partition|QOS|State|Start|End|AllocTRES" \
		"7|alice|physics|6|normal|normal|COMPLETED|2026-11-20T20:00:00|2026-11-20T20:01:00|cpu=4,mem=8G,node=1" \
		"7|alice|physics|6|normal|normal|REQUEUED|2026-11-20T19:00:00|2026-11-20T19:01:00|cpu=4,mem=8G,node=1" \
		>"$data/sacct.txt"
	printf '%s\n' "JobIDRaw|MaxRSS" "7|" "7.batch|1500K" "7.0|2.5M" "8.batch|1G" >"$data/sacct_steps.txt"
	settings
	run snap capture -o "$tmp/s.jsonl"
	[ "$status" -eq 0 ]
	[ ! -e "$log/sacct.args" ]
	[ "$(grep -c '"type":"usage"' "$tmp/s.jsonl")" = 0 ]
	run snap capture --records=30 -o "$tmp/t.jsonl"
	[ "$status" -eq 0 ]
	[ "$(grep -c '"type":"usage"' "$tmp/t.jsonl")" = 2 ]
	[ "$(grep -c '"max_rss_mb":3' "$tmp/t.jsonl")" = 2 ]
	grep -q now-30days "$log/sacct.args"
	"$FS_BIN/fs-snap" check "$tmp/t.jsonl"
}

@test "capture refuses wrong arguments without running a command" {
	run snap capture here
	[ "$status" -eq 2 ]
	for t in 0 -1 1.5 ten '' 99999999999; do
		run snap capture --timeout "$t"
		[ "$status" -eq 2 ]
		run snap capture --limit "$t"
		[ "$status" -eq 2 ]
		run snap capture --records "$t"
		[ "$status" -eq 2 ]
	done
	[ -z "$(ls "$log")" ]
}

@test "a reading command captures live if no snapshot is given" {
	[ ! -e /var/lib/fs-tools/snapshot.jsonl ] || skip "this machine has a snapshot of its own"
	run env -u FS_SNAPSHOT PATH="$bin:$tools" TMPDIR="$tmp" "$FS_BIN/fs-share" -alP
	[ "$status" -eq 0 ]
	[ "$output" = "$(cat "$data/sshare.txt")" ]
	temporary_folder_removed
}

@test "a live command stops after one failure if the controller is down" {
	[ ! -e /var/lib/fs-tools/snapshot.jsonl ] || skip "this machine has a snapshot of its own"
	settings STAND_IN_FAIL=scontrol
	run env -u FS_SNAPSHOT PATH="$bin:$tools" TMPDIR="$tmp" "$FS_BIN/fs-share"
	[ "$status" -eq 1 ]
	[ "${#lines[@]}" -eq 2 ]
	[[ "${lines[1]}" == *"--demo"* ]]
	[ "$(cat "$log"/*.args | wc -l)" -eq 1 ]
}

@test "the emulated sshare runs the real sshare, never itself" {
	[ ! -e /var/lib/fs-tools/snapshot.jsonl ] || skip "this machine has a snapshot of its own"
	mkdir "$BATS_TEST_TMPDIR/links"
	ln -s "$FS_BIN/fs-tools" "$BATS_TEST_TMPDIR/links/sshare"
	run env -u FS_SNAPSHOT PATH="$BATS_TEST_TMPDIR/links:$bin:$tools" sshare -alP
	[ "$status" -eq 0 ]
	[ "$output" = "$(cat "$data/sshare.txt")" ]
	[ "$(sort -u "$log/sshare.args" | wc -l)" -eq 2 ] # the text and the JSON, each once
	[ "$(wc -l <"$log/sshare.args")" -eq 2 ]
}

@test "a copy of fs-tools named sshare does not capture again" {
	[ ! -e /var/lib/fs-tools/snapshot.jsonl ] || skip "this machine has a snapshot of its own"
	mkdir "$BATS_TEST_TMPDIR/links"
	cp -L "$FS_BIN/fs-tools" "$BATS_TEST_TMPDIR/links/sshare"
	run env -u FS_SNAPSHOT PATH="$BATS_TEST_TMPDIR/links:$bin:$tools" "$FS_BIN/fs-share" -alP
	[ "$status" -eq 0 ]
	[[ "$output" == *"warning: sshare: exit status"* ]]
	[ ! -e "$log/sshare.args" ]
}

@test "independent commands of a capture run in parallel, dependent ones in order" {
	raw=$BATS_TEST_TMPDIR/raw
	# each of the four sacctmgr commands waits until all four have begun; sshare fails if one has not ended
	settings 'begun() { set -- "$STAND_IN_LOG"/"$1".*; [ -e "$1" ] || return 1; [ $# -ge "${n:-1}" ]; }' \
		'case $name in' \
		'sacctmgr) : >"$STAND_IN_LOG/begun.$$"; i=0; n=4' \
		'until begun begun; do i=$((i + 1)); [ $i -lt 50 ] || { echo alone >&2; exit 1; }; sleep 0.1; done' \
		'sleep 0.3; : >"$STAND_IN_LOG/over.$$"; n=1 ;;' \
		'sshare) n=4; begun over || { echo early >&2; exit 1; }; n=1 ;;' \
		'esac'
	run snap capture --raw "$raw" -o "$tmp/s.jsonl"
	echo "$output"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	lost
}

@test "a live capture is cached for 30 s for its user only" {
	[ ! -e /var/lib/fs-tools/snapshot.jsonl ] || skip "this machine has a snapshot of its own"
	local kept=$BATS_TEST_TMPDIR/kept file
	live() { env -u FS_SNAPSHOT PATH="$bin:$tools" TMPDIR="$tmp" XDG_RUNTIME_DIR="$kept" "$FS_BIN/$1" -alP "${@:2}"; }
	asked() { # N COMMAND...: the command runs sshare N times
		rm -f "$log"/*
		live "${@:2}" >got 2>err
		cmp got "$data/sshare.txt"
		[ ! -s err ] || { cat err; return 1; }
		[ "$(cat "$log/sshare.args" 2>/dev/null | wc -l)" -eq "$1" ] || { echo "asked: $(cat "$log/sshare.args")"; return 1; }
	}
	cd "$BATS_TEST_TMPDIR"
	mkdir -m 755 "$kept"
	asked 2 fs-share # the text and the JSON, each once
	[ -z "$(ls -A "$kept")" ]
	chmod 700 "$kept"
	asked 2 fs-share
	file=$(ls "$kept"/fs-tools-*.jsonl)
	[ "$(ls -A "$kept" | wc -l)" -eq 1 ]
	[ "$(stat -c %a "$file")" = 600 ]
	asked 0 fs-share
	asked 2 fs-share --fresh
	asked 0 fs-share
	touch -d '-31 seconds' "$file"
	asked 2 fs-share
	touch -d '+5 seconds' "$file"
	asked 2 fs-share
	chmod 640 "$file"
	asked 2 fs-share
	mv "$file" "$kept/elsewhere"
	ln -s elsewhere "$file"
	asked 2 fs-share
	echo text >"$file"
	asked 2 fs-share
	SLURM_CONF=/another asked 2 fs-share
	ln -s "$FS_BIN/fs-tools" "$tmp/sshare"
	FS_BIN=$tmp asked 2 sshare
	rm "$kept"/*
	settings STAND_IN_FAIL=sdiag
	live fs-showq --plan >/dev/null 2>&1 || :
	[ -z "$(ls -A "$kept")" ]
}

# reads COMMAND OPTION...: runs the command without a snapshot, with the stand-ins and its cache in $kept.
reads() {
	env -u FS_SNAPSHOT PATH="$bin:$tools" TMPDIR="$tmp" XDG_RUNTIME_DIR="$kept" "$FS_BIN/$1" "${@:2}"
}

# asked_for COMMAND...: exactly these commands ran, each once. Empties the log.
asked_for() {
	diff <(printf '%s\n' "$@" | sort) <(for f in "$log"/*.args; do sed "s/^/$(basename "$f" .args) /; s/  *-[ho] %.*//" "$f"; done | sort)
	rm -f "$log"/*
}

@test "without PrivateData, live tables run only the commands they need" {
	[ ! -e /var/lib/fs-tools/snapshot.jsonl ] || skip "this machine has a snapshot of its own"
	local kept=$BATS_TEST_TMPDIR/kept o
	cd "$BATS_TEST_TMPDIR"
	mkdir -m 700 "$kept"
	snap capture -o s.jsonl
	rm -f "$log"/*
	reads fs-share -alP | cmp - "$data/sshare.txt"
	asked_for 'scontrol show config' 'scontrol -o show assoc_mgr' 'sshare -a -l -P' 'sshare -a --json'
	reads fs-prio >got
	cmp got <("$FS_BIN/fs-prio" -f s.jsonl)
	asked_for 'scontrol show config' 'sprio -h'
	for o in -l -h --me -P; do
		reads fs-prio $o >got || [ $? = 4 ]
		cmp got <("$FS_BIN/fs-prio" -f s.jsonl $o)
	done
	[ ! -e "$log/scontrol.args" ] # from the cache
	for o in -n '-S i' '-u root' '-j 1' --json '-o %i%y' --as=root '-p debug' --weights-report -w; do
		rm -f "$log"/* "$kept"/*
		# shellcheck disable=SC2086 # options are split into words
		reads fs-prio $o >/dev/null 2>&1 || :
		[ -e "$log/squeue.args" ] || { echo "$o asks for no jobs"; return 1; }
	done
}

@test "with PrivateData or NO_FAIR_TREE, live tables also capture jobs and associations" {
	[ ! -e /var/lib/fs-tools/snapshot.jsonl ] || skip "this machine has a snapshot of its own"
	local kept=$BATS_TEST_TMPDIR/none setting
	cp -r "$data" "$BATS_TEST_TMPDIR/data"
	for setting in 's/^PrivateData .*/PrivateData = jobs/' 's/^PriorityFlags .*/PriorityFlags = CALCULATE_RUNNING,NO_FAIR_TREE/'; do
		rm -f "$log"/*
		sed "$setting" "$data/scontrol_config.txt" >"$BATS_TEST_TMPDIR/data/scontrol_config.txt"
		settings "STAND_IN_DIR='$BATS_TEST_TMPDIR/data'"
		reads fs-prio >/dev/null 2>&1 || :
		[ -e "$log/squeue.args" ]
		rm -f "$log/squeue.args"
		reads fs-share -a >/dev/null 2>&1 || :
		grep -q 'show assoc' "$log/sacctmgr.args"
		[[ $setting != *FAIR_TREE* || -e $log/squeue.args ]]
	done
}

@test "a live table reports a failing command only once" {
	[ ! -e /var/lib/fs-tools/snapshot.jsonl ] || skip "this machine has a snapshot of its own"
	local kept=$BATS_TEST_TMPDIR/none
	settings STAND_IN_FAIL=sprio
	run reads fs-prio
	[ "$(grep -c 'warning: sprio' <<<"$output")" -eq 1 ]
	settings STAND_IN_FAIL=sshare
	run reads fs-share -a
	[ "$(grep -c 'warning: sshare:' <<<"$output")" -le 2 ]
}

@test "live fs-share captures jobs only when needed and has its own cache" {
	[ ! -e /var/lib/fs-tools/snapshot.jsonl ] || skip "this machine has a snapshot of its own"
	local kept=$BATS_TEST_TMPDIR/kept
	live() { env -u FS_SNAPSHOT PATH="$bin:$tools" TMPDIR="$tmp" XDG_RUNTIME_DIR="$kept" "$FS_BIN/$1" "${@:2}"; }
	cd "$BATS_TEST_TMPDIR"
	mkdir -m 700 "$kept"
	rm -f "$log"/*
	live fs-share -a --ranges >/dev/null
	run -1 grep 'show job\|show node\|show partition\|show reservation' "$log/scontrol.args"
	[ ! -e "$log/squeue.args" ]
	[ ! -e "$log/sprio.args" ]
	[ ! -e "$log/sdiag.args" ]
	[ "$(ls "$kept" | sed 's/.*[0-9a-f]\{16\}//')" = .shares.jsonl ]
	live fs-prio >got
	[ "$(cat "$log/sprio.args" | wc -l)" -eq 1 ]
	[ "$(ls "$kept" | wc -l)" -eq 2 ]
	for o in --json --json=slurm --usage=computed --spent; do
		rm -f "$log"/* "$kept"/*
		live fs-share -a $o >/dev/null 2>&1 || :
		[ -e "$log/squeue.args" ] || { echo "$o asks for no jobs"; return 1; }
	done
}

@test "a stale site snapshot is used only if the live capture fails" {
	unshare -m true 2>/dev/null || skip "no mounts of one's own here"
	site() { # AGE COMMAND...
		unshare -m env -u FS_SNAPSHOT PATH="$PATH" bash -c 'mount -t tmpfs none /var/lib && mkdir /var/lib/fs-tools &&
			cp "$1" /var/lib/fs-tools/snapshot.jsonl && touch -d "-$2 seconds" /var/lib/fs-tools/snapshot.jsonl &&
			PATH=$3 TMPDIR=$4 "${@:5}"' sh "$here/../../cmd/demo.jsonl" "$1" "$bin:$tools" "$tmp" "${@:2}"
	}
	run site 200 "$FS_BIN/fs-share" -alP
	[ "$output" = "$("$FS_BIN/fs-share" --demo -alP)" ]
	run site 1000 "$FS_BIN/fs-share" -alP
	[ "$output" = "$(cat "$data/sshare.txt")" ]
	rm "$bin/scontrol"
	run site 1000 "$FS_BIN/fs-share" -alP
	[ "$output" = "$("$FS_BIN/fs-share" --demo -alP)" ]
}

@test "live commands ignore a cached capture of another user or a link" {
	[ ! -e /var/lib/fs-tools/snapshot.jsonl ] || skip "this machine has a snapshot of its own"
	local kept=$BATS_TEST_TMPDIR/kept file
	live() { env -u FS_SNAPSHOT PATH="$bin:$tools" TMPDIR="$tmp" XDG_RUNTIME_DIR="$kept" "$FS_BIN/fs-share" -alP; }
	mkdir -m 700 "$kept"
	live >/dev/null
	file=$(ls "$kept"/fs-tools-*.jsonl)
	sed 's/"user":"mallard"/"user":"forged"/' "$file" >"$kept/forged"
	chmod 600 "$kept/forged"
	mv "$file" "$kept/good"
	cp -p "$kept/forged" "$file"
	[[ $(live) == *forged* ]] # the user's own file is read
	rm "$file"
	ln -s forged "$file"
	[[ $(live) != *forged* ]]
	rm -f "$file"
	mkfifo -m 600 "$file"
	[[ $(timeout 20 "$BASH" -c "$(declare -f live); bin='$bin' tools='$tools' tmp='$tmp' kept='$kept' FS_BIN='$FS_BIN'; live") != *forged* ]]
	rm -f "$file"
	[ "$(id -u)" = 0 ] || skip "not root: no file can be somebody else's"
	cp -p "$kept/forged" "$file"
	chown nobody "$file"
	[[ $(live) != *forged* ]]
	cp -p "$kept/forged" "$file"
	chown root "$file"
	chown nobody "$kept"
	[[ $(live) != *forged* ]]
}

# unusable WHAT: an invalid capture fails and leaves the earlier snapshot unchanged.
unusable() {
	cp "$tmp/good" "$tmp/s.jsonl"
	run snap capture -o "$tmp/s.jsonl"
	[ "$status" -eq 1 ] || { echo "$1: status $status: $output"; return 1; }
	cmp "$tmp/good" "$tmp/s.jsonl"
	[[ $output == *"was not written"* ]]
	[[ ${lines[-1]} != *fs-capture.* ]] || { echo "$1: $output"; return 1; }
	[ "$(ls "$tmp")" = $'good\ns.jsonl' ]
}

@test "an invalid capture does not replace the existing snapshot" {
	snap capture -o "$tmp/good"
	cp -r "$data" "$BATS_TEST_TMPDIR/data"
	settings "STAND_IN_DIR='$BATS_TEST_TMPDIR/data'"
	rm "$BATS_TEST_TMPDIR/data/sacctmgr_tres.txt"
	unusable "no TRES"
	[[ $output == *PriorityWeightTRES* ]]
	cp "$data/sacctmgr_tres.txt" "$BATS_TEST_TMPDIR/data"
	for f in "$BATS_TEST_TMPDIR"/data/*.*; do
		: >"$f"
	done
	unusable "nothing printed"
	[[ $output == *"the scheduler's commands printed no jobs, nodes, partitions or accounts"* ]]
}

@test "--raw refuses a folder of another user, and a folder to which others can write" {
	mkdir -m 777 "$tmp/raw"
	run -1 snap capture --raw "$tmp/raw"
	[[ $output == *'raw: --raw requires a folder that belongs to you, and to which others cannot write' ]]
	[ -z "$(ls "$tmp/raw")" ]
	chmod 755 "$tmp/raw"
	snap capture --raw "$tmp/raw" >/dev/null
	[ "$(id -u)" = 0 ] || return 0
	rm -r "$tmp/raw"
	mkdir "$tmp/raw"
	chown 12345 "$tmp/raw"
	run -1 snap capture --raw "$tmp/raw"
	[ -z "$(ls "$tmp/raw")" ]
}

@test "renaming the --raw folder during the capture exchanges no file" {
	mkdir "$tmp/raw" "$tmp/evil"
	cp "$data"/* "$tmp/evil"
	sed -i 's/^ClusterName .*/ClusterName = evil/' "$tmp/evil/scontrol_config.txt"
	settings "[ -e '$tmp/moved' ] || { '$(command -v mv)' '$tmp/raw' '$tmp/moved'; '$(command -v mv)' '$tmp/evil' '$tmp/raw'; }"
	snap capture --raw "$tmp/raw" -o "$tmp/s.jsonl"
	raw=$tmp/moved
	lost nothing
	[ "$(ls "$tmp/raw")" = "$(ls "$data")" ]
	run -1 grep evil "$tmp/s.jsonl"
	snap check "$tmp/s.jsonl" >/dev/null
}
