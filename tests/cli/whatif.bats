#!/usr/bin/env bats
# --if: every reading command applies the commands in order; refusals and messages.

load lib

@test "every reading command accepts --if" {
	edit='scontrol update job 812154 Priority=1'
	for c in 'fs-prio -j 812154' 'fs-showq -p gpu --plan' 'fs-explain 812154' 'fs-top --once'; do
		$c --demo --as dana >without
		$c --demo --as dana --if "$edit" >with
		differ without with
	done
	fs-share --demo -a >without
	fs-share --demo -a --as root --if 'sacctmgr modify account quantum set fairshare=30' >with
	differ without with
}

@test "--if accepts one task of a pending array" {
	hold='scontrol hold 812233_20'
	for c in 'fs-prio -j 812233' 'fs-showq -p gpu --plan' 'fs-explain 812233_20 --brief' 'fs-top --once'; do
		run -0 $c --demo --as root --if "$hold"
		[[ $output == *'task 20 of array 812233 becomes job '* ]]
	done
	run -0 --separate-stderr fs-explain 812233_20 --brief --demo --as root --if "$hold"
	[[ $output == *'eld by an administrator'* ]]
	run -0 --separate-stderr fs-explain 812233_21 --brief --demo --as root --if "$hold"
	[[ $output != *'eld by an administrator'* ]]
}

@test "--if works as sprio, from a file and from standard input" {
	ln -s "$FS_BIN/fs-tools" sprio
	fs-prio --demo -l --as root --if 'scontrol hold 812154' >with
	absent 812154 with
	snapshot '{"type":"config","PriorityType":"priority/multifactor"}' \
		'{"type":"job","id":9,"state":"PENDING","user":"u","eligible_time":5,"partitions":["p"],"priority":7}'
	[ "$(FS_SNAPSHOT=s.jsonl ./sprio -h -o %i)" = 9 ]
	[ -z "$(FS_SNAPSHOT=s.jsonl FS_USER=root ./sprio -h -o %i --if 'scontrol hold 9')" ]
	[ -z "$(FS_USER=root fs-prio -f - -h -o %i --if 'scontrol hold 9' <s.jsonl)" ]
}

@test "commands of --if are applied in order" {
	run -0 --separate-stderr fs-prio --demo --as root -h -o %N -j 812154 --if 'scontrol update job 812154 Nice=7' \
		--if 'scontrol update job 812154 Nice=9'
	[[ $output =~ ^\ *9\ *$ ]]
}

@test "an unknown command is a usage error that shows the command" {
	run -2 fs-prio --demo --if 'scontrol hlod 1'
	[ "$output" = 'fs-prio: --if: scontrol hlod 1: scontrol "hlod" is not supported; the nearest is hold' ]
	run -2 fs-prio --demo --if ''
	run -2 fs-showq --demo --if $'scontrol hold \x1b[31m'
	[[ $output != *$'\x1b'* ]]
	ln -s "$FS_BIN/fs-tools" sshare
	FS_SNAPSHOT=/dev/null run -1 ./sshare --demo --if 'scontrol hold x'
}

@test "more than 256 commands are refused" {
	options=()
	for ((i = 0; i < 257; i++)); do options+=(--if PriorityWeightAge=1); done
	run -2 fs-prio --demo "${options[@]}"
	[[ $output == *'--if: expected at most 256 commands' ]]
}

@test "--if is refused for a scheduler without known commands" {
	head='{"type":"snapshot","format":1,"time":1000,"cluster":"c","scheduler":"abacus 1"}'
	snapshot
	run -1 fs-share -f s.jsonl --if 'scontrol hold 1'
	[[ $output == *'commands are not modelled for scheduler "abacus 1"'* ]]
}

