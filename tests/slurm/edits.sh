# shellcheck shell=bash disable=SC2154
# Compares the predictions of --if with the controller: commands are given to a snapshot and then to the controller, and
# after its next calculation every row of sprio must be as predicted.

commands=() # as --if takes them

# edit JOB COMMAND...: a command that keeps the job's age, or restarts it if the word anew precedes it
edit() { commands+=("$*"); }

begins_anew=' '
anew() { begins_anew+="$1 "; }

edit_jobs() {
	local id
	id=$(job bin theory -n2 -t 60) && edit scontrol update job "$id" TimeLimit=10 Nice=50 || exit 1
	id=$(job bin theory -n2) && edit scontrol update job "$id" Partition=short || exit 1
	id=$(job bin theory -n2) && edit scontrol update job "$id" Partition=long,short || exit 1
	id=$(job bin theory -n2) && edit scontrol update job "$id" Account=zero_a || exit 1
	id=$(job bin theory -n2) && edit scontrol update job "$id" QOS=urgent || exit 1
	id=$(job bin theory -n4) && edit scontrol update job "$id" NumNodes=3 || exit 1
	id=$(job bin theory -n2) && edit scontrol update job "$id" NumNodes=4 || exit 1
	id=$(job bin theory -n4) && edit scontrol update job "$id" NumCPUs=12 || exit 1
	id=$(job bin theory -n4) && edit scontrol update job "$id" NumTasks=6 || exit 1
	id=$(job bin theory -n4 -c2) && edit scontrol update job "$id" NumTasks=5 || exit 1
	id=$(job bin theory -n4) && edit scontrol update job "$id" MinMemoryCPU=2000 || exit 1
	id=$(job bin theory -n4 -N2) && edit scontrol update job "$id" MinMemoryNode=8000 || exit 1
	id=$(job bin theory -n4 -N2) && edit scontrol update job "$id" Gres=gpu:2 || exit 1
	id=$(job bin theory -n4 --mem=3000) && edit scontrol update job "$id" NumNodes=2 || exit 1
	id=$(job bin theory -n4 --exclusive) && edit scontrol update job "$id" TimeLimit=30 || exit 1
	id=$(job bin theory -n2 --gres=gpu:1) && edit scontrol update job "$id" NumNodes=2 || exit 1
	id=$(job bin theory -n2) && edit scontrol update job "$id" Priority=4321 || exit 1
	id=$(job bin theory -n2) && edit scontrol hold "$id" || exit 1
	id=$(job bin theory -n2) && edit scancel "$id" || exit 1
	id=$(job bin theory -n2) && anew "$id" && edit scontrol update job "$id" QOS=grown || exit 1
	id=$(job bin theory -n2) && anew "$id" && edit scontrol hold "$id" && edit scontrol release "$id" || exit 1
	id=$(job bin theory -n2 -H) && anew "$id" && edit scontrol release "$id" || exit 1
	id=$(job bin theory -n2) && anew "$id" && edit scontrol update job "$id" StartTime=now || exit 1
	id=$(job bin theory -n2) && anew "$id" && edit scontrol update job "$id" ResetAccrueTime || exit 1
	id=$(job bin theory -n2) && edit scontrol update job "$id" StartTime=now+2hours || exit 1
	edit_more_jobs
}

edit_more_jobs() {
	local id
	id=$(job daemon theory -n3 -t 120) && edit scontrol update job "$id" TimeLimit=20 || exit 1
	id=$(job sys theory -n3 -t 120) && edit scontrol update job "$id" TimeMin=10 || exit 1
	id=$(job uucp optics -n2) && edit scontrol update job "$id" Partition=long QOS=standby || exit 1
	id=$(job uucp optics -n2) && edit scontrol update job "$id" Nice=900 && edit scontrol update job "$id" Nice=0 || exit 1
	id=$(job games beamline -n3) && edit scontrol update job "$id" NumCPUs=6 TimeLimit=45 || exit 1
	id=$(job games beamline -n3 --mem-per-cpu=500) && edit scontrol update job "$id" MinMemoryCPU=3000 || exit 1
	id=$(job man optics -n4 -N2) && edit scontrol update job "$id" NumNodes=1 || exit 1
	id=$(job mail chemistry -n4) && edit scontrol update job "$id" QOS=standby Nice=12 || exit 1
	id=$(job lp chemistry -n2) && edit scontrol update job "$id" Partition=short || exit 1
	id=$(job lp chemistry -n2 -p short) && edit scontrol update job "$id" Partition=long || exit 1
	id=$(job irc root -n3 -N3) && edit scontrol update job "$id" NumNodes=2 NumCPUs=5 || exit 1
	id=$(job bin theory -n2) && edit scontrol update job "$id" Partition=normal,long QOS=urgent || exit 1
	id=$(job daemon theory -n2 -q urgent) && edit scontrol update job "$id" QOS=normal || exit 1
	id=$(job sys theory -n2) && edit scontrol update job "$id" Dependency=afterok:1 || exit 1
	id=$(job www-data idle_a -n2 --gres=gpu:2) && edit scontrol update job "$id" Gres=gpu:1 || exit 1
	id=$(job news idle_a -n2 -t 30) && edit scontrol update job "$id" TimeLimit=60 Partition=short || exit 1
	id=$(job uucp chemistry -n1 --array=1-4) && edit scontrol update job "$id" Nice=5 || exit 1
}

