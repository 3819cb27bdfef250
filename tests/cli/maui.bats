#!/usr/bin/env bats
# Maui: imports, layouts, and messages about invalid input.

load lib

# capture: writes a folder `site` with four windows of john's usage.
capture() {
	mkdir -p site
	cat >site/maui.cfg <<-'EOF'
	FSPOLICY DEDICATEDPS
	FSINTERVAL 12:00:00
	FSDEPTH 4
	FSDECAY 0.5
	FSWEIGHT 10
	FSUSERWEIGHT 1
	USERCFG[john] FSTARGET=25.0
	EOF
	printf 'user john 216000\nuser mary 180000\nsched all 396000\n' >site/FS.1599998400
	printf 'user mary 450000\nsched all 450000\n' >site/FS.1599955200
	printf 'user john 36000\nuser mary 324000\nsched all 360000\n' >site/FS.1599912000
	printf 'user john 180000\nuser mary 360000\nsched all 540000\n' >site/FS.1599868800
}

import() {
	fs-snap import maui site --at "${at:-1600000060}" -o m.jsonl "$@"
}

queue() {
	head='{"type":"snapshot","format":1,"time":1600000600,"cluster":"c","scheduler":"maui 3.5"}'
	snapshot '{"type":"config","QUEUETIMECAP":5,"PROCWEIGHT":2,"RESCAP":3}' \
		'{"type":"credential","kind":"user","name":"ann"}' \
		'{"type":"job","id":7,"name":"7","state":"PENDING","user":"ann","account":"a","cpus":4,"tasks":4,"cpus_per_task":1,"time_limit_s":60,"eligible_time":1600000000}' \
		'{"type":"job","id":8,"name":"8","state":"PENDING","user":"bob","cpus":1,"tasks":1,"cpus_per_task":1,"time_limit_s":60,"eligible_time":1600000540}'
}

@test "fs-share prints Maui's layout unless options ask for sshare's" {
	capture
	import
	run -0 fs-share -f m.jsonl
	[ "${lines[0]}" = 'FairShare Information' ]
	[[ $output == *'john*            31.79  25.00    54.55 -------   10.00   33.33'* ]]
	run -0 fs-share -f m.jsonl --style=maui -a
	[ "${lines[0]}" = 'FairShare Information' ]
	run -0 fs-share -f m.jsonl --style=slurm
	[[ ${lines[0]} == Account* ]]
	run -0 fs-share -f m.jsonl -aP -o User,NormShares,EffectvUsage,FairShare
	[ "${lines[4]}" = 'john|0.250000|0.317919|-6.791908' ]
}

@test "Maui's list of classes begins with CLASSCFG[DEFAULT], then has the files of the windows, the oldest first" {
	classes() { fs-share -f m.jsonl -v --kind=class | sed '1,/^CLASS/d' | awk 'NF > 1 { print $1 }' | tr -d '*' | tr '\n' ' '; }
	capture
	printf 'class old 1\nsched all 1\n' >site/FS.1599825600
	printf 'class older 1\nsched all 1\n' >site/FS.1599782400
	printf 'class new 1\nsched all 1\n' >site/FS.1599998400
	import
	[ "$(classes)" = '[NONE] old new ' ]
	printf 'CLASSCFG[batch] PRIORITY=1\nCLASSCFG[DEFAULT] PRIORITY=2\n' >>site/maui.cfg
	import
	[ "$(classes)" = '[NONE] DEFAULT batch old new ' ]
	sed -i 's/^FSPOLICY.*/FSPOLICY NONE/' site/maui.cfg
	import
	[ "$(classes)" = '[NONE] DEFAULT batch ' ]
}

@test "the file of a window counts as soon as the window has begun" {
	capture
	rm site/FS.1599998400
	at=1599998430 import
	fs-share -f m.jsonl | grep -q '^TotalUsage      100.00 -------   125.0   100.0   150.0$'
	printf 'user john 3600\nsched all 3600\n' >site/FS.1599998400
	at=1599998430 import
	fs-share -f m.jsonl | grep -q '^TotalUsage      100.00 -------     1.0   125.0   100.0   150.0$'
}