@test "--if applies commands the user may not use, with a warning" {
	run -0 --separate-stderr fs-prio --demo --as dana -h -o %N -j 812154 --if 'scontrol update job 812154 Nice=-7'
	[[ $output =~ ^\ *-7\ *$ ]]
	[ "$stderr" = 'fs-prio: if scontrol update job 812154 Nice=-7: job 812154: setting Nice below 0: only an operator may do this' ]
	run -0 --separate-stderr fs-prio --demo --as root -h -o %N -j 812154 --if 'scontrol update job 812154 Nice=-7'
	[ -z "$stderr" ]
}

@test "limits changed by --if apply to the changed job" {
	run -0 --separate-stderr fs-explain --verbose --demo --as root 812154 --if 'scontrol update job 812154 QOS=high' \
		--if 'sacctmgr modify qos high set MaxWall=60'
	[[ $output == *'QOS high allows 1:00:00 a job'* ]]
}

@test "fs-top --once applies the commands of --if" {
	fs-top --demo --as root --once --if 'scontrol update job 812154 Priority=999999' | grep -q ' 812154 .* 999999 Nov 21 05:10'
}

# The controller accepts a QOS or partition in which the job can never start.
@test "an accepted change that prevents the job's start is reported" {
	run -0 --separate-stderr fs-explain --demo --as root 812172 --if 'sacctmgr modify qos high set MaxWall=5' \
		--if 'scontrol update job 812172 QOS=high'
	[[ $output == *'can never start'*'QOS high allows'*MaxWall* ]]
	run -0 --separate-stderr fs-explain --demo --as root 812172
	[[ $output != *'can never start'* ]]
}

@test "a refused Priority= resets the nice value, with a warning" {
	run -0 --separate-stderr fs-prio --demo --as gita -j 812172 -l --if 'scontrol update job 812172 Nice=500' \
		--if 'scontrol update job 812172 Priority=9'
	[[ $stderr == *'the controller would refuse Priority, but would still change the nice value from 500 to 0'* ]]
}

@test "preferred features select nodes if the job can start there" {
	cat >s.jsonl <<-'EOF'
	{"type":"snapshot","format":1,"time":6000,"cluster":"c","scheduler":"slurm 22.05.8"}
	{"type":"node","name":"n1","state":"IDLE","cpus":8,"features":["a"]}
	{"type":"node","name":"n2","state":"IDLE","cpus":8,"features":["b"]}
	{"type":"partition","name":"p","state":"UP","nodes":"n[1-2]"}
	{"type":"job","id":9,"state":"PENDING","user":"u","partitions":["p"],"priority":5,"eligible_time":1,"nodes":1,"cpus":8,"time_limit_s":600}
	EOF
	fs-showq -f s.jsonl --as root --plan | grep '^9 .* n1 '
	fs-showq -f s.jsonl --as root --plan --if 'scontrol update job 9 Prefer=b' 2>err | grep '^9 .* n2 '
	[ ! -s err ]
	fs-showq -f s.jsonl --as root --plan --if 'scontrol update job 9 Prefer=b' --if 'scontrol update job 9 Prefer=' | grep '^9 .* n1 '
	run -2 fs-showq -f s.jsonl --as root --plan --if 'scontrol update job 9 Prefer=c'
	[[ $output == *'no node has the feature "c"'* ]]
}

# terminal COMMAND: prints the command's output on a terminal, without standard error.
terminal() {
	TERM=dumb script -qec "$1 2>/dev/null" /dev/null | tr -d '\r'
}

