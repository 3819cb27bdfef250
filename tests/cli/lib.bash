# Shared by the bats files: our programs on PATH, a folder of its own for each test, no outside settings.
bats_require_minimum_version 1.5.0

setup() {
	FS_BIN=$(cd "${FS_BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd)
	PATH=$FS_BIN:$PATH
	cd "$BATS_TEST_TMPDIR" || return 1
	unset XDG_RUNTIME_DIR FS_SNAPSHOT FS_USER SPRIO_FORMAT NO_COLOR PAGER
	export LC_ALL=C
	head='{"type":"snapshot","format":1,"time":1000,"cluster":"c","scheduler":"slurm 26.11.0"}'
}

# snapshot LINE...: writes s.jsonl with a header line before them.
snapshot() {
	printf '%s\n' "$head" "$@" >s.jsonl
}

# A command after `!` ends no test, unless it is the last one: these do.

# absent GREP_ARGUMENT...: grep finds nothing.
absent() {
	if grep "$@"; then
		return 1
	fi
}

# differ FILE FILE
differ() {
	if cmp -s "$1" "$2"; then
		return 1
	fi
}
