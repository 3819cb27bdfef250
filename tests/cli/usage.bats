#!/usr/bin/env bats
# --usage, --decay, --at and the reports of fs-share: options, errors, sums, and the numbers of fs-usage.7.

load lib

# usage_head: records that most tests need. The half-life is 300 s; decay runs are 60 s apart, the last one at the
# snapshot's time.
usage_head() {
	head='{"type":"snapshot","format":1,"time":1795000000,"cluster":"c","scheduler":"slurm 26.11.0","priority_time":1795000000}
{"type":"config","PriorityType":"priority/multifactor","PriorityWeightAge":1000,"PriorityDecayHalfLife":300,"PriorityCalcPeriod":60,"AccountingStorageEnforce":["limits"]}
{"type":"tres","id":1,"name":"cpu"}
{"type":"tres","id":2,"name":"mem"}
{"type":"tres","id":5,"name":"billing"}
{"type":"partition","name":"p"}
{"type":"association","id":1,"account":"root","shares":1,"usage_tres_s":0}
{"type":"association","id":2,"account":"a","parent":"root","shares":3,"usage_tres_s":0}
{"type":"association","id":3,"account":"a","user":"u","shares":1,"usage_tres_s":1000}
{"type":"association","id":4,"account":"a","user":"v","shares":1,"usage_tres_s":100}'
}

# run_of JOB USER START END CPUS [MORE]: prints a usage record; START and END are seconds from the snapshot's time.
run_of() {
	printf '{"type":"usage","job":%d,"user":"%s","account":"a","partition":"p","start_time":%d,"end_time":%d,"tres":{"cpu":%s}%s}\n' \
		"$1" "$2" $((1795000000 + $3)) $((1795000000 + $4)) "$5" "${6-}"
}

# computed USER OPTION...: prints the usage computed for the user in s.jsonl, with two decimals.
computed() {
	fs-share -f s.jsonl --usage=compare -a "${@:2}" | awk -v user="$1" '$2 == user { print $4 }'
}

# near A B TOLERANCE: A and B differ by at most TOLERANCE.
near() {
	awk -v a="$1" -v b="$2" -v tolerance="$3" 'BEGIN { exit !(a - b <= tolerance && b - a <= tolerance) }' ||
		{ echo "$1 is not near $2"; return 1; }
}

@test "invalid option values are usage errors" {
	local line message
	while IFS='|' read -r line message; do
		run -2 --separate-stderr bash -c "fs-share --demo $line"
		[ -z "$output" ]
		[[ $stderr == *"$message"* ]] || { echo "$line: $stderr"; return 1; }
	done <<-'EOT'
	--usage=guessed|unknown source 'guessed'; known: recorded, computed, compare
	--decay=fast|unknown model 'fast'; known: slurm, exact
	--at=yesterday|invalid time "yesterday"
	--at=-5|invalid time "-5"
	--at=+|invalid time "+"
	--at=+-5|invalid time "+-5"
	--at=''|invalid time ""
	--at=+2y|invalid time "+2y"
	--at=2026-13-01|invalid time "2026-13-01"
	--at=2026-02-29T00:00:00|invalid time
	--at=99999999999999999999|invalid time
	--at=+99999999999999999w|invalid time
	--at=1795190459|before the snapshot's
	--at=2026-11-20T16:00:59|before the snapshot's
	--usage=computed --at=1000|before the snapshot's
	--spent --at=1000|before the snapshot's
	--decay-runs=1795190000,soon|invalid time "soon"
	--bill|needs a value
	--bill=warp=9|no TRES "warp"
	--bill=cpu|TRES cpu: expected an amount
	--bill=cpu=|TRES cpu: expected an amount
	--bill=cpu=-1|TRES cpu: expected an amount
	--bill=cpu=x|TRES cpu: expected an amount
	--bill=mem=1Q|TRES mem: expected an amount
	--bill=cpu=1,,mem=1|no TRES ""
	--bill=cpu=99999999999999999999|TRES cpu: expected an amount
	--bill=mem=9999999999999P|TRES mem: expected an amount
	EOT
	run -2 --separate-stderr fs-prio --demo --usage=compare
	[[ $stderr == *"--usage=compare requires fs-share"* ]]
	run -2 fs-prio --demo --at 1000
	run -2 fs-prio --demo --decay fast
}