@test "--kind, -v and --sort select and order Maui's credentials" {
	capture
	echo 'GROUPCFG[staff] FSTARGET=5' >>site/maui.cfg
	import
	run -0 fs-share -f m.jsonl --kind=group
	[[ $output == *GROUP*staff* ]]
	[[ $output != *USER* ]]
	fs-share -f m.jsonl --kind=group >one
	fs-share -f m.jsonl group >two
	cmp one two
	run -2 fs-share --demo group
	run -2 fs-share -f m.jsonl group user
	run -0 fs-share -f m.jsonl -v
	[[ $output == *NOGROUP* ]]
	run -0 fs-share -f m.jsonl
	[[ $output != *NOGROUP* ]]
	[[ $output == *mary*john* ]]
	run -0 fs-share -f m.jsonl --sort=User
	[[ $output == *john*mary* ]]
	run -2 fs-share -f m.jsonl --sort=FairShare --style=maui
	run -2 fs-share -f m.jsonl --kind=planet
}

@test "fs-prio prints Maui's priorities, and JSON shows points that caps cut" {
	queue
	run -0 --separate-stderr fs-prio -f s.jsonl
	[ "${lines[1]}" = 'Job                    PRIORITY*   Serv(QTime)   Res( Proc)' ]
	[ "${lines[3]}" = '7                             8    62.5(  5.0)  37.5(  8.0)' ]
	[ -z "$stderr" ]
	run -0 fs-prio -f s.jsonl -u ann
	[[ $output != *$'\n8 '* ]]
	fs-prio -f s.jsonl --json >out.json
	run -0 python3 -c 'import json
row = json.load(open("out.json"))["rows"][0]
print(row["jobid"], row["name"], row["sum"], sum(t["points"] for t in row["terms"]), row["caps"], row["accrue"])
print([(t["factor"], t["points"]) for t in row["terms"] if t["points"]])'
	[ "${lines[0]}" = "7 7 8 8 [{'factor': 'service/queuetime', 'cut': 5}] None" ]
	[ "${lines[1]}" = "[('service/queuetime', 5), ('res/proc', 8), ('res/cap', -5)]" ]
	head='{"type":"snapshot","format":1,"time":1,"cluster":"c","scheduler":"maui"}'
	snapshot '{"type":"credential","kind":"user","name":"ann"}'
	run -0 fs-prio -f s.jsonl
	[ "$output" = 'no idle jobs in queue' ]
}

@test "fs-prio lists the jobs that a cap blocks, and why" {
	head='{"type":"snapshot","format":1,"time":1600000060,"cluster":"c","scheduler":"maui"}'
	snapshot '{"type":"config","FSPOLICY":"DEDICATEDPS","FSINTERVAL":43200}' \
		'{"type":"credential","kind":"user","name":"cap","target":100000,"target_mode":"cap_abs"}' \
		'{"type":"window","start":1599998400,"kind":"user","name":"cap","usage_s":90000}' \
		'{"type":"window","start":1599998400,"kind":"sched","usage_s":200000}' \
		'{"type":"job","id":1,"name":"1","state":"PENDING","user":"cap","cpus":1,"time_limit_s":10000}' \
		'{"type":"job","id":2,"name":"2","state":"PENDING","user":"cap","cpus":1,"time_limit_s":10001}' \
		'{"type":"job","id":3,"name":"3","state":"RUNNING","user":"cap","cpus":1,"time_limit_s":10001}'
	run -0 fs-prio -f s.jsonl -v
	[ "${lines[-1]}" = 'job 2                    FairShare: user cap used 90000.00, needs 10001.00, cap 100000.00^' ]
	[[ $output == *$'\n1 '* ]]
	fs-prio -f s.jsonl --json >out.json
	run -0 python3 -c 'import json; print([tuple(b.values()) for b in json.load(open("out.json"))["blocked"]])'
	[ "$output" = "[(2, '2', '2', 'cap', 'user', 'cap', 'cap_abs', 100000, 90000, 10001)]" ]
}

@test "options that Maui's layouts do not support are refused" {
	queue
	run -2 fs-prio -f s.jsonl -l
	run -2 fs-prio -f s.jsonl -S i
	run -2 fs-share -f s.jsonl --style=maui -o User
	run -2 fs-share -f s.jsonl --at +2d
	[[ $output == *'Maui records usage in windows'* ]]
	run -2 fs-share -f s.jsonl -a --usage=computed
	run -2 fs-prio -f s.jsonl --at +2d
}

