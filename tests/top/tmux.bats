#!/usr/bin/env bats
# fs-top in a real terminal: tmux types the keys and tells what is on the screen. Nothing sleeps for a fixed time:
# each step waits until the screen shows what it must, for ten seconds at most.

load lib

# terminal COLS ROWS [TERM]: a shell in a tmux of its own
terminal() {
	command -v tmux >/dev/null || skip "tmux is not installed"
	socket=$(mktemp -u "$BATS_TEST_TMPDIR/tmux.XXXX")
	env -u TMUX SHELL=/bin/sh PS1='$ ' ENV= tmux -u -S "$socket" -f /dev/null new-session -d -x "$1" -y "$2" \
		"env TERM='${3:-screen}' PS1='ready> ' sh"
	shows 'ready>'
}

type_keys() {
	tmux -S "$socket" send-keys "$@"
}

screen() {
	tmux -S "$socket" capture-pane -p
}

waits_for() { # TEST...: until the command succeeds
	local i
	for ((i = 0; i < 200; i++)); do
		! "$@" || return 0
		sleep 0.05
	done
	echo "waited in vain: $*"
	screen
	return 1
}

has() {
	screen | grep -q -e "$1"
}

lacks() {
	if has "$1"; then return 1; fi
}

shows() {
	waits_for has "$1"
}

hides() {
	waits_for lacks "$1"
}

click() { # COLUMN ROW: pressed and let go
	type_keys -l $'\e'"[<0;$1;$2M"$'\e'"[<0;$1;$2m"
}

start() { # COMMAND...: its process id goes to the file pid
	type_keys "cd '$BATS_TEST_TMPDIR'; clear; sh -c 'echo \$\$ >pid; exec \"\$@\"' sh $*" Enter
}

@test "it draws, moves, and leaves the screen as it was" {
	terminal 80 24 xterm-256color
	start fs-top -f "$top/odyssey.jsonl"
	shows '^>    1 812268 .*███'
	type_keys Down Down
	shows '^>    3 812168'
	type_keys j PageDown k
	shows '^>   12 812145'
	type_keys Enter
	shows 'Esc back'
	type_keys Escape
	shows '^>   12 812145'
	type_keys /
	type_keys -l hugo
	shows '^>   14 812192'
	type_keys Enter F5
	shows '^>.* hugo '
	type_keys q
	shows 'ready>'
	lacks 'FAIRSHARE'
	type_keys 'echo still he""re' Enter
	shows 'still here'
	[ "$(tmux -S "$socket" display-message -p '#{alternate_on} #{cursor_flag} #{keypad_cursor_flag}')" = '0 1 0' ]
}

@test "the screen is that of --once, in tall, small, plain and ASCII terminals" {
	local size
	for size in '80 24 screen' '40 10 screen' '60 15 vt100' '200 60 xterm-256color' '80 24 linux' '80 24 xterm-mono'; do
		# shellcheck disable=SC2086 # three words
		terminal $size
		start fs-top -f "$top/odyssey.jsonl" --ascii
		shows '^F1 Help'
		# shellcheck disable=SC2086
		set -- $size
		fs-top -f "$top/odyssey.jsonl" --ascii --once --size "$1x$2" | sed 1d >expected
		screen | sed '1d; s/ *$//' >shown
		diff -u expected shown
		type_keys q
		shows 'ready>'
		tmux -S "$socket" kill-server
	done
}

@test "resizing" {
	terminal 80 24
	start fs-top -f "$top/odyssey.jsonl"
	shows '^F1 Help'
	tmux -S "$socket" resize-window -x 60 -y 15
	shows '^F1 Help q Quit Enter Explain / Search . Filter u User$'
	tmux -S "$socket" resize-window -x 10 -y 3
	shows 'too small'
	tmux -S "$socket" resize-window -x 160 -y 40
	shows 'a Algorithm'
	shows ' WAITED '
}

@test "suspended and resumed" {
	terminal 80 24
	start fs-top -f "$top/odyssey.jsonl"
	shows '^>    1 812268'
	type_keys j C-z
	shows 'ready>'
	hides 'FACTORS'
	type_keys 'stty -a | grep -o " icanon"' Enter
	shows '^ icanon'
	tmux -S "$socket" resize-window -x 70 -y 20
	type_keys fg Enter
	shows '^>    2 812264'
	type_keys j
	shows '^>    3 812168'
	kill -TSTP "$(cat pid)"
	hides 'FACTORS'
	type_keys fg Enter
	shows '^>    3 812168'
}

