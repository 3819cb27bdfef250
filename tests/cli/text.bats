#!/usr/bin/env bats
# fs-snap import text and fs-explain --text read pasted output. Missing values are unknown, and oddities are reported.

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

@test "import text finds each command's output and counts its rows" {
	paste
	run --separate-stderr fs-snap import text paste.txt -o made.jsonl
	[ "$status" -eq 0 ]
	[[ $stderr == *"squeue: 2 records imported"* ]]
	[[ $stderr == *"sprio: 1 record imported"* ]]
	[[ $stderr == *'the text lacks the output of `scontrol show config`'* ]]
	grep -q '"type":"job","id":12,.*"time_limit_s":3600,.*"user":"dana"' made.jsonl
	grep -q '"type":"job","id":13,.*"time_limit_s":1800,' made.jsonl
}

@test "sprio's rows complete a partition name that squeue cut" {
	paste
	fs-snap import text paste.txt -o made.jsonl 2>/dev/null
	grep '"type":"job","id":12,' made.jsonl | grep -q '"partitions":\["long"\]'
}

# import_lines LINE...: imports a paste with the lines to made.jsonl; messages are in $stderr.
import_lines() {
	printf '%s\n' "$@" >lines.txt
	run --separate-stderr fs-snap import text lines.txt --at 1700000000 -o made.jsonl
}

