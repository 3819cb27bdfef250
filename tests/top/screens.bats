#!/usr/bin/env bats
# Screens as text: fs-top reads keys from a script and prints cells, without a terminal.

load lib

@test "the screens equal the recorded screens" {
	"$top/run.sh"
}

@test "--once prints one screen of the given size" {
	run -0 fs-top --demo --once
	[ "${#lines[@]}" -eq 24 ]
	run -0 fs-top --demo --once --size 200x60
	[ "$(printf '%s\n' "$output" | wc -L)" -le 200 ]
	[[ $output == *NAME* ]]
	run -0 fs-top --demo --once --size 1x1
	run -0 fs-top --demo --once --size 9999x3
}

@test "a Flux job first by urgency does not shrink other bars" {
	sed "s/\"urgency\":6,\"priority\":65000/\"urgency\":31,\"priority\":4294967295/" "$BATS_TEST_DIRNAME/../cli/examples/flux.jsonl" >s.jsonl
	run -0 fs-top -f s.jsonl --as root --once --size 120x24
	[[ ${lines[3]} == ">    1 "*" 4294967295 "*" by urgency"* ]]
	[[ ${lines[4]} == "     2 "*" 100000 "*" FFFFFFFFF"* ]]
	[[ $output == *"PRIORITY 4294967295, set by its urgency: factors do not count"* ]]
	[[ $output != *"no reason is recorded"* ]]
}

@test "columns have the scheduler's own headings" {
	run -0 fs-top -f "$BATS_TEST_DIRNAME/../cli/examples/flux.jsonl" --as root --once --size 200x24
	[[ ${lines[2]} == *" BANK "*" QUEUE "* ]]
	[[ ${lines[2]} != *ACCOUNT* ]]
	printf 'key Tab\ndump\n' >keys
	run -0 fs-top -f "$BATS_TEST_DIRNAME/../cli/examples/flux.jsonl" --as root --script keys --size 120x24
	[[ $output == *" BANK / USER "* ]]
	run -0 fs-top -f "$BATS_TEST_DIRNAME/maui.jsonl" --as root --once --size 200x24
	[[ ${lines[3]} == *" ACCOUNT "*" CLASS "* ]]
}

@test "fs-top draws inside the screen at every size" {
	local cols rows
	for cols in 1 7 19 20 21 33 54 79 131 250; do
		for rows in 1 4 5 7 12 50; do
			args="-f $top/odyssey.jsonl --size ${cols}x$rows"
			screens dump 'key Enter' dump 'key Esc ?' dump 'key Esc Tab' dump 'key Tab' dump 'key Esc F6 j' dump \
				'key Esc / a' dump >out
			[ "$(wc -l <out)" -eq $((rows * 7)) ]
			[ "$(wc -L <out)" -le "$cols" ]
		done
	done
}

@test "--ascii and LC_ALL=C print only ASCII" {
	args="-f $top/odyssey.jsonl --ascii" screens dump 'key Tab' dump 'key ?' dump >out
	LC_ALL=C run -1 grep -q '[^ -~]' out
	LC_ALL=C fs-top --demo --once >out
	LC_ALL=C run -1 grep -q '[^ -~]' out
}

@test "a factor has the same colour under every scheduler, never plain blue" {
	run -0 fs-top --demo --once --color=always --ascii --size 130x40
	[[ $output != *$'\e[0;34m'* ]]
	[[ $output == *$'\e[0;30;46m>    1 812268 '*' 123585 '*' FFF'+([FPQ])' '*$'\e[0m'* ]]
	[[ $output == *$'\e[0;32mA AGE '* ]]
	[[ $output == *$'\e[0;94mQ QOS '* ]]
	run -0 fs-top -f "$top/maui.jsonl" --as root --once --color=always
	[[ $output == *$'\e[0;32mS SERVICE'* ]]
	[[ $output == *$'\e[0;94mC CRED/USER'* ]]
}

