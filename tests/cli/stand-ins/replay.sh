# shellcheck shell=sh
# Shared by the stand-ins for Slurm's commands, which print the files of a
# captured folder. A file "settings" in the folder of the stand-ins sets the
# variables, since a capture passes none to its commands:
#
#   STAND_IN_DIR    the captured folder
#   STAND_IN_FAIL   the command that prints an error and fails
#   STAND_IN_HANG   the command that never ends; its child never ends either
#   STAND_IN_FLOOD  the command that never stops printing
#   STAND_IN_LOG    the folder for NAME.args, NAME.env and NAME.pid

here=${0%/*}
name=${0##*/}
# shellcheck source=/dev/null
[ ! -e "$here/settings" ] || . "$here/settings"

note() {
	[ -n "${STAND_IN_LOG-}" ] || return 0
	printf '%s\n' "$*" >>"$STAND_IN_LOG/$name.args"
	env >"$STAND_IN_LOG/$name.env"
}

fail() {
	echo "earlier line" >&2
	echo "$name: error: $*" >&2
	exit 1
}

hang() {
	sleep 300 &
	[ -z "${STAND_IN_LOG-}" ] || echo "$$ $!" >"$STAND_IN_LOG/$name.pid"
	echo "half an answer"
	wait
	exit 0
}

flood() {
	text=$(cat "$0" "$0" "$0" "$0")
	text=$text$text$text$text$text$text$text$text
	while :; do echo "$text"; done # no process per line: a busy machine would print too little in time
}

replay() { # FILE
	[ -e "$STAND_IN_DIR/$1" ] || fail "no $1"
	cat "$STAND_IN_DIR/$1"
	exit 0
}

[ -z "$(cat)" ] || fail "standard input is not empty"
note "$@"
case $name in
"${STAND_IN_FAIL-}") fail "told to fail" ;;
"${STAND_IN_HANG-}") hang ;;
"${STAND_IN_FLOOD-}") flood ;;
esac