@test "sinfo's partition names are whole, and a star marks the default" {
	import_lines 'PARTITION         AVAIL  TIMELIMIT  NODES  STATE NODELIST' \
		'a100*                up   infinite      5   mix- gpu-n[46-50]' \
		'a100_multi           up   infinite      5   mix- gpu-n[46-50]' \
		'high-mem             up   infinite      2   idle gpu-n[1-2]' \
		'a100_nvlink_multi    up   infinite      2   mix- gpu-n[28-29]'
	[[ $stderr == *"lines 1-5: sinfo: 4 records imported"$'\n'* ]]
	[ "$(grep -o '"type":"partition","name":"[^"]*"\|"is_default":true' made.jsonl | tr -d '\n')" = \
		'"type":"partition","name":"a100""is_default":true"type":"partition","name":"a100_multi""type":"partition","name":"high-mem""type":"partition","name":"a100_nvlink_multi"' ]
	import_lines 'PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST' \
		'compute*     up   infinite      3  drain compute[001-003]'
	[ "$status" -eq 0 ]
	grep -q '"type":"partition","name":"compute",.*"is_default":true' made.jsonl
}

@test "sinfo's partition names complete names that squeue cut" {
	import_lines 'PARTITION         AVAIL  TIMELIMIT  NODES  STATE NODELIST' \
		'a100_nvlink_multi*   up   infinite      2   mix- gpu-n[28-29]' \
		'             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)' \
		'                12 a100_nvli     wrap     dana PD       0:00      1 (Priority)'
	grep -q '"type":"job","id":12,.*"partitions":\["a100_nvlink_multi"\]' made.jsonl
}

@test "names that sshare cut are completed, or end with +" {
	import_lines 'Account                    User  RawShares  NormShares    RawUsage  EffectvUsage  FairShare' \
		'proj12009                               1    0.000469     1625495      0.000021           ' \
		' proj12009              mihael          1    0.500000     1625495      1.000000   0.228625' \
		'ab                               1    0.000469     1625495      0.000021           '
	[[ $stderr == *"sshare: 3 records imported"* ]]
	grep -q '"type":"association",.*"account":"proj12009","user":"mihael"' made.jsonl
	import_lines 'Account                    User  RawShares  NormShares    RawUsage  EffectvUsage  FairShare' \
		'proj12009                               1    0.000469     1625495      0.000021           ' \
		' proj12009          bartholom+          1    0.500000     1625495      1.000000   0.228625'
	[[ $stderr == *"sshare: 2 records imported"* ]]
	grep -q '"account":"proj12009","user":"bartholom+"' made.jsonl
}

@test "names that squeue and sprio may have cut end with + and are reported" {
	import_lines '             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)' \
		'                12 computebi     wrap     dana PD       0:00      1 (Priority)' \
		'                13     short     wrap bartholo PD       0:00      1 (Priority)' \
		'                14 computebi     wrap bartholo PD       0:00      1 (Priority)' \
		'              15_1     short     wrap     dana PD       0:00      1 (Priority)' \
		'          JOBID PARTITION   PRIORITY        AGE  FAIRSHARE' \
		'             12 computebi       1500        500       1000' \
		'             13 short           1500        500       1000'
	[[ $stderr == *"squeue: 3 records imported, 1 line or row not read (lines.txt:5)"* ]]
	[[ $stderr == *"sprio: 2 records imported"* ]]
	[[ $stderr == *"lines 2 and 4: PARTITION: the name may be truncated"* ]]
	[[ $stderr == *"lines 3 and 4: USER: the name may be truncated"* ]]
	[[ $stderr == *"line 5: squeue: array tasks or het job components without a job id are left out"* ]]
	grep -q '"id":12,.*"user":"dana",.*"partitions":\["computebi+"\]' made.jsonl
	grep -q '"id":13,.*"user":"bartholo+"' made.jsonl
}

@test "a damaged node list of sinfo costs only its nodes" {
	import_lines 'PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST' 'gpu          up   infinite      5    mix n[46-' \
		'cpu          up   infinite      2   idle n[1-2]'
	[ "$status" -eq 0 ]
	[[ $(grep -c '"type":"partition"' made.jsonl) = 2 && $(grep -c '"type":"node"' made.jsonl) = 2 ]]
}

@test "rows of sprio without partition are left out and reported" {
	import_lines '          JOBID   PRIORITY        AGE  FAIRSHARE' '             12       1500        500       1000'
	[[ $stderr == *"line 2: sprio: rows whose partition name is missing or truncated are left out"* ]]
}

@test "records are divided at their keys, and redacted values are unknown" {
	import_lines 'JobId=12 JobName=train' 'UserId=xxxx(1001) GroupId=<group>' '...' 'JobState=PENDING Reason=Priority' \
		'' 'Account=chem QOS=normal Partition=gpu' 'Best regards, Dana'
	grep -q '"id":12,"state":"PENDING","name":"train","account":"chem","partitions":\["gpu"\],"qos":\["normal"\],"reason":"Priority"}' made.jsonl
}

@test "collapsed, shifted, wrapped and HTML tables are read by their words" {
	import_lines '<pre>JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)' '12 gpu&nbsp;train dana PD 0:00 1' \
		'(ReqNodeNotAvail, UnavailableNodes:n1)' '   13 gpu train dana R 1:00 1 n2</pre><p>Thanks!</p>'
	grep -q '"id":12,.*"reason":"ReqNodeNotAvail,_UnavailableNodes:n1"' made.jsonl
	grep -q '"id":13,.*"node_list":"n2"' made.jsonl
	[[ $(grep -c '"type":"job"' made.jsonl) = 2 ]]
}

@test "tables without heading are read by the format of their command line" {
	import_lines '$ squeue -h -o "%i|%u|%T|%r"' '12|dana|PENDING|Priority'
	grep -q '"id":12,"state":"PENDING","user":"dana","reason":"Priority"' made.jsonl
}

@test "squeue --json, sinfo -Nl, sprio -w and single settings are read" {
	import_lines '{ "jobs": [ { "job_id": 12, "job_state": ["PENDING"], "state_reason": "Priority", "user_name": "dana",' \
		'"priority": { "set": true, "infinite": false, "number": 1234 } } ] }'
	grep -q '"id":12,"state":"PENDING","user":"dana","reason":"Priority","priority":1234' made.jsonl
	import_lines 'NODELIST   NODES PARTITION       STATE CPUS    S:C:T MEMORY TMP_DISK WEIGHT AVAIL_FE REASON' \
		'n001           1    batch*     drained 64     2:32:1 256000        0      1   (null) Kill task failed'
	grep -q '"name":"n001","state":"IDLE+DRAIN","cpus":64,"mem_mb":256000,.*"reason":"Kill task failed"' made.jsonl
	import_lines '          JOBID PARTITION   PRIORITY        AGE  FAIRSHARE' \
		'        Weights                            5000     100000'
	grep -q '"type":"config".*"PriorityWeightAge":5000,"PriorityWeightFairShare":100000' made.jsonl
	import_lines '$ scontrol show config | grep ^PriorityW' 'PriorityWeightAge       = 0'
	grep -q '"type":"config".*"PriorityWeightAge":0' made.jsonl
}

@test "a pasted snapshot has no invented fields and hides every type" {
	paste
	fs-snap import text paste.txt -o made.jsonl 2>/dev/null
	run grep -c '"nice"\|"qos":\|"account"' <(grep '"type":"job"' made.jsonl)
	[ "$output" = 0 ]
	head -1 made.jsonl | grep -q '"hidden":\[.*"association".*"job".*"job fields"'
}

@test "fs-explain --text prints the page of the imported snapshot" {
	paste
	fs-snap import text paste.txt -o made.jsonl 2>/dev/null
	fs-explain --text=paste.txt 12 2>/dev/null >a
	fs-explain -f made.jsonl 12 2>/dev/null >b
	[ "$(head -1 a)" = "Read from the text: 2 jobs, no configuration: priorities cannot be recomputed." ]
	diff <(sed '1,/^$/d;/^Computed from/,$d' a) <(sed '/^Computed from/,$d' b)
}

@test "import text warns of outputs of different times and clusters" {
	printf 'Fri Nov 20 21:06:49 2026\nCLUSTER: one\n%s\n' 'JOBID PARTITION USER ST NODES' >two.txt
	printf '%s\n' '12 long dana PD 1' 'Fri Nov 20 23:06:49 2026' 'CLUSTER: two' 'JOBID PARTITION USER ST NODES' '12 long dana R 1' >>two.txt
	run fs-snap import text two.txt
	[[ $output == *"the time is 120 minutes from the time of an earlier output"* ]]
	[[ $output == *"different clusters, one and two"* ]]
	[[ $output == *'job 12: ST is "PENDING" and "RUNNING": the import uses the last'* ]]
}

@test "import text refuses a paste without known output, and uses the time of a file without times" {
	echo 'Good morning' >none.txt
	run fs-snap import text none.txt
	[ "$status" -eq 1 ]
	[[ $output == *"no output of a supported command"* ]]
	printf 'JOBID PARTITION USER ST NODES\n12 long dana PD 1\n' >notime.txt
	fs-snap import text notime.txt --at 1700000000 -o x.jsonl 2>/dev/null
	touch -d @1700000000 notime.txt
	run --separate-stderr fs-explain --text=notime.txt 12 --as root
	[ "$status" -eq 0 ]
	[[ $stderr == *"the capture time is unknown: the import uses the file's modification time"* ]]
	[[ $output == *"captured 2023-11-14 22:13:20"* ]]
	run fs-explain --text=notime.txt -f x.jsonl 12
	[ "$status" -eq 2 ]
}

@test "the place of a single pasted job is unknown" {
	printf '%s\n' 'Fri Nov 20 21:06:49 2026' 'JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)' >alone.txt
	cp alone.txt resources.txt
	printf '%s\n' '1001 gpu train dana PD 0:00 1 (Priority)' >>alone.txt
	printf '%s\n' '1001 gpu train dana PD 0:00 1 (Resources)' >>resources.txt
	for file in alone resources; do
		run --separate-stderr fs-explain --text=$file.txt 1001
		output=$(tr -s ' \n' ' ' <<<"$output")
		[[ $output == *"Its place in gpu is not known; the recorded reason is Priority"* || $output == *"the recorded reason is Resources"* ]]
		[[ $output == *"Unknown: jobs missing from the snapshot may be ahead of it."* ]]
		[[ $output != *irst\ in* && $output != *Nobody* ]]
		run --separate-stderr fs-explain --text=$file.txt 1001 --verbose
		output=$(tr -s ' \n' ' ' <<<"$output")
		[[ $output == *"The jobs ahead of it are not known"* && $output != *first* && $output != *"before all"* && $output != *"no job is ahead"* ]]
		run --separate-stderr fs-explain --text=$file.txt 1001 --json
		[[ $output == *'"verdict":"waits","verdict_cause":"jobs"'* && $output == *'"position":null'* ]]
	done
}

@test "pasted jobs without priorities have no known order" {
	printf '%s\n' 'Fri Nov 20 21:06:49 2026' 'JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)' \
		'1001 gpu train dana PD 0:00 1 (Priority)' '1002 gpu train bob PD 0:00 1 (Priority)' >two.txt
	run --separate-stderr fs-explain --text=two.txt 1002
	[[ $output == *"Unknown: not all priorities in its queue are known."* && $output != *ehind* ]]
	run --separate-stderr fs-explain --text=two.txt 1002 --versus 1001
	[[ $output == *"Their order is not known"* ]]
	run --separate-stderr fs-explain --text=two.txt 1002 --ahead
	[[ $output == *"The jobs ahead of 1002 are not known"* ]]
	printf '%s\n' 'JOBID PARTITION USER PRIORITY SITE AGE' '1001 gpu dana 1500 0 1500' '1002 gpu bob 1400 0 1400' >>two.txt
	run --separate-stderr fs-explain --text=two.txt 1002
	[[ $output == *"ehind at least 1 job in gpu"* && $output == *"1001 of dana, by 100 points"* ]]
}

@test "points that sprio printed are shown without weights" {
	printf '%s\n' 'Fri Nov 20 21:06:49 2026' 'JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)' \
		'1001 gpu train dana PD 0:00 1 (Priority)' 'JOBID PARTITION USER PRIORITY SITE AGE FAIRSHARE QOS' \
		'1001 gpu dana 1501 0 500 1000 0' >points.txt
	run --separate-stderr fs-explain --text=points.txt 1001
	[[ $output =~ AGE\ +500 && $output =~ FAIRSHARE\ +1000 && $output =~ sum\ +1500 && $output =~ PRIORITY\ +1501 ]]
	[[ $output =~ 'fractions and terms not printed'\ +1 ]]
	[[ $output != *"Unknown: the snapshot contains neither"* ]]
	run --separate-stderr fs-explain --text=points.txt 1001 --json
	[[ $output == *'{"factor":"fairshare","value":null,"weight":null,"points":1000,"recorded":true}'* ]]
}

flux_paste() {
	cat >flux.txt <<-'EOF'
	Hi, ƒ2otoZoyR waits and waits.

	[ana@lab ~]$ date
	Sat Nov 21 19:51:19 UTC 2026
	[ana@lab ~]$ flux jobs
	       JOBID QUEUE    USER     NAME       ST NTASKS NNODES     TIME INFO
	   ƒ2qJuW391 debug    ana      w           S      8      1       5m eta:44.78m
	   ƒ2otoZoyR batch    ana      w           S      8      1     1.5h eta:39.78m
	   ƒ2oydmUEb standby  ana      w           S      8      1       5m priority-hold
	   ƒ2qnLGkX1 batch    ana      dep         D      8      1        - depends:after-success=3915147902976
	[ana@lab ~]$ flux account jobs ana
	JOBID          USER     BANK    BANKPRIO  BANKFACT  QUEUE   QPRIO  QFACT  FAIRSHARE FSFACTOR  URGENCY URGFACT PRIORITY
	ƒ2qJuW391      ana      astro   -3.0      700       debug   5      10000  0.333333  100000    16      1000    81233
	ƒ2otoZoyR      ana      astro   -3.0      700       batch   0      10000  0.333333  100000    18      1000    33233
	EOF
}

@test "pasted Flux priorities are explained term by term" {
	flux_paste
	run --separate-stderr fs-snap import text flux.txt -o flux.jsonl
	[ "$status" -eq 0 ]
	[[ $stderr == *"flux jobs: 4 records imported"* && $stderr == *"flux account jobs: 2 records imported"* ]]
	[[ $stderr == *'the text lacks the output of `flux account view-bank root -t`'* && $stderr != *sshare* ]]
	grep -q '"time_limit_s":5400,' flux.jsonl
	run --separate-stderr fs-explain --text=flux.txt ƒ2otoZoyR
	[ "$status" -eq 0 ]
	[[ $output =~ FAIRSHARE\ +0.3333330\ +100000\ +33333.300000 && $output =~ URGENCY\ +2\ +1000\ +2000.000000 ]]
	[[ $output =~ BANK\ +-3\ +700\ +-2100.000000 && $output =~ PRIORITY\ +33233 ]]
	run --separate-stderr fs-prio -f flux.jsonl --json
	[[ $output == *'"priority":33233,"sum":33233.'* && $output == *'"sum":null'* ]]
}

@test "a dash under TIME means unlimited only beside another job's limit" {
	import_lines '       JOBID QUEUE    USER     NAME       ST NTASKS NNODES     TIME INFO' \
		'   ƒhaEZ22s debug    amy      w           S      4      1        - priority-wait'
	[[ $stderr == *"flux jobs: 1 record imported"* ]]
	run grep -c time_limit made.jsonl
	[ "$output" = 0 ]
	import_lines '       JOBID QUEUE    USER     NAME       ST NTASKS NNODES     TIME INFO' \
		'   ƒ2otoZoyR debug    amy      w           S      4      1        - priority-wait' \
		'   ƒ2qJuW391 debug    ana      w           S      8      1       5m eta:44.78m'
	grep -q '"time_limit_s":"unlimited",.*"user":"amy"' made.jsonl
	grep -q '"time_limit_s":300,.*"user":"ana"' made.jsonl
}

@test "truncated Flux JSON and tables are read up to the cut" {
	printf '%s\n' '$ flux jobs -A --json' '{"jobs": [{"t_submit": 1795318278.1, "duration": 300.0, "queue": "batch", "bank": "hep",' \
		'"ntasks": 8, "priority": 50000, "id": 4037537693696, "state": "SCHED", "username": "leo", "urgency": 16},' \
		'{"t_submit": 1795318279.5, "priority": 70' '$ flux account list-factors' 'factor    | wei' '----------+----' 'fairshare | 100' >cut.txt
	run --separate-stderr fs-snap import text cut.txt -o cut.jsonl
	[ "$status" -eq 0 ]
	[[ $stderr == *"JSON is truncated"* && $stderr == *"newest time in the text"* ]]
	[ "$(grep -c '"type":"job"' cut.jsonl)" = 1 ]
	run grep -c weight_ cut.jsonl
	[ "$output" = 0 ]
	run --separate-stderr fs-prio -f cut.jsonl --json
	[[ $output == *'"priority":50000,"sum":null,'* && $output == *'"factor":"queue","value":null,"weight":null,"points":null'* ]]
}

@test "outputs of a second scheduler are left out and reported" {
	flux_paste
	printf '%s\n' '$ squeue' 'JOBID PARTITION USER ST NODES' '12 long dana PD 1' >>flux.txt
	run --separate-stderr fs-snap import text flux.txt -o both.jsonl
	[ "$status" -eq 0 ]
	[[ $stderr == *"the output of squeue (Slurm) is left out, because most of the text is from Flux"* ]]
}

maui_paste() {
	cat >maui.txt <<-'EOF'
	$ showq
	ACTIVE JOBS--------------------
	JOBNAME            USERNAME      STATE  PROC   REMAINING            STARTTIME

	39                      eve    Running     1    00:21:00  Sun Sep 13 13:02:40

	     1 Active Job       32 of   32 Processors Active (100.00%)

	IDLE JOBS----------------------
	JOBNAME            USERNAME      STATE  PROC     WCLIMIT            QUEUETIME

	37                      eve       Idle     2     3:00:00  Sun Sep 13 12:40:40
	12                      cyd       Idle     4     1:30:00  Sun Sep 13 12:26:40

	2 Idle Jobs
	$ diagnose -p
	diagnosing job priority information (partition: ALL)

	Job                    PRIORITY*   Cred(  QOS)  Serv(QTime:XFctr)   Res( Proc)
	             Weights   --------       1(    1)     1(    1:   10)     1(    3)

	37                           49     0.0(  0.0)  87.7( 31.0: 11.7)  12.3(  6.0)
	12                           24     0.0(  0.0)  50.5(  2.0: 10.2)  49.5( 12.0)
	$ showres -n
	reservations on Sun Sep 13 13:11:40

	            NodeName       Type      ReservationID   JobState Task       Start    Duration            StartTime

	              node00        Job                 39    Running    1   -00:09:00    00:30:00  Sun Sep 13 13:02:40
	EOF
	touch -d '2020-10-01 00:00 UTC' maui.txt
}

@test "Maui's showq and diagnose -p give order, points and year" {
	maui_paste
	run --separate-stderr fs-explain --text=maui.txt 12
	[ "$status" -eq 0 ]
	[[ $stderr == *"showq: "*" records imported"* && $stderr == *"diagnose -p: 2 records imported"* && $stderr == *'the text lacks the output of `diagnose -f`'* ]]
	[[ $output == *"Behind at least 1 job"* && $output == *"37 of eve, by 25 points"* ]]
	[[ $output =~ SERVICE/XFACTOR\ +unknown\ +unknown\ +10 && $output =~ RES/PROC\ +unknown\ +3\ +12 && $output =~ PRIORITY\ +24 ]]
	[[ $(tr -s " \n" " " <<<"$output") == *"captured 2020-09-13 13:11:40"* ]]
	run --separate-stderr fs-explain --text=maui.txt 12 --json
	[[ $output == *'"factor":"service/queuetime","value":null,"weight":null,"points":2,"recorded":true'* ]]
}

@test "Maui's showq alone gives no priorities" {
	maui_paste
	sed -i '/diagnose -p/,$d' maui.txt
	run --separate-stderr fs-snap import text maui.txt --at 1600000000 -o maui.jsonl
	fs-snap import text maui.txt -o guessed.jsonl --at 1600002700 2>/dev/null
	run --separate-stderr fs-explain --text=maui.txt 12
	[[ $output == *"Its place in the queue is not known"* && $output == *"the snapshot contains neither the priority"* && $output != *DEFAULT* ]]
	[[ $stderr == *"newest time in the text"* ]]
	grep '"id":39,' guessed.jsonl | grep -q '"end_time":1600003960'
	run --separate-stderr fs-prio -f maui.jsonl --json
	[[ $output == *'"priority":null,"sum":null'* && $output == *'"terms":[]'* ]]
}

# told FILE: imports FILE to told.jsonl and prints the messages in one line.
told() {
	fs-snap import text "$1" -o told.jsonl --at 1600002700 2>&1 | tr -s ' \n' ' '
}

@test "differing values of two Maui pages are reported with their lines" {
	maui_paste
	cp maui.txt one.txt
	[[ $(told one.txt) != *"uses the first"* ]]
	sed -n '/diagnose -p/,/^12 /p' one.txt | sed 's/^12                           24/12                           30/' >>maui.txt
	run told maui.txt
	[[ $output == *"a second output of diagnose -p is left out"* ]]
	[[ $output == *'line 23 (diagnose -p) and line 37 (diagnose -p): job 12: the priority is "24" and "30": the import uses the first'* ]]
	grep '"id":12,' told.jsonl | grep -q '"priority":24'
	cp one.txt queue.txt
	sed -n '/showq$/,/2 Idle Jobs/p' one.txt | sed 's/^12                      cyd       Idle     4/12                      cyd    Running     8/' >>queue.txt
	run told queue.txt
	[[ $output == *'line 13 (showq) and line 42 (showq): job 12: the state is "Idle" and "Running", and other differences: the import uses the first value'* ]]
}

@test "checkjob's user, processors and priority are compared with other pages" {
	for what in user processors priority; do
		maui_paste
		user=cyd tasks=4 priority=25
		case $what in user) user=bob ;; processors) tasks=3 ;; priority) priority=99 ;; esac
		printf '%s\n' '$ checkjob 12' 'checking job 12' 'State: Idle' "Creds:  user:$user  group:staff  class:batch  qos:hi" \
			"Total Tasks: $tasks" 'Dedicated Resources Per Task: PROCS: 1' "PE:  4.00  StartPriority:  $priority" >>maui.txt
		run told maui.txt
		[[ $output != *"and other differences"* ]]
		case $what in
		user) [[ $output == *'(showq) and line 33 (checkjob): job 12: the user is "cyd" and "bob": the import uses the first'* ]] ;;
		processors) [[ $output == *'(showq) and line 35 (checkjob): job 12: the number of processors is "4" and "3": the import uses the first'* ]] ;;
		priority) [[ $output == *'line 36 (checkjob) and line 23 (diagnose -p): job 12: the priority is "99" and "24": the import uses the first'* ]] ;;
		esac
		grep '"id":12,' told.jsonl >job
		grep -q '"cpus":4,' job
		grep -q '"user":"cyd"' job
		grep -q "\"priority\":$priority" job
	done
}

