#!/usr/bin/env bats
# Outputs are written completely or not at all. Captures with fifos, devices, links or files without end are refused.

load lib

# folder FOLDER: makes a small capture of Slurm.
folder() {
	mkdir -p "$1"
	echo 1700000000 >"$1/date_begin"
	printf 'Account|User|Partition|ID|ParentName|Share\nroot|||1||1\n' >"$1/sacctmgr_assoc.txt"
}

import() {
	fs-snap import slurm in -o "$@" 2>/dev/null
}

setup() {
	load lib
	FS_BIN=$(cd "${FS_BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd)
	PATH=$FS_BIN:$PATH
	cd "$BATS_TEST_TMPDIR" || return 1
	export LC_ALL=C
	folder in
	fs-snap import slurm in >expected 2>/dev/null
	[ -s expected ]
}

@test "-o writes to pipes, fifos and devices directly" {
	import - >out
	cmp out expected
	[ ! -e ./- ]
	mkfifo fifo
	cat fifo >out &
	import fifo
	wait
	cmp out expected
	[ -p fifo ]
	import /dev/null
	[ -c /dev/null ]
	import /dev/stdout | cmp - expected
	import /dev/stdout >out
	cmp out expected
	import /dev/fd/5 5>out
	cmp out expected
	cmp <(import /dev/stdout) expected
	[ "$(ls)" = $'expected\nfifo\nin\nout' ]
}

@test "a device given to -o remains a device" {
	[ "$(id -u)" = 0 ] || skip "not root"
	mknod null c 1 3 || skip "no devices here"
	import null
	[ -c null ]
	[ "$(ls)" = $'expected\nin\nnull' ]
}

@test "-o replaces a whole file and preserves a link to it" {
	echo old >file
	ln -s file link
	import link
	[ -L link ]
	cmp file expected
	[ "$(stat -c %a file)" = 600 ]
	mkdir folder
	run -1 fs-snap import slurm in -o folder
	[[ $output == *"folder: Is a directory"* ]]
	run -1 fs-snap import slurm in -o nowhere/file
	ln -s nowhere/file dangling
	import dangling
	cmp dangling expected
	[ "$(ls)" = $'dangling\nexpected\nfile\nfolder\nin\nlink' ]
}

@test "an import that cannot write everything leaves no file" {
	run -1 fs-snap import slurm in -o /dev/full
	[[ $output == *"/dev/full: No space left on device"* ]]
	for i in $(seq 2000); do echo "root|u$i||$((i + 1))||1"; done >>in/sacctmgr_assoc.txt
	run -1 bash -c 'ulimit -f 8; fs-snap import slurm in -o file'
	[[ $output == *"file: File too large"* ]]
	run -1 bash -c 'ulimit -f 8; fs-snap import slurm in >file2'
	rm -f file2
	[ "$(ls)" = $'expected\nin' ]
}

@test "imports refuse fifos, devices and folders among the files of a capture" {
	local name
	for name in scontrol_job_o.txt sacct.json sprio.txt sshare.txt; do
		mkfifo "in/$name"
		run -1 timeout 10 fs-snap import slurm in -o file
		[[ $output == "fs-snap: in/$name: it is a fifo, not a file" || $output == *$'\n'"fs-snap: in/$name: it is a fifo, not a file" ]]
		rm "in/$name"
		mkdir "in/$name"
		run -1 fs-snap import slurm in -o file
		[[ $output == *"in/$name: it is a folder, not a file"* ]]
		rmdir "in/$name"
		ln -s /dev/zero "in/$name"
		run -1 timeout 10 fs-snap import slurm in -o file
		[[ $output == *"in/$name: it is a device, not a file"* ]]
		rm "in/$name"
	done
	mkdir maui
	mkfifo maui/maui.cfg
	run -1 timeout 10 fs-snap import maui maui --at 1600000000
	[[ $output == *"maui/maui.cfg: it is a fifo, not a file"* ]]
	mkdir flux
	mkfifo flux/list-banks_--json.json
	echo 1700000000 >flux/NOW
	run -1 timeout 10 fs-snap import flux flux
	[[ $output == *"it is a fifo, not a file"* ]]
	[ ! -e file ]
}

@test "a file larger than --limit is refused" {
	yes '' | head -c 3000000 >in/sprio.txt
	run -1 fs-snap import slurm in --limit 2 -o file
	[[ $output == *"in/sprio.txt: the file is larger than 2 MiB; raise --limit"* ]]
	fs-snap import slurm in --limit 3 -o file
	rm file
	run -2 fs-snap import slurm in --limit 0
	run -2 fs-snap import slurm in --limit x
}

@test "imports follow links out of the folder only with --outside" {
	echo "hunter2" >secret
	for name in scontrol_job_o.txt sprio.txt sacctmgr_assoc.txt caller; do
		mv "in/$name" kept || : >kept
		ln -s "$PWD/secret" "in/$name"
		run -1 fs-snap import slurm in -o file
		[[ $output == *"in/$name: link to a file outside the folder; use --outside to allow such links" ]]
		[[ $output != *hunter2* ]]
		rm "in/$name"
		mv kept "in/$name"
	done
	mv in/sprio.txt in/other
	ln -s other in/sprio.txt
	fs-snap import slurm in -o file # a link within the folder
	mkdir away
	mv in/sacctmgr_assoc.txt away
	ln -s ../away/sacctmgr_assoc.txt in/sacctmgr_assoc.txt
	run -1 fs-snap import slurm in -o file2
	fs-snap import slurm in --outside -o file2
	mkdir -p site/maui
	ln -s ../../secret site/maui/site.cfg
	printf '#INCLUDE site.cfg\nFSPOLICY DEDICATEDPS\n' >site/maui/maui.cfg
	run -1 fs-snap import maui site/maui --at 1600000000
	[[ $output == *"site/maui/site.cfg: link to a file outside the folder"* && $output != *hunter2* ]]
	ln -s in link # the folder itself may be a link
	mv away/sacctmgr_assoc.txt kept
	rm in/sacctmgr_assoc.txt
	mv kept in/sacctmgr_assoc.txt
	fs-snap import slurm link -o file3
}

@test "maui.cfg includes files outside its folder only with --outside" {
	mkdir -p site/maui
	echo "PASSWORD hunter2" >site/secret
	printf '#INCLUDE ../secret\nFSPOLICY DEDICATEDPS\n' >site/maui/maui.cfg
	fs-snap import maui site/maui --at 1600000000 -o s.jsonl 2>err
	grep -q 'maui.cfg:1: included file "../secret" is not read, because it is outside the imported folder' err
	absent -q PASSWORD err
	fs-snap import maui site/maui --at 1600000000 --outside -o s.jsonl 2>err
	grep -q PASSWORD err
}

@test "--mode sets the permissions of a snapshot and its index" {
	tar -xJf "$BATS_TEST_DIRNAME/../cases/slurm/26.11-s3-base.tar.xz"
	local in=(*/in)
	umask 077
	fs-snap import slurm "${in[0]}" -o a.jsonl 2>/dev/null
	[ "$(stat -c %a a.jsonl)" = 600 ]
	fs-snap import slurm "${in[0]}" --mode=644 -o b.jsonl 2>/dev/null
	[ "$(stat -c %a b.jsonl)" = 644 ]
	fs-snap index b.jsonl
	[ "$(stat -c %a b.jsonl.fsx)" = 644 ]
	for bad in 755 0 x 1777 64x 77777; do
		run -2 fs-snap import slurm "${in[0]}" --mode=$bad -o c.jsonl
	done
	[ ! -e c.jsonl ]
}

@test "regular files below /dev and /proc are replaced, not written directly" {
	[ -w /dev/shm ] || skip "no /dev/shm"
	shm=$(mktemp -d /dev/shm/fs-tools.XXXXXX)
	import "$shm/file"
	cmp "$shm/file" expected
	[ "$(stat -c %a "$shm/file")" = 600 ]
	cp "$shm/file" "$shm/hard" && ln "$shm/file" "$shm/other"
	import "$shm/file"
	[ "$(stat -c %h "$shm/file")" = 1 ] # replaced, not written into
	rm -r "$shm"
	import "/dev/..$PWD/out"
	[ "$(stat -c %a out)" = 600 ]
	import "/proc/self/cwd/out2"
	[ "$(stat -c %a out2)" = 600 ]
	import "/dev/fd/../cwd/out3"
	[ "$(stat -c %a out3)" = 600 ]
}

@test "-o refuses links and fifos of other users" {
	[ "$(id -u)" = 0 ] || skip "not root"
	echo old >file
	ln -s file second
	ln -s second link
	import link
	cmp file expected
	[ -L link ] && [ -L second ]
	echo old >file
	chown -h 12345 second
	run -1 fs-snap import slurm in -o link
	[[ ${lines[-1]} == 'fs-snap: link: a link of another user is not followed' ]]
	[ "$(cat file)" = old ]
	mkfifo -m 666 fifo
	chown 12345 fifo
	run -1 timeout 10 fs-snap import slurm in -o fifo
	[[ ${lines[-1]} == 'fs-snap: fifo: the fifo belongs to another user' ]]
	ln -s loop loop
	run -1 fs-snap import slurm in -o loop/x
	[ "$(ls)" = $'expected\nfifo\nfile\nin\nlink\nloop\nsecond' ]
}

@test "-o below /dev/shm, /dev/.. and /proc replaces whole files" {
	[ -w /dev/shm ] || skip "no /dev/shm here"
	local dir file
	dir=$(mktemp -d /dev/shm/fs-tools.XXXXXX)
	for file in "$dir/s" "/dev/..$PWD/s" "/proc/self/root$PWD/s"; do
		echo old >"$file"
		chmod 644 "$file"
		ln "$file" "$dir/old" 2>/dev/null || cp "$file" "$dir/old"
		import "$file" --mode 640
		cmp "$file" expected
		[ "$(stat -c %a "$file")" = 640 ]
		[ "$(cat "$dir/old")" = old ]
		rm -f "$dir/old"
	done
	rm -r "$dir"
}

@test "-o does not open another user's fifo that replaces the caller's fifo" {
	[ "$(id -u)" = 0 ] || skip "not root"
	local i status=0
	mkfifo own other
	chown 12345 other
	python3 -c '
import os
while True:
    for fifo in "own", "other":
        os.link(fifo, "new")
        os.rename("new", "swapped")' &
	swapper=$!
	exec 9<>own
	cat own >/dev/null 9<&- &
	reader=$!
	while [ ! -e swapped ]; do sleep 0.01; done
	for i in $(seq 200); do
		timeout 5 fs-snap import slurm in -o swapped 9<&- 2>>messages || status=$?
		[ "$status" -le 1 ] || break
	done
	kill $swapper $reader
	exec 9<&-
	[ "$status" -le 1 ]
	grep -q 'swapped: the fifo belongs to another user' messages
}
