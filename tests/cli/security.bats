#!/usr/bin/env bats
# What SECURITY CONSIDERATIONS of fs-tools.1 promises and no other file holds. Text: hostile.bats. Files: files.bats,
# capture.bats. What is missing: tests/deletions. Memory and failing calls: tests/fault. --as: private.bats.

load lib

@test "no network, no other rights, no code loaded, no system()" {
	command -v nm >/dev/null || skip "no nm"
	nm -D --undefined-only "$FS_BIN/fs-tools" | awk '{ sub(/@.*/, "", $2); print $2 }' >symbols
	grep -qx malloc symbols
	absent -xE '(socket|socketpair|connect|bind|listen|accept4?|send(to|msg)?|recv(from|msg)?|getaddrinfo|gethostby.*)' symbols
	absent -xE '(set(re|res|e)?[ug]id|setgroups|initgroups|capset|chroot|dlopen|dlmopen|system|exec[lv]p?e?)' \
		<(grep -vx execve symbols)
}

@test "the one shell is the pager's" {
	cd "$BATS_TEST_DIRNAME/../.."
	[ "$(grep -rlE '\bpopen\(' cmd)" = cmd/explain/explain.c ]
	absent -rE '\bpopen\(|"/bin/sh"|"sh"' libfs
	absent -rE '"/bin/sh"|"sh"' cmd
	echo 'echo shell >&2' >"$BATS_TEST_TMPDIR/pager"
	PAGER="sh $BATS_TEST_TMPDIR/pager" run -0 fs-explain --demo --user anna
	[[ $output != *shell* ]]
}

@test "who reads writes nothing" {
	local job
	mkdir here tmp
	cd here
	export HOME=$PWD TMPDIR=$BATS_TEST_TMPDIR/tmp FS_USER=root TERM=dumb
	job=$(fs-prio --demo -h -o %i | head -1)
	fs-share --demo -a >/dev/null
	fs-share -f "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" --usage=compare -a >/dev/null
	cat "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" | fs-share -f - --usage=computed -a >/dev/null
	fs-prio --demo -l >/dev/null
	fs-showq --demo --plan >/dev/null
	fs-explain --demo "${job// /}" >/dev/null
	fs-top --demo --once --size 80x24 >/dev/null
	fs-snap check "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" >/dev/null
	[ -z "$(ls -A . "$TMPDIR" | grep -v ':$' | grep .)" ]
}