@test "differing values of two Flux pages are reported with their lines" {
	flux_paste
	printf '%s\n' '$ flux jobs -o "{id} {urgency}"' '       JOBID QUEUE    USER     URG PRI    ST' '   ƒ2otoZoyR batch    ana      18  44444   S' >>flux.txt
	run told flux.txt
	[[ $output == *'(flux account jobs) and line '*' (flux jobs): job '*'is "33233" and "44444": the import uses the first'* ]]
}

# unread NAME INSTEAD LINE...: the import reports the lines once as an unsupported page, and reads no row from them.
unread() {
	local name=$1 instead=$2
	shift 2
	maui_paste
	fs-snap import text maui.txt -o without.jsonl --at 1600002700 2>/dev/null
	printf '%s\n' "$@" "$@" >>maui.txt
	run told maui.txt
	[[ $output == *"line 30: $name is not supported: paste $instead"* && $output == *"showres -n: 1 record imported fs-snap"* && $output != *"second output"* ]]
	[ "$(grep -o "$name is not supported" <<<"$output" | wc -l)" = 1 ]
	diff <(grep '"type":"job"' without.jsonl) <(grep '"type":"job"' told.jsonl)
}

@test "unsupported pages are reported once, with a page to paste instead" {
	unread 'diagnose -Q' '`checkjob JOB`' 'QOS Status' '' 'Name                * Priority QTWeight QTTarget XFWeight XFTarget     QFlags' \
		'DEFAULT                      0        0        0        0     0.00     [NONE]'
	unread 'diagnose -q' '`showq -b`' 'Diagnosing blocked jobs (policylevel SOFT  partition ALL)' 'job 12 is blocked'
	unread 'diagnose -u' '`diagnose -f`' 'Displaying user information...' 'Name         Priority        Flags' 'mary                0       [NONE]'
	unread 'diagnose -r' '`showres -n`' 'ResID                      Type Par   StartTime     EndTime     Duration Node Task Proc' \
		'-----                      ---- ---   ---------     -------     -------- ---- ---- ----' \
		'12                          Job DEF    00:10:00     1:40:00      1:30:00    1    1    4'
	unread 'the showq of Harvard and TACC' '`squeue` and `sprio -l`' 'ACTIVE JOBS--------------------' \
		'JOBID     JOBNAME    USERNAME      STATE   CORE   GPU    REMAINING  STARTTIME' \
		'12        short      alice         Running 48     0        0:50:00  Sun Sep 13 12:16:40' '' 'BLOCKED JOBS--' '     1 active jobs'
	unread "Moab's showq" '`squeue`' 'active jobs------------------------' 'JOBID              USERNAME      STATE PROCS   REMAINING              STARTTIME' '' \
		'12                      bin    Running    16     0:03:08    Sun Nov 22 19:41:12' '' 'Total jobs: 1'
	unread "Moab's showq" '`squeue`' 'eligible jobs----------------------' \
		'JOBID                 PRIORITY PAR XFACTOR  Q  USERNAME     GROUP PROCS     WCLIMIT        SYSTEMQUEUETIME' '' \
		'12                       14426 all     1.0 no       man      root     1     0:03:00    Sun Nov 22 19:41:12'
}