@test "invalid lines of window files produce warnings with file and line" {
	local line
	capture
	printf 'user john 5\nuser mary -3\nplanet mars 2\nUser ann 4\nsched x 1\nuser bo' >site/FS.1599998400
	run -0 --separate-stderr import
	for line in ':2: the usage of "mary" is negative: -3' ':3: unknown kind of entry "planet"' ':4: the import skips 1 entry in the format of Maui' \
		':6: the last line is incomplete; the file may be truncated' ':5: the total 1.000 is smaller than the sum 2.000'; do
		[[ $stderr == *"site/FS.1599998400$line"* ]] || { echo "$line: $stderr"; return 1; }
	done
	run -0 fs-snap check m.jsonl
	[[ $output == *'m.jsonl: valid: cluster maui, maui, '*' credentials, 0 jobs' ]]
}

@test "diagnose -j supplies the group, account and class of jobs" {
	tar -xJf "$BATS_TEST_DIRNAME/../cases/maui/checkpoint.tar.xz" --strip-components=1
	TZ=UTC fs-snap import maui current_window/in --at 1600002640 -o s.jsonl
	grep -q '"id":16,.*"user":"dan","group":"stud","account":"chem","partitions":\["long"\]' s.jsonl
}

# current_window HEADER [USED]: imports a capture at 12:47:00 with one running job of 4 processors. FS.1600000200 consists
# of HEADER and USED. The usage is in the file `used`.
current_window() {
	mkdir -p site
	printf 'SERVERMODE NORMAL\nFSPOLICY DEDICATEDPS\nFSINTERVAL 00:30:00\nUSERCFG[ann] FSTARGET=25\n' >site/maui.cfg
	printf '%s\n%s' "$1" "${2-user ann 2400
group staff 2400
sched batch 2400
}" >site/FS.1600000200
	cat >site/showq.txt <<-'EOF'
	ACTIVE JOBS--------------------
	JOBNAME            USERNAME      STATE  PROC   REMAINING            STARTTIME

	7                       ann    Running     4     1:00:00  Sun Sep 13 12:00:00

	     1 Active Job        4 of   32 Processors Active (12.50%)

	IDLE JOBS----------------------
	JOBNAME            USERNAME      STATE  PROC     WCLIMIT            QUEUETIME


	0 Idle Jobs

	BLOCKED JOBS----------------
	JOBNAME            USERNAME      STATE  PROC     WCLIMIT            QUEUETIME


	Total Jobs: 1   Active Jobs: 1   Idle Jobs: 0   Blocked Jobs: 0
	EOF
	TZ=UTC run -0 --separate-stderr fs-snap import maui site --at 1600001220 -o m.jsonl
	fs-share -f m.jsonl --style=slurm -aP -o User,RawUsage >used
}

@test "running jobs are charged from the current window's write time" {
	header='# FS Data File (Duration:   1800 seconds)  Starting: Sun Sep 13'
	current_window "$header 12:41:00"
	[[ $stderr != *writ* ]]
	grep -qx 'ann|3840' used # 2400 + 4 * 360
	current_window "$header 12:41:00" ''
	grep -qx 'ann|1440' used
	current_window ''
	[[ $stderr == *'site/FS.1600000200:1: the file'"'"'s time of writing is missing or before its window'* ]]
	grep -qx 'ann|6480' used # 2400 + 4 * 1020
	current_window "$header 12:50:20"
	[[ $stderr == *'site/FS.1600000200:1: the file was written 200 s after the capture'* ]]
	grep -qx 'ann|2400' used
}

@test "the import warns once per unknown parameter and reads included files" {
	capture
	printf 'FSDEPTH 30\nNONSENSE 1\nNONSENSE 2\nFSENFORCEMENT TRUE\n#INCLUDE site.cfg\n' >>site/maui.cfg
	echo 'FSDECAY 0.25' >site/site.cfg
	run -0 --separate-stderr import
	[[ $stderr == *"site/maui.cfg:8: FSDEPTH 30 is more than Maui's maximum of 24 windows"* ]]
	[ "$(grep -c NONSENSE <<<"$stderr")" = 1 ]
	[[ $stderr == *'site/maui.cfg:11: FSENFORCEMENT has no effect'* ]]
	run -0 fs-share -f m.jsonl
	[[ $output == *'Depth: 24 intervals'*'Decay Rate: 0.25'* ]]
}

@test "an import without folder, maui.cfg, time or whole trace fails" {
	run -1 fs-snap import maui nosuch
	mkdir empty
	run -1 fs-snap import maui empty
	[[ $output == *'the folder has no file maui.cfg'* ]]
	capture
	run -1 fs-snap import maui site
	[[ $output == *'the capture time is unknown'* ]]
	run -2 fs-snap import maui site --at yesterday
	run -0 fs-snap import maui site --at 2020-09-13T12:27:40 -o a.jsonl
	import
	cmp a.jsonl m.jsonl
	mkdir site/traces
	echo '101 0 8 john staff' >site/traces/workload
	rm m.jsonl
	run -3 import
	[[ $output == *'site/traces/workload:1: '*'the line may be truncated'* ]]
	[ ! -e m.jsonl ]
}