@test "killed or crashed, it gives the terminal back" {
	local signal
	for signal in TERM HUP INT SEGV ABRT; do
		terminal 80 24
		type_keys 'ulimit -c 0' Enter
		start fs-top -f "$top/odyssey.jsonl"
		shows '^F1 Help'
		kill -"$signal" "$(cat pid)"
		shows 'ready>'
		lacks 'FACTORS'
		type_keys 'echo status $?; stty -a | grep -o " icanon.* echo "' Enter
		shows 'status 1[0-9][0-9]'
		shows '^ icanon.* echo'
		[ "$(tmux -S "$socket" display-message -p '#{alternate_on} #{cursor_flag} #{keypad_cursor_flag}')" = '0 1 0' ]
		tmux -S "$socket" kill-server
	done
}

@test "the file changes: atomically, to something broken, away, and back" {
	terminal 80 24
	cp "$top/odyssey.jsonl" now.jsonl
	start fs-top -f now.jsonl
	shows '^>    1 812268'
	type_keys /
	type_keys -l 812308
	shows '^>   16 812308'
	type_keys Enter
	cp "$top/later.jsonl" next && mv next now.jsonl
	shows '^>   11   ^5 812308'
	cp "$top/broken.jsonl" next && mv next now.jsonl
	shows 'showing the old snapshot: now.jsonl:41:22'
	shows '^>   11   ^5 812308'
	rm now.jsonl
	shows 'showing the old snapshot: now.jsonl: No such file'
	cp "$top/odyssey.jsonl" next && mv next now.jsonl
	shows '^>   16   v5 812308'
	lacks 'showing the old snapshot'
}