# Several words for the size of a job take effect at once, in any order.
edit_sizes() {
	local id
	id=$(job bin theory -n4) && edit scontrol update job "$id" CPUsPerTask=2 || exit 1
	id=$(job bin theory -n4) && edit scontrol update job "$id" NumCPUs=8 CPUsPerTask=2 || exit 1
	id=$(job bin theory -n2) && edit scontrol update job "$id" NumNodes=3 CPUsPerTask=2 || exit 1
	id=$(job daemon theory -n3 -c2) && edit scontrol update job "$id" NumNodes=4 || exit 1
	id=$(job daemon theory -n3 -c2) && edit scontrol update job "$id" NumNodes=4 NumCPUs=2 || exit 1
	id=$(job daemon theory -n2 --mem=3000) && edit scontrol update job "$id" NumNodes=4 || exit 1
	id=$(job daemon theory -n6 --mem-per-cpu=300) && edit scontrol update job "$id" NumNodes=2 NumCPUs=3 || exit 1
	id=$(job sys theory -n2) && edit scontrol update job "$id" MinCPUsNode=3 NumNodes=2 || exit 1
	id=$(job sys theory -n8) && edit scontrol update job "$id" NumNodes=2 MinCPUsNode=3 || exit 1
	id=$(job sys theory -n2 --mincpus=3) && edit scontrol update job "$id" NumNodes=3 || exit 1
	id=$(job sys theory -n2) && edit scontrol update job "$id" NumCPUs=6 MinCPUsNode=4 || exit 1
	id=$(job games beamline -n4) && edit scontrol update job "$id" NumTasks=2 NumNodes=3 || exit 1
	id=$(job games beamline -n2) && edit scontrol update job "$id" NumTasks=5 NumNodes=2 || exit 1
	id=$(job games beamline -n2) && edit scontrol update job "$id" NumNodes=2 Gres=gpu:2 || exit 1
	id=$(job games beamline -n4 -N2 --gres=gpu:1) && edit scontrol update job "$id" Gres=gpu:2 NumNodes=1 || exit 1
	id=$(job games beamline -n2 --gpus-per-task=1) && edit scontrol update job "$id" NumTasks=4 || exit 1
}

# Changes of where a job fits, or without effect on its priority.
edit_other_words() {
	local id
	id=$(job daemon theory -n2) && edit scontrol update job "$id" SiteFactor=77 || exit 1
	id=$(job daemon theory -n2) && edit scontrol update job "$id" ReqNodeList=n01 || exit 1
	id=$(job daemon theory -n2) && edit scontrol update job "$id" ExcNodeList=d01 JobName=other Comment=why || exit 1
	id=$(job daemon theory -n2 -L alpha:1) && edit scontrol update job "$id" Licenses=alpha:2 || exit 1
	id=$(job daemon theory -n2) && edit scontrol update job "$id" MinCPUsNode=4 || exit 1
	id=$(job daemon theory -n2 -t 30) && edit scontrol update job "$id" Deadline=now+1day || exit 1
	id=$(job daemon theory -n2) && edit scontrol update job "$id" OverSubscribe=YES || exit 1
	id=$(job daemon theory -n2) && edit scontrol update job "$id" Switches=1@10:00 || exit 1
	id=$(job daemon theory -n2) && edit scontrol uhold "$id" || exit 1
	id=$(job man optics -n2 -p long) && id=$(job man optics -n3 -p long) && edit scontrol top "$id" || exit 1
	id=$(job games beamline -n1 --array=1-6%2) && edit scontrol update job "$id" ArrayTaskThrottle=3 || exit 1
	edit scontrol create reservation ReservationName=later Nodes='d[01-02]' StartTime=now+2hours Duration=60 Users=daemon,sys
	edit scontrol create reservation ReservationName=gone Nodes=d03 StartTime=now+2hours Duration=60 Accounts=theory
	edit scontrol update ReservationName=later Duration+=30 Users+=bin
	id=$(job daemon theory -n2) && edit scontrol update job "$id" ReservationName=later || exit 1
	id=$(job sys theory -n2) && edit scontrol update job "$id" ReservationName=gone || exit 1
	edit scontrol update job "$id" ReservationName=
	edit scontrol delete ReservationName=gone
	edit scontrol suspend "$RUNS"
	edit scontrol requeuehold "$RUNS_TOO"
}

