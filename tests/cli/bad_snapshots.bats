#!/usr/bin/env bats
# Invalid snapshots: the message names file, line and field; the exit status is 3; standard output is empty.

load lib

# refused PATTERN LINE...: reading the lines fails with a message that matches the pattern.
refused() {
	local pattern=$1
	shift
	snapshot "$@"
	run -3 --separate-stderr fs-share -f s.jsonl -a
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" = 1 ]
	[[ $stderr == fs-share:\ s.jsonl:$pattern ]] || { echo "$stderr"; return 1; }
	run -3 fs-snap check s.jsonl
	run -3 fs-prio -f s.jsonl
}

root='{"type":"association","id":1,"account":"root","shares":1}'

@test "wrong types, values out of range and missing fields are refused" {
	refused '2: id: *integer*string*' '{"type":"association","id":"x","account":"root"}'
	refused '2: id: *-1*' '{"type":"association","id":-1,"account":"root"}'
	refused '2: shares: *' '{"type":"association","id":1,"account":"root","shares":-5}'
	refused '2: shares: *' '{"type":"association","id":1,"account":"root","shares":"all"}'
	refused '2: usage_tres_s: *negative*' '{"type":"association","id":1,"account":"root","usage_tres_s":-0.5}'
	refused '2: account: missing' '{"type":"association","id":1}'
	refused '2: type: *' '{"id":1}'
	refused '2: state: *' '{"type":"job","id":1,"state":"SLEEPING"}'
	refused '2: tres_req: *cpu*' '{"type":"job","id":1,"state":"PENDING","tres_req":{"cpu":1.5}}'
}

@test "a configuration parameter of the wrong type is refused" {
	refused '3: PriorityFlags: *list*' "$root" '{"type":"config","PriorityFlags":"NO_FAIR_TREE"}'
	refused '3: PrivateData: *list*' "$root" '{"type":"config","PrivateData":"usage"}'
	refused '3: FairShareDampeningFactor: *' "$root" '{"type":"config","FairShareDampeningFactor":"5"}'
	refused '3: JobDefaults: *DefCpuPerGPU=N*' "$root" '{"type":"config","JobDefaults":"DefCpuPerGPU=4X"}'
	refused '3: PriorityUsageResetPeriod: *string*' "$root" '{"type":"config","PriorityUsageResetPeriod":4}'
}

@test "a second root association is refused" {
	refused '3: parent: *second root*' "$root" '{"type":"association","id":2,"account":"a"}'
}

@test "fs-prio names an invalid configuration value" {
	snapshot '{"type":"config","PriorityWeightAge":"many"}' "$root"
	run -3 --separate-stderr fs-prio -f s.jsonl
	[[ $stderr == *s.jsonl:2:*PriorityWeightAge* ]]
}

@test "duplicate keys, ids and names are refused" {
	refused '2: id: duplicate key' '{"type":"association","id":1,"account":"root","id":2}'
	refused '3: id: *' "$root" '{"type":"association","id":1,"account":"root","user":"a"}'
	refused '3: account: *twice*' "$root" '{"type":"association","id":2,"account":"root"}'
	refused '3: id: job 7 appears twice' '{"type":"job","id":7,"state":"PENDING"}' '{"type":"job","id":7,"state":"PENDING"}'
	refused '2: x: duplicate key' '{"type":"qos","name":"q","x":1,"x":2}'
	refused '3: type: *second*' "$root" "$head"
}

@test "unknown parents and cycles of accounts are refused" {
	refused '3: parent: *nosuch*' "$root" '{"type":"association","id":2,"account":"a","parent":"nosuch"}'
	refused '2: account: *nosuch*' '{"type":"association","id":2,"account":"nosuch","user":"u"}'
	refused '*: parent: *ancestor*' "$root" '{"type":"association","id":2,"account":"a","parent":"b"}' \
		'{"type":"association","id":3,"account":"b","parent":"a"}'
}

@test "truncated, malformed and too deeply nested lines are refused" {
	refused '2:*: the line ends inside a string' '{"type":"association","acc'
	refused '2:*: not valid JSON' '{"type":"association","id":1'
	refused '2:*: unexpected text after*' '{"type":"association","id":1,"account":"root"} x'
	refused '2:*: malformed number' '{"type":"association","id":01,"account":"root"}'
	refused '2:*: NUL*' '{"type":"association","id":1,"account":"ro\u0000ot"}'
	refused '2:*: control byte*' $'{"type":"association","id":1,"account":"ro\tot"}'
	refused '2:*: the JSON values are nested too deeply' '{"type":"x","a":[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]}'
	refused '2:1: not a JSON object' '[1,2]'
}

@test "a raw NUL byte is refused" {
	printf '%s\n{"type":"association","id":1,"account":"ro\0ot"}\n' "$head" >s.jsonl
	run -3 --separate-stderr fs-share -f s.jsonl
	[[ $stderr == *s.jsonl:2:* ]]
}

@test "a truncated file is refused" {
	printf '%s\n' '{"type":"snapshot","format":1,"time":1000,"cluster":"c","scheduler":"slurm 26.11.0","records":{"association":2}}' \
		"$root" >s.jsonl
	run -3 --separate-stderr fs-share -f s.jsonl
	[[ $stderr == *records*association*2*1*"truncated"* ]]
}

@test "the plan accepts a job that has a limit but no partition" {
	snapshot '{"type":"config","AccountingStorageEnforce":["limits"]}' "$root" \
		'{"type":"association","id":3,"account":"root","user":"u","shares":1}' \
		'{"type":"qos","name":"q","grp_jobs":0}' '{"type":"partition","name":"p"}' '{"type":"node","name":"n1","cpus":64}' \
		'{"type":"job","id":3,"state":"PENDING","eligible_time":5,"user":"u","account":"root","qos":["q"]}'
	run -0 fs-showq -f s.jsonl --as root --plan
}