@test "bars are blocks with colours and UTF-8, and letters otherwise" {
	run -0 fs-top --demo --once --color=always --size 130x40
	# A cell with two parts has the colour of the second as its background. The rest of the selected row is painted.
	[[ $output == *$'\e[0;33m███'*$'\e[0;35;104m'[▏▎▍▌▋▊▉]* ]]
	[[ $output == *$'\e[0;30;46m>    1 812268 '*$' \e[0;33m███'+(█)*$'█\e[0;30;46m'+([0-9A-Za-z ])$'\e[0m'* ]]
	[[ $output != *FFF* && $output == *"=   100000.000 |███"* && $output == *"A AGE"* ]]
	args="-f $top/odyssey.jsonl --color=always --size 160x24" screens 'key Tab' dump 'key Tab' dump >out
	grep -q '░' out
	grep -q '\[.*█.*\]' out
	run -0 fs-top --demo --once --color=always --ascii
	LC_ALL=C run -1 grep '[^ -~]' <<<"${output//$'\e'/}"
	run -0 env LC_ALL=C fs-top --demo --once --color=always --size 120x24
	[[ $output == *FFFPP* ]]
	run -0 fs-top --demo --once --size 120x24
	[[ $output == *FFFPP* && $output != *█* ]]
}

@test "only --color=always prints colours to a pipe" {
	run -0 fs-top --demo --once
	[[ $output != *$'\e'* ]]
	run -0 fs-top --demo --once --color=always
	[[ $output == *$'\e['* ]]
	run -0 fs-top --demo --once --color=always --no-color
	[[ $output != *$'\e'* ]]
	run -2 fs-top --demo --once --color=sometimes
}

# hostile NAME: writes s.jsonl, whose cluster, job, user, account and partition have this JSON string in their names.
hostile() {
	cat >s.jsonl <<-EOF
	{"type":"snapshot","format":1,"time":1000,"cluster":"$1","scheduler":"slurm 26.11.0"}
	{"type":"config","PriorityType":"priority/multifactor","PriorityWeightAge":1000,"PriorityMaxAge":1000}
	{"type":"partition","name":"p$1","tier":1}
	{"type":"job","id":1,"state":"PENDING","user":"u$1","account":"a$1","name":"$1","partitions":["p$1"],"priority":5,"reason":"$1","submit_time":1,"eligible_time":1}
	{"type":"job","id":2,"state":"PENDING","user":"plain","account":"plain","name":"plain","partitions":["p$1"],"priority":4,"reason":"Priority","submit_time":1,"eligible_time":1}
	EOF
}

@test "the timeline shows planned starts by node; Enter returns to the queue" {
	args="-f $top/odyssey.jsonl" screens 'key Down Down Down BackTab BackTab' 'dump one' 'key +' 'dump two' 'key Enter' 'dump three' >out
	sed '/=== two/q' out >one
	grep -q '^  NODE  *now  *[0-9A-Z]' one
	grep -q '^> gpu01 .* 812154 dana ##' one
	grep -q '^  shared03 .*== - 812064' one
	# the planned start is that of fs-showq
	start=$(fs-showq -f "$top/odyssey.jsonl" --start 812154 | sed -n 's/^plan with backfill [^T]*T\([0-9:]*\) .*/\1/p')
	grep -q "^ 812154  *dana  *planned from [0-9-]* $start to " one
	sed -n '/=== two/,/=== three/p' out | grep -q '^> gpu01 .* 812046 gita ==='
	sed -n '/=== three/,$p' out | grep -q '^> .* 812160 '
	args="-f $top/odyssey.jsonl --color=always --size 120x30" screens 'key BackTab BackTab' dump >out
	sed 's,\x1b\[[0-9;]*m,,g' out | grep -q '▒ 8[0-9]* [a-z]* ▒'
	args="-f $top/odyssey.jsonl --at +1d" screens 'key BackTab BackTab' dump >out
	grep -q "starts cannot be planned with --at or --usage" out
	# The reason stays visible if the name of the file is long.
	long=$(printf 'folder-%02d/' {1..12})
	mkdir -p "$long"
	cp "$BATS_TEST_DIRNAME/../cli/examples/flux.jsonl" "$long"
	args="-f $PWD/${long}flux.jsonl --as root" screens 'key BackTab BackTab' dump >out
	grep -q '^ *cannot plan starts: the snapshot has no nodes' out
	args="-f $top/maui.jsonl --as root" screens 'key BackTab BackTab' dump >out
	grep -q '^> node03 *# 402 bob ##' out
}