# Words that were added recently or have no effect, and the forms of words.
edit_words() {
	local id
	id=$(job lp chemistry -n2 --gres=gpu:2) && edit scontrol update job "$id" CpusPerTres=gres:gpu:1 || exit 1
	id=$(job lp chemistry -n2 --gpus=2) && edit scontrol update job "$id" CpusPerTres=gres:gpu:1 || exit 1
	id=$(job lp chemistry -n2) && edit scontrol update TimeLimit 20 Nice=17 JobId="$id" || exit 1
	id=$(job lp chemistry -n2) && edit scontrol update Partition=short ReservationName= JobId="$id" || exit 1
	id=$(job mail chemistry -n2) && edit scontrol update job "$id" TasksPerNode=2 AdminComment=why Reboot=NO || exit 1
	id=$(job mail chemistry -n2) && edit scontrol update job "$id" ReqCores=1 ReqSockets=1 ReqThreads=1 MinTmpDiskNode=1 || exit 1
	id=$(job mail chemistry -n2) && edit scontrol update job "$id" wait-for-switch=60 MailType=END MailUser=x DelayBoot=5 || exit 1
	edit scontrol update PartitionName=long DefMemPerCPU=100 OverTimeLimit=5 ReqResv=NO
	edit scontrol update NodeName=d04 Comment=why Extra=more Reason=none
	edit sacctmgr -i modify account optics set Description=lenses Organization=light
	edit sacctmgr -i modify user uucp set DefaultAccount=optics
	edit sacctmgr -i modify qos standby set MinPrioThresh=5
}

# submit USER ACCOUNT OPTION...: a job that is submitted with the commands; its age begins then
submit() {
	submitted=$((submitted + 1))
	anew $((last + submitted))
	edit sbatch --uid="$1" -A "$2" -D / -o /dev/null "${@:3}" --wrap=hostname
}

edit_submissions() {
	last=$(job lp chemistry -n1) submitted=0 || exit 1
	submit bin theory -n2 --mem=1G
	submit bin theory --gpus=4 -N2 --mem=1G
	submit daemon theory --gpus-per-node=2 -N2 --mem-per-gpu=1000
	submit daemon theory --gpus-per-task=2 -n3 --mem-per-gpu=2G
	submit sys theory --gpus-per-task=1 --gpus=4 --mem-per-cpu=500
	submit games beamline --gpus=4 --ntasks-per-gpu=2 --mem-per-cpu=300 -p short
	submit uucp optics -n3 --exclusive --mem=2G
	submit man optics -n2 -d afterok:1 --mem=1G
	submit mail chemistry -n2 --begin=now+2hours --mem=1G
	submit irc root -N2 --ntasks-per-node=3 --mem-per-cpu=1G -t 30
	submit news idle_a -n1 --array=1-9%2 --mem=1G
	submit www-data idle_a -c5 -q normal --nice=40 --mem=3G
	submit lp chemistry -n2 --gpus=2 --cpus-per-gpu=1 --mem=1G
	submit bin theory -n10 -p normal,long -q urgent --mem-per-cpu=100
	submit list idle_b -n2 -H --mem=1G
}

