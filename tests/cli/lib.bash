# Shared by the bats files: puts our programs on PATH, runs each test in its own folder, and clears the environment.
bats_require_minimum_version 1.5.0

setup() {
	FS_BIN=$(cd "${FS_BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd)
	PATH=$FS_BIN:$PATH
	cd "$BATS_TEST_TMPDIR" || return 1
	unset XDG_RUNTIME_DIR FS_SNAPSHOT FS_USER SPRIO_FORMAT NO_COLOR PAGER
	unset SLURM_CLUSTERS SLURM_JSON SLURM_YAML SPRIO_FEDERATION SPRIO_LOCAL SPRIO_SIBLING
	export LC_ALL=C
	head='{"type":"snapshot","format":1,"time":1000,"cluster":"c","scheduler":"slurm 26.11.0"}'
}

# snapshot LINE...: writes s.jsonl: a header line and the given lines.
snapshot() {
	printf '%s\n' "$head" "$@" >s.jsonl
}

# A failing `! command` ends a test only if it is the last command. A failing `absent` or `differ` always does.

# absent GREP_ARGUMENT...: fails if grep finds anything.
absent() {
	if grep "$@"; then
		return 1
	fi
}

# differ FILE FILE: fails if the files are equal.
differ() {
	if cmp -s "$1" "$2"; then
		return 1
	fi
}