@test "unsupported pages of flux-accounting are reported and add no rows" {
	local -A pages=(
		[bank-info]=$'Name                     Shares  Norm Shares   Norm Usage   Level FS\nroot                          1     1.000000     1.000000        inf'
		[export-db]=$'{\n  "root": {\n    "bank": "root",\n    "shares": 1,\n    "usage": 21104059.9,\n    "children": []\n  }\n}'
		[show-usage]=$'dana / physics   | \xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88  8189652\nrosa / guests    | \xe2\x96\x88\xe2\x96\x88  5751930.22'
		[view-job-records]=$'jobid      | username | userid | t_submit      | t_run\nfmtUD79eo  | 5004     | 5004   | 1761991248.18 | 1761994501.29'
	)
	for page in "${!pages[@]}"; do
		printf '%s\n' 'factor    | weight' '----------+-------' 'fairshare | 100' "${pages[$page]}" >flux.txt
		run told flux.txt
		[[ $output == *"flux account: 1 record imported fs-snap"* && $output == *"line 4: flux account $page is not supported: paste "* ]]
		[[ $output != *"left out"* && $output != *JSON* ]]
	done
}

@test "a paste of only unsupported pages is refused with a suggestion" {
	printf '%s\n' '     5 active jobs' 'Total Jobs: 24    Active Jobs: 5     Idle Jobs: 12    Blocked Jobs: 7' >sums.txt
	run fs-snap import text sums.txt --at 1600002700
	[ "$status" -eq 1 ]
	[[ $output == *"no output of a supported command: line 2: showq -s is not supported: paste \`showq\`"* ]]
}