@test "reports name the accounts, grants or records that are missing" {
	run -4 --separate-stderr fs-share --demo --spent=nosuch
	[[ $stderr == *'no account "nosuch"'* && -z $output ]]
	run -4 --separate-stderr fs-share --demo --grants=nosuch
	[[ $stderr == *'cannot find grants for account "nosuch"'* && -z $output ]]
	run -4 --separate-stderr fs-share --demo --grants=astro
	usage_head
	snapshot
	run -1 --separate-stderr fs-share -f s.jsonl --grants
	[[ $stderr == *"s.jsonl: the snapshot has no grants"* ]]
	run -0 fs-share -f s.jsonl --usage=compare -a
	[[ $output == *"The snapshot has no job records: usage of finished jobs is unknown."* ]]
	run -0 fs-share -f s.jsonl --spent
	[[ ${lines[-2]} =~ ^sum\ +0\.00\ +0\.00% ]]
	[[ ${lines[-1]} =~ recorded ]]
	grep -v '"partition"' s.jsonl >t.jsonl
	run -1 --separate-stderr fs-share -f t.jsonl --bill cpu=1
	[[ $stderr == *"the snapshot has no partitions"* ]]
	grep -v '"config"' s.jsonl >t.jsonl
	run -1 --separate-stderr fs-share -f t.jsonl --usage=computed
	[[ $stderr == *"configuration"* ]]
	run -1 fs-share -f t.jsonl --at +1d
	grep -v '"association"' s.jsonl >t.jsonl
	run -1 --separate-stderr fs-share -f t.jsonl --usage=computed
	[[ $stderr == *"no associations"* ]]
	run -1 fs-share -f t.jsonl --spent
}

@test "--usage without a value prints the text of --help" {
	local c
	for c in fs-share fs-prio; do
		run -0 "$c" --usage
		[ "$output" = "$("$c" --help)" ]
		[[ $output == *"--usage[=SOURCE]"* ]]
	done
	run -0 sshare --usage
	[[ $output == Usage:* ]]
}

@test "impossible usage records are errors with line and field" {
	local why record
	usage_head
	while IFS='|' read -r why record; do
		snapshot "$(run_of 1 u -100 -50 2)" "$record"
		for command in "fs-share -f s.jsonl --usage=computed" "fs-share -f s.jsonl --spent" \
			"fs-share -f s.jsonl --usage=compare" "fs-prio -f s.jsonl --usage=computed" "fs-snap check s.jsonl"; do
			run -3 --separate-stderr $command
			[[ $stderr == *"s.jsonl:12"*"$why"* && -z $output ]] || { echo "$command: $stderr"; return 1; }
		done
	done <<-EOT
	end_time: job 7 ends before it starts|$(run_of 7 u -50 -51 2)
	start_time: |$(run_of 7 u -50 -10 2 | sed 's/1794999950/-5/')
	start_time: |$(run_of 7 u -50 -10 2 | sed 's/"start_time":[0-9]*,//')
	tres|$(run_of 7 u -50 -10 -2)
	tres|$(run_of 7 u -50 -10 1.5)
	job: |$(run_of 7 u -50 -10 2 | sed 's/"job":7/"job":true/')
	job: |$(run_of 7 u -50 -10 2 | sed 's/"job":7,/"job":7,"job":8,/')
	EOT
	snapshot "$(run_of 1 u -100 -50 9223372036854775807 | sed 's/"p"/"q"/')" \
		'{"type":"partition","name":"q","billing_weights":"CPU=1e300"}'
	run -3 --separate-stderr fs-share -f s.jsonl --usage=computed
	[[ $stderr == *"the sum of charges is too large"* && -z $output ]]
}

@test "reports from standard input and pipes equal reports from files" {
	local demo
	fs-snap check "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" >/dev/null
	demo=$BATS_TEST_DIRNAME/../../cmd/demo.jsonl
	for options in "--usage=computed -a" "--usage=compare -a" --spent; do
		fs-share -f "$demo" $options >expected
		fs-share -f - $options <"$demo" >out
		cmp expected out
		cat "$demo" | fs-share -f - $options >out
		cmp expected out
		mkfifo pipe
		cat "$demo" >pipe &
		fs-share -f pipe $options >out
		wait $!
		cmp expected out
		rm pipe
		FS_SNAPSHOT=$demo fs-share $options | cmp expected -
		fs-share --demo $options | cmp expected -
	done
	cat "$demo" | fs-prio -f - --usage=computed | cmp - <(fs-prio --demo --usage=computed)
}

@test "a pipe that cannot be stored for rereading is an error" {
	local demo=$BATS_TEST_DIRNAME/../../cmd/demo.jsonl kib
	for kib in 4 $(($(wc -c <"$demo") / 1024 - 1)); do
		run -1 --separate-stderr bash -c "trap '' XFSZ; ulimit -f $kib; cat '$demo' | fs-share -f - --usage=computed"
		[[ -z $output && -n $stderr ]]
	done
}

