# shellcheck shell=bash disable=SC2154
# The events on the cluster. Its users are in the base-passwd of every Debian, so that no account of the machine
# changes.

mgr() {
	timeout 30 sacctmgr -iQ "$@" >"$work/log/sacctmgr.out" 2>&1 ||
		die "sacctmgr $*: $(cat "$work/log/sacctmgr.out")"
}

account() { # NAME PARENT SHARES [SETTING...]
	mgr add account "$1" parent="$2" fairshare="$3" "${@:4}"
}

member() { # USER ACCOUNT SHARES [SETTING...]
	mgr add user "$1" account="$2" fairshare="$3" "${@:4}"
}

build_tree() {
	mgr modify qos normal set priority=10
	mgr add qos urgent priority=100
	mgr add qos standby priority=0 usagefactor=0.5

	# The version decides which of several accrue limits counts.
	mgr add qos grown GrpJobsAccrue=3 MaxJobsAccruePU=2
	mgr add qos grownpa MaxJobsAccruePA=3 MaxJobsAccruePU=1

	account physics root 50 qos=normal,urgent,standby,grown,grownpa
	account beamline physics 5
	account theory physics 2
	account optics beamline parent
	account chemistry root 30 qos=normal,standby priority=10
	# Ties at LevelFS 0 (no shares, some usage) and at inf (no usage). A controller that just started ranks tied
	# accounts newest first, after a change of an association by name; with this order of creation both ranks are
	# equal.
	account zero_c root 0
	account zero_b root 0
	account zero_a root 0
	account idle_b root 7
	account idle_a root 7

	member daemon theory 10
	member bin theory 20 priority=25
	member sys theory parent
	member daemon beamline 1
	member games beamline 5
	member proxy beamline 0
	member man optics parent
	member uucp optics 3
	member mail,news chemistry 1
	member uucp chemistry parent
	member lp chemistry 1 partition=long
	member lp chemistry 3
	member lp chemistry 2 partition=short
	member a.user.without.unix.account chemistry 4
	member irc root 20
	member daemon,man zero_b 1
	member list zero_c 1
	member bin,sys zero_a 2
	member backup idle_b 1
	member list idle_b 0
	member www-data,news idle_a 1
	member www-data beamline 2 GrpJobsAccrue=4 MaxJobsAccrue=1
}

job() { # USER ACCOUNT [OPTION...]: prints the job's number
	timeout 20 sbatch --parsable --uid="$1" -A "$2" -D / -o /dev/null "${@:3}" \
		--wrap 'sleep 600' || die "sbatch as $1: refused: ${*:2}"
}

used() { # USER ACCOUNT CPUS SECONDS [OPTION...]
	timeout 20 sbatch --parsable --uid="$1" -A "$2" -n1 -c"$3" -D / -o /dev/null \
		"${@:5}" --wrap "sleep $4" >/dev/null || die "sbatch as $1: refused"
}

nothing_runs() { [ -z "$(squeue -h)" ]; }

# No two siblings have nearly the same usage per share: the digits of a capture could not show which of them ranks
# first.
make_usage() {
	used daemon theory 4 2
	used bin theory 2 3
	used sys theory 3 2 -p long
	used daemon beamline 1 2 -q urgent
	used games beamline 6 2
	used proxy beamline 1 1
	used man optics 3 2
	used uucp optics 2 1
	used mail chemistry 3 3 -q standby
	used lp chemistry 2 2
	used lp chemistry 1 2 -p short
	used irc root 3 1 --mem-per-cpu=1700
	used daemon zero_b 4 2
	used man zero_b 1 2
	used list zero_c 2 1
	used bin zero_a 1 1
	used sys zero_a 3 2
	export -f nothing_runs
	until_ok 60 'the short jobs did not end' bash -c nothing_runs
}

# Backfill finds a later start for exclusive jobs next to a running one: from then on they count with whole nodes.
queue_exclusive_jobs() {
	job games beamline -p wide -n9 -t 2:00:00
	until_ok 30 'the long job does not run' bash -c 'squeue -h -t R -p wide | grep -q .'
	RUNS=$(job irc root -p wide -n2 -t 2:00:00) && RUNS_TOO=$(job irc root -p wide -n1 -t 2:00:00) || exit 1
	# shellcheck disable=SC2016
	until_ok 30 'the short jobs do not run' bash -c '[ "$(squeue -h -t R -p wide | wc -l)" = 3 ]'
	export RUNS RUNS_TOO
	job uucp optics -p wide -n3 --exclusive
	job games beamline -p wide -n2 -t 30 --exclusive --nice=7
	job proxy beamline -p wide -n12
}

queue_ageing_jobs() {
	local i q
	for q in grown grownpa; do
		for i in 1 2 3; do
			job daemon theory -n1 -q $q
			job bin theory -n1 -q $q
		done
		job sys theory -n1 -q $q
	done
	for i in 1 2 3; do job www-data beamline -n2; done
}

queue_several_qos() {
	since 24.11 || return 0
	job bin theory -n5 -q standby,urgent
	job sys theory -n5 -q standby,urgent,normal -p normal,short
	job daemon theory -n5 -q normal,standby
}

queue_jobs() {
	local id
	queue_exclusive_jobs
	# No node accepts jobs any more: queued jobs stay queued.
	scontrol update nodename=n01 state=drain reason=trial || die 'cannot drain the node'

	queue_ageing_jobs
	queue_several_qos
	job daemon theory -n4 -L alpha:1
	job bin theory -n20 -q urgent
	job sys theory -n8 --nice=300
	job daemon beamline -n2 -q standby
	job games beamline -N2 -n70 -p long
	job games beamline -n1 --mem=100G
	job proxy beamline -n64 -t 5
	job man optics -n8 --gres=gpu:3
	job uucp optics -n1 -p short
	job mail chemistry -n16 -t 7-0
	job lp chemistry -n2
	job lp chemistry -n2 -p short
	job lp chemistry -n2 -p long
	job irc root -n3
	job bin zero_a -n1
	job daemon zero_b -n1
	job www-data idle_a -n5
	job news idle_a -n5
	MULTI=$(job daemon theory -n6 -p normal,short,long) || exit 1
	ARRAY=$(job uucp chemistry -n1 --array=1-9:2%2) || exit 1
	job mail chemistry -n1 -H
	job mail chemistry -n1 --begin=now+2hours
	id=$(job news chemistry -n1) || exit 1
	scontrol update jobid="$id" nice=-500
	DIRECT=$(job bin theory -n1) || exit 1
	scontrol update jobid="$DIRECT" priority=123456
	export MULTI ARRAY DIRECT
}

decayed_since() { [ "$work/state/priority_last_decay_ran" -nt "$1" ]; }

# After the next recalculation nothing changes for a minute.
await_decay() {
	export -f decayed_since
	export work
	# shellcheck disable=SC2016
	until_ok 75 'priorities were not recalculated' bash -c 'decayed_since "$work/queued"'
	sleep 1
}

# PriorityCalcPeriod cannot be less than a minute. A restart would recalculate at once, but resets the age of job
# arrays.
await_priorities() {
	# The scheduler must try every job first: its age begins then.
	sleep 4
	touch "$work/queued"
	await_decay
}

play_scene() {
	build_tree
	make_usage
	queue_jobs >"$work/log/jobs"
	await_priorities
}