@test "fs-prio prints Maui's recorded points with unknown percentages" {
	maui_paste
	fs-snap import text maui.txt -o maui.jsonl --at 1600002700 2>/dev/null
	run --separate-stderr fs-prio -f maui.jsonl
	[[ $output == *$'\n37                           49       ?(  0.0)     ?( 31.0: 11.7)     ?(  6.0)\n'* ]]
	[[ $output == *$'\n12                           24       ?(  0.0)     ?(  2.0: 10.2)     ?( 12.0)\n'* ]]
	sed -i 's/ 10.2)  49.5( 12.0)/ 10.2)  49.5(12000)/' maui.txt
	fs-snap import text maui.txt -o maui.jsonl --at 1600002700 2>/dev/null
	run --separate-stderr fs-prio -f maui.jsonl
	[[ $output == *$'?(  2.0: 10.2)     ?(    ?)\n'* ]]
	run --separate-stderr fs-prio -f maui.jsonl --json
	[[ $output == *'"factor":"res/proc","value":null,"weight":3,"points":null'* ]]
}

@test "a recorded fair-share factor of Flux is not called unknown" {
	flux_paste
	run --separate-stderr fs-explain --text=flux.txt ƒ2otoZoyR
	[[ $output == *"FAIRSHARE 0.333333 is the value that the scheduler printed"* && $output != *"factor is not known"* ]]
	sed -i '/flux account jobs/,$d' flux.txt
	run --separate-stderr fs-explain --text=flux.txt ƒ2otoZoyR
	[[ $output != *"0.333333"* ]]
}