@test "the order of records does not matter" {
	local demo=$BATS_TEST_DIRNAME/../../cmd/demo.jsonl n
	for n in 1 2 3; do
		{ head -1 "$demo"; tail -n +2 "$demo" | grep '"type":"grant"'
			tail -n +2 "$demo" | grep -v '"type":"grant"' | sort -R --random-source=<(yes $n)
		} >s.jsonl
		differ s.jsonl "$demo"
		for options in "--usage=computed -a -l" "--usage=compare -a" "--usage=compare -a --json" --spent \
			"--spent --decay=exact --at=+1d" --grants; do
			fs-share -f s.jsonl $options | cmp - <(fs-share --demo $options) || { echo "$options"; return 1; }
		done
		fs-prio -f s.jsonl --usage=computed --at +3h | cmp - <(fs-prio --demo --usage=computed --at +3h)
	done
}

@test "--at accepts each form of absolute and relative times" {
	local at
	cmp <(fs-share --demo -a) <(fs-share --demo -a --at +0)
	cmp <(fs-share --demo -a --json) <(fs-share --demo -a --json --at +0)
	cmp <(fs-share --demo -a) <(fs-share --demo -a --usage=recorded)
	cmp <(fs-share --demo -a) <(fs-share --demo -a --at 1795190460)
	cmp <(fs-prio --demo -l) <(fs-prio --demo -l --at +0)
	cmp <(fs-share --demo --spent) <(fs-share --demo --spent --at +0)
	fs-share --demo -a --at +1d >expected
	differ expected <(fs-share --demo -a)
	for at in 1795276860 2026-11-21T16:01:00 2026-11-21T16:01 '2026-11-21 16:01:00' +86400 +86400s +1440m +24h \
		+1-00:00:00; do
		fs-share --demo -a --at "$at" | cmp - expected || { echo "$at"; return 1; }
	done
	cmp <(fs-share --demo -a --at +1w) <(fs-share --demo -a --at +7d)
	sed '1s/"utc_offset_s":0/"utc_offset_s":-18000/' "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" >s.jsonl
	cmp <(fs-share -f s.jsonl -a --at 2026-11-21T11:01) expected
}

@test "--usage=compare adds up and agrees with --spent" {
	local spent
	fs-share --demo --usage=compare -a -h >out
	# users by indentation; the root also has the usage of deleted users
	awk 'NF < 4 || !/[0-9]$/ { exit }
	{ match($0, /[^ ]/); depth = RSTART; n = NF
		if ($n - ($(n-1) - $(n-2)) > .011 || $n - ($(n-1) - $(n-2)) < -.011) { print "difference: " $0; exit 1 }
		rows++; if (n == 5) { recorded += $3; computed += $4 } else if (depth == 1) { all_r = $2; all_c = $3 } }
	END { d = all_r - recorded - 1250000; e = all_c - computed - 800205.12
		if (rows != 38 || d > .3 || d < -.3 || e > .3 || e < -.3) { print rows, d, e; exit 1 } }' out
	grep -q "1 job of users who have left: 800205.12 TRES seconds" out
	near "$(awk 'NR == 1 { print $3 }' out)" "$(fs-share --demo --spent | awk '$1 == "sum" { print $2 }')" 0.01
	near "$(awk '$1 == "physics" && NF == 4 { print $3 }' out)" \
		"$(fs-share --demo --spent=physics | awk '$1 == "sum" { print $2 }')" 0.01
}

@test "--usage=compare selects and sorts rows as the table does" {
	[ "$(fs-share --demo --usage=compare -A plasma -a -h | awk 'NF { print $2 } !NF { exit }' | tail -3 | xargs)" = "bob boris carla" ]
	[ "$(fs-share --demo --usage=compare -a -U --subtree astro --sort -rawusage -h | awk '!NF { exit } { print $2 }' | xargs)" = "anna arun ben" ]
	run -4 fs-share --demo --usage=compare --subtree nosuch
}

@test "the rows of --spent add up to the sum" {
	fs-share --demo --spent >out
	# A spender is the sum of its runs, the last row the sum of all spenders.
	awk '
	function off(a, b, n) { return a - b > .01 * n || b - a > .01 * n }
	function check() { if (spender && off(of_runs, spender, runs + 1)) { print "runs of " who; bad = 1 } }
	NR == 1 { next }
	/^\(left\): users/ { next }
	/^These records are 54\.9 % of the recorded usage of 210358830\.90 TRES seconds\.$/ { told = done; next }
	/^ / { runs++; of_runs += $(NF - 3); next }
	{ check() }
	/^sum/ { if (off(all, $2, n + 1) || off(half, $4, n + 1) || $3 != "100.00%") { print "sum"; bad = 1 }; done = 1; next }
	{ if (n && $(NF - 4) > last) { print "order"; bad = 1 }
		who = $1; spender = last = $(NF - 4); n++; all += spender; half += $(NF - 2); runs = of_runs = 0 }
	END { exit bad || !done || !told || n < 15 }' out
	# half-lives by the scheduler's arithmetic, and exact half-lives
	awk '$1 == "sum" { if ($4 / $2 < .50007 || $4 / $2 > .50008 || $6 / $2 < .0625 || $6 / $2 > .0626) exit 1 }' out
	fs-share --demo --spent --decay=exact | awk '$1 == "sum" { d = $2 - 2 * $4; e = $2 - 16 * $6
		exit d > .02 || d < -.02 || e > .1 || e < -.1 }'
}

