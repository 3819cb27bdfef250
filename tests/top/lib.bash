# Shared by the bats files of this folder: fs-top on PATH, a new folder for each test, and no settings of the user.
bats_require_minimum_version 1.5.0

setup() {
	top=$BATS_TEST_DIRNAME
	FS_BIN=$(cd "${FS_BIN:-$top/../../build/bin}" && pwd)
	PATH=$FS_BIN:$PATH
	cd "$BATS_TEST_TMPDIR" || return 1
	unset FS_SNAPSHOT NO_COLOR
	export XDG_CONFIG_HOME=$PWD/config
	export FS_USER=root LC_ALL=C.UTF-8
}

teardown() {
	[ -z "${socket:-}" ] || tmux -S "$socket" kill-server 2>/dev/null || true
}

# screens LINE...: runs fs-top with the arguments in $args and a script that consists of the lines.
screens() {
	printf '%s\n' "$@" >script
	# shellcheck disable=SC2086 # arguments are words
	fs-top ${args:---demo} --script script
}