@test "each theme uses its own colours, and mono uses none" {
	run -0 fs-top --demo --once --color=always --size 120x24 --theme=256
	[[ $output == *$'\e[0;38;5;16;48;5;80m>    1'* && $output == *$'\e[0;38;5;214m█'* ]]
	run -0 fs-top --demo --once --color=always --size 120x24 --theme=true
	[[ $output == *$'\e[0;38;2;16;20;24;48;2;127;212;230m>    1'* && $output == *$'\e[0;38;2;255;176;0m█'* ]]
	run -0 fs-top --demo --once --color=always --size 120x24 --theme=light
	[[ $output == *$'\e[0;38;5;130m█'* ]]
	run -0 fs-top --demo --once --color=always --size 120x24 --theme=mono
	[[ $output == *$'\e[0;7m>    1'*FFFF* && $output != *█* ]]
	run -1 grep -qE $'\e\\[0;([^17m]|[17][0-9;])' <<<"$output"
	run -2 fs-top --demo --once --theme=pink
	[[ $output == *'--theme: expected auto, 16, 256, true, light or mono, got "pink"'* ]]
	# no two factors of a theme look alike, and none is plain blue
	for theme in 16 256 true light; do
		fs-top --demo --once --color=always --theme=$theme --size 200x50 |
			grep -oE $'\e\\[0[0-9;]*m[A-Z] [A-Z]+' | sort -u >looks
		[ "$(sed 's/m.*//' looks | sort -u | wc -l)" -eq "$(sed 's/.*m//' looks | sort -u | wc -l)" ]
		run -1 grep -E $'\e\\[0;(34|38;5;4|38;5;21)m' looks
	done
}

@test "the help shows a legend in the colours of the bars" {
	args="--demo --as root --color=always --size 80x200" screens 'key ?' dump >out
	grep -q $'\e\\[0;33m████████  FAIRSHARE' out
	grep -q $'\e\\[0;36mEnter  ' out
	args="-f $top/maui.jsonl --as root --size 80x200" screens 'key ?' dump >out
	grep -A3 '^ LEGEND' out | grep -q '^ SSSSSSSS  SERVICE/'
}

@test "control characters in names do not leave their cells" {
	local name
	for name in '\u001b[2J\u001b]0;title\u0007' '\u009b31m' 'a\nb\tc\rd' '\u202egnp.exe\u2066' '\u200b\u200f\ufeff' \
		'e\u0301e\u0301\u0301\u0301\u0301\u0301' '\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e' \
		'\ud83d\ude00\u200d\ud83d\ude00' 'x%s%n%1000000d' "$(printf 'long%.0s' $(seq 200))" '\u0000'; do
		hostile "$name"
		fs-snap check s.jsonl >/dev/null 2>&1 || [ "$name" = '\u0000' ]
		[ "$name" != '\u0000' ] || continue
		args='-f s.jsonl --size 160x20' screens dump 'key Enter' dump 'key Esc Space j Space c' dump 'key Esc Tab' dump \
			'key Tab' dump 'key P' dump >out
		python3 - out 160 <<-'EOF'
		import sys, unicodedata
		text = open(sys.argv[1], encoding="utf-8", newline="\n").read()
		for line in text.split("\n"):
		    width = 0
		    for c in line:
		        kind = unicodedata.category(c)
		        assert kind not in ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp"), (kind, hex(ord(c)), line)
		        width += 0 if kind in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
		    assert width <= int(sys.argv[2]), (width, line)
		lines = text.split("\n")
		def column(line, at):
		    width = 0
		    for i, c in enumerate(line):
		        if width == at:
		            return line[i:]
		        width += 0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
		    return ""
		at = lines[2].index("WAITED")
		assert column(lines[3], at).split()[0] == column(lines[4], at).split()[0] == "16m", lines[2:5]
		EOF
	done
}

# writes_as NAME ARGUMENT...: the file NAME equals the output of fs-explain with these arguments.
writes_as() {
	local name=$1
	shift
	fs-explain --no-pager "$@" >expected
	[ -s expected ]
	diff -u expected "$name"
}