# Generic resources requested by node, in total, by task and by socket, in the words of 22.05.
edit_cards() {
	local id
	since 23.02 && return
	id=$(job lp chemistry -n2) && edit scontrol update job "$id" TresPerTask=gres:gpu:1 || exit 1
	id=$(job lp chemistry -n4 -N2) && edit scontrol update job "$id" TresPerTask=gres:gpu:2 || exit 1
	id=$(job lp chemistry -n4) && edit scontrol update job "$id" TresPerTask=gres:gpu:1 NumTasks=6 || exit 1
	id=$(job lp chemistry -n4 --gpus=4) && edit scontrol update job "$id" TresPerTask=gres:gpu:1 || exit 1
	id=$(job lp chemistry -n4 -N2 --gres=gpu:4) && edit scontrol update job "$id" TresPerTask=gres:gpu:1 || exit 1
	id=$(job lp chemistry -n2 --gpus-per-task=1) && edit scontrol update job "$id" TresPerJob=gres:gpu:2 || exit 1
	id=$(job lp chemistry -n2 --gpus-per-task=1) && edit scontrol update job "$id" TresPerTask= || exit 1
	id=$(job lp chemistry -n2) && edit scontrol update job "$id" TresPerSocket=gres:gpu:1 ReqSockets=2 || exit 1
	id=$(job lp chemistry -n2 --gres=gpu:2) && edit scontrol update job "$id" MemPerTres=gres:gpu:2000 Gres=gpu:2 || exit 1
	id=$(job lp chemistry -n2 --gpus=2 --mem-per-gpu=1000) && edit scontrol update job "$id" TresPerJob=gres:gpu:4 || exit 1
	id=$(job lp chemistry -n2 --gpus=2 --mem-per-gpu=1000) && edit scontrol update job "$id" MemPerTres= || exit 1
	id=$(job lp chemistry -n2 --gres=gpu:1) && edit scontrol update job "$id" Gres= || exit 1
	id=$(job lp chemistry -n2 --gres=gpu:1) && edit scontrol update job "$id" Gres=gpu:0 || exit 1
	id=$(job lp chemistry -n2 --gpus=2) && edit scontrol update job "$id" Gres= || exit 1
	id=$(job lp chemistry -n2) && edit scontrol update job "$id" Prefer=odd TasksPerNode=1 ReqThreads=1 || exit 1
	edit_refused
}

refused=() # both must refuse them

edit_refused() {
	local plain in_all by_task
	plain=$(job lp chemistry -n2) && in_all=$(job lp chemistry -n2 --gpus=2) &&
		by_task=$(job lp chemistry -n2 --gpus-per-task=1) || exit 1
	refused=("scontrol update job $plain Gres=none" "scontrol update job $plain TresPerTask=gpu:1"
		"scontrol update job $plain TresPerSocket=gres:gpu:1" "scontrol update job $plain MemPerTres=gres:gpu:2000"
		"scontrol update job $plain Prefer=none" "scontrol update job $plain 'Features=odd&none'"
		"scontrol update job $plain ReqNodeList=none" "scontrol update job $plain ExcNodeList=none"
		"scontrol update job $plain Licenses=none:1" "scontrol update job $plain Licenses=alpha:99"
		"scontrol update job $plain BurstBuffer=none" "scontrol hold ${plain}_7"
		"scontrol update job $in_all Gres=none" "scontrol update job $in_all MemPerTres=gres:gpu:2000"
		"scontrol update job $in_all TresPerTask=gres:gpu:2" "scontrol update job $by_task TresPerTask=gres:gpu:2"
		"scontrol update job $by_task TresPerJob=gres:gpu:4")
}

try_refused() {
	local c
	for c in ${refused[@]+"${refused[@]}"}; do
		! timeout 20 bash -fc "$c" >>"$work/log/edits" 2>&1 </dev/null
		judge $? "the controller refuses: $c"
		! "$FS_BIN/fs-prio" -f "$work/before-edits.jsonl" --as root --if "$c" >/dev/null 2>&1
		judge $? "--if refuses: $c"
	done
}

arrays=()

make_arrays() {
	local id
	for _ in 1 2 3 4 5; do id=$(job list idle_b -n1 --array=1-6%2) && arrays+=("$id") || exit 1; done
}

# A pending task of an array becomes a separate job, with the next id.
edit_tasks() {
	edit scontrol update job "${arrays[0]}_2" Nice=30
	edit scontrol update job "${arrays[1]}_[1,3-4]" Nice=8 TimeLimit=3
	edit scontrol hold "${arrays[2]}_[2-3],${arrays[2]}_5"
	edit scontrol update job "${arrays[3]}_2-6" Partition=short
	edit scontrol update job "${arrays[4]}_1-6" QOS=urgent
	edit scontrol update job "${arrays[0]}_2" Nice=20 ArrayTaskThrottle=5
	edit scancel "${arrays[2]}_6"
}