@test "--spent sums up the jobs beyond the ten listed" {
	usage_head
	snapshot "$(for i in $(seq 1 25); do run_of "$i" u -100 -$((100 - i)) 1; done)" "$(run_of 99 v -100 -90 1)"
	run -0 fs-share -f s.jsonl --spent
	[ "$(grep -c '^  [0-9]' <<<"$output")" = 11 ]
	[[ $output == *"others"*" 15 "* ]]
	[[ ${lines[1]} == u\ *"25 runs"* ]]
	[[ ${lines[2]} == "  25 "* ]]
	near "$(grep -A11 '^u ' <<<"$output" | awk '/^ / { s += $(NF - 3) } END { print s }')" \
		"$(awk '/^u / { print $5 }' <<<"$output")" 0.1
}

@test "computed usage equals the charging formula in each case" {
	local f='f = 1 - .693 / 300'
	usage_head
	# Decay runs at -120, -60 and 0: 40 s are charged at -60, and 30 s at 0, which decay for 60 s as well.
	snapshot "$(run_of 1 u -100 -30 4)"
	near "$(computed u --decay-runs=1794999880,1794999940)" \
		"$(awk "BEGIN { $f; printf \"%.2f\", 4 * (40 * f^40 * f^60 + 30 * f^30 * f^60) }")" 0.005
	# the order of --decay-runs does not matter
	[ "$(computed u --decay-runs=1794999880,1794999940)" = "$(computed u --decay-runs=1794999940,1794999880)" ]
	# without limits the last piece is never charged
	sed -i 's/\["limits"\]/[]/' s.jsonl
	near "$(computed u --decay-runs=1794999880,1794999940)" \
		"$(awk "BEGIN { $f; printf \"%.2f\", 4 * 40 * f^40 * f^60 }")" 0.005
	# --decay=exact is the integral of 2^(-t/300) from 30 to 100
	near "$(computed u --decay=exact)" \
		"$(awk 'BEGIN { l = log(2) / 300; printf "%.2f", 4 * (exp(-30 * l) - exp(-100 * l)) / l }')" 0.005
	# UsageFactor, also 0
	usage_head
	snapshot "$(run_of 1 u -100 -30 4)" "$(run_of 2 v -100 -30 4 ',"qos":"half"')" '{"type":"qos","name":"half","usage_factor":0.5}'
	near "$(computed u)" "$(awk -v v="$(computed v)" 'BEGIN { print 2 * v }')" 0.011
	sed -i 's/"usage_factor":0.5/"usage_factor":0/' s.jsonl
	[ "$(computed v)" = 0.00 ]
	# no decay
	usage_head
	snapshot "$(run_of 1 u -100 -30 4)"
	sed -i 's/"PriorityDecayHalfLife":300/"PriorityDecayHalfLife":0/' s.jsonl
	[ "$(computed u)" = 280.00 ]
	[ "$(computed u --decay exact --at +52w)" = 280.00 ]
	[ "$(fs-share -f s.jsonl --spent -h | tail -1 | xargs)" = "sum 280.00 100.00% 280.00 280.00 280.00" ]
}

@test "with --at, running jobs accrue usage up to their time limit" {
	usage_head
	snapshot '{"type":"job","id":1,"state":"RUNNING","user":"u","account":"a","partitions":["p"],"start_time":1794999990,"time_limit_s":100,"tres_alloc":{"cpu":4}}' \
		'{"type":"job","id":2,"state":"PENDING","user":"v","account":"a","partitions":["p"],"eligible_time":1794999900,"accrue_time":1794999900}'
	sed -i 's/"PriorityDecayHalfLife":300/"PriorityDecayHalfLife":0/' s.jsonl
	raw() { fs-share -f s.jsonl -U -a -h -P -o rawusage "$@" | head -1; }
	[ "$(raw)" = 1000 ]
	[ "$(raw --at +60)" = 1240 ]
	[ "$(raw --at +3d)" = 1360 ]
	[ "$(raw --at +60 --decay exact)" = 1240 ]
	[ "$(raw --at +90 --decay exact)" = 1360 ]
	[ "$(raw --at +91 --decay exact)" = 1360 ]
	[ "$(raw --usage=computed --at +60)" = 280 ]
	age() { fs-prio -f s.jsonl -h -j 2 -o %A "$@"; }
	[ "$(age --at +6048000)" -gt "$(age)" ]
	[ "$(age --at +6048000)" = 1000 ]
}