@test "y writes fs-explain's output and does not overwrite files" {
	args="-f $top/odyssey.jsonl" screens 'key j j y' dump 'key Enter' dump 'key y Enter' dump >out
	grep -q 'Write to file: fs-top-812168-emil.txt' out
	grep -q '^written to fs-top-812168-emil.txt' out
	grep -q '^fs-top-812168-emil.txt: the file exists' out
	writes_as fs-top-812168-emil.txt -f "$top/odyssey.jsonl" 812168
	LC_ALL=C grep -q '[^ -~]' fs-top-812168-emil.txt
	export LC_ALL=C
	args="-f $top/odyssey.jsonl" screens 'key j j y' 'key Backspace' 'type 2' 'key Enter' >out
	writes_as fs-top-812168-emil.tx2 -f "$top/odyssey.jsonl" 812168
	LC_ALL=C run -1 grep -q '[^ -~]' fs-top-812168-emil.tx2
}

@test "y writes comparisons, users, accounts and Maui's credentials" {
	args="-f $top/odyssey.jsonl" screens 'key Space Space c y ctrl-u' 'type two' 'key Enter Esc F5 y ctrl-u' \
		'type user' 'key Enter Left y ctrl-u' 'type account' 'key Enter' dump >out
	writes_as two -f "$top/odyssey.jsonl" 812268 --versus 812264
	writes_as user -f "$top/odyssey.jsonl" --user emil --account quantum
	writes_as account -f "$top/odyssey.jsonl" --account "$(sed -n '1s/^Account \([^ ]*\).*/\1/p' account)"
	args="-f $top/maui.jsonl" screens dump 'key y ctrl-u' 'type job' 'key Enter Tab j j y ctrl-u' \
		'type cred' 'key Enter' dump >out
	writes_as job -f "$top/maui.jsonl" "$(sed -n 's/^> *[0-9]* *\([^ ]*\).*/\1/p' out | head -1)"
	writes_as cred -f "$top/maui.jsonl" user:cyd
}

@test "--at moves the clock, and --usage=computed computes usage" {
	local at=2026-11-22T16:01
	args="-f $top/odyssey.jsonl --at $at" screens dump 'key Tab G' dump "load $top/later.jsonl" dump 'key BackTab' \
		'clock 3600' dump 'key Enter y Enter' >out
	[ "$(grep -c '^ fs-top odyssey  as of 2026-11-22 16:01:00 ' out)" -eq 3 ]
	fs-prio -f "$top/odyssey.jsonl" --at "$at" -h -o '%i %Y' >prios
	read -r _ _ job _ _ priority _ < <(grep '^> ' out | head -1)
	grep -q "^ *$job  *$priority\$" prios || { echo "$job $priority"; cat prios; false; }
	writes_as fs-top-812268-student02.txt -f "$top/later.jsonl" --at "$at" 812268
	run -2 fs-top -f "$top/maui.jsonl" --once --at +1d
	[[ $output == *"Maui records usage in windows"* ]]
	run -2 fs-top -f "$top/odyssey.jsonl" --once --at yesterday
	run -2 fs-top -f "$top/odyssey.jsonl" --once --usage=compare
	run -0 fs-top --demo --once --usage=computed --size 120x24
	[[ $output == *FACTORS* ]]
	run -0 fs-top --usage
	[[ $output == *--decay-runs* ]]
}

@test "the pane's factors add up to the priority of fs-prio" {
	local job priority
	fs-prio -f "$top/odyssey.jsonl" -h -o '%i %r %Y' | sort -u >prios
	while read -r job partition priority; do
		[ "$priority" != 250000 ] || continue
		printf '%s\n' 'key P' "type $partition" 'key Enter \' "type $job" 'key Enter' dump >script
		fs-top -f "$top/odyssey.jsonl" --size 120x60 --script script >out
		grep -q "PRIORITY  *$priority\$" out || { echo "$job in $partition: $priority"; cat out; return 1; }
		awk '/^ [A-Z] [A-Z\/]+ .* x .* = / { sub(/.*= */, ""); sum += $1 } /^   sum / { total = $2; found = 1 }
			END { exit !(found && sum - total < 0.01 && total - sum < 0.01) }' out
	done <prios
	[ "$(wc -l <prios)" -gt 40 ]
}

