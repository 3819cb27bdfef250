#!/usr/bin/env bats
# fs-snap import text and fs-explain --text: a paste is understood, what it lacks is unknown, what is odd in it is told.

load lib

paste() {
	cat >paste.txt <<-'EOF'
	Hello, my job does not start.

	> [dana@login1 ~]$ squeue -l
	> Fri Nov 20 21:06:49 2026
	>              JOBID PARTITION     NAME     USER    STATE       TIME TIME_LIMI  NODES NODELIST(REASON)
	>                 12 long,gpu_     wrap     dana  PENDING       0:00   1:00:00      1 (Priority)
	>             13_[1-]    long     wrap      bob  PENDING       0:00     30:00      2 (Resources)
	>
	> [dana@login1 ~]$ sprio -l
	EOF
	printf '> \033[1m          JOBID PARTITION     USER   PRIORITY        AGE  FAIRSHARE\033[0m\r\n' >>paste.txt
	printf '>              12 long          dana       1500        500       1000\r\n> \r\nThanks, Dana\n' >>paste.txt
}

@test "text: pieces are found, and told with their lines" {
	paste
	run --separate-stderr fs-snap import text paste.txt -o made.jsonl
	[ "$status" -eq 0 ]
	[[ $stderr == *"squeue: 2 taken"* ]]
	[[ $stderr == *"sprio: 1 taken"* ]]
	[[ $stderr == *'ask for `scontrol show config`'* ]]
	grep -q '"type":"job","id":12,.*"time_limit_s":3600,.*"user":"dana"' made.jsonl
	grep -q '"type":"job","id":13,.*"time_limit_s":1800,' made.jsonl
}

@test "text: of a partition that the column cut, those of sprio's rows are taken" {
	paste
	fs-snap import text paste.txt -o made.jsonl 2>/dev/null
	grep '"type":"job","id":12,' made.jsonl | grep -q '"partitions":\["long"\]'
}

@test "text: what a job lacks is not written, and every type counts as hidden" {
	paste
	fs-snap import text paste.txt -o made.jsonl 2>/dev/null
	run grep -c '"nice"\|"qos":\|"account"' <(grep '"type":"job"' made.jsonl)
	[ "$output" = 0 ]
	head -1 made.jsonl | grep -q '"hidden":\[.*"association".*"job".*"job fields"'
}

@test "text: fs-explain --text says the same as from the snapshot" {
	paste
	fs-snap import text paste.txt -o made.jsonl 2>/dev/null
	fs-explain --text=paste.txt 12 2>/dev/null >a
	fs-explain -f made.jsonl 12 2>/dev/null >b
	[ -s a ]
	diff <(sed '/^Computed from/,$d' a) <(sed '/^Computed from/,$d' b)
}

@test "text: pieces of different times and clusters are told" {
	printf 'Fri Nov 20 21:06:49 2026\nCLUSTER: one\n%s\n' 'JOBID PARTITION USER ST NODES' >two.txt
	printf '%s\n' '12 long dana PD 1' 'Fri Nov 20 23:06:49 2026' 'CLUSTER: two' 'JOBID PARTITION USER ST NODES' '12 long dana R 1' >>two.txt
	run fs-snap import text two.txt
	[[ $output == *"different times, 120 minutes apart"* ]]
	[[ $output == *"different clusters, one and two"* ]]
	[[ $output == *'job 12: ST is "PENDING" and "RUNNING": the first is taken'* ]]
}

@test "text: nothing known in it, no time in it, and wrong use" {
	echo 'Good morning' >none.txt
	run fs-snap import text none.txt
	[ "$status" -eq 1 ]
	[[ $output == *"no output of a command in it that is known"* ]]
	printf 'JOBID PARTITION USER ST NODES\n12 long dana PD 1\n' >notime.txt
	run fs-snap import text notime.txt
	[ "$status" -eq 1 ]
	[[ $output == *"--at does"* ]]
	fs-snap import text notime.txt --at 1700000000 -o x.jsonl 2>/dev/null
	touch -d @1700000000 notime.txt
	run --separate-stderr fs-explain --text=notime.txt 12 --as root
	[ "$status" -eq 0 ]
	[[ $stderr == *"nothing in it tells the time: that of the file is taken"* ]]
	[[ $output == *"captured 2023-11-14 22:13:20"* ]]
	run fs-explain --text=notime.txt -f x.jsonl 12
	[ "$status" -eq 2 ]
}