@test "usage of deleted partitions, users and accounts is reported" {
	usage_head
	sed() { command sed "$@"; }
	snapshot "$(run_of 1 u -60 0 4 | sed 's/"p"/"gone"/; s/"cpu":4/"cpu":4,"billing":9/')"
	[ "$(fs-share -f s.jsonl --spent | awk '$1 == 1 { print $3 }')" = 9.0000 ]
	run -0 fs-share -f s.jsonl --usage=compare -a
	[[ $output == *"1 job billed as recorded, in whole units"* ]]
	snapshot "$(run_of 1 u -60 0 4 | sed 's/"p"/"gone"/')"
	run -0 fs-share -f s.jsonl --usage=compare -a
	[[ $output == *"1 job record without billing, of unknown partitions: not charged."* ]]
	[ "$(computed u)" = 0.00 ]
	# whether or not the name occurs elsewhere in the snapshot
	for user in w root2; do
		snapshot "$(run_of 1 "$user" -60 0 4)" '{"type":"user","name":"root2"}'
		run -0 fs-share -f s.jsonl --usage=compare -a
		[[ $output == *"1 job of users who have left"* ]]
		[ "$(awk '$1 == "a" && NF == 4 { print $3 }' <<<"$output")" = "$(awk '/who have left/ { print $8 }' <<<"$output")" ]
	done
	snapshot "$(run_of 1 u -60 0 4 | sed 's/"account":"a"/"account":"sold"/')"
	run -0 fs-share -f s.jsonl --usage=compare -a
	[[ $output == *"1 job of accounts that are not in the snapshot"* ]]
	[ "$(awk 'NR == 2 { print $3 }' <<<"$output")" = 0.00 ]
}

@test "PriorityUsageResetPeriod removes usage from before each reset" {
	local period ago
	# The snapshot's time is 2026-11-18T11:06:40, a Wednesday, 40000 s after midnight; decay runs were 40020 and 39960 s ago.
	while read -r period ago; do
		ago=$((ago * 86400 + 40000))
		usage_head
		head=${head/'"PriorityDecayHalfLife":300'/'"PriorityDecayHalfLife":0,"PriorityUsageResetPeriod":"'$period'"'}
		snapshot "$(run_of 1 u -$((ago + 3600)) -$((ago + 3540)) 1)" "$(run_of 2 v -$((ago - 3600)) -$((ago - 3660)) 1)"
		[ "$(computed u) $(computed v)" = "$([ $period = NONE ] && echo 60.00 || echo 0.00) 60.00" ] ||
			{ echo "$period: $(computed u) $(computed v)"; return 1; }
		cmp <(computed u) <(computed u --decay exact)
		# a job across the reset: charged from the reset (exact), or from the last decay run before it
		snapshot "$(run_of 1 u -$((ago + 600)) -$((ago - 600)) 1)"
		case $period in
		NONE) [ "$(computed u) $(computed u --decay exact)" = "1200.00 1200.00" ] ;;
		*) [ "$(computed u) $(computed u --decay exact)" = "620.00 600.00" ] ||
			{ echo "$period: $(computed u) $(computed u --decay exact)"; return 1; } ;;
		esac
	done <<-'EOT'
	NONE 500
	DAILY 0
	WEEKLY 3
	MONTHLY 17
	QUARTERLY 48
	YEARLY 321
	EOT
	# recorded usage is reset as well, when --at passes the reset
	usage_head
	head=${head/'"PriorityDecayHalfLife":300'/'"PriorityDecayHalfLife":0,"PriorityUsageResetPeriod":"DAILY"'}
	snapshot
	[ "$(fs-share -f s.jsonl -aUhP -o rawusage --at 2026-11-18T23:59:59 | head -1)" = 1000 ]
	[ "$(fs-share -f s.jsonl -aUhP -o rawusage --at 2026-11-19T00:01 | head -1)" = 0 ]
}