@test "captured live, again and again, and why not when that fails" {
	mkdir bin log
	cp "$top"/../cli/stand-ins/s* bin
	cp "$top"/../cli/stand-ins/replay.sh bin 2>/dev/null || true
	printf '%s\n' "STAND_IN_DIR='$top/../cli/stand-ins/data'" "STAND_IN_LOG='$PWD/log'" >bin/settings
	terminal 80 24
	start env "PATH=$PWD/bin:\$PATH" TMPDIR="$PWD" fs-top --every 1
	shows '^F1 Help'
	shows 'pending'
	local before
	before=$(stat -c %Y%Z bin/settings; cat log/* 2>/dev/null | wc -l)
	captured_again() { [ "$(stat -c %Y%Z bin/settings; cat log/* 2>/dev/null | wc -l)" != "$before" ]; }
	waits_for captured_again
	rm bin/squeue bin/scontrol
	shows 'showing the old snapshot: the jobs are hidden in the new capture'
	rm bin/s[!e]*
	shows 'showing the old snapshot: .*no Slurm command worked'
	shows '^>.* 102 '
	type_keys q
	shows 'ready>'
	run ls -d fs-top.* fs-capture.*
	[ "$status" -ne 0 ]
}

@test "nothing is sent while nothing changes" {
	terminal 80 24
	tmux -S "$socket" pipe-pane -o "cat >'$BATS_TEST_TMPDIR/sent'"
	cp "$top/odyssey.jsonl" now.jsonl
	start fs-top -f now.jsonl
	shows '^F1 Help'
	sleep 0.5
	local before after i
	for i in 1 2 3; do # a minute may end in the middle of it
		before=$(stat -c %s sent)
		sleep 2.5
		after=$(stat -c %s sent)
		[ "$before" != "$after" ] || break
	done
	[ "$before" = "$after" ]
	[ "$after" -gt 500 ]
	type_keys j
	shows '^>    2 '
	[ "$(stat -c %s sent)" -gt "$after" ]
}

@test "the snapshot from standard input, keys from the terminal" {
	terminal 80 24
	start fs-top -f - "<'$top/odyssey.jsonl'"
	shows '^>    1 812268'
	type_keys j
	shows '^>    2 812264'
	type_keys r
	shows 'cannot be read again'
	type_keys q
	shows 'ready>'
}

@test "the mouse: a click selects, the wheel moves" {
	terminal 80 24 xterm-256color
	start fs-top -f "$top/odyssey.jsonl"
	shows '^>    1 812268'
	type_keys -l $'\e[<0;20;7M'
	type_keys -l $'\e[<0;20;7m'
	shows '^>    4 812154'
	type_keys -l $'\e[<65;20;7M'
	shows '^>    5 812160'
	type_keys -l $'\e[<64;20;7M'
	shows '^>    4 812154'
	type_keys -l $'\e[<0;20;1M' # the title: nothing
	type_keys j
	shows '^>    5 812160'
	type_keys Enter
	shows 'Esc back'
	type_keys -l $'\e[<65;20;7M'
	shows ' 2-23 of '
}

@test "the mouse: tabs, headings, keys of the last line, entries of a list" {
	terminal 80 24 xterm-256color
	start fs-top -f "$top/odyssey.jsonl"
	shows '^>    1 812268'
	click 12 2 # Shares
	shows ' Queue .Shares. Partitions'
	click 22 2
	shows ' Shares .Partitions.'
	click 3 2
	shows '^.Queue.'
	click 9 3 # JOBID
	shows ' ^JOBID'
	click 9 3
	shows ' vJOBID'
	click 2 24 # F1 Help
	shows 'Esc back'
	click 2 24
	shows '^F1 Help'
	type_keys F6
	shows 'Sort by'
	click 5 4 # default order
	hides 'Sort by'
	lacks 'vJOBID'
	type_keys F2
	shows '.x. JOBID'
	click 5 6
	shows '. . JOBID'
	click 50 9 # beside it
	hides 'Columns .Space'
	lacks 'JOBID'
}

@test "without UTF-8, without colour" {
	printf '%s\n' '{"type":"snapshot","format":1,"time":1000,"cluster":"c","scheduler":"slurm 26.11.0"}' \
		'{"type":"job","id":1,"state":"PENDING","user":"\u65e5\u672c\u001b[31m","account":"a","partitions":["p"],"priority":5,"reason":"Priority","eligible_time":1}' >s.jsonl
	terminal 80 24 xterm-256color
	tmux -S "$socket" pipe-pane -o "cat >'$BATS_TEST_TMPDIR/sent'"
	start env LC_ALL=C NO_COLOR=1 fs-top -f s.jsonl
	shows '^>    1 1 .* ??^\[\[31m'
	type_keys Enter
	shows 'Job 1'
	type_keys Escape q
	shows 'ready>'
	LC_ALL=C run -1 grep -q $'[\x80-\xff]' sent
	run -1 grep -qE $'\e\\[([0-9]+;)*(3[0-7]|4[0-7]|38|48)[;m]' sent
	grep -qE $'\e\\[([0-9]+;)*[17]m' sent
}

@test "while it reads: a screen at once, the keys typed meanwhile count, a warning comes at the end" {
	terminal 80 24
	mkfifo slow
	start fs-top --as nobody1 -f - '<slow'
	exec 9>slow
	shows '^ fs-top  reading'
	shows '^q quit'
	type_keys j j
	type_keys -l $'\e[B'
	type_keys Tab BTab
	# a reading of more than a second leaves no line of its progress behind
	shows 'working, 2 s'
	cat "$top/odyssey.jsonl" >&9
	lacks '^>'
	exec 9>&-
	shows '^>    4 812154'
	lacks 'no user'
	type_keys q
	shows 'ready>'
	shows '^fs-top: --as: no user "nobody1"'
	# what is wrong is said when the terminal is back
	start fs-top -f - '<slow'
	exec 9>slow
	shows '^ fs-top  reading'
	echo '{"type":"snapshot"' >&9
	exec 9>&-
	shows 'ready>'
	shows 'fs-top: standard input:1'
	# whoever does not want to wait
	start fs-top -f - '<slow'
	exec 9>slow
	shows '^ fs-top  reading'
	type_keys q
	shows 'ready>'
	hides 'reading'
	exec 9>&-
}

@test "the set-up: columns, theme and order are kept; a bad file is told of and left alone" {
	local file=$XDG_CONFIG_HOME/fs-tools/fs-top
	terminal 80 24 xterm-256color
	start fs-top -f "$top/odyssey.jsonl"
	shows '^>    1 812268 .*██'
	type_keys q
	shows 'ready>'
	[ ! -e "$file" ]
	start fs-top -f "$top/odyssey.jsonl"
	shows '^>    1 812268 .*██'
	type_keys F2
	shows 'Columns, theme'
	type_keys Down Down Down Space End Space
	shows '^> (.) theme mono'
	type_keys Enter
	shows '^>    1 812268 .*FFF'
	type_keys I '<'
	shows ' vREASON'
	type_keys q
	shows 'ready>'
	printf '%s\n' 'queue show NO SUCH' >>"$file"
	start fs-top -f "$top/odyssey.jsonl"
	shows 'vREASON'
	shows ' FFF'
	lacks ' USER '
	type_keys I q
	shows 'ready>'
	diff -u - "$file" <<-'END'
		# settings of fs-top; F2 and F6 change them
		theme mono
		queue hide USER
		queue sort REASON
		queue show NO SUCH
	END
	ls -A "$XDG_CONFIG_HOME/fs-tools" >names
	[ "$(cat names)" = fs-top ]
	echo 'queue frobnicate' >>"$file"
	cp "$file" before
	start fs-top -f "$top/odyssey.jsonl" --theme 16
	shows 'settings ignored: line 6: not a valid setting: /'
	shows '^>    1 812268 .*██'
	type_keys I q
	shows 'ready>'
	cmp before "$file"
}

@test "a file that is never read to its end keeps no key waiting" {
	terminal 80 24
	cp "$top/odyssey.jsonl" now.jsonl
	start fs-top -f now.jsonl
	shows '^>    1 812268'
	mkfifo endless && mv endless now.jsonl
	shows '^.Queue. Shares  Partitions  Timeline  working '
	type_keys j
	shows '^>    2 812264'
	type_keys Enter
	shows 'Job 812264'
	type_keys Escape q
	shows 'ready>'
	lacks 'FACTORS'
}

@test "y writes a file and says so, once" {
	terminal 80 24
	start fs-top -f "$top/odyssey.jsonl"
	shows '^>    1 812268'
	type_keys y
	shows '^Write to file: fs-top-812268-student02.txt'
	type_keys Enter
	shows '^written to fs-top-812268-student02.txt'
	fs-explain --no-pager -f "$top/odyssey.jsonl" 812268 | diff -u - fs-top-812268-student02.txt
	type_keys y Enter
	shows 'file exists'
	type_keys Escape y Enter q
	shows 'ready>'
}

@test "escape sequences: both forms of the arrows, and no letter of one that is unknown" {
	terminal 80 24 screen
	start fs-top -f "$top/odyssey.jsonl"
	shows '^>    1 812268'
	type_keys -l $'\e[B'
	shows '^>    2 812264'
	type_keys -l $'\eOB'
	shows '^>    3 812168'
	type_keys -l $'\e[4~'
	hides '^>    3 812168'
	type_keys -l $'\e[1~'
	shows '^>    1 812268'
	type_keys -l $'\e[1;5D\e[1;2A\e[33;7;1q\eO5D\e[M !!\e[<64;3;9X'
	type_keys -l $'\e[B'
	shows '^>    2 812264'
	lacks 'ccount'
	lacks 'partition '
	has '^  *812268\|^     1 812268'
	type_keys -l $'\e[[A'
	shows 'Esc back'
	type_keys Escape q
	shows 'ready>'
}

@test "a terminal that can do nothing, or is none" {
	terminal 80 24 dumb
	start fs-top --demo
	shows 'fs-top: .*--once'
	run -1 fs-top --demo
	[[ $output == *"--once"* ]]
}

@test "what if: a command is typed for the selected job, its move is marked, and U takes it back" {
	terminal 80 24
	start fs-top --demo --as root
	shows '^>    1 812268'
	type_keys Down Down i
	shows '^What if: scontrol update job 812168'
	type_keys -l 'Nice=30000'
	type_keys Enter
	shows '^>    8   v5 812168'
	shows '^if scontrol update job 812168 Nice=30000'
	type_keys i Up
	shows '^What if: scontrol update job 812168 Nice=30000'
	type_keys Escape
	type_keys U
	shows '^>    3   ^5 812168'
}
