# Time of a command, to be sourced: the minimum of three runs, as other load only adds to it; one run if that is long.
# Its standard error is in $work/errors. A command that fails is an error.

# least FORMAT COMMAND...
least() {
	local TIMEFORMAT=$1 i taken
	shift
	for i in 1 2 3; do
		taken=$({ time "$@" >/dev/null 2>"$work/errors"; } 2>&1) || return 1
		echo "$taken"
		if awk '{ exit !($1 + $2 > 5) }' <<<"$taken"; then break; fi
	done | awk '{ n = $1 + $2 } NR == 1 || n < least { least = n } END { if (!NR) exit 1; printf "%.3f\n", least }'
}

# CPU seconds, in itself and in the system
seconds() {
	least '%3U %3S' "$@"
}

# seconds from beginning to end
elapsed() {
	least %3R "$@"
}
