#!/usr/bin/env bats
# Job scripts before they are submitted: fs-explain SCRIPT.
load lib

job_script() { printf '%s\n' '#!/bin/bash' "$@" >job.sh; }
judge() { FS_SNAPSHOT=$BATS_TEST_DIRNAME/../../cmd/demo.jsonl fs-explain --as dana "$@"; }
# The demo cluster with EnforcePartLimits.
fs_demo_with() { sed 's/^{"type":"config",/&"EnforcePartLimits":"'"$1"'",/' "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" >limits.jsonl; }
# refused MESSAGE PROBLEM [ARG...]: the script is refused with this message of sbatch, and this line of the page
refused() {
	local message=$1 problem=$2
	shift 2
	run -4 judge job.sh --json "$@"
	python3 -c 'import json, sys
s = json.loads(sys.argv[1])["script"]
assert not s["accepted"] and (s["message"] or "") == sys.argv[2], s
assert any(sys.argv[3] in "%s: %s" % (p["line"], p["text"]) for p in s["problems"]), s' "$output" "$message" "$problem"
}

@test "a good script is accepted, with start, cause and cost" {
	job_script '#SBATCH -A quantum' '#SBATCH --partition=gpu' '#SBATCH --gres=gpu:2' '#SBATCH -t 2:00:00' '#SBATCH --mem=10G' '#SBATCH -c 8' 'srun x'
	run -0 judge job.sh
	[[ $output == 'WHAT IF: sbatch job.sh'*'Accepted?        Yes.'*'When             2026-11-21 20:03:00'*'Why then         It needs GPUs'*'Cost             16.00 billing hours'* ]]
	run -0 judge --script=- -t 60 <job.sh
	[[ $output == *'Cost             8.00 billing hours'* ]]
	SBATCH_TIMELIMIT=30 run -0 judge ./job.sh
	[[ $output == *'Cost             4.00 billing hours'* ]]
	run -0 judge job.sh --markdown -c 1 --account quantum
	[[ $output == *'sbatch -c 1 --account quantum job.sh'* ]]
}

@test "a bad script is refused in the words of sbatch, with the line" {
	local config='Requested node configuration is not available'
	job_script '#SBATCH -A quantum' '#SBATCH --partition=gpu' '#SBATCH --gres=gpu:64' '#SBATCH -t 30-00:00:00' '#SBATCH --mem=9000G' 'srun x' '#SBATCH -c 999'
	refused "$config" '6: --mem=9000G: the job asks for 9216000M; partition gpu has 1024000M'
	refused "$config" '4: --gres=gpu:64: the job asks for 64 GPUs; partition gpu has 16 GPUs; its largest node has 8 GPUs.'
	refused "$config" '5: --time=30-00:00:00: the job asks for 30-00:00:00; partition gpu allows at most 2-00:00:00.'
	run -4 judge job.sh
	[[ $output == *'Note             Line 8: -c 999: sbatch ignores directives after the first'* ]]
	job_script '#SBATCH -A quantum -p gpu'
	refused "$config" 'None: --cpus-per-task=100: no set of nodes of partition gpu can take the job' -c 100
	refused "$config" 'its largest node has 8 GPUs' --gres=gpu:16
	refused 'Invalid feature specification' 'no node has all features that "nosuch" names' -C nosuch
	refused 'Invalid account or account/partition combination specified' 'no association with account biology' -A biology
	refused 'Invalid qos specification' 'there is no QOS "nosuch"' -q nosuch
	refused 'Invalid node name specified' 'not all nodes' -w nosuch
	refused 'Requested reservation is invalid' 'there is no reservation' --reservation=x
	refused 'Access denied to requested reservation' 'the reservation does not admit the job.' --reservation=maintenance
	job_script '#SBATCH -A quantum --ntasks=x'
	refused '' '2: --ntasks: expected a whole number'
	job_script "#SBATCH -A 'quantum"
	refused '' '2: Unmatched quote in'
}

