#!/usr/bin/env bats
# Snapshots with tables long enough for several threads: the output is the same for any number of threads.

load lib

# large: prints a snapshot of 10 MB whose last jobs are not in the order of their ids.
large() {
	echo '{"type":"snapshot","format":1,"time":1700000000,"cluster":"c","scheduler":"slurm 23.11.4"}'
	echo '{"type":"config","PriorityType":"priority/multifactor","PriorityWeightAge":1000,"PriorityWeightFairShare":1000}'
	echo '{"type":"association","id":1,"account":"root","shares":1,"usage_tres_s":0}'
	awk 'BEGIN {
		for (i = 2; i < 40; i++)
			printf "{\"type\":\"association\",\"id\":%d,\"account\":\"root\",\"user\":\"u%d\",\"shares\":%d}\n", i, i, i
		for (i = 1; i <= 54000; i++) {
			id = i < 53000 ? i : 107000 - i
			printf "{\"type\":\"job\",\"id\":%d,\"state\":\"PENDING\",\"submit_time\":%d,\"eligible_time\":%d,\"name\":\"n%d\",\"user\":\"u%d\",\"account\":\"root\",\"association\":%d,\"partitions\":[\"p%d\"],\"tres_req\":{\"cpu\":%d}}\n",
				id, 1699990000 + i % 977, 1699990000 + i % 977, i % 1201, 2 + i % 38, 2 + i % 38, i % 3, i % 17
		}
	}'
}

# make_large: writes this snapshot to the file s.
make_large() {
	large >s
	[ "$(wc -c <s)" -gt 10000000 ]
}

# alike COMMAND...: the command has the same output and status with one, two and seven threads.
alike() {
	local n one=0 status
	FS_THREADS=1 "$@" >one 2>&1 || one=$?
	[ -s one ]
	for n in 2 7; do
		status=0
		FS_THREADS=$n "$@" >many 2>&1 || status=$?
		[ "$status" = "$one" ]
		cmp one many || { diff one many | head -4; return 1; }
	done
}

@test "tables, documents and streams are the same for any number of threads" {
	make_large
	alike fs-prio -l -f s
	grep -q ' u7 ' one
	alike fs-prio -S y -o '%i|%u %Y %A' -h -f s
	alike sh -c 'fs-prio -l -f s | head -3'
	alike fs-prio --json -f s
	alike fs-share -al -f s
	alike sh -c 'fs-prio -l -f - <s'
	alike fs-snap check s
}

@test "fs-diff prints the same for any number of threads" {
	make_large
	sed -e '1s/1700000000/1700003600/' -e '3000,14000d' -e 's/"id":\(4[0-9]\{4\}\),/"id":9\1,/' s >later
	alike fs-diff s later
	grep -q '^PENDING JOBS: [0-9]\{5\} of' one
	grep -q '^JOBS PENDING IN ONE' one
	alike fs-diff --markdown s later
	alike fs-diff --json s later
}

@test "warnings and refusals are the same for any number of threads" {
	make_large
	sed '50000s/"state"/"weather":1,"state"/; 51000s/"state"/"weather":1,"wind":2,"state"/' s >odd
	alike fs-prio -f odd
	grep -q '^fs-prio: warning: odd:50000: unknown key "weather" skipped' one
	sed '53500s/PENDING/PONDERING/; 53900s/{//' s >bad
	alike fs-prio -f bad
	grep -q '^fs-prio: bad:53500' one
	sed '53900s/{//' s >bad
	alike fs-share -f bad
	grep -q '^fs-share: bad:53900' one
	head -c 10200000 s >cut
	alike fs-prio -f cut
	sed '53000p' s >twice
	alike fs-prio -f twice
	grep -q 'appears twice' one
}