@test "Maui's algorithm and layout require a Maui snapshot" {
	run -1 fs-share --demo --algorithm=maui
	[[ $output == *'requires credentials and fair-share windows of Maui'* ]]
	run -1 fs-share --demo --style=maui
	run -2 fs-prio --demo --style=maui
	queue
	run -2 fs-prio -f s.jsonl --style=slurm
	snapshot '{"type":"credential","kind":"user","name":"ann"}' '{"type":"config","FSPOLICY":"TWICE"}'
	run -3 fs-share -f s.jsonl
	[[ $output == *'s.jsonl:3: FSPOLICY'* ]]
}

@test "the order of lines does not change the tables" {
	capture
	import
	fs-share -f m.jsonl -v >one
	{ head -1 m.jsonl; tail -n +2 m.jsonl | tac; } >r.jsonl
	fs-share -f r.jsonl -v >two
	cmp one two
	tac site/FS.1599998400 >other
	mv other site/FS.1599998400
	import
	fs-share -f m.jsonl -v >two
	cmp one two
}

@test "control bytes in names of credentials are escaped" {
	head='{"type":"snapshot","format":1,"time":1600000600,"cluster":"c","scheduler":"maui"}'
	snapshot '{"type":"credential","kind":"user","name":"a\u001b[31mb","target":5}'
	run -0 fs-share -f s.jsonl
	[[ $output != *$'\e'* ]]
	[[ $output == *'a^[[31mb'* ]]
}

@test "options for share trees are refused on credentials, and vice versa" {
	local command
	tar -xJf "$BATS_TEST_DIRNAME/../cases/maui/maui-3.5.tar.xz" --strip-components=1
	fs-snap import maui 01_john_seed/in --at 1600000060 -o s.jsonl
	run -1 --separate-stderr fs-share -f s.jsonl --ranges
	[[ -z $output && $stderr == *"no associations"* ]]
	for command in fs-share fs-prio fs-showq "fs-explain 101"; do
		run -1 --separate-stderr $command -f s.jsonl --algorithm=flux_range
		[[ -z $output && $stderr == *"requires accounts and shares; s.jsonl has none"* ]]
		run -1 --separate-stderr $command --demo --algorithm=maui
		[[ -z $output && $stderr == *"requires credentials and fair-share windows of Maui; demo has none"* ]]
	done
	run -2 --separate-stderr fs-share -f s.jsonl --style=maui --ranges
	[[ -z $output && $stderr == *"cannot be combined with --ranges"* ]]
	run -0 fs-share -f s.jsonl --algorithm=maui
	[[ ${lines[0]} == "FairShare Information" ]]
}

@test "a zero with a negative weight is printed as -0.0" {
	tar -xJf "$BATS_TEST_DIRNAME/../cases/maui/maui-3.5.tar.xz" --strip-components=1
	cp -r 01_john_seed/in m
	printf 'FSWEIGHT -10\nCREDWEIGHT 1\nUSERWEIGHT -2\n' >>m/maui.cfg
	fs-snap import maui m --at 1600000060 -o s.jsonl
	fs-prio -f s.jsonl >out
	grep -Eq '^102 .* -0\.0\( -0\.0\)' out # neither usage nor target, times -10
	grep -Eq '^Percent Contribution .*\( -0\.0\)' out # CRED: 0 times -2
}

@test "active jobs with equal ends keep the order of showq" {
	tar xJf "$BATS_TEST_DIRNAME/../cases/maui/living.tar.xz" living/m01_firstfit_d1_cur_5/in
	cd living/m01_firstfit_d1_cur_5/in
	rm -f out/showq_-r*
	fs-snap import maui . -o ../s.jsonl 2>/dev/null
	fs-showq -f ../s.jsonl --as root | diff out/showq.txt -
	python3 - <<'P'
lines = open("out/showq.txt").read().split("\n")
swapped = 0
for i in range(len(lines) - 1):
    a, b = lines[i].split(), lines[i + 1].split()
    if len(a) > 5 and len(b) > 5 and a[2] == b[2] == "Running" and a[4] == b[4]:
        lines[i], lines[i + 1] = lines[i + 1], lines[i]
        swapped += 1
assert swapped
open("out/showq.txt", "w").write("\n".join(lines))
P
	fs-snap import maui . -o ../t.jsonl 2>/dev/null
	fs-showq -f ../t.jsonl --as root | diff out/showq.txt -
}