@test "diagnose -f gives usage in percent, and cut targets are unknown" {
	printf '%s\n' 'FairShare Information' '' 'FSInterval        %     Target       0       1' 'FSWeight       ------- -------  1.0000  0.5000' \
		'TotalUsage      100.00 -------    27.8    55.6' '' 'USER' '-------------' 'cap              45.00 100000.   50.00   40.00' \
		'ann*             47.78  40.00+   66.67   10.00' >shares.txt
	fs-snap import text shares.txt -o shares.jsonl --at 1600002700 2>/dev/null
	run --separate-stderr fs-share -a -f shares.jsonl --json
	[[ $output == *'"user":"cap","partition":null,"raw_shares":null,"norm_shares":null,"raw_usage":null'*'"effective_usage":0.45'* ]]
	[[ $output == *'"user":"ann","partition":null,"raw_shares":null,"norm_shares":0.4,"raw_usage":null'*'"fairshare":null'* ]]
}

@test "rows of diagnose -f below an incomplete heading are ignored" {
	printf '%s\n' 'FairShare Information' '' 'USER' 'gcap             10.00  10.00%   20.00' '' 'ACCT' '-------------' \
		'phys             20.00  30.00    20.00' >lost.txt
	fs-snap import text lost.txt -o lost.jsonl --at 1600002700 2>/dev/null
	run --separate-stderr fs-share -a -f lost.jsonl --json
	[[ $output != *gcap* && $output == *phys* ]]
}

