#!/usr/bin/env bats
# fs-top in a real terminal: tmux types the keys and captures the screen. Each step waits until the screen shows the
# expected text, for at most a minute: with sanitizers, on a busy machine, a command starts slowly.

load lib

# terminal COLS ROWS [TERM]: starts a shell in its own tmux.
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

waits_for() { # TEST...: waits until the command succeeds
	local i
	for ((i = 0; i < 1200; i++)); do
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

click() { # COLUMN ROW: presses and releases the left button
	type_keys -l $'\e'"[<0;$1;$2M"$'\e'"[<0;$1;$2m"
}

start() { # COMMAND...: starts the command and writes its process id to the file pid
	type_keys "cd '$BATS_TEST_TMPDIR'; clear; sh -c 'echo \$\$ >pid; exec \"\$@\"' sh $*" Enter
}

@test "fs-top draws, moves the selection and restores the screen" {
	terminal 120 24 xterm-256color
	start fs-top -f "$top/odyssey.jsonl"
	shows '^>    1 812268 .*███'
	type_keys Down Down
	shows '^>    3 812168'
	type_keys j PageDown k
	shows '^>    9 812306'
	type_keys Enter
	shows 'Esc back'
	type_keys Escape
	shows '^>    9 812306'
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

@test "the screen equals --once in terminals of every size and type" {
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

@test "fs-top redraws when the terminal is resized" {
	terminal 80 24
	start fs-top -f "$top/odyssey.jsonl"
	shows '^F1 Help'
	tmux -S "$socket" resize-window -x 60 -y 15
	shows '^F1 Help q Quit Enter Explain i What if / Search . Filter$'
	tmux -S "$socket" resize-window -x 10 -y 3
	shows 'too small'
	tmux -S "$socket" resize-window -x 160 -y 40
	shows 'a Algorithm'
	shows ' WAITED '
}

@test "fs-top restores the terminal when suspended, and resumes" {
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

@test "a killed or crashed fs-top restores the terminal" {
	local signal
	for signal in TERM HUP INT SEGV ABRT ALRM PIPE PROF USR1 USR2 VTALRM XCPU XFSZ IO PWR RTMIN RTMAX SYS; do
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

@test "fs-top sets the terminal again after SIGSTOP" {
	terminal 80 24
	start fs-top -f "$top/odyssey.jsonl"
	shows '^F1 Help'
	kill -STOP "$(cat pid)"
	shows 'ready>'
	type_keys 'stty sane; fg' C-j
	shows '^F1 Help'
	shows '^>    1 812268'
	type_keys j
	shows '^>    2'
	type_keys q
	shows 'ready>'
	type_keys 'stty -a | grep -o " icanon.* echo "' Enter
	shows '^ icanon.* echo'
}

@test "a file that becomes a pipe or a device does not stop fs-top" {
	terminal 80 24
	cp "$top/odyssey.jsonl" now.jsonl
	start fs-top -f now.jsonl
	shows '^>    1 812268'
	mkfifo next && mv next now.jsonl
	shows 'showing the old snapshot: now.jsonl: not a regular file'
	rm now.jsonl && ln -s "$(tmux -S "$socket" display-message -p '#{pane_tty}')" now.jsonl
	type_keys r
	shows 'showing the old snapshot: now.jsonl: not a regular file'
	cp "$top/later.jsonl" next && mv next now.jsonl
	hides 'showing the old snapshot'
	type_keys q
	shows 'ready>'
}

@test "fs-top reloads a changed file and survives a broken one" {
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

# Starts fs-top with captures of the stand-in commands in bin.
start_live() {
	mkdir bin log
	cp "$top"/../cli/stand-ins/s* bin
	cp "$top"/../cli/stand-ins/replay.sh bin 2>/dev/null || true
	printf '%s\n' "STAND_IN_DIR='$top/../cli/stand-ins/data'" "STAND_IN_LOG='$PWD/log'" >bin/settings
	terminal 80 24
	start env "PATH=$PWD/bin:\$PATH" TMPDIR="$PWD" fs-top --every 1
}

@test "live captures repeat, and a failed capture shows its reason" {
	start_live
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

@test "fs-top sends nothing while the screen does not change" {
	terminal 80 24
	tmux -S "$socket" pipe-pane -o "cat >'$BATS_TEST_TMPDIR/sent'"
	cp "$top/odyssey.jsonl" now.jsonl
	start fs-top -f now.jsonl
	shows '^F1 Help'
	sleep 0.5
	local before after i
	for i in 1 2 3; do # the displayed minute may change meanwhile
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

@test "-f - reads the snapshot from stdin and keys from the terminal" {
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

@test "a mouse click selects a row, and the wheel moves" {
	terminal 80 24 xterm-256color
	start fs-top -f "$top/odyssey.jsonl"
	shows '^>    1 812268'
	type_keys -l $'\e[<0;20;8M'
	type_keys -l $'\e[<0;20;8m'
	shows '^>    4 812154'
	type_keys -l $'\e[<65;20;7M'
	shows '^>    5 812160'
	type_keys -l $'\e[<64;20;7M'
	shows '^>    4 812154'
	type_keys -l $'\e[<0;20;1M' # a click on the title has no effect
	type_keys j
	shows '^>    5 812160'
	type_keys Enter
	shows 'Esc back'
	type_keys -l $'\e[<65;20;7M'
	shows ' 2-23 of '
}

@test "mouse clicks work on tabs, headings, keys and list entries" {
	terminal 80 24 xterm-256color
	start fs-top -f "$top/odyssey.jsonl"
	shows '^>    1 812268'
	click 12 3 # Shares
	shows ' Queue .Shares. Partitions'
	click 22 3
	shows ' Shares .Partitions.'
	click 3 3
	shows '^.Queue.'
	click 9 4 # JOBID
	shows ' ^JOBID'
	click 9 4
	shows ' vJOBID'
	click 2 24 # F1 Help
	shows 'Esc back'
	click 2 24
	shows '^F1 Help'
	type_keys F6
	shows 'Sort by'
	click 5 5 # default order
	hides 'Sort by'
	lacks 'vJOBID'
	type_keys F2
	shows '.x. JOBID'
	click 5 7
	shows '. . JOBID'
	click 50 9 # outside of the list
	hides 'Columns .Space'
	lacks 'JOBID'
}

@test "LC_ALL=C and NO_COLOR print only ASCII without colours" {
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

@test "fs-top shows a screen and accepts keys while it reads" {
	terminal 80 24
	mkfifo slow
	start fs-top --as nobody1 -f - '<slow'
	exec 9>slow
	shows '^ fs-top  reading'
	shows '^q quit'
	type_keys j j
	type_keys -l $'\e[B'
	type_keys Tab BTab
	# The progress line of a read of more than a second disappears.
	shows 'working, 2 s'
	cat "$top/odyssey.jsonl" >&9
	lacks '^>'
	exec 9>&-
	shows '^>    4 812154'
	lacks 'no user'
	type_keys q
	shows 'ready>'
	shows '^fs-top: warning: --as: no user "nobody1"'
	# Errors are printed after the terminal is restored.
	start fs-top -f - '<slow'
	exec 9>slow
	shows '^ fs-top  reading'
	echo '{"type":"snapshot"' >&9
	exec 9>&-
	shows 'ready>'
	shows 'fs-top: standard input:1'
	# q ends fs-top while it reads.
	start fs-top -f - '<slow'
	exec 9>slow
	shows '^ fs-top  reading'
	type_keys q
	shows 'ready>'
	hides 'reading'
	exec 9>&-
}

@test "settings are saved, and an invalid settings file is left unchanged" {
	local file=$XDG_CONFIG_HOME/fs-tools/fs-top
	terminal 120 24 xterm-256color
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
	type_keys I '<' '<' '<'
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
	shows 'the settings are ignored: line 6: not a valid setting; file: /'
	shows '^>    1 812268 .*██'
	type_keys I q
	shows 'ready>'
	cmp before "$file"
}

@test "keys work while a reload never ends" {
	start_live
	shows '^>    1 '
	printf '#!/bin/sh\nexec sleep 60\n' >sleeper && chmod +x sleeper && mv sleeper bin/scontrol
	shows '^.Queue. Shares  Partitions  Timeline  Running  working '
	type_keys j j
	shows '^>    2 '
	type_keys Enter
	shows 'Job [0-9]'
	type_keys Escape q
	shows 'ready>'
	lacks 'FACTORS'
}

@test "y writes a file, reports it, and does not overwrite it" {
	terminal 80 24
	start fs-top -f "$top/odyssey.jsonl"
	shows '^>    1 812268'
	type_keys y
	shows '^Write to file: fs-top-812268-student02.txt'
	type_keys Enter
	shows '^written to fs-top-812268-student02.txt'
	fs-explain --no-pager -f "$top/odyssey.jsonl" 812268 | diff -u - fs-top-812268-student02.txt
	type_keys y Enter
	shows 'the file exists'
	type_keys Escape y Enter q
	shows 'ready>'
}

@test "arrows work in both forms; unknown escape sequences have no effect" {
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

@test "fs-top suggests --once on a dumb or missing terminal" {
	terminal 80 24 dumb
	start fs-top --demo
	shows 'fs-top: .*--once'
	run -1 fs-top --demo
	[[ $output == *"--once"* ]]
}

@test "i tries a command for the selected job, and U removes it" {
	terminal 80 24
	start fs-top --demo --as root
	shows '^>    1 812268'
	type_keys Down Down i
	shows '^What if: scontrol update job 812168'
	type_keys -l 'Nice=30000'
	type_keys Enter
	shows '^>    8   v5 812168'
	shows '^ WHAT IF: scontrol update job 812168 Nice=30000'
	type_keys i Up
	shows '^What if: scontrol update job 812168 Nice=30000'
	type_keys Escape
	type_keys U
	shows '^>    3   ^5 812168'
}