@test "the pane names the closest job ahead as fs-explain does" {
	local id ahead told=0
	for id in $(fs-prio -f "$top/odyssey.jsonl" -h -o %i | sort | uniq -u | head -24); do
		ahead=$(fs-explain --no-pager -f "$top/odyssey.jsonl" "$id" --brief |
			sed -n '/^Ahead/,/^What/p' | sed '$d; s/^Ahead//' | tr -s ' \n' ' ')
		case $ahead in
		*\ of\ *) ahead=${ahead# }; ahead=${ahead#*closest: } ;;
		*) continue ;;
		esac
		args="-f $top/odyssey.jsonl --size 120x50" screens 'key /' "type $id" 'key Enter' dump | tr -s ' \n' ' ' >out
		grep -qF "$ahead" out || { echo "$id: $ahead"; cat out; return 1; }
		told=$((told + 1))
	done
	[ $told -gt 10 ]
}

@test "Enter shows the page of fs-explain once" {
	args="-f $top/odyssey.jsonl --size 81x200" screens 'key Down Down Down Enter' dump >out
	[ "$(grep -c '^ *PRIORITY  *86908' out)" -eq 1 ]
	sed '1d; /^Esc back/,$d; s/^ //' out | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' >shown
	fs-explain --no-pager -f "$top/odyssey.jsonl" 812154 | diff - shown
}

@test "fs-top survives snapshots without a queue, shares or priorities" {
	head='{"type":"snapshot","format":1,"time":1000,"cluster":"c","scheduler":"slurm 26.11.0"}'
	echo "$head" >s.jsonl
	fs-top -f s.jsonl --once >out 2>&1 || true
	run ! grep -i 'segmentation\|abort' out
	printf '%s\n' "$head" '{"type":"config","PriorityType":"priority/basic"}' \
		'{"type":"job","id":1,"state":"PENDING","user":"u","account":"a","partitions":["p"],"priority":5,"reason":"Priority","eligible_time":1}' >s.jsonl
	args='-f s.jsonl' screens 'dump' 'key Enter' dump 'key Esc Tab' dump 'key j k g G Enter Space t' dump 'key Esc Tab' dump >out
	grep -q '> *1 1 ' out
}

@test "random keys neither crash fs-top nor draw outside the screen" {
	local seed
	for seed in 1 2 3 4 5 6 7 8; do
		awk -v seed="$seed" 'BEGIN {
			srand(seed)
			n = split("Up Down Left Right PgUp PgDn Home End Tab BackTab Enter Esc Backspace F1 F2 F3 F4 F5 F6 Space j k g G / \\ n N u A P [ ] < > I t + - c a F r ctrl-l ? e 1 x", key, " ")
			for (i = 0; i < 600; i++) {
				print "key " key[1 + int(rand() * n)]
				if (rand() < 0.05) print "size " 1 + int(rand() * 120) "x" 1 + int(rand() * 40)
				if (rand() < 0.02) print "load " (rand() < 0.5 ? "later" : "odyssey") ".jsonl"
				if (rand() < 0.1) print "dump"
			}
		}' >script
		cp "$top"/*.jsonl .
		fs-top -f odyssey.jsonl --script script >out || { cp script /tmp/fs-top-failed.keys; return 1; }
		[ "$(wc -L <out)" -le 120 ]
	done
}

@test "a size has two whole numbers" {
	local size
	for size in 80x-1 80x+24 '80x 24' -1x24 80x0 0x24 80x24x1 80x 80 10000x24; do
		run -2 --separate-stderr fs-top --demo --once --size="$size"
		[[ $stderr == *"--size: expected COLSxROWS such as 80x24, got \"$size\"" ]]
		echo "size $size" >keys
		run -2 --separate-stderr fs-top --demo --script=keys
		[[ $stderr == *"expected COLSxROWS"* ]]
	done
	echo "click 3 -1" >keys
	run -2 --separate-stderr fs-top --demo --script=keys
}

@test "errors in options and scripts are reported" {
	run -2 fs-top --demo --size 80
	run -2 fs-top --demo --every 0
	run -2 fs-top --demo --once --script x
	run -2 fs-top --demo extra
	run -1 fs-top --demo --script nosuch
	run -1 fs-top -f nosuch --once
	echo 'key Nokey' >script
	run -2 fs-top --demo --script script
	[[ $output == *"script:1: unknown key: Nokey"* ]]
	echo 'frobnicate' >script
	run -2 fs-top --demo --script script
	echo '{}' >s.jsonl
	run -3 fs-top -f s.jsonl --once
	run -1 fs-top --demo </dev/null
	[[ $output == *"--once"* ]]
}