@test "the counted terms of --bill add up to the rate" {
	usage_head
	snapshot '{"type":"tres","id":4,"name":"node"}' '{"type":"tres","id":1001,"name":"gres/gpu"}' \
		'{"type":"tres","id":1002,"name":"license/x"}' \
		'{"type":"partition","name":"q","billing_weights":"cpu=1.25,MEM=0.3g,node=3,gres/gpu=7.5,license/x=2"}'
	for flags in '' '"MAX_TRES"' '"MAX_TRES_GRES"' '"MAX_TRES","MAX_TRES_GRES"'; do
		sed "s/\"PriorityWeightAge\":1000/&,\"PriorityFlags\":[$flags]/" s.jsonl >t.jsonl
		for tres in cpu=1 cpu=16,mem=64G cpu=3,mem=7000,gres/gpu=2 node=2,license/x=5,cpu=2,mem=1T mem=0; do
			fs-share -f t.jsonl --bill "$tres" -h >out
			awk '{ rate = $2; hour = $3; sum = 0; $1 = $2 = $3 = ""; gsub(/\([^)]*\)/, "")
				n = split($0, term, / [+] /)
				for (i = 1; i <= n; i++) if (split(term[i], w, " ") >= 4) sum += w[2] * w[4]
				d = sum - rate; h = hour - rate * 3600
				if (d > rate * 1e-5 + 1e-6 || d < -rate * 1e-5 - 1e-6 || h > .01 || h < -.01) { print rate, sum, hour; exit 1 } }' out ||
				{ cat out; return 1; }
		done
	done
	rate() { sed "s/\"PriorityWeightAge\":1000/&,\"PriorityFlags\":[$1]/" s.jsonl | fs-share -f - -h --bill "$2" | awk '$1 == "q" { print $2 }'; }
	[ "$(rate '' cpu=4,mem=10G,node=1,gres/gpu=1,license/x=2)" = 22.500000 ]
	[ "$(rate '"MAX_TRES"' cpu=4,mem=10G,node=1,gres/gpu=1,license/x=2)" = 11.500000 ]
	[ "$(rate '"MAX_TRES_GRES"' cpu=4,mem=10G,node=1,gres/gpu=1,license/x=2)" = 16.500000 ]
	[ "$(rate '"MAX_TRES","MAX_TRES_GRES"' cpu=4,mem=10G,node=1,gres/gpu=1,license/x=2)" = 16.500000 ]
	# As in the scheduler, the last weight of a TRES counts if it is listed twice.
	snapshot '{"type":"partition","name":"q","billing_weights":"CPU=1,CPU=2"}'
	[ "$(rate '' cpu=4)" = 8.000000 ]
	snapshot '{"type":"partition","name":"q","billing_weights":"cpu=1.25,mem=0.3G"}'
	[ "$(rate '' mem=1024)" = "$(rate '' mem=1G)" ]
	[ "$(rate '' mem=1024K)" = "$(rate '' mem=1M)" ]
}

@test "--bill prints the rate that a job is charged" {
	usage_head
	snapshot '{"type":"partition","name":"q","billing_weights":"cpu=1.25,mem=0.3G"}' \
		"$(run_of 1 u -60 0 '3,"mem":7000' | sed 's/"p"/"q"/')"
	near "$(fs-share -f s.jsonl --bill cpu=3,mem=7000 -h | awk '$1 == "q" { print $2 }')" \
		"$(fs-share -f s.jsonl --spent | awk '$1 == 1 { print $3 }')" 0.0001
}

@test "a node's memory costs as much as its cores in fs-usage.7" {
	local name cores gib weight per_gib
	while read -r name cores gib weight; do
		per_gib=$(awk -v c="$cores" -v g="$gib" -v w="$weight" 'BEGIN { printf "%.17g", c * w / g }')
		usage_head
		snapshot "{\"type\":\"partition\",\"name\":\"$name\",\"billing_weights\":\"CPU=$weight,Mem=${per_gib}G\"}" \
			'{"type":"partition","name":"requeue","billing_weights":"CPU=0.5,Mem=0.125G"}'
		rate() { fs-share -f s.jsonl --bill "$1" -h | awk -v p="${2-$name}" '$1 == p { print $2 }'; }
		near "$(rate "cpu=$cores")" "$(rate "mem=${gib}G")" 0.0001
		near "$(rate "cpu=$cores,mem=${gib}G")" "$(awk -v c="$cores" -v w="$weight" 'BEGIN { print 2 * c * w }')" 0.0001
		near "$(rate cpu=1)" "$weight" 0
		sed -i 's/"PriorityWeightAge":1000/&,"PriorityFlags":["MAX_TRES"]/' s.jsonl
		near "$(rate "cpu=$cores,mem=${gib}G")" "$(awk -v c="$cores" -v w="$weight" 'BEGIN { print c * w }')" 0.0001
		[ "$(rate cpu=1 requeue) $(rate mem=1G requeue)" = "0.500000 0.125000" ]
	done <<-'EOT'
	abudhabi 64 256 0.25
	skylake 32 192 1.2
	EOT
	grep -q '64 \* 0.25 / 256 = 0.0625' "$BATS_TEST_DIRNAME/../../man/fs-usage.7"
	grep -q '32 \* 1.2 / 192 = 0.2\.' "$BATS_TEST_DIRNAME/../../man/fs-usage.7"
}