@test "fs-explain names the reservation that blocks a job, with its times" {
	head='{"type":"snapshot","format":1,"time":1600000060,"cluster":"c","scheduler":"maui 3.5"}'
	snapshot '{"type":"config","TIMEZONE":"UTC"}' '{"type":"credential","kind":"user","name":"u"}' \
		'{"type":"node","name":"n1","state":"IDLE","cpus":4}' '{"type":"node","name":"n2","state":"IDLE","cpus":4}' \
		'{"type":"reservation","name":"maint.0","nodes":"n1,n2","start_time":1600000360,"end_time":1600000960}' \
		'{"type":"job","id":2,"name":"2","state":"PENDING","user":"u","cpus":8,"tasks":8,"cpus_per_task":1,"nodes":1,"time_limit_s":400,"eligible_time":1600000000}' \
		'{"type":"job","id":3,"name":"3","state":"PENDING","user":"u","cpus":8,"tasks":8,"cpus_per_task":1,"nodes":1,"time_limit_s":300,"eligible_time":1600000000,"flags":["RESERVED"],"start_time":1600000060,"sched_nodes":"n1,n1,n1,n1,n2,n2,n2,n2"}'
	unfolded=$(fs-explain -f s.jsonl 2 --verbose | tr -s ' \n' ' ')
	[[ $unfolded == *"Reservation maint.0 holds nodes that it needs from 2020-09-13 12:32:40 to 2020-09-13 12:42:40. Without reservation maint.0: now."* ]]
	[[ $unfolded == *"Reservation maint.0 holds n1, n2 from 2020-09-13 12:32:40 until 2020-09-13 12:42:40: a job that it does not admit cannot use them if it could run into that time."* ]]
	unfolded=$(fs-explain -f s.jsonl 3 --verbose | tr -s ' \n' ' ')
	[[ $unfolded != *maint.0* ]]
	[[ $unfolded == *"It has a reservation of its own from 2020-09-13 12:27:40 on, on n1, n2."* ]]
	# a reservation whose admitted users are known
	sed 's/"name":"maint.0"/&,"admits_told":true,"users":["v"]/' s.jsonl >told.jsonl
	unfolded=$(fs-explain -f told.jsonl 2 --verbose | tr -s ' \n' ' ')
	[[ $unfolded == *"until 2020-09-13 12:42:40 and does not admit this job, which cannot use them if it could run into that time."* ]]
	sed -i 's/"users":\["v"\]/"users":["v","u"]/' told.jsonl
	unfolded=$(fs-explain -f told.jsonl 2 --verbose | tr -s ' \n' ' ')
	[[ $unfolded != *maint.0* ]]
}

@test "check lists the caps that maui.cfg does not set" {
	snapshot '{"type":"config","RESCAP":8}'
	sed -i '1s/"scheduler":"[^"]*"/"scheduler":"maui"/' s.jsonl
	run -0 fs-snap check s.jsonl
	[[ $output == *"not set in maui.cfg (no cap): SERVICEWCAP, TARGETCAP, CREDCAP, FSCAP, USAGECAP, "* ]]
}

@test "a forecast without associations fails with --svg and prints why" {
	head='{"type":"snapshot","format":1,"time":1600000060,"cluster":"c","scheduler":"mauiX"}'
	snapshot '{"type":"credential","kind":"user","name":"ann","target":30}' \
		'{"type":"job","id":7,"name":"7","state":"PENDING","user":"ann","account":"phys"}'
	run -1 fs-explain -f s.jsonl --as root --user=ann --forecast=+7d --svg=x.svg
	[[ $output == 'fs-explain: cannot compute a forecast: the snapshot has no association tree with known shares' ]]
	[ ! -e x.svg ]
	run -0 fs-explain -f s.jsonl --as root --user=ann --forecast=+7d
	[[ $output == *'No forecast: the snapshot has no association tree with known shares.'* ]]
}

@test "weights of windows have no digits from rounding errors" {
	capture
	sed -i 's/FSDECAY 0.5/FSDECAY 0.9/' site/maui.cfg
	import
	run -0 fs-explain -f m.jsonl --as root --user=john
	[[ $output == *' 0.81 '* && $output == *' 0.729 '* && $output != *0.7290* ]]
}
