#!/usr/bin/env bats
# fs-snap check and fs-explain report the calculation times of classic shares, and ranks that depend on the order of equal
# accounts.

bats_require_minimum_version 1.5.0

setup() {
	FS_BIN=$(cd "${FS_BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd)
	s=$BATS_TEST_TMPDIR/s.jsonl
	cd "$BATS_TEST_TMPDIR" || exit 1
	tar -xJf "$BATS_TEST_DIRNAME/../cases/living/classic-a.tar.xz"
	in=classic-a/in
}

classic() {
	"$FS_BIN/fs-snap" import slurm "$in" -o "$s"
}

# explained ARGUMENT...: prints a page of fs-explain in one line.
explained() {
	"$FS_BIN/fs-explain" -f "$s" --as root "$@" | tr -s ' \n' ' '
}

@test "check derives the time of the last priorities from the ages of jobs" {
	classic
	run -0 "$FS_BIN/fs-snap" check "$s"
	[[ "$output" == *"note: priorities were last computed at 2026-11-22T12:38:12 (time derived from the ages of jobs, accurate to the second)"* ]]
}

@test "check assumes one PriorityCalcPeriod between calculations without recorded shares" {
	rm "$in/sshare.txt"
	classic
	run -0 "$FS_BIN/fs-snap" check "$s"
	[[ "$output" == *"until 2026-11-22T12:37:12, the time of the previous calculation, if that was one PriorityCalcPeriod before the last calculation (no recorded share shows this)"* ]]
	explained --job 2 | grep -q "The earlier time is assumed to be one PriorityCalcPeriod before the later one."
}

@test "check reports that DEPTH_OBLIVIOUS makes factors of siblings inexact" {
	sed -i 's/NO_FAIR_TREE/DEPTH_OBLIVIOUS,NO_FAIR_TREE/' "$in"/scontrol_config.txt
	classic
	run -0 "$FS_BIN/fs-snap" check "$s"
	[[ "$output" == *"note: effective usage and factors may be wrong: DEPTH_OBLIVIOUS uses siblings' shares of the previous calculation, which are unknown"* ]]
	explained --job 2 | grep -q "E may be inexact: for siblings computed later"
}

@test "idle clusters and Fair Tree get no note on classic shares" {
	sed -i '/JobState=RUNNING/d; /JobState=COMPLETED/d; /JobState=TIMEOUT/d' "$in"/scontrol_job_o.txt
	classic
	run -0 "$FS_BIN/fs-snap" check "$s"
	[[ "$output" != *"classic shares"* ]]
	sed -i '/^PriorityFlags/d' "$in"/scontrol_config.txt
	classic
	run -0 "$FS_BIN/fs-snap" check "$s"
	[[ "$output" != *"classic shares"* ]]
}

@test "check derives the time of the last priorities from the start of the controller" {
	sed -i 's/^PriorityWeightAge .*/PriorityWeightAge = 0/; s/^BOOT_TIME .*/BOOT_TIME = 2026-11-22T12:34:10/' "$in"/scontrol_config.txt
	rm "$in/sprio.txt"
	sed -i 's/GrpTRESRunMins=[^ ]*//' "$in"/scontrol_assoc_mgr_o.txt
	classic
	run -0 "$FS_BIN/fs-snap" check "$s"
	[[ "$output" == *"note: priorities were last computed at 2026-11-22T12:38:10 (time derived from the controller's start; the seconds are uncertain)"* ]]
}

ranks() { # VERSION [MEMBER]: x and y are equal; their order by name differs from their order in the database
	cat >"$s" <<J
{"type":"snapshot","format":1,"time":1700000000,"cluster":"c","scheduler":"slurm $1","priority_time":1699999990,"priority_time_from":"ages","usage_source":"assoc_mgr"$2}
{"type":"config","PriorityCalcPeriod":300,"BOOT_TIME":1699900000}
{"type":"association","id":1,"account":"root","shares":1,"usage_tres_s":0,"lft":1}
{"type":"association","id":2,"account":"x","parent":"root","shares":0,"usage_tres_s":0,"lft":6}
{"type":"association","id":3,"account":"y","parent":"root","shares":0,"usage_tres_s":0,"lft":2}
{"type":"association","id":4,"account":"x","user":"x1","shares":1,"usage_tres_s":1000,"lft":7}
{"type":"association","id":6,"account":"y","user":"y1","shares":1,"usage_tres_s":1000,"lft":3}
{"type":"association","id":7,"account":"y","user":"y2","shares":1,"usage_tres_s":3000,"lft":4}
J
}

@test "check reports ranks that depend on the order of equal accounts" {
	ranks 22.05.8
	run -0 "$FS_BIN/fs-snap" check "$s"
	[[ "$output" == *"note: the ranks of "[23]" users depend on the unknown order of equal accounts"* ]]
	explained --user x1 --account x | grep -q "In the other order x1 has Fair Tree's rank [12] of 3."
	for told in '22.05.8 ,"list_order":"name"' '22.05.8 ,"list_order":"database"' 23.11.0; do
		# shellcheck disable=SC2086 # two words
		ranks $told
		run -0 "$FS_BIN/fs-snap" check "$s"
		[[ "$output" != *"equal accounts"* ]]
		run explained --user x1 --account x
		[[ "$output" != *"In the other order"* ]]
	done
}