@test "the decay factors that fs-usage.7 states are correct" {
	local page=$BATS_TEST_DIRNAME/../../man/fs-usage.7
	usage_head
	# even usage in the last week (u) and in the week before (v)
	snapshot "$(run_of 1 u -604800 0 1)" "$(run_of 2 v -1209600 -604800 1)"
	sed -i 's/"PriorityDecayHalfLife":300/"PriorityDecayHalfLife":604800/' s.jsonl
	part() { awk -v n="$(computed "$@")" 'BEGIN { printf "%.3f", n / 604800 }'; }
	[ "$(part u --decay exact) $(part v --decay exact)" = "0.721 0.361" ]
	[ "$(part u) $(part v)" = "0.721 0.361" ]
	grep -q '0\.721.*0\.361' "$page"
	# usage of a single moment
	decayed() { fs-share -f s.jsonl --at "$1" -aUhP -o rawusage | head -1; }
	sed -i 's/"usage_tres_s":1000/"usage_tres_s":1000000/' s.jsonl
	for at in 1d 1w 2w 3w; do
		decayed "+$at"
	done | awk '{ printf "%.3f ", $1 / 1000000 }' >factors
	[ "$(cat factors)" = "0.906 0.500 0.250 0.125 " ]
	tr '\n' ' ' <"$page" | grep -q 'counts 0.906 after a day, 0.5 after one week, 0.25 after two, 0.125 after three'
	# the values seen on a controller
	awk 'BEGIN { f = 1 - .693 / 300; printf "%.5f %.6f %d %d", f, f^60, 97641 * f^60, 84990.3 * f^60 }' >seen
	[ "$(cat seen)" = "0.99769 0.870437 84990 73978" ]
	tr '\n' ' ' <"$page" | grep -q 'go from 97641 to 84990 to 73978 .* = 0.99769, and f^60 = 0.870437'
}

@test "--grants prints sums and whether they equal the shares" {
	usage_head
	snapshot '{"type":"grant","account":"a","kind":"lab","shares":2.5}' \
		'{"type":"grant","account":"a","kind":"communal","shares":2,"fraction":0.25}'
	run -0 fs-share -f s.jsonl --grants=a
	[[ $output == *"sum"*3.0000*"RawShares"*3*"as granted" && $output != *NOT* ]]
	for shares in 1.5 1.51 3.49; do
		sed "s/2.5}/$shares}/" s.jsonl | fs-share -f - --grants >out
		grep -q 'RawShares  *3  ' out
		[ "$(grep -c NOT out)" = "$([ "$shares" = 1.5 ] && echo 1 || echo 0)" ] || { cat out; return 1; }
	done
	sed 's/2.5}/3.5}/' s.jsonl | fs-share -f - --grants | grep -q 'NOT as granted'
	fs-share --demo --grants | awk '
	/^[a-z]/ { sum = 0; next }
	$1 == "sum" { d = sum - $2; if (d > .0002 || d < -.0002) exit 1; n++; next }
	$1 != "RawShares" { sum += $2 }
	END { exit n != 2 }'
	[ "$(fs-share --demo --grants | grep -c ' as granted')" = 2 ]
	[ "$(fs-share --demo --grants | grep -c 'NOT as granted')" = 1 ]
	# A pool that cannot be computed makes the sum unknown.
	snapshot '{"type":"grant","account":"a","kind":"lab","shares":3}' '{"type":"grant","account":"a","kind":"lab"}'
	run -0 fs-share -f s.jsonl --grants
	[[ $output == *"neither shares nor partitions"*"sum"*unknown* && $output != *granted* ]]
	# The RawShares of a missing account are unknown.
	snapshot '{"type":"grant","account":"x","kind":"lab","shares":3}'
	run -0 fs-share -f s.jsonl --grants
	[[ $output == *RawShares*unknown* ]]
}