@test "WHAT IF heads each page, and tables only on a terminal" {
	line='WHAT IF: scontrol hold 812160; PriorityWeightAge=0'
	options=(--demo --as root --if 'scontrol hold 812160' --if PriorityWeightAge=0)
	for c in 'fs-explain 812154' 'fs-explain 812154 --brief' 'fs-explain 812154 --markdown' 'fs-explain dana' \
		'fs-explain --versus 812160 812154' 'fs-explain 812154 --forecast' 'fs-prio --weights-report' 'fs-diff' \
		'fs-share --forecast -u dana'; do
		run -0 --separate-stderr $c "${options[@]}"
		[ "${lines[0]}" = "$line" ]
	done
	for c in fs-prio 'fs-prio -w' 'fs-share -a' fs-showq 'fs-showq --plan' 'fs-showq --style=fasrc'; do
		run -0 --separate-stderr $c "${options[@]}"
		[[ $output != *'WHAT IF'* ]]
		run terminal "$c --demo --as root --if 'scontrol hold 812160' --if PriorityWeightAge=0"
		[ "${lines[0]}" = "$line" ]
		run terminal "$c --demo --as root"
		[[ $output != *'WHAT IF'* ]]
	done
	run -0 fs-explain 812154 --demo --as root
	[[ $output != *'WHAT IF'* ]]
}

@test "the WHAT IF line is never folded, and control bytes are escaped" {
	long="scontrol update job 812154 Comment=$(printf 'x%.0s' {1..200})"
	run -0 --separate-stderr fs-explain 812154 --demo --as root --if "$long"
	[ "${lines[0]}" = "WHAT IF: $long" ]
	run -0 --separate-stderr fs-explain 812154 --demo --as root --if $'scontrol update job 812154 Comment=\x1b[31m'
	[[ ${lines[0]} == 'WHAT IF: '* && $output != *$'\x1b'* ]]
}

@test "documents and pictures of a hypothetical state name its commands" {
	options=(--demo --as root --if 'scontrol hold 812160' --if PriorityWeightAge=0)
	for c in fs-prio 'fs-share -a' fs-showq 'fs-showq --plan' 'fs-explain 812154' 'fs-explain dana' fs-diff \
		'fs-prio --weights-report' 'fs-share --forecast -u dana'; do
		$c "${options[@]}" --json 2>/dev/null |
			python3 -c 'import json, sys; assert json.load(sys.stdin)["if"] == ["scontrol hold 812160", "PriorityWeightAge=0"]'
	done
	fs-prio --demo --json | python3 -c 'import json, sys; assert "if" not in json.load(sys.stdin)'
	fs-showq --plan "${options[@]}" --svg=p.svg 2>/dev/null
	grep -q '<title>WHAT IF: scontrol hold 812160; PriorityWeightAge=0' p.svg
	fs-explain 812154 "${options[@]}" --html=p.html 2>/dev/null
	grep -q '<title>WHAT IF: scontrol hold 812160; PriorityWeightAge=0' p.html
	grep -qx '<p>WHAT IF: scontrol hold 812160; PriorityWeightAge=0' p.html
	[ "$(grep -c '<h1>' p.html)" = 1 ]
	run -0 --separate-stderr fs-top --once "${options[@]}"
	[[ ${lines[3]} == *'WHAT IF: scontrol hold'* ]]
}

@test "an unreadable job script is an error" {
	run -1 fs-explain --demo --as dana 812154 --if 'sbatch -A quantum none.sh'
	[ "$output" = "fs-explain: --if: sbatch -A quantum none.sh: cannot read job script 'none.sh': No such file or directory" ]
	run -1 fs-explain --demo --as dana 812154 --if 'sbatch -A quantum .'
	[[ $output == *"cannot read job script '.': Is a directory" ]]
	run -0 --separate-stderr fs-prio --demo --as dana --if 'sbatch -A quantum'
	run -0 --separate-stderr fs-prio --demo --as dana --if 'sbatch -A quantum -' <<<'#SBATCH -n 9999'
}

job_script() { printf '%s\n' '#!/bin/bash' "$@" >job.sh; }
request() { # prints CPUs, GPUs and time limit of the submitted job
	fs-explain --demo --as dana 812309 --if "sbatch $1" 2>/dev/null | sed -n '3,4p' | tr '\n' ' '
}