edit_accounts() {
	edit sacctmgr -i modify account chemistry set fairshare=90 priority=20
	edit sacctmgr -i modify user games where account=beamline set fairshare=1
	edit sacctmgr -i modify user bin where account=theory set fairshare=parent
	edit sacctmgr -i modify account beamline set priority=7
	edit sacctmgr -i modify qos standby set priority=55
	edit sacctmgr -i modify qos standby set maxj=30 grpj=400 maxtrespu=cpu=8000 MaxTRESRunMinsPU=cpu=900000 maxw=9000
	edit sacctmgr -i modify user uucp where account=optics set MaxJ=90 f=3 maxjobsa=80 GrpCPUs=7000 MaxNodes=90
	edit_settings
}

edit_settings() {
	edit PriorityWeightAge=3000
	edit PriorityMaxAge=0:45:00
	edit PriorityWeightTRES=CPU=500,Mem=900,GRES/gpu=100
	edit PriorityFavorSmall=YES
	edit PriorityDecayHalfLife=3-0
	edit SchedulerParameters=bf_interval=6,bf_window=60
	# After these commands, scontrol reconfigure resets partitions to slurm.conf.
	edit scontrol update PartitionName=long PriorityJobFactor=77
	edit scontrol update PartitionName=short Nodes='n01,d[01-05]'
	edit scontrol update PartitionName=wide prio=33 MaxTime=5-0 AllowAccounts=ALL
}

# Applies it to the controller: a setting goes into slurm.conf, everything else is run as a command.
do_edit() {
	case $1 in
	[A-Z]*)
		sed -i "/^${1%%=*}=/d" "$SLURM_CONF"
		echo "$1" >>"$SLURM_CONF"
		timeout 20 scontrol reconfigure
		;;
	*) timeout 20 bash -fc "$1" ;;
	esac >>"$work/log/edits" 2>&1 </dev/null
	judge $? "the controller takes: $1"
}

foretold() { # TIME: sprio's table of the snapshot before with all commands, at the time
	local c options=()
	for c in "${commands[@]}"; do options+=(--if "$c"); done
	"$FS_BIN/fs-prio" -f "$work/before-edits.jsonl" --as root --at "$1" -l -h "${options[@]}" | sort -n
}

# same_rows REAL OURS SECONDS: where an age begins again it may differ by the age of this many seconds
same_rows() {
	awk -v anew="$begins_anew" -v slack="$(awk "BEGIN { print $3 * 3000 / 1800 + 2 }")" '
	NR == FNR { real[$1, $2] = $0; rows++; next }
	{
		n = split(real[$1, $2], a)
		split($0, b)
		delete real[$1, $2]
		found++
		for (i = 1; i <= NF || i <= n; i++) {
			d = a[i] - b[i]
			if (a[i] != b[i] && !((i == 4 || i == 6) && index(anew, " " $1 " ") && d * d <= slack * slack)) {
				print "real: " (n ? join(a, n) : "none") "\nours: " $0
				bad = 1
				break
			}
		}
	}
	function join(v, n,   s, k) {
		for (k = 1; k <= n; k++) s = s " " v[k]
		return s
	}
	END {
		for (k in real) { print "only the controller has: " real[k]; bad = 1 }
		exit bad || found < 40 || rows != found
	}' "$1" "$2"
}

try_edits() {
	local c t0 t1
	edit_jobs
	edit_other_words
	edit_sizes
	edit_words
	edit_cards
	make_arrays
	edit_submissions
	edit_tasks
	edit_accounts
	await_priorities
	capture before-edits
	t0=$(date +%s)
	for c in "${commands[@]}"; do do_edit "$c"; done
	try_refused
	t1=$(date +%s)
	touch "$work/queued"
	await_decay
	t=$(date +%s)
	sprio -l -h | sort -n >"$work/after.real"
	foretold "$t" >"$work/after.ours" 2>"$work/after.err"
	same_rows "$work/after.real" "$work/after.ours" $((t1 - t0 + 3)) >"$work/after.diff"
	judge $? "${#commands[@]} commands come out as --if foretold" && return
	cat "$work/after.diff" "$work/after.err"
}
