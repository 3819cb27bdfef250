#!/usr/bin/env bats
# fs-explain: what words stand for, options, forms, and agreement with fs-prio on captures of real controllers.

load lib

cases=$BATS_TEST_DIRNAME/../cases/slurm

# capture NAME: s.jsonl from a packed capture.
capture() {
	mkdir -p case
	tar -xJf "$cases/$1.tar.xz" -C case --strip-components=1
	fs-snap import slurm case/in --exact-usage case/truth/assoc_usage.txt -o s.jsonl 2>/dev/null ||
		fs-snap import slurm case/in -o s.jsonl 2>/dev/null
	export FS_SNAPSHOT=$PWD/s.jsonl FS_USER=root
}

@test "a word is a job, else a user, else an account" {
	run -0 fs-explain --demo 812154
	[[ ${lines[0]} == "Job 812154 - dana - account quantum"* ]]
	run -0 fs-explain --demo emil
	[ "${lines[0]}" = "emil in account quantum" ]
	run -0 fs-explain --demo chemistry
	[ "${lines[0]}" = "Account chemistry - parent root" ]
	run -0 fs-explain --demo --user anna --account astro
	[ "${lines[0]}" = "anna in account astro" ]
	[[ $output != *genomics* ]]
	run -0 fs-explain --demo --job 812154
	run -0 fs-explain --demo --account chemistry
}

@test "what is not there is said, with exit status 4" {
	local word
	for word in 99 --job=emil --user=812154 --account=emil nosuch "''"; do
		run -4 --separate-stderr fs-explain --demo $word
		[[ $stderr == *"no "*"that "*" may see" ]]
		[ -z "$output" ]
	done
	run -4 fs-explain --demo 812154 --versus emil
	run -4 fs-explain --demo emil --versus 812154
}

@test "command lines that make no sense" {
	run -2 fs-explain --demo
	run -2 fs-explain --demo 812154 812168
	run -2 fs-explain --demo 812154 --user emil
	run -2 fs-explain --demo 812154 --json --markdown
	run -2 fs-explain --demo 812154 --ahead --versus 812168
	run -2 fs-explain --demo emil --ahead
	run -2 fs-explain --demo 812154 --color=sometimes
}

@test "the demo: every job in every form, nothing wider than 80 columns" {
	local id
	for id in $(fs-prio --demo -h -o %i | sort -u) 812233 812287 812295 812299 812002; do
		LC_ALL=C.UTF-8 fs-explain --demo "$id" >text
		awk 'length($0) > 80 { print; bad = 1 } END { exit bad }' <(LC_ALL=C fs-explain --demo "$id")
		fs-explain --demo "$id" --markdown >/dev/null
		fs-explain --demo "$id" --ahead >/dev/null
		grep -q "^Computed from demo" text
	done
}

@test "colours only where they are wanted" {
	esc=$'\033'
	run -0 fs-explain --demo 812154
	[[ $output != *$esc* ]]
	run -0 fs-explain --demo 812154 --color=always
	[[ $output == *$esc* ]]
	run -0 env NO_COLOR=1 fs-explain --demo 812154 --color=auto
	[[ $output != *$esc* ]]
	if command -v script >/dev/null; then
		run env TERM=xterm script -qec "$FS_BIN/fs-explain --demo 812154 --no-pager" /dev/null
		[[ $output == *$esc* ]]
		run env TERM=xterm NO_COLOR=1 script -qec "$FS_BIN/fs-explain --demo 812154 --no-pager" /dev/null
		[[ $output != *$esc* ]]
		run env TERM=dumb script -qec "$FS_BIN/fs-explain --demo 812154 --no-pager" /dev/null
		[[ $output != *$esc* ]]
		run env PAGER="sed s/^/paged:/" script -qec "$FS_BIN/fs-explain --demo 812154" /dev/null
		[[ $output == *paged:* ]]
	fi
}

@test "signs follow the locale" {
	LC_ALL=C.UTF-8 run -0 fs-explain --demo 812154
	[[ ${lines[0]} == "Job 812154 · dana"* ]]
	LC_ALL=C run -0 fs-explain --demo 812154
	[[ ${lines[0]} == "Job 812154 - dana"* ]]
	LC_ALL=C fs-explain --demo carla --algorithm classic >text
	! LC_ALL=C grep -q '[^ -~]' text
}

@test "the numbers of a job of a real controller, as they are printed" {
	capture 22.05-s3-base
	fs-explain 12 >text
	while read -r line; do
		tr -s ' ' <text | grep -qF "$line" || { echo "missing: $line"; cat text; return 1; }
	done <<-'EOF'
	ASSOC 0.0000000 4000 0.000000
	TRES cpu 0.024038462 1000 24.038462
	sum 25661.608719
	fraction dropped by Slurm -0.608719
	PRIORITY 25661 b_tier 25643 - normal 25634
	FAIRSHARE 0.222222 = 2/9
	root 47.2 % 94.1 % 0.50
	physics 42.9 % 13.0 % 3.30
	EOF
	for points in 19.444444 22222.222222 353.365385 30.518975 3000.000000 12.019231; do
		grep -q " $points " text
	done
	run -0 fs-explain 12 --versus 30
	[[ $output == *"same tier, priority 60520"* ]]
	[[ $output == *"FAIRSHARE parts them at root: physics 0.50 against chemistry 6.79."* ]]
}