@test "text: of a job alone with reason Priority the place is not known" {
	printf '%s\n' 'Fri Nov 20 21:06:49 2026' 'JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)' >alone.txt
	cp alone.txt resources.txt
	printf '%s\n' '1001 gpu train dana PD 0:00 1 (Priority)' >>alone.txt
	printf '%s\n' '1001 gpu train dana PD 0:00 1 (Resources)' >>resources.txt
	for file in alone resources; do
		run --separate-stderr fs-explain --text=$file.txt 1001
		output=$(tr -s ' \n' ' ' <<<"$output")
		[[ $output == *"Its place in gpu is not known; the reason shown is Priority. When"* || $output == *"shown is Resources. When"* ]]
		[[ $output == *"Unknown: others may stand before it that are not in the snapshot."* ]]
		[[ $output != *irst\ in* && $output != *Nobody* ]]
		run --separate-stderr fs-explain --text=$file.txt 1001 --verbose
		output=$(tr -s ' \n' ' ' <<<"$output")
		[[ $output == *"Who stands before it is not known"* && $output != *first* && $output != *"before all"* && $output != *"nothing stands"* ]]
		run --separate-stderr fs-explain --text=$file.txt 1001 --json
		[[ $output == *'"verdict":"waits","verdict_cause":"jobs"'* && $output == *'"position":null'* ]]
	done
}

@test "text: of jobs without priorities none is called before another" {
	printf '%s\n' 'Fri Nov 20 21:06:49 2026' 'JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)' \
		'1001 gpu train dana PD 0:00 1 (Priority)' '1002 gpu train bob PD 0:00 1 (Priority)' >two.txt
	run --separate-stderr fs-explain --text=two.txt 1002
	[[ $output == *"Unknown: not all priorities in its line are known."* && $output != *ehind* ]]
	run --separate-stderr fs-explain --text=two.txt 1002 --versus 1001
	[[ $output == *"Which goes first is not known"* ]]
	run --separate-stderr fs-explain --text=two.txt 1002 --ahead
	[[ $output == *"Who is ahead of 1002 is not known"* ]]
	printf '%s\n' 'JOBID PARTITION USER PRIORITY SITE AGE' '1001 gpu dana 1500 0 1500' '1002 gpu bob 1400 0 1400' >>two.txt
	run --separate-stderr fs-explain --text=two.txt 1002
	[[ $output == *"Behind 1 job in gpu"* && $output == *"1001 of dana, by 100 points"* ]]
}

@test "text: points that sprio printed are shown without weights" {
	printf '%s\n' 'Fri Nov 20 21:06:49 2026' 'JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)' \
		'1001 gpu train dana PD 0:00 1 (Priority)' 'JOBID PARTITION USER PRIORITY SITE AGE FAIRSHARE QOS' \
		'1001 gpu dana 1501 0 500 1000 0' >points.txt
	run --separate-stderr fs-explain --text=points.txt 1001
	[[ $output =~ AGE\ +500 && $output =~ FAIRSHARE\ +1000 && $output =~ sum\ +1500 && $output =~ PRIORITY\ +1501 ]]
	[[ $output =~ 'fractions, and what was not printed'\ +1 ]]
	[[ $output != *"Unknown: the snapshot neither"* ]]
	run --separate-stderr fs-explain --text=points.txt 1001 --json
	[[ $output == *'{"factor":"fairshare","value":null,"weight":null,"points":1000,"recorded":true}'* ]]
}