@test "limits of partitions refuse a job if EnforcePartLimits is set" {
	job_script '#SBATCH -A quantum' '#SBATCH -t 4-0 -p gpu'
	run -0 judge job.sh
	[[ $output == *'Accepted?        Yes, unless EnforcePartLimits is set; it is not in the'*'line 3: --time=4-0: the job asks for'* ]]
	local mode
	for mode in ALL ANY; do
		fs_demo_with "$mode"
		run -4 fs-explain -f limits.jsonl --as dana job.sh
		[[ $output == *'Requested time'*'limit is invalid (missing or exceeds some limit).'* ]]
		run -4 fs-explain -f limits.jsonl --as dana job.sh -t 60 -N 3
		[[ $output == *'Node count'*'specification invalid'* ]]
	done
	fs_demo_with NO
	run -0 fs-explain -f limits.jsonl --as dana job.sh
	[[ $output == *'Yes. But it can never start:'* ]]
}

@test "limits on submitted jobs, and of a QOS with DenyOnLimit, refuse a job" {
	sed '/"type":"qos","name":"normal"/s/}$/,"max_submit_jobs_per_user":1}/' "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" >one.jsonl
	local violates='sbatch: error: Batch job submission failed: Job violates'
	job_script '#SBATCH -A quantum -p gpu -c 8'
	run -4 --separate-stderr judge job.sh --if 'sacctmgr modify qos normal set MaxSubmitJobsPU=1'
	[[ $output == *"$violates"*'limit MaxSubmitJobsPU of normal is 1'* ]]
	refused "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)" \
		'limit MaxSubmitJobsPU of normal is 1; with this job, there are 4.' -f one.jsonl
	run -0 --separate-stderr judge job.sh --if 'sacctmgr modify qos normal set MaxSubmitJobsPU=4'
	run -4 --separate-stderr judge job.sh --if 'sacctmgr modify qos normal set MaxTRESPerJob=cpu=4 Flags=DenyOnLimit'
	[[ $output == *"$violates"*'limit MaxTRESPerJob cpu of normal is 4'* ]]
	run -0 --separate-stderr judge job.sh --if 'sacctmgr modify qos normal set MaxTRESPerJob=cpu=4'
}

@test "a word is a script only if it names nothing else" {
	job_script '#SBATCH -A quantum -p gpu -c 8'
	cp job.sh dana
	run -0 judge dana
	[[ $output == 'dana in account quantum'* ]]
	run -0 judge ./dana
	[[ $output == *'Accepted?'* ]]
	cp job.sh 812154
	run -0 judge 812154
	[[ $output != *'Accepted?'* ]]
	run -4 judge nosuch
	run -1 judge ./nosuch
	[[ $output == *"cannot read job script './nosuch'"* ]]
	run -2 judge job.sh --comment="$(printf '%5000s')"
	[[ $output == *'the options of sbatch are too long' ]]
	run -2 judge job.sh --ahead
	[[ $output == *'a job script can only be combined with'* ]]
}

@test "--where lists the places, the earliest start first, refused ones last" {
	job_script '#SBATCH -A quantum' '#SBATCH --gres=gpu:2 -p gpu -t 2:00:00 --mem=10G -c 8'
	run -0 judge job.sh --where
	[[ $output == *'WHERE it would start'*'gpu '*'high '*'2026-11-20 20:02:57'*'gpu '*'normal '*'2026-11-21 20:03:00'*'refused'* ]]
	[[ $output != *maintenance* ]]
	judge job.sh --where --json | python3 -c 'import json, sys
d = json.load(sys.stdin)
places = d["alternatives"]
starts = [p["planned_start"] for p in places if p["accepted"]]
assert starts == sorted(starts) and len(places) == 12, places
assert not any(p["accepted"] for p in places[len(starts):])
assert [p["planned_start"] for p in places if p["partition"] == "gpu" and p["qos"] == "normal"] == [d["script"]["planned_start"]]
assert all(p["note"] for p in places[len(starts):])'
	run -0 judge job.sh --where --write
	[ "$output" = $'#SBATCH --account=quantum\n#SBATCH --partition=gpu\n#SBATCH --qos=high' ]
	judge --script=- --where <job.sh >standard
	judge job.sh --where >named
	diff <(sed 1d standard) <(sed 1d named)
	run -2 judge job.sh --write
	[[ $output == *'--write requires --where' ]]
}
