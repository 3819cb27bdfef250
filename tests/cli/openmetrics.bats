#!/usr/bin/env bats
# --openmetrics prints valid, bounded metrics with the numbers of the other outputs.

load lib

read_metrics() {
	python3 "$BATS_TEST_DIRNAME/openmetrics.py" "$@"
}

metrics() {
	fs-share "$@" -a --openmetrics >share.prom
	fs-prio "$@" --openmetrics >prio.prom
	fs-showq "$@" --openmetrics >showq.prom
}

@test "--openmetrics prints the numbers of the JSON documents" {
	local c
	metrics --demo
	fs-share --demo -a --json >share.json
	fs-prio --demo --json >prio.json
	fs-showq --demo --json >showq.json
	for c in share prio showq; do
		[ "$(read_metrics $c.prom $c $c.json)" -gt 20 ]
	done
	fs-share --demo -a --algorithm=flux_range --openmetrics >share.prom
	fs-share --demo -a --algorithm=flux_range --json >share.json
	[ "$(read_metrics share.prom share share.json)" -gt 200 ]
	grep -q '^fs_share_high{' share.prom
}

@test "no two commands print the same series of metrics" {
	metrics --demo
	[ -z "$(cat share.prom prio.prom showq.prom | grep -v '^# EOF' | sed 's/ [^ ]*$//' | grep '{' | sort | uniq -d)" ]
	[ "$(cat share.prom prio.prom showq.prom | grep '^# TYPE' | sort | uniq -d)" = "" ]
}

@test "names are escaped labels, and unknown values have no sample" {
	snapshot '{"type":"config","PriorityType":"priority/multifactor","PriorityDecayHalfLife":100,"PriorityWeightAge":10}' \
		'{"type":"association","id":1,"account":"root"}' \
		'{"type":"association","id":2,"account":"a\"b\\c\n","parent":"root","shares":1}' \
		'{"type":"association","id":3,"account":"a\"b\\c\n","user":"\u001b[1mé","shares":1}' \
		'{"type":"job","id":7,"state":"PENDING","user":"\u001b[1mé","account":"a\"b\\c\n","association":3,"partitions":["p"],"name":"secret"}'
	metrics -f s.jsonl
	for c in share prio showq; do
		read_metrics $c.prom
	done
	grep -qF 'account="a\"b\\c\n",user="\\x1b[1mé"' share.prom
	absent -iE 'nan|inf|secret' share.prom prio.prom showq.prom
}

@test "--openmetrics respects selections of rows and --if" {
	fs-share --demo -a -U --subtree astro --openmetrics >all.prom
	absent 'account="plasma"' all.prom
	fs-prio --demo --if PriorityWeightAge=0 --openmetrics >if.prom
	grep -q '^fs_prio_weight{.*factor="age"} 0.0$' if.prom
	fs-showq --demo -p gpu --openmetrics >gpu.prom
	absent 'partition="bigmem"' gpu.prom
}

@test "every metric of the Grafana dashboard exists" {
	local name n=0
	metrics --demo
	python3 -m json.tool "$BATS_TEST_DIRNAME/../../man/fs-tools.grafana.json" >/dev/null
	for name in $(grep -oE 'fs_(share|prio|showq)_[a-z_]+' "$BATS_TEST_DIRNAME/../../man/fs-tools.grafana.json" | sort -u); do
		grep -q "^$name{" share.prom prio.prom showq.prom || { echo "no $name"; return 1; }
		n=$((n + 1))
	done
	[ $n -gt 8 ]
}

@test "promtool accepts the metrics without warnings" {
	command -v promtool >/dev/null || skip "promtool is not installed"
	metrics --demo
	for c in share prio showq; do
		[ -z "$(promtool check metrics <$c.prom 2>&1)" ]
	done
}