@test "gratis grants divide the public partitions among all accounts" {
	usage_head
	snapshot '{"type":"node","name":"n1","cpus":32,"partitions":["p","p_requeue","own"]}' \
		'{"type":"node","name":"n2","cpus":16,"partitions":["fast","flat"]}' \
		'{"type":"node","name":"n3","cpus":64,"partitions":["own","hidden","rooted","denied","grouped","preempt"]}' \
		'{"type":"partition","name":"fast","billing_weights":"cpu=2"}' \
		'{"type":"partition","name":"flat","billing_weights":"cpu=0.5"}' \
		'{"type":"partition","name":"p_requeue","billing_weights":"cpu=9"}' \
		'{"type":"partition","name":"preempt","preempt_mode":"REQUEUE"}' \
		'{"type":"partition","name":"own","allow_accounts":["a"]}' \
		'{"type":"partition","name":"hidden","is_hidden":true}' \
		'{"type":"partition","name":"rooted","root_only":true}' \
		'{"type":"partition","name":"denied","deny_accounts":["a"]}' \
		'{"type":"partition","name":"grouped","allow_groups":["g"]}' \
		'{"type":"association","id":9,"account":"b","parent":"a","shares":1,"usage_tres_s":0}' \
		'{"type":"grant","account":"a","kind":"gratis"}' '{"type":"grant","account":"b","kind":"lab","partitions":["own","fast"]}'
	run -0 fs-share -f s.jsonl --grants
	# n1 counts 1 per CPU, n2 the greater of 2 and 0.5 per CPU: 64 in total, divided by accounts a and b
	[[ $output == *"gratis "*" 32.0000  = 64.0000 TRES of "*" / 2 accounts"* ]]
	[[ $output == *"lab "*" 128.0000  = 128.0000 TRES of "* ]]
}

@test "control bytes in names are escaped in every report" {
	usage_head
	local esc=$'\033'
	snapshot '{"type":"tres","id":1001,"name":"gres/\u001b[31mx"}' \
		'{"type":"partition","name":"q\u001b[31m","billing_weights":"cpu=1,gres/\u001b[31mx=2"}' \
		'{"type":"association","id":9,"account":"b\u001b[31m","parent":"root","shares":1,"usage_tres_s":0}' \
		'{"type":"association","id":10,"account":"b\u001b[31m","user":"w\u001b[31m","shares":1,"usage_tres_s":0}' \
		"$(run_of 1 'w\u001b[31m' -60 0 4 | sed 's/"account":"a"/"account":"b\\u001b[31m"/')" \
		'{"type":"grant","account":"b\u001b[31m","kind":"k\u001b[31m","shares":1,"comment":"c\u001b[31m"}'
	for options in "--usage=compare -a" --spent --grants "--bill=cpu=1,gres/$esc[31mx=1"; do
		run -0 fs-share -f s.jsonl $options
		[[ $output != *"$esc"* ]] || { echo "$options"; return 1; }
	done
}

@test "sacct's rows become usage records" {
	mkdir in
	echo 1795000000 >in/date_begin
	cat >in/sacct.txt <<-'EOT'
	JobIDRaw|User|Account|AssocID|Partition|QOS|State|Start|End|AllocTRES
	7|u|a|3|p|normal|COMPLETED|2026-11-18T10:00:00|2026-11-18T11:00:00|billing=4,cpu=4,mem=2G,node=1
	7.batch||a|||||2026-11-18T10:00:00|2026-11-18T11:00:00|cpu=4
	8|u|a|3|p|normal|CANCELLED by 0|Unknown|2026-11-18T11:00:00|
	9|u|a|3|p|normal|RUNNING|2026-11-18T11:00:00|Unknown|billing=4,cpu=4
	EOT
	fs-snap import slurm in -o s.jsonl 2>/dev/null
	[ "$(grep -c '"type":"usage"' s.jsonl)" = 2 ]
	grep -q '"job":7,"user":"u","account":"a","association":3,"partition":"p","qos":"normal","state":"COMPLETED","start_time":1794996000,"end_time":1794999600,"tres":{"billing":4,"cpu":4,"mem":2048,"node":1}' s.jsonl
	sed -i 's/T11:00:00|billing/T09:00:00|billing/' in/sacct.txt
	run -3 --separate-stderr fs-snap import slurm in
	[[ $stderr == *sacct.txt:2*"ends before it starts"* ]]
}

@test "under the name sshare, usage options work and errors exit 1" {
	local demo=$BATS_TEST_DIRNAME/../../cmd/demo.jsonl
	FS_SNAPSHOT=$demo sshare -a --usage=computed | cmp - <(fs-share --demo -a --usage=computed)
	FS_SNAPSHOT=$demo run -1 sshare --at 1000
	FS_SNAPSHOT=$demo run -1 sshare --usage=guessed
}

# sshare OPTION...: runs fs-tools by a link with the emulated tool's name.
sshare() {
	ln -sf "$(command -v fs-tools)" ./sshare
	FS_EXTENSIONS=1 ./sshare "$@"
}