@test "the directives of a job script are applied: script, then environment, then command line" {
	job_script '#SBATCH -A quantum --partition="gpu" # -n 7' '' '# gpus' '#SBATCH --gres=gpu:2 -n 3' '#SBATCH -n 8' 'srun x' '#SBATCH -c 999'
	for c in 'fs-explain 812309' fs-prio 'fs-showq --plan' 'fs-diff'; do
		run -0 --separate-stderr $c --demo --as dana --if 'sbatch job.sh'
		[ "$(grep -c 'line 8: -c 999: sbatch ignores directives after the first command' <<<"$stderr")" = 1 ]
	done
	[[ $(request job.sh) == *'account quantum'*' 8 CPUs, 1 node, 2 GPUs'* ]]
	[[ $(request '-n 4 job.sh -n 5') == *' 4 CPUs'* ]]
	[[ $(SBATCH_TIMELIMIT=90 request job.sh) == *'limit 1:30:00'* ]]
	[[ $(SBATCH_TIMELIMIT=90 request '-t 60 job.sh') == *'limit 1:00:00'* ]]
}

@test "a job script that sbatch cannot read is refused with its line" {
	refused() {
		run -2 fs-prio --demo --as dana --if 'sbatch job.sh'
		[[ $output == "fs-prio: --if: sbatch job.sh: $1"* ]]
	}
	job_script '#SBATCH -A nosuch'
	refused 'line 2: there is no account "nosuch"'
	job_script '#SBATCH -A quantum' '#SBATCH --ntasks x'
	refused 'line 3: sbatch: --ntasks: expected a whole number'
	job_script '#SBATCH -A quantum' '#SBATCH --nonsense=3'
	refused 'line 3: sbatch: unknown option --nonsense'
	job_script "#SBATCH -A 'quantum"
	refused 'line 2: Unmatched quote in'
	job_script '#SBATCH -A quantum : -n 2'
	refused 'line 2: Unexpected `:` in'
	job_script '#SBATCH -A quantum -p gpu x'
	refused 'line 2: Invalid directive found in batch script: x'
	job_script '#SBATCH -A quantum --mem=3' '#SBATCH --mem-per-cpu=7'
	refused 'line 3: --mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.'
	printf 'srun' >job.sh
	refused 'This does not look like a batch script.'
	: >job.sh
	refused 'Batch script is empty!'
	printf '\n \n' >job.sh
	refused 'Batch script contains only whitespace!'
	printf '#!/bin/sh\n\0' >job.sh
	refused 'The Slurm controller does not allow scripts that contain a NULL character'
	printf '#!/bin/sh\r\n' >job.sh
	refused 'Batch script contains DOS line breaks'
}

@test "#PBS lines and het job components of a job script are read" {
	job_script '#PBS -A quantum -q gpu -l nodes=2:ppn=4,walltime=1:00:00,mem=4gb -l proc=xeon' '#SLURM -J x' 'srun'
	run -0 --separate-stderr fs-prio --demo --as dana --if 'sbatch job.sh'
	[[ $stderr == *'line 3: Change from #SLURM to #SBATCH'* ]]
	[[ $stderr == *'line 2: proc=xeon: this part of a #PBS or #BSUB line is not modelled'* ]]
	[[ $(request job.sh) == *' 8 CPUs, 2 nodes'*'limit 1:00:00'* ]]
	job_script '#SBATCH -A quantum -p gpu -n 2' '#SBATCH hetjob' '#SBATCH -A quantum -p gpu -n 4'
	run -0 --separate-stderr fs-prio --demo --as dana --if 'sbatch job.sh'
	[[ $stderr == *'job 812309: submitted'*'job 812310: submitted'* ]]
}

@test "a job may request hundreds of TRES" {
	local tres
	tres=$(seq -f '"gres/g%.0f":1' -s, 300)
	snapshot '{"type":"job","id":1,"state":"PENDING","user":"u","partitions":["p"],"tres_req":{"cpu":2,'"$tres"'}}'
	run -0 --separate-stderr fs-showq -f s.jsonl --if 'scontrol update job 1 NumCPUs=1'
	[[ $stderr != *memory* ]]
}
