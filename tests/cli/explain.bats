#!/usr/bin/env bats
# fs-explain: arguments, options and formats.

load lib

cases=$BATS_TEST_DIRNAME/../cases/slurm

# capture NAME: imports a packed capture as s.jsonl.
capture() {
	mkdir -p case
	tar -xJf "$cases/$1.tar.xz" -C case --strip-components=1
	fs-snap import slurm case/in --exact-usage case/truth/assoc_usage.txt -o s.jsonl 2>/dev/null ||
		fs-snap import slurm case/in -o s.jsonl 2>/dev/null
	export FS_SNAPSHOT=$PWD/s.jsonl FS_USER=root
}

@test "an argument names a job, else a user, else an account" {
	run -0 fs-explain --demo 812154
	[[ ${lines[0]} == "Job 812154 - dana - account quantum"* ]]
	run -0 fs-explain --demo emil
	[ "${lines[0]}" = "emil in account quantum" ]
	run -0 fs-explain --demo chemistry
	[ "${lines[0]}" = "Account chemistry - parent root" ]
	run -0 fs-explain --demo --user anna --account astro
	[ "${lines[0]}" = "anna in account astro" ]
	[[ $output != *genomics* ]]
	run -0 fs-explain --demo --job 812154
	run -0 fs-explain --demo --account chemistry
}