@test "array tasks: those not split off stand for their array" {
	capture 22.05-s3-base
	run -0 fs-explain 28_7
	[[ ${lines[0]} == "Job 28_[1-20] "* ]]
	run -0 fs-explain 28
	[[ ${lines[0]} == "Job 28_[1-20] "* ]]
	run -4 fs-explain 28_21
	run -0 fs-explain 29_9
	run -4 fs-explain 29_8
}

@test "terms agree with fs-prio for every job of captures" {
	local name
	for name in 22.05-s3-base 26.11-s3-smalltime-favorsmall 26.11-s7-ties 22.05-s2-classic-damp1 26.11-s4-maxtres 22.05-s6-private; do
		capture "$name"
		fs-prio --json >prio.json
		for id in $(fs-prio -h -o '%i ' | tr ' ' '\n' | sort -un); do
			fs-explain --job "$id" --json || { echo "$name $id" >&2; return 1; }
		done >explained.json
		python3 - <<-'EOF'
		import json
		decode, text, at, sums = json.JSONDecoder(), open("explained.json").read(), 0, {}
		while text[at:].strip():
		    doc, end = decode.raw_decode(text[at:].lstrip())
		    at += len(text[at:]) - len(text[at:].lstrip()) + end
		    for s in doc["sums"]:
		        sums[doc["job"]["jobid"], s["partition"], s["qos"]] = s
		rows = json.load(open("prio.json"))["rows"]
		assert rows and len(sums) == len(rows), (len(sums), len(rows))
		for r in rows:
		    s = sums[r["jobid"], r["partition"], r["qos"]]
		    assert s["terms"] == r["terms"], r
		    assert s["sum"] == r["sum"] and s["total"] == r["priority"] and s["direct"] == r["direct"], r
		    if s["recorded"] is not None:
		        assert s["recorded"] == s["total"], (r, s["recorded"])
		EOF
	done
}

@test "what may not be seen is not told" {
	capture 22.05-s6-private
	local other
	FS_USER=alice run -0 fs-explain alice
	[[ $output == *"could not be seen"* ]]
	other=$(FS_USER=root fs-prio -h -o '%i %u ' | tr -s ' ' | awk '$2 != "alice" { print $1; exit }')
	[ -n "$other" ]
	FS_USER=alice run -4 fs-explain "$other"
	FS_USER=root run -0 fs-explain "$other"
}

@test "names that users typed are harmless in every form" {
	snapshot '{"type":"config","PriorityType":"priority/multifactor","PriorityWeightFairShare":1000}' \
		'{"type":"association","id":1,"account":"root","shares":1,"usage_tres_s":0}' \
		'{"type":"association","id":2,"account":"a\u001b[2J|*_x_*","parent":"root","shares":1,"usage_tres_s":0}' \
		'{"type":"association","id":3,"account":"a\u001b[2J|*_x_*","user":"u\u0007%n%s<b>","shares":1,"usage_tres_s":1}' \
		'{"type":"job","id":7,"state":"PENDING","eligible_time":900,"user":"u\u0007%n%s<b>","account":"a\u001b[2J|*_x_*","association":3,"partitions":["p\n"],"reason":"R\u009b1mX"}'
	export FS_SNAPSHOT=s.jsonl FS_USER=root
	for form in "" --ahead --markdown; do
		LC_ALL=C.UTF-8 fs-explain 7 $form >text
		! LC_ALL=C grep -q $'[\001-\011\013-\037\177]' text
		grep -q 'u^G%n%s' text
	done
	grep -qF 'a^\[\[2J\|\*\_x\_\*' text
	fs-explain 7 --json | python3 -c 'import json, sys; json.load(sys.stdin)'
	run -0 fs-explain $'u\a%n%s<b>'
	run -4 --separate-stderr fs-explain $'x\033[2J'
	[[ $stderr != *$'\033'* ]]
}

@test "without factors there are still places and reasons" {
	snapshot '{"type":"config","PriorityType":"priority/basic"}' \
		'{"type":"job","id":7,"state":"PENDING","eligible_time":900,"user":"u","account":"a","partitions":["p"],"priority":50,"reason":"Priority"}' \
		'{"type":"job","id":8,"state":"PENDING","eligible_time":900,"user":"v","account":"a","partitions":["p"],"priority":60,"reason":"Resources"}'
	run -0 fs-explain -f s.jsonl --as root 7
	[[ $output == *"In p it is 2nd of 2"* ]]
	[[ $output == *"50, as the scheduler holds it."* ]]
	run -4 --separate-stderr fs-explain -f s.jsonl --as root u
}