@test "an empty file and a file without a header are refused" {
	: >s.jsonl
	run -3 --separate-stderr fs-share -f s.jsonl
	[[ $stderr == *empty* ]]
	echo "$root" >s.jsonl
	run -3 --separate-stderr fs-share -f s.jsonl
	[[ $stderr == *s.jsonl:1:*snapshot* ]]
}

@test "a line of 100 MB is refused in bounded memory" {
	{ echo "$head"; printf '{"type":"job","name":"'; head -c 100000000 /dev/zero | tr '\0' x; printf '"}\n'; } >big
	# no limit for a sanitized build, which reserves more address space
	run -3 --separate-stderr bash -c '[ "$FS_VARIANT" = asan ] || ulimit -v 400000; exec fs-share -f big'
	[[ $stderr == *big:2:*"longer than"* ]]
	rm big
}

@test "unknown types and keys are skipped with one warning each" {
	snapshot "$root" '{"type":"novelty","a":1}' '{"type":"novelty","a":2}' \
		'{"type":"qos","name":"q","colour":"red"}' '{"type":"qos","name":"r","colour":"blue"}'
	run -0 --separate-stderr fs-share -f s.jsonl -P
	[ "${#stderr_lines[@]}" = 2 ]
	[[ $stderr == *novelty*colour* ]]
}

@test "fs-snap check refuses the invalid weights that fs-prio refuses" {
	local value
	for value in '"PriorityWeightAge":-5' '"PriorityWeightTRES":"CPU=-5"'; do
		sed "/\"type\":\"config\"/{s/\"PriorityWeightAge\":[0-9]*,//;s/\"PriorityWeightTRES\":\"[^\"]*\",//;s/\"type\":\"config\"/&,$value/}" \
			"$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" >s.jsonl
		run -3 fs-snap check s.jsonl
		[[ $output == *"s.jsonl:2: PriorityWeight"*": expected"* ]]
		run -3 fs-prio -f s.jsonl
	done
}

@test "fs-snap check refuses the usage parameters that fs-share --spent refuses" {
	local value
	for value in '"PriorityDecayHalfLife":-3' '"PriorityCalcPeriod":-5' '"PriorityUsageResetPeriod":"SOMETIMES"'; do
		sed "/\"type\":\"config\"/{s/\"Priority\(DecayHalfLife\|CalcPeriod\)\":[0-9]*,//g;s/\"PriorityUsageResetPeriod\":\"[^\"]*\",//;s/\"type\":\"config\"/&,$value/}" \
			"$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" >s.jsonl
		run -3 fs-snap check s.jsonl
		[[ $output == *"s.jsonl:2: Priority"*": expected"* ]]
		run -3 fs-share -f s.jsonl --spent
	done
	sed 's/"usage_factor":[0-9.]*/"usage_factor":1e308/' "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" >s.jsonl
	run -3 fs-share -f s.jsonl --spent
	run -3 fs-snap check s.jsonl
	[[ $output == *"the sum of charges is too large"* ]]
}

@test "fs-explain and fs-showq accept Maui jobs in several classes" {
	export FS_USER=root
	python3 - "$BATS_TEST_DIRNAME/../top/maui.jsonl" >two.jsonl <<-'PY'
	import json, sys
	for line in open(sys.argv[1]):
	    r = json.loads(line)
	    if r["type"] == "job":
	        r["partitions"] = r.get("partitions", []) + ["x%d" % k for k in range(8)]
	    print(json.dumps(r))
	PY
	local job
	for job in $(fs-tools --complete jobs -f two.jsonl); do
		run fs-explain -f two.jsonl "$job"
		[ "$status" = 0 ] || { echo "$job: $status $output"; return 1; }
	done
	run -0 fs-showq -f two.jsonl --plan
}

# imported_or_refused VALUE...: for each setting and value, import refuses the capture, or check accepts the snapshot.
imported_or_refused() {
	local value
	for value; do
		printf '%s\n' 'Configuration data as of 2023-11-14T22:13:20' 'SLURM_VERSION = 26.05.0' "$setting = $value" \
			>in/scontrol_config.txt
		fs-snap import slurm in -o s.jsonl 2>errors || continue
		fs-snap check s.jsonl >/dev/null || { echo "$setting=$value"; return 1; }
	done
}

@test "check accepts what import writes" {
	mkdir in
	echo 1700000000 >in/date_begin
	for setting in PriorityDecayHalfLife PriorityCalcPeriod PriorityMaxAge PriorityWeightAge PriorityWeightTRES \
		PriorityUsageResetPeriod FairShareDampeningFactor JobDefaults PrivateData type; do
		imported_or_refused -1 0 4294967295 4294967296 99999999999999999999 1e300 nan abc '' CPU=5 CPU=-1 \
			100000001-00:00:00 UNLIMITED $'\xff'
	done
}

@test "without the list of TRES only priorities are unknown" {
	mkdir in
	echo 1700000000 >in/date_begin
	printf '%s\n' 'Configuration data as of 2023-11-14T22:13:20' 'SLURM_VERSION = 26.05.0' 'PriorityWeightTRES = CPU=5' \
		>in/scontrol_config.txt
	fs-snap import slurm in -o s.jsonl
	run -0 fs-snap check s.jsonl
	run ! fs-prio -f s.jsonl
	[[ $output == *'the snapshot does not list all TRES that PriorityWeightTRES names'* ]]
}