@test "an outdated reason is described in the past tense" {
	sed 's/"id":812168,\(.*\)"reason":"Resources"/"id":812168,\1"reason":"Priority"/' \
		"$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" >past.jsonl
	run -0 fs-explain --verbose -f past.jsonl 812168
	[[ ${output//$'\n'/ } == *"When the reason (Priority) was recorded, a job was ahead of it. In gpu it is first of 6:"* ]]
	[[ $output != *"the jobs ahead start"* ]]
	run -0 fs-explain --verbose --demo 812154
	[[ ${output//$'\n'/ } == *"(Priority): a job ahead was still pending when the scheduler last considered this job"*"2nd of 6"*"the jobs ahead start"* ]]
}

@test "an unknown name is reported with exit status 4" {
	local word
	for word in 99 --job=emil --user=812154 --account=emil nosuch "''"; do
		run -4 --separate-stderr fs-explain --demo $word
		[[ $stderr == *"no "*"that "*" may see"* ]]
		[ -z "$output" ]
	done
	run -4 fs-explain --demo 812154 --versus emil
	run -4 fs-explain --demo emil --versus 812154
}

@test "contradictory command lines are refused" {
	run -2 fs-explain --demo --brief
	run -2 fs-explain --demo --me 812154
	run -2 fs-explain --demo 812154 812168
	run -2 fs-explain --demo 812154 --user emil
	run -2 fs-explain --demo 812154 --json --markdown
	run -2 fs-explain --demo 812154 --ahead --versus 812168
	run -2 fs-explain --demo emil --ahead
	run -2 fs-explain --demo 812154 --color=sometimes
}

@test "every demo job has pages in all formats, within 80 columns" {
	local id
	for id in $(fs-prio --demo -h -o %i | sort -u) 812233 812287 812295 812299 812002; do
		LC_ALL=C.UTF-8 fs-explain --demo "$id" >text
		awk 'length($0) > 80 { print; bad = 1 } END { exit bad }' <(LC_ALL=C fs-explain --demo "$id")
		grep -qE "^### Job ${id%%[^0-9]*}[ \\_]" <(fs-explain --demo "$id" --markdown)
		grep -qF "Job $id" <(fs-explain --demo "$id" --ahead)
		grep -q "^Computed from demo" text
	done
}

@test "colours appear only with --color=always or on a capable terminal" {
	esc=$'\033'
	run -0 fs-explain --demo 812154
	[[ $output != *$esc* ]]
	run -0 fs-explain --demo 812154 --color=always
	[[ $output == *$esc* ]]
	run -0 env NO_COLOR=1 fs-explain --demo 812154 --color=auto
	[[ $output != *$esc* ]]
	if command -v script >/dev/null; then
		run env TERM=xterm script -qec "$FS_BIN/fs-explain --demo 812154 --no-pager" /dev/null
		[[ $output == *$esc* ]]
		run env TERM=xterm NO_COLOR=1 script -qec "$FS_BIN/fs-explain --demo 812154 --no-pager" /dev/null
		[[ $output != *$esc* ]]
		run env TERM=dumb script -qec "$FS_BIN/fs-explain --demo 812154 --no-pager" /dev/null
		[[ $output != *$esc* ]]
		run env PAGER="sed s/^/paged:/" script -qec "$FS_BIN/fs-explain --demo 812154" /dev/null
		[[ $output == *paged:* ]]
	fi
}

@test "special characters follow the locale" {
	LC_ALL=C.UTF-8 run -0 fs-explain --demo 812154
	[[ ${lines[0]} == "Job 812154 · dana"* ]]
	LC_ALL=C run -0 fs-explain --demo 812154
	[[ ${lines[0]} == "Job 812154 - dana"* ]]
	LC_ALL=C fs-explain --demo carla --algorithm classic >text
	absent -q '[^ -~]' text
}

@test "a captured job's page shows the expected numbers" {
	capture 22.05-s3-base
	fs-explain 12 >text
	while read -r line; do
		tr -s ' ' <text | grep -qF "$line" || { echo "missing: $line"; cat text; return 1; }
	done <<-'EOF'
	ASSOC 0.0000000 4000 0.000000
	TRES cpu 0.024038462 1000 24.038462
	sum 25661.608719
	fraction dropped by Slurm -0.608719
	PRIORITY 25661 b_tier 25643 - normal 25634
	FAIRSHARE 0.222222 = rank/users = 2/9
	root 47.2 % 94.1 % 0.50
	physics 42.9 % 13.0 % 3.30
	EOF
	for points in 19.444444 22222.222222 353.365385 30.518975 3000.000000 12.019231; do
		grep -q " $points " text
	done
	run -0 fs-explain 12 --versus 30
	[[ $output == *"same tier, priority 60520"* ]]
	[[ $output == *"FAIRSHARE differs at root: physics 0.50 against chemistry 6.79."* ]]
}

@test "a pending array task without own record shows its array's page" {
	capture 22.05-s3-base
	run -0 fs-explain 28_7
	[[ ${lines[0]} == "Job 28_[1-20] "* ]]
	run -0 fs-explain 28
	[[ ${lines[0]} == "Job 28_[1-20] "* ]]
	run -4 fs-explain 28_21
	run -0 fs-explain 29_9
	run -4 fs-explain 29_8
}

@test "Flux pages show causes, ranks, slices and base-58 job ids" {
	export FS_SNAPSHOT=$PWD/s.jsonl FS_USER=root
	tar -xJf "$cases/../flux/sample.tar.xz"
	fs-snap import flux sample -o s.jsonl
	says() { tr -s ' \n' ' ' <text | grep -qF "$1" || { echo "missing: $1"; cat text; return 1; }; }
	fs-explain f2dTAM4jKm >text
	head -1 text | grep -q "Job f2dTAM4jKm - ada - bank physics"
	says "sum 14285.700000 rounded, half away from 0 0.300000 PRIORITY 14286"
	says "FAIRSHARE 0.142857 = rank/users = 3/21"
	says "compared at the highest level where their banks differ"
	fs-explain --verbose 212841399320576 >text
	says "It can never start: it asks for 300 nodes, bank cfd allows lena 256 nodes in all (max_nodes). It needs a smaller request or a higher limit; 10 of 256 nodes in use."
	fs-explain --verbose 212652420759552 >text
	says "to end successfully. It is also held back"
	says "It is also held back by max_running_jobs of queue pdebug (0 of 2 used)."
	fs-explain --verbose 212978838274048 >text
	says "It is held: the job's urgency is 0."
	fs-explain --verbose 213081917489152 >text
	says "4294967295: its urgency is 31 (expedited)"
	fs-explain --verbose 213167816835072 >text
	says "(priority-wait)"
	fs-explain --user boris --account cfd --algorithm flux_range >text
	says "Don Lipari's design of 2017; flux-accounting does not use it"
	says "the factor is 0.714286 = rank/users = 15/21 (rank 21 is the best)"
	says "boris 0.481198 0.481978 |"
	says "0.389493"
	fs-explain physics >text
	head -1 text | grep -q "^Bank physics"
	absent -qE "TRES|account " text
}

@test "pages explain flux_range slices and where flux and flux_exact differ" {
	export FS_SNAPSHOT=$PWD/s.jsonl FS_USER=root
	echo '{"bank":"root","shares":1,"children":[{"bank":"A","shares":1,"children":[{"username":"u","shares":1,"usage":5}]}]}' >t.json
	fs-snap import flux t.json -o s.jsonl
	fs-explain u --algorithm flux_range | tr -s ' \n' ' ' >text
	grep -qF "The slice of u is 0.000000 to 0.250000, inside 0.000000 to 0.500000, the slice of A." text
	grep -qF "It ends at 50.0 % of the slice of A: there are no siblings, so all shares and all usage" text
	grep -qF "FAIRSHARE 0.250000" text
	echo '{"bank":"root","shares":1,"children":[{"username":"a","shares":3,"usage":1},{"username":"b","shares":18,"usage":6},{"username":"c","shares":1,"usage":4}]}' >t.json
	fs-snap import flux t.json -o s.jsonl
	fs-explain a --algorithm flux | tr -s ' \n' ' ' >a
	fs-explain b --algorithm flux | tr -s ' \n' ' ' >b
	grep -hqF "With exact sums and ties (flux_exact) the rank is 3" a b
}

@test "pages say what a half-life of 0 means for fair share" {
	sed 's/"PriorityDecayHalfLife":1209600/"PriorityDecayHalfLife":0/' "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" >s.jsonl
	fs-explain -f s.jsonl dana | tr -s ' \n' ' ' | grep -qF \
		"It does not decay (PriorityDecayHalfLife 0): fair share compares all usage, however old, not recent usage."
	sed -i 's|"PriorityUsageResetPeriod":"NONE"|"PriorityUsageResetPeriod":"MONTHLY"|' s.jsonl
	fs-explain -f s.jsonl dana | tr -s ' \n' ' ' | grep -qF "since the last reset (PriorityUsageResetPeriod MONTHLY)."
}

@test "a sum just below a whole number says why its fraction is 1" {
	head='{"type":"snapshot","format":1,"time":1600000180,"cluster":"c","scheduler":"maui 3.5"}'
	snapshot '{"type":"config","QUEUETIMEWEIGHT":0,"XFACTORWEIGHT":100}' '{"type":"credential","kind":"user","name":"u"}' \
		'{"type":"job","id":1,"name":"1","state":"PENDING","user":"u","cpus":1,"tasks":1,"cpus_per_task":1,"time_limit_s":1200,"eligible_time":1600000000}'
	fs-explain -f s.jsonl 1 | tr -s ' \n' ' ' | grep -qF \
		"fraction dropped -1.000000 the sum is less than its printed decimals show PRIORITY 114"
}

@test "Maui pages show caps, windows, credentials and jobs that caps block" {
	local in=maui-3.5
	export FS_SNAPSHOT=$PWD/s.jsonl FS_USER=root
	tar -xJf "$cases/../maui/maui-3.5.tar.xz"
	says() { tr -s ' \n' ' ' <text | grep -qF "$1" || { echo "missing: $1"; cat text; return 1; }; }
	fs-snap import maui $in/19_caps_components/in --at 1600000060 -o s.jsonl
	fs-explain 101 >text
	says "RES/PROC 8 5 40.000000 processors RES/PROC/CAP -6 5 -30.000000 cut to its cap, 2 RES/CAP -2 1 -2.000000"
	says "sum 110.666667 fraction dropped -0.666667 PRIORITY 110"
	fs-snap import maui $in/06_caps_boundary/in --at 1600000060 -o s.jsonl
	fs-explain 302 >text
	says "User ov is capped at 1239 processor seconds: 1000 used, this job would add 240, 1240 in total."
	fs-explain user:ov >text
	absent -q "can start now" text
	sed -i 's/1239^/1000^/; s/=12.4%/=9.5%/' $in/06_caps_boundary/in/maui.cfg
	fs-snap import maui $in/06_caps_boundary/in --at 1600000060 -o s.jsonl
	fs-explain user:ov >text
	says "Its usage, 1000, has reached the cap of 1000: no job of user ov can start now."
	fs-explain user:req >text
	says "Its usage, 10 %, has reached the cap of 9.5 %: no job of user req can start now."
	fs-snap import maui $in/08_multicred_percent/in --at 1600000060 -o s.jsonl
	fs-explain 401 >text
	says "Factor -0.194444 from 1 - 47.777778 / 40 (FSPOLICY with a %)."
	says "2020-09-13 00:00:00 36000 0.75 27000.000 270000.000"
	fs-explain group:stud >text
	says "FSTARGET 15- is a ceiling"
	fs-explain ann >text
	head -1 text | grep -q "^The user ann"
	fs-explain qos:hi --json | python3 -c 'import json, sys; d = json.load(sys.stdin); assert d["credential"]["target"] == 20'
	run -0 fs-explain ann --versus bob
	[[ $output == *"Maui does not rank credentials"* ]]
	run -4 fs-explain ann --versus nosuch
	run -4 fs-explain class:nosuch
	fs-explain 401 >text
	absent -E "TRES|association|Slurm|artition|CPU" text
}

@test "levels decide between users in Fair Tree, factors in classic fair share" {
	fs-explain --demo fay --versus student01 | tr -s ' \n' ' ' >text
	grep -qF "FAIRSHARE differs at root: chemistry 1.74 against student01 37.10." text
	fs-explain --demo fay --versus student01 --algorithm classic | tr -s ' \n' ' ' >text
	grep -qF "no level decides: the factors are compared directly." text
	grep -qE "fay parent .* 0.587718 student01 .* 0.981491" text
	fs-explain --demo fay --versus student01 --algorithm flux_range | tr -s ' \n' ' ' >text
	grep -qE "chemistry .* 0.511893 0.672072 student01 .* 0.947988 0.981491" text
}

@test "a page does not show data hidden by PrivateData" {
	capture 22.05-s6-private
	local other
	FS_USER=alice run -0 fs-explain alice
	[[ $output == *"are not visible"* ]]
	other=$(FS_USER=root fs-prio -h -o '%i %u ' | tr -s ' ' | awk '$2 != "alice" { print $1; exit }')
	[ -n "$other" ]
	FS_USER=alice run -4 fs-explain "$other"
	FS_USER=root run -0 fs-explain "$other"
}

@test "control and markup characters in names are escaped in every format" {
	snapshot '{"type":"config","PriorityType":"priority/multifactor","PriorityWeightFairShare":1000}' \
		'{"type":"association","id":1,"account":"root","shares":1,"usage_tres_s":0}' \
		'{"type":"association","id":2,"account":"a\u001b[2J|*_x_*","parent":"root","shares":1,"usage_tres_s":0}' \
		'{"type":"association","id":3,"account":"a\u001b[2J|*_x_*","user":"u\u0007%n%s<b>","shares":1,"usage_tres_s":1}' \
		'{"type":"job","id":7,"state":"PENDING","eligible_time":900,"user":"u\u0007%n%s<b>","account":"a\u001b[2J|*_x_*","association":3,"partitions":["p\n"],"reason":"R\u009b1mX"}' \
		'{"type":"job","id":8,"state":"PENDING","eligible_time":900,"user":"u\u0007%n%s<b>","account":"a\u001b[2J|*_x_*","association":3,"partitions":["p\n"],"reason":"None"}'
	export FS_SNAPSHOT=s.jsonl FS_USER=root
	for form in "" --ahead --markdown "--versus 8" "--versus 8 --markdown"; do
		LC_ALL=C.UTF-8 fs-explain 7 $form >text
		LC_ALL=C absent -q $'[\001-\011\013-\037\177]' text
		grep -q 'u^G%n%s' text
	done
	fs-explain 7 --markdown | grep -qF 'a^\[\[2J\|\*\_x\_\*'
	fs-explain 7 --json | python3 -c 'import json, sys; json.load(sys.stdin)'
	run -0 fs-explain $'u\a%n%s<b>'
	run -4 --separate-stderr fs-explain $'x\033[2J'
	[[ $stderr != *$'\033'* ]]
}

@test "without multifactor priorities, pages still show positions and reasons" {
	snapshot '{"type":"config","PriorityType":"priority/basic"}' \
		'{"type":"job","id":7,"state":"PENDING","eligible_time":900,"user":"u","account":"a","partitions":["p"],"priority":50,"reason":"Priority"}' \
		'{"type":"job","id":8,"state":"PENDING","eligible_time":900,"user":"v","account":"a","partitions":["p"],"priority":60,"reason":"Resources"}'
	run -0 fs-explain --verbose -f s.jsonl --as root 7
	[[ $output == *"In p it is 2nd of 2"* ]]
	[[ $output == *"50, as recorded by the scheduler."* ]]
	[[ ${output//$'\n'/ } == *"one job is ahead of it, 8 of v (a), 10 points ahead."* ]]
	absent -E "administrator|age" <<<"$output"
	run -0 fs-explain -f s.jsonl --as root 7 --ahead
	[[ $output == *"  a       1  unknown    unknown  priority"* ]]
	run -4 --separate-stderr fs-explain -f s.jsonl --as root u
}

@test "--versus a started job shows when and by which rule it started" {
	fs-explain --demo 812154 --versus 812046 | tr -s ' \n' ' ' >text
	grep -q 'Job 812046 (gita) has been running since 05:10:18, before job 812154 was submitted (10:01:00)\.' text
	absent -q 'eligible' text
	fs-explain --demo 812046 --versus 812154 | tr -s ' \n' ' ' >text
	grep -q 'Job 812046 (gita) has been running since 05:10:18, before job 812154 was submitted (10:01:00)\.' text
	fs-explain --demo 812045 --versus 812046 | tr -s ' \n' ' ' >text
	grep -q 'Job 812045 (dana) has been running since 09:07:49\. Job 812046 (gita) has been running since 05:10:18\.' text
	for by in Main Backfill ''; do
		snapshot '{"type":"job","id":1,"state":"RUNNING","user":"ann","partitions":["p"],"submit_time":100,"start_time":900,"priority":70,"looked_at_by":"'"$by"'"}' \
			'{"type":"job","id":2,"state":"PENDING","user":"bob","partitions":["p"],"submit_time":200,"eligible_time":200,"priority":90}' \
			'{"type":"job","id":3,"state":"PENDING","user":"bob","partitions":["p"],"submit_time":200,"eligible_time":950,"priority":90}'
		fs-explain -f s.jsonl 2 --versus 1 | tr -s ' \n' ' ' >"by$by"
		fs-explain -f s.jsonl 3 --versus 1 | tr -s ' \n' ' ' >"later$by"
	done
	grep -q 'while job 2 waited\. It started in p, in the order of priorities (main scheduler)\. It started with priority 70; job 2 has 90 now\.' byMain
	grep -q 'while job 2 waited\. It started in p, by backfill, which may start jobs out of order\.' byBackfill
	grep -q 'It started in p, but it is not recorded whether by its priority or by backfill\.' by
	grep -q 'before job 3 was eligible' laterMain
}

@test "--versus a started job omits fair share and shows other causes" {
	fs-explain --demo 812154 --versus 812046 | tr -s ' \n' ' ' | absent 'FAIRSHARE' -
	snapshot '{"type":"partition","name":"p"}' '{"type":"partition","name":"q"}' \
		'{"type":"job","id":1,"state":"SUSPENDED","user":"ann","partitions":["q"],"submit_time":100,"start_time":900,"end_time":9000,"priority":0,"looked_at_by":"Main","node_list":"n1"}' \
		'{"type":"job","id":2,"state":"PENDING","user":"bob","partitions":["p"],"submit_time":200,"eligible_time":200,"priority":90,"reason":"Priority"}' \
		'{"type":"job","id":3,"state":"PENDING","user":"bob","partitions":["p","q"],"submit_time":200,"eligible_time":200,"priority":0,"reason":"JobHeldUser"}' \
		'{"type":"job","id":4,"state":"PENDING","user":"bob","partitions":["p"],"submit_time":900,"eligible_time":900,"priority":90,"reason":"Priority"}' \
		'{"type":"job","id":5,"state":"DEADLINE","user":"ann","partitions":["p"],"submit_time":100,"start_time":901,"end_time":901,"looked_at_by":"Backfill"}' \
		'{"type":"job","id":6,"state":"COMPLETED","user":"ann","partitions":["p"],"submit_time":100,"start_time":901,"end_time":901,"looked_at_by":"Backfill","node_list":"n1"}' \
		'{"type":"job","id":7,"state":"PENDING","user":"bob","partitions":["p"],"submit_time":200,"priority":90,"reason":"DependencyNeverSatisfied","dependency":"afterany:2(unfulfilled),afterok:6(failed)"}'
	for job in 2 3 4 7; do
		for with in 1 5 6; do fs-explain -f s.jsonl --as root $job --versus $with | tr -s ' \n' ' ' >$job-$with; done
	done
	grep -q 'Job 1 (ann), suspended now, started at 00:15:00, while job 2 waited\. It started in q, in the order of priorities (main scheduler)\. Job 2 asks for p\. *$' <(sed 's/Computed.*//' 2-1)
	absent -E 'asks for|eligible:' 2-6
	grep -q 'while job 3 waited\. .* Job 3 is not eligible: held by its owner\.' 3-1
	absent 'Job 3 asks for' 3-1
	grep -q 'started at 00:15:00, the second in which job 4 was submitted\.' 4-1
	for file in 2-5 4-5; do
		grep -q 'Job 5 (ann) never ran: it ended at 00:15:01 (DEADLINE)\.' $file
		absent -E 'waited|backfill|priority' $file
	done
	grep -q 'Job 6 (ann) ran from 00:15:01 to 00:15:01, while job 2 waited\. It started in p, by backfill' 2-6
	grep -q 'Job 7 is not eligible: it can never start: job 6 (ann, COMPLETED) can no longer end successfully\.' 7-1
	fs-explain -f s.jsonl --as root 3 --versus 7 | tr -s ' \n' ' ' >waiting
	grep -q 'They are not both eligible, so neither is ahead of the other\. Job 3 is not eligible: held by its owner\. Job 7 is not eligible: it can never start' waiting
}

@test "pages count lower-ranked users and never claim that decay alone helps" {
	local algorithm
	for algorithm in fair_tree classic depth_oblivious flux flux_exact flux_range; do
		fs-explain --demo dana --algorithm "$algorithm" | tr -s ' \n' ' ' >text
		grep -qE 'dana ranks above [0-9]+ of 27 users\. ' text
		fs-explain --demo dana --algorithm "$algorithm" --json | python3 -c 'import json, sys
f = json.load(sys.stdin)["associations"][0]["fairshare"]
assert f["better"] + f["tied"] + f["worse"] + 1 == f["users"] == 27, f
assert "ranks above %d of 27 users" % f["worse"] in open("text").read(), f
assert (f["rank"] is None) == (f["algorithm"] in ("classic", "depth_oblivious")), f'
		fs-explain --demo 812154 --algorithm "$algorithm" | tr -s ' \n' ' ' >text
		[ "$algorithm" = flux_range ] || grep -qE 'better than [0-9]+ of 27 users, see below' text
	done
	fs-explain --verbose --demo 812154 | tr -s ' \n' ' ' | grep -q '812154 passes 812168 only if emil uses more than dana from now on\. Decay alone does not help\.'
	fs-explain --verbose --demo 812154 --algorithm classic | tr -s ' \n' ' ' | grep -q '812154 passes 812168 only if emil uses more per share than dana from now on\.'
	fs-explain --demo 812254 --algorithm classic | tr -s ' \n' ' ' >text
	absent -E 'decays\. |or that of .* decays' text
}

@test "the page of a het job component names the other components" {
	for id in 70 71 72; do
		printf '{"type":"job","id":%d,"het_job_id":70,"het_offset":%d,"state":"PENDING","user":"ann","partitions":["p"],"reason":"Priority"}\n' \
			$id $((id - 70)) >>het
	done
	snapshot '{"type":"partition","name":"p"}' "$(cat het)"
	fs-explain --verbose -f s.jsonl 70 | tr -s ' \n' ' ' >text
	grep -q 'It starts together with 71 and 72, other components of het job 70\.' text
	fs-explain --verbose -f s.jsonl 71 | tr -s ' \n' ' ' | grep -q 'It starts together with 70 and 72,'
	fs-explain --demo 812154 | absent -q 'together' -
}

@test "a page names who may release a requeued held job" {
	local job='"type":"job","id":70,"user":"ann","partitions":["p"],"priority":0'

	snapshot '{"type":"partition","name":"p"}' "{$job,\"state\":\"PENDING\",\"reason\":\"job_requeued_in_held_state\"}"
	fs-explain --verbose -f s.jsonl 70 | tr -s ' \n' ' ' | grep -q 'requeued in held state (not recorded by whom); its owner or an administrator must release it\.'
	snapshot '{"type":"partition","name":"p"}' "{$job,\"state\":\"SPECIAL_EXIT\",\"reason\":\"JobHeldAdmin\"}"
	fs-explain --verbose -f s.jsonl 70 | tr -s ' \n' ' ' >text
	grep -q 'held by an administrator' text
	grep -q 'an operator releases the job' text
	absent -q 'its owner' text
}

@test "all components of a het job have one planned start" {
	snapshot '{"type":"node","name":"n1","state":"IDLE","cpus":8}' '{"type":"node","name":"n2","state":"IDLE","cpus":8}' \
		'{"type":"partition","name":"p","state":"UP","nodes":"n[1-2]"}' \
		'{"type":"job","id":9,"state":"RUNNING","user":"ann","partitions":["p"],"node_list":"n1","cpus":8,"tres_alloc":{"cpu":8},"end_time":4600}' \
		'{"type":"job","id":70,"het_job_id":70,"state":"PENDING","user":"ann","partitions":["p"],"priority":5,"eligible_time":100,"cpus":8,"time_limit_s":600,"req_nodes":"n1","start_time":4600,"reason":"Resources"}' \
		'{"type":"job","id":71,"het_job_id":70,"state":"PENDING","user":"ann","partitions":["p"],"priority":9,"eligible_time":100,"cpus":8,"time_limit_s":600,"req_nodes":"n2","start_time":2200,"reason":"Resources"}'
	fs-showq -f s.jsonl --plan --json >plan.json
	run -0 python3 -c 'import json
rows = [r for r in json.load(open("plan.json"))["rows"] if r.get("plan")]
print(sorted([r["jobid"]] + [r["plan"][k] for k in ("start_time", "shown_start_time", "blocked_by")] for r in rows))'
	[ "$output" = "[[70, 4600, None, None], [71, 4600, 1000, 70]]" ]
	fs-showq -f s.jsonl --plan | grep -q '^71 .*a component of its het job; planned after 70; squeue shows the start 1970-01-01T00:16:40'
	fs-showq -f s.jsonl --start 71 | grep -q '^recorded .*; all components wait for component 70, expected 1970-01-01T01:16:40'
	fs-showq -f s.jsonl --start 71 | grep -q '^plan with backfill 1970-01-01T01:16:40'
	fs-showq -f s.jsonl --start 71 | grep '^plan by priority 1970-01-01T01:16:40' | absent -q 'squeue' -
	fs-showq -f s.jsonl --start 70 | absent -q 'component' -
	fs-explain --verbose -f s.jsonl 71 | tr -s ' \n' ' ' | grep -q 'The estimate for component 70 is .*; no component starts earlier\.'
	fs-explain -f s.jsonl 70 | absent -q 'no component starts earlier' -
}

@test "an array at its own limit shows that limit as the cause" {
	snapshot '{"type":"partition","name":"p","state":"UP","nodes":"n"}' '{"type":"node","name":"n","state":"MIXED","cpus":4,"alloc_cpus":1}' \
		'{"type":"job","id":117,"state":"RUNNING","array_job_id":116,"array_task_id":3,"user":"u","partitions":["p"],"start_time":900,"end_time":1100,"node_list":"n","cpus":1,"tres_alloc":{"cpu":1,"node":1}}' \
		'{"type":"job","id":116,"state":"PENDING","array_job_id":116,"array_tasks":"4-6%1","user":"u","partitions":["p"],"priority":7,"nodes":1,"cpus":1,"time_limit_s":60,"reason":"JobArrayTaskLimit"}'
	fs-explain -f s.jsonl --as u 116 --brief | tr -s ' \n' ' ' >out
	grep -qF "he array's own limit (%1) is reached: 1 task is running. Without the array's limit: now. When Not before a task of the array ends" out
	grep -qF 'scontrol update job 116 ArrayTaskThrottle=0 Planned start 1970-01-01 00:16:40' out
	absent -q 'begin time' out
	fs-explain -f s.jsonl --as u 116 --json | grep -q '"verdict":"array_limit","verdict_cause":"array"'
	fs-showq -f s.jsonl --as u --json | grep -q '"verdict":"array_limit"'
}

@test "a job of an unknown scheduler has a page" {
	printf '%s\n' '{"type":"snapshot","format":1,"time":1000,"cluster":"c","scheduler":"pbs 1"}' \
		'{"type":"job","id":7,"state":"PENDING","user":"ann","cpus":1}' >s.jsonl
	run -0 fs-explain -f s.jsonl --as ann 7
	[[ ${lines[0]} == "Job 7"* ]]
	run -0 fs-explain -f s.jsonl --as ann 7 --json
}

@test "recorded shares are printed" {
	recorded() { # ASSOCIATION FIELDS
		printf '{"type":"recorded","association":%d,"norm_shares":0.5,"raw_usage":0,"norm_usage":%s,"effective_usage":%s,"factor":1%s}\n' "$@"
	}
	head='{"type":"snapshot","format":1,"time":1700000030,"priority_time":1700000000,"cluster":"c","scheduler":"slurm 25.05.0"}'
	# the recorded usage of u has more than six decimals; v ran a job after the last calculation
	snapshot '{"type":"config","PriorityType":"priority/multifactor"}' '{"type":"association","id":1,"account":"root","shares":1,"usage_tres_s":1000}' \
		'{"type":"association","id":2,"account":"a","parent":"root","shares":1,"usage_tres_s":1000}' \
		'{"type":"association","id":3,"account":"a","user":"u","shares":1,"usage_tres_s":2.7074}' \
		'{"type":"association","id":4,"account":"a","user":"v","shares":1,"usage_tres_s":5}' \
		"$(recorded 3 0.00270755 0.00270755 ',"level_fs":184.66880')" "$(recorded 4 0 0 '')"
	run -0 fs-share -f s.jsonl --as root -a -l -P -h
	[[ $output == *'|u|1|0.500000|0|0.002708|0.002708|1.000000|184.668800|'*'|v|1|0.500000|0|0.000000|0.000000|1.000000|inf|'* ]]
}

@test "recorded priorities are printed, and an unexplained term makes the sum add up" {
	head='{"type":"snapshot","format":1,"time":1700000030,"priority_time":1700000000,"cluster":"c","scheduler":"slurm 24.05.0"}'
	snapshot '{"type":"config","PriorityType":"priority/multifactor","PriorityWeightAge":1000,"PriorityMaxAge":100000,"PriorityWeightQOS":100}' \
		'{"type":"qos","name":"q","priority":1}' '{"type":"partition","name":"p","state":"UP","tier":1,"nodes":"n"}' \
		'{"type":"job","id":9,"state":"PENDING","user":"u","submit_time":5,"eligible_time":1699999000,"accrue_time":1699990000,"partitions":["p"],"qos":["q"],"priority":207,"nodes":1,"cpus":1}' \
		'{"type":"recorded","job":9,"partition":"p","priority":207,"age":107,"qos_points":100,"norm_age":0.1070000,"norm_qos":1,"norm_priority":0.00000004820000}'
	run -0 fs-prio -f s.jsonl --as root -h -o '%i %Y %A %Q %a %y'
	[ "$output" = '9 207 107 100 0.1070000 0.00000004820000' ]
	run -0 fs-explain -f s.jsonl --as root 9
	[[ $output == *'unexplained'*'+7'*'PRIORITY'*' 207'* ]]
	[[ $(tr -s ' \n' ' ' <<<"$output") == *'AGE 107 recorded, 100 computed. Possible reason: the job was updated after the last priority calculation.'* ]]
	fs-explain -f s.jsonl --as root 9 --json >doc
	fs-prio -f s.jsonl --as root --json >rows
	python3 - <<-'PY'
	import json
	s, r = json.load(open("doc"))["sums"][0], json.load(open("rows"))["rows"][0]
	assert s["total"] == s["recorded"] == r["priority"] == 207, (s, r)
	assert s["terms"] == r["terms"] and s["terms"][-1]["factor"] == "unexplained" and s["terms"][-1]["points"] == 7
	assert int(sum(t["points"] for t in s["terms"])) == 207
	PY
	# a command gives another state, in which all values are computed
	run -0 fs-prio -f s.jsonl --as root -h -o '%i %Y %A %y' --if PriorityWeightQOS=200
	[ "$output" = '9 300 100 0.00000006984919' ]
	sed 's/"time":1700000030/"time":1700000090/; s/"priority":207/"priority":209/' s.jsonl >later.jsonl
	run -0 fs-diff s.jsonl later.jsonl --as root
	[[ $output == *'9      p          u     207 -> 209      +2 '*'UNEXPLAINED +2.000'* ]]
	run -0 fs-diff -f s.jsonl --as root --if PriorityWeightQOS=200
	[[ $output == *'9      p          u     200 -> 300    +100 '*'QOS +100.000'* ]]
}
