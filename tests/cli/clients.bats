#!/usr/bin/env bats
# Command lines that public scripts, exporters and portals run, and how they parse the output. Each test calls our
# binary under the tool's name, as such clients find it on PATH.

load lib

client_setup() {
	mkdir -p links case
	ln -sf "$FS_BIN/fs-tools" links/sshare
	ln -sf "$FS_BIN/fs-tools" links/sprio
	PATH=$PWD/links:$PATH
	tar -xJf "$BATS_TEST_DIRNAME/../cases/slurm/26.11-s3-base.tar.xz" -C case --strip-components=1
	fs-snap import slurm case/in --exact-usage case/truth/assoc_usage.txt -o s.jsonl
	export FS_SNAPSHOT=$PWD/s.jsonl FS_USER=alice
}

@test "a share calculator reads one account's five numbers" { # fasrc/scalc
	client_setup
	run -0 sshare -hP -A physics --format=RawShares,NormShares,RawUsage,NormUsage,Fairshare
	IFS='|' read -r shares norm usage norm_usage factor <<<"${lines[0]}"
	[ "$shares/$norm/$usage/$norm_usage/$factor" = 50/0.471698/706526/0.938165/ ]
}

@test "an exporter parses each line as account and factor" { # vpenso/prometheus-slurm-exporter
	client_setup
	run -0 sshare -n -P -o account,fairshare
	for line in "${lines[@]}"; do
		[[ $line =~ ^\ *[a-z]+\|([0-9.]*)$ ]]
	done
}

@test "a monitoring agent splits the long parsable form into 11 fields" { # slaclab/slurm-telegraf
	client_setup
	sshare -ahlP | awk -F'|' 'NF != 11 { bad = 1 } $2 == "bob" { seen = $8 } END { exit bad || seen != "0.222222" }'
}

@test "a portal cuts columns of 25 characters" { # coldfront
	client_setup
	sshare -a -o "Cluster,Account%25,User%25,RawShares,NormShares,RawUsage,EffectvUsage,FairShare" |
		awk 'NR > 2 && substr($0, 12, 25) ~ /physics/ && substr($0, 38, 25) ~ /grace/ { seen = 1 } END { exit !seen }'
}

@test "sshare accepts a table wrapper's left-aligned columns" {
	client_setup
	run -0 sshare -P -a -l -n -o "Account,User%-30,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,LevelFS,TRESRunMins%-90"
	[ "${#lines[@]}" = 14 ]
}

@test "a queue script ranks jobs by priority" { # sprio -l | sort -nk3 and similar
	client_setup
	run -0 bash -c "sprio -h -o '%i|%r|%u|%o|%n|%Y' | sort -t'|' -k6,6nr | head -1"
	[ "$output" = "59|a_tier|carol|chemistry|normal|4000000000" ]
	run -0 bash -c "sprio -l | sort -nk5 | tail -1 | awk '{ print \$1, \$5 }'"
	[[ $output == "59 4000000000" ]]
}

@test "a web form splits the first data line at blanks" {
	client_setup
	run -0 sprio -j 14
	[[ ${lines[0]} == *JOBID*PARTITION*PRIORITY*SITE*AGE*ASSOC*FAIRSHARE* ]]
	read -r job partition priority site age _ <<<"${lines[1]}"
	[ "$job $partition $priority $site $age" = "14 normal 85117 0 19" ]
}

@test "a script reads normalised factors with seven decimals" {
	client_setup
	run -0 sprio -h -j 12 -o '%.20i %.20a %.20f'
	[[ ${lines[0]} =~ ^\ +12\ +0\.0038889\ +0\.2222222$ ]]
}

@test "a client sums shares from sshare --json" {
	client_setup
	run -0 bash -c "sshare -a --json | python3 -c '
import json, sys
rows = json.load(sys.stdin, parse_constant=lambda c: 1 / 0)[\"shares\"][\"shares\"]
print(sum(r[\"shares\"][\"number\"] for r in rows if r[\"parent\"] == \"root\" and r[\"type\"] == [\"ASSOCIATION\"]))'"
	[ "$output" = 105 ]
}
