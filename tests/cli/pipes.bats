#!/usr/bin/env bats
# A reader that closes its pipe (`| head`) ends a command early and without a message, whether or not SIGPIPE is ignored.

load lib

# many: a snapshot for which every command that prints a row per job or user prints more than a pipe holds.
many() {
	local i
	echo "$head"
	echo '{"type":"config","PriorityType":"priority/multifactor","PriorityWeightFairShare":1000,"PriorityWeightAge":1000}'
	echo '{"type":"association","id":1,"account":"root","shares":1,"usage_tres_s":5}'
	for ((i = 2; i < 3000; i++)); do
		echo '{"type":"association","id":'$i',"account":"root","user":"user'$i'","shares":1,"usage_tres_s":5}'
		echo '{"type":"job","id":'$i',"state":"PENDING","user":"user'$i'","account":"root","association":'$i',"partitions":["p"],"submit_time":1,"eligible_time":1,"priority":7}'
	done
}

# early WORDS: the command ends with status 141 and without a message when its reader closes the pipe.
early() {
	local ignore status
	for ignore in --default-signal=PIPE --ignore-signal=PIPE; do
		status=$(env "$ignore" fs-tools "$@" 2>errors | { read -rn1; exec <&-; }; echo "${PIPESTATUS[0]}")
		[ ! -s errors ] || { echo "$*: $(cat errors)"; return 1; }
		[ "$status" = 141 ] || { echo "$* $ignore: $status"; return 1; }
	done
}

@test "every command ends silently when its reader closes the pipe" {
	many >s.jsonl
	early share -a -f s.jsonl
	early share -a --json -f s.jsonl
	early prio -l -f s.jsonl
	early prio --json -f s.jsonl
	early showq -f s.jsonl
	early showq --json -f s.jsonl
	early explain 2999 --ahead --as root -f s.jsonl
	early diff --at +1d --json --as root -f s.jsonl
	early snap anonymise s.jsonl
}
