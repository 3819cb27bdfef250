#!/usr/bin/env bats
# Snapshots compressed by zstd: every command reads them like uncompressed ones.

load lib

# states: writes the demo as d.jsonl, and anonymised as a.jsonl and a.jsonl.zst.
states() {
	cp "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" d.jsonl
	fs-snap anonymise --key key d.jsonl -o a.jsonl 2>/dev/null
	fs-snap anonymise --key key d.jsonl -o a.jsonl.zst 2>/dev/null
}

@test "a .zst output is compressed and gives the same results" {
	printf 'k7Qz02mXv9TjPw4e' >key
	states
	[ "$(head -c 4 a.jsonl.zst | od -An -tx1 | tr -d ' \n')" = 28b52ffd ]
	[ "$(stat -c %s a.jsonl.zst)" -lt $(($(stat -c %s a.jsonl) / 4)) ]
	job=$(fs-prio -f a.jsonl --jsonl | sed -n '2s/.*"jobid":\([0-9]*\).*/\1/p')
	[ "$job" ]
	for command in "fs-share -a -l" "fs-share -a --usage=computed" "fs-share --spent" "fs-prio -l" fs-showq \
		"fs-explain --as root $job" "fs-top --once" "fs-diff d.jsonl" "fs-snap verify"; do
		case $command in
		fs-diff* | fs-snap*) file= ;;
		*) file=-f ;;
		esac
		# shellcheck disable=SC2086 # words
		$command $file a.jsonl >expected 2>&1 || [ $? = 4 ]
		# shellcheck disable=SC2086
		$command $file a.jsonl.zst >got 2>&1 || [ $? = 4 ]
		sed -i 's/a\.jsonl\.zst/a.jsonl/g' got
		diff expected got
	done
	fs-prio -f - <a.jsonl.zst | diff <(fs-prio -f a.jsonl) -
	cat a.jsonl.zst | fs-share -a --usage=computed -f - | diff <(fs-share -a --usage=computed -f a.jsonl) -
	FS_THREADS=2 fs-prio -f a.jsonl.zst | diff <(fs-prio -f a.jsonl) -
}

@test "several zstd frames are read as one file" {
	printf 'k7Qz02mXv9TjPw4e' >key
	states
	cat a.jsonl.zst a.jsonl.zst >twice.zst
	run fs-snap check twice.zst
	[ "$status" = 3 ] # two headers
	cat a.jsonl a.jsonl >twice
	run fs-snap check twice
	[ "$status" = 3 ]
}

@test "a truncated or damaged compressed file is refused without output" {
	printf 'k7Qz02mXv9TjPw4e' >key
	states
	size=$(stat -c %s a.jsonl.zst)
	for n in 4 5 18 100 $((size / 2)) $((size - 4)) $((size - 1)); do
		head -c "$n" a.jsonl.zst >cut.zst
		run --separate-stderr fs-share -a -f cut.zst
		[ "$status" = 3 ]
		[ -z "$output" ]
		[ "$stderr" = "fs-share: cut.zst: the compressed file is truncated" ]
	done
	for at in 5 200 $((size / 2)) $((size - 2)); do
		cp a.jsonl.zst bad.zst
		printf '\377\377' | dd of=bad.zst bs=1 seek="$at" conv=notrunc status=none
		run --separate-stderr fs-share -a -f bad.zst
		[ "$status" = 3 ]
		[ -z "$output" ]
		[[ $stderr == "fs-share: bad.zst: the compressed file is "* ]]
	done
}

@test "a small file that unpacks without end is refused" {
	python3 - <<-'E'
	block = (131072 << 3 | 1 << 1).to_bytes(3, "little") + b"\n"
	last = (1 << 3 | 1 << 1 | 1).to_bytes(3, "little") + b"\n"
	with open("bomb.zst", "wb") as f:
	    f.write(bytes.fromhex("28b52ffd0058") + block * 1200 + last)
	E
	run --separate-stderr fs-share -f bomb.zst
	[ "$status" = 3 ]
	[ "$stderr" = "fs-share: bomb.zst: the decompressed data is too large for the size of the file: not a snapshot" ]
}