@test "a mail signature below a heading does not hang the import" {
	printf '%s\n' '$ flux jobs -o deps' '       JOBID QUEUE    NAME       URG PRI          STATE    DEPENDENCIES' '-- ' 'Dana, Physics' >sign.txt
	run timeout 20 fs-snap import text sign.txt -o sign.jsonl --at 1700000000
	[ "$status" -lt 124 ]
}

shares_paste() {
	printf '%s\n' 'FairShare Information' '' "$@" '' 'FSInterval        %     Target       0       1       2' \
		'FSWeight       ------- -------  1.0000  0.9000  0.8100' 'TotalUsage      100.00 -------     3.2     5.3     4.0' '' \
		'USER' '-------------' 'ann               0.40   5.00  ------- -------    5.41' \
		'bob*             35.70  20.00    50.00   50.00    9.17' >shares.txt
	fs-snap import text shares.txt -o shares.jsonl --at 1600002700 2>/dev/null
}

@test "the heading of diagnose -f gives policy, depth, interval and decay" {
	shares_paste 'Depth: 8 intervals   Interval Length: 00:10:00   Decay Rate: 0.90' '' 'FS Policy: DEDICATEDPS' \
		'System FS Settings:  Target Usage: 0.00    Flags: 0'
	run -0 fs-share -f shares.jsonl --as root
	[ "${lines[1]}" = 'Depth: 8 intervals   Interval Length: 00:10:00   Decay Rate: 0.90' ]
	[ "${lines[2]}" = 'FS Policy: DEDICATEDPS' ]
	run -0 fs-explain -f shares.jsonl --as root --user=bob
	[[ $output == *'FSPOLICY DEDICATEDPS, FSDEPTH 8 windows of FSINTERVAL 10:00, FSDECAY 0.9'* ]]
	[[ ${output//$'\n'/ } == *'The factor is unknown.'* && $output != *nan* && $output != *'is NONE'* ]]
}

@test "without diagnose -f's heading, window settings are unknown, not Maui's defaults" {
	shares_paste 'one line is lost'
	sed -i '/^FSWeight/d' shares.txt
	fs-snap import text shares.txt -o shares.jsonl --at 1600002700 2>/dev/null
	run -0 fs-share -f shares.jsonl --as root
	[ "${lines[1]}" = 'Depth: ? intervals   Interval Length: ?   Decay Rate: ?' ]
	[ "${lines[2]}" = 'FS Policy: unknown' ]
	run -0 fs-explain -f shares.jsonl --as root --user=bob
	[[ $output == *'FSPOLICY unknown, FSDEPTH unknown, FSINTERVAL unknown, FSDECAY unknown.'* ]]
	[[ $output != *'is NONE'* && $output != *nan* ]]
	run -0 fs-snap check shares.jsonl
	[[ $output != *"Maui's default applies"* ]]
}

@test "the verdict on a plain row of squeue follows its reason" {
	run -0 python3 "$BATS_TEST_DIRNAME/../text/reasons.py" "$FS_BIN"
	[[ $output == 'reasons: '*', 0 problems' ]]
}

@test "a pasted reason shows its remedy, and sprio alone gives no reason" {
	printf '%s\n' '             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)' \
		'              7838       cpu   train1     dana PD       0:00      1 (ReqNodeNotAvail, Reserved for maintenance)' >row.txt
	run --separate-stderr fs-explain --text=row.txt 7838 --brief
	[[ $(tr -s ' \n' ' ' <<<"$output") == 'Read from the text: 1 job, '*'Why ReqNodeNotAvail, Reserved for maintenance: nodes the job needs are down, drained or reserved'*\
'When Unknown: the recorded reason does not give a time. Ahead Unknown: jobs missing from the snapshot may be ahead of it. '\
'What you can do What clears it: the nodes return, the reservation ends, or the job asks for less time.'* ]]
	printf '%s\n' '          JOBID PARTITION   PRIORITY       SITE        AGE  FAIRSHARE    JOBSIZE        QOS' \
		'         828764 standard        1049          0         45          0          4       1000' >sprio.txt
	run --separate-stderr fs-explain --text=sprio.txt 828764 --brief
	[[ $(tr -s ' \n' ' ' <<<"$output") == 'Read from the text: 1 job, '*'Why The snapshot does not show why it waits. When Unknown: the snapshot does not show why it waits. '\
'Ahead Unknown: the snapshot does not show whether it is eligible. What you can do Look at its reason: scontrol show job 828764. Paste next: the output of `scontrol show job JOB`, '* ]]
	fs-explain --text=sprio.txt 828764 --json 2>/dev/null | grep -q '"verdict":"unknown"'
}

@test "a page of pasted text names what was not read and what to paste next" {
	printf '%s\n' '             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)' \
		'              7838       cpu   train1     dana PD       0:00      1 (Resources)' 'is this normal?' >row.txt
	run --separate-stderr fs-explain --text=row.txt 7838 --brief
	[[ $(tr -s ' \n' ' ' <<<"$output") == 'Read from the text: 1 job, '*' Not read: line 3 (squeue). Why Its place'*'Paste next: the output of `scontrol show job JOB`, which shows'* ]]
	echo 'or do I have to wait?' >>row.txt
	run --separate-stderr fs-explain --text=row.txt 7838 --brief
	[[ $output == *'Not read: 2 lines of squeue (from line 3 on).'* ]]
}

@test "a pasted part of the configuration gives no factors from defaults" {
	printf '%s\n' 'PriorityWeightAge       = 1000' 'PriorityWeightFairShare = 100000' '$ scontrol show job 7' 'JobId=7 JobName=a' \
		'   Priority=86908 Nice=0 Account=quantum QOS=normal' '   JobState=PENDING Reason=Priority Dependency=(null)' \
		'   AccrueTime=2026-11-20T14:00:00 LastSchedEval=2026-11-21T14:00:00 Partition=cpu' >part.txt
	run --separate-stderr fs-explain --text=part.txt 7
	[[ $output == *'86908, as recorded by the scheduler. Its factors are not known.'* && $output != *PriorityMaxAge* ]]
	[[ $output == *'Paste next: the output of `scontrol show config`'* ]]
	fs-snap import text part.txt -o part.jsonl 2>/dev/null
	run --separate-stderr fs-prio -f part.jsonl -w
	[[ $stderr == *'the pasted configuration lacks PriorityWeightJobSize'* ]]
}

@test "a whole tree of view-bank is explained; jobs of flux account jobs have factors, but no claimed state" {
	printf '%s\n' 'Bank Username Active RawShares RawUsage Fairshare' 'root true 1 9.0' ' lab true 5 9.0' '  lab amy true 1 9.0 0.5' \
		'  lab bob true 1 0.0 1.0' >tree.txt
	run --separate-stderr fs-explain --text=tree.txt --user amy
	[[ $(tr -s ' \n' ' ' <<<"$output") == *'FAIRSHARE 0.500000 = rank/users = 1/2'* ]]
	sed 4,5d tree.txt >part.txt
	sed -n 4p tree.txt >>part.txt
	run --separate-stderr fs-explain --text=part.txt --user amy
	[[ $(tr -s ' \n' ' ' <<<"$output") == *'Its inputs are not in the text: all associations with their shares and usage are needed (flux account view-bank root -t).'* ]]
	printf '%s\n' 'JOBID          USER     BANK    BANKPRIO  BANKFACT  QUEUE   QPRIO  QFACT  FAIRSHARE FSFACTOR  URGENCY URGFACT PRIORITY' \
		'ƒfKeEHH9       amy      math    0.0       1000      debug   4      10000  1.0       100000    16      500     140000' >jobs.txt
	run --separate-stderr fs-explain --text=jobs.txt ƒfKeEHH9
	[[ $(tr -s ' \n' ' ' <<<"$output") == *'Why The snapshot does not show why it waits.'*'Look at its reason: flux jobs'*'PRIORITY 140000'* ]]
	[[ $stderr == *'line 2: flux account jobs: the states of jobs are not printed: the import assumes that the jobs are pending'* ]]
	fs-snap import text jobs.txt 2>/dev/null | grep -q '"state":"UNKNOWN"'
}

@test "a date without a year is in the year with the printed weekday" {
	printf '%s\n' 'checking job 12' 'State: Idle' 'Creds:  user:amy  group:g  class:c  qos:q' 'SubmitTime: Wed Mar 18 10:37:11' \
		'  (Time Queued  Total: 00:00:01  Eligible: 00:00:01)' >job.txt
	touch -d 2026-11-30 job.txt
	fs-snap import text job.txt 2>/dev/null | grep -q '"submit_time":1773830231'
}
