# shellcheck shell=sh
# Shared by the stand-ins for Slurm's commands: they print the files of a
# captured folder. A file "settings" beside them is read first, since a capture
# hands down no variables:
#
#   STAND_IN_DIR    the folder
#   STAND_IN_FAIL   this command says so and fails
#   STAND_IN_HANG   this command never ends, nor does the process it starts
#   STAND_IN_FLOOD  this command never stops printing
#   STAND_IN_LOG    a folder: NAME.args, NAME.env and NAME.pid go there

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
	while :; do echo "$text"; done # starts no process: a busy machine would print too little in time
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
