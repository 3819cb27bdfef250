#!/bin/sh
# The layer rule: a folder of libfs includes only itself and the folders left of it in the flow; the public headers
# (libfs/include) include only each other; cmd/ includes only the public headers, and a command no other command except
# those listed; cJSON and curses are included in one place each; the code that draws fs-top needs no terminal.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 1

# shellcheck disable=SC2046 # no blanks in file names
awk '
BEGIN {
	n = split("base model snapshot import usage scenario fairshare priority limits nodes queue anonymise eval select plan backfill cause advise solve compare forecast explain scheduler", order, " ")
	for (i = 1; i <= n; i++)
		place[order[i]] = i
	apart["import usage"] = apart["import fairshare"] = apart["import priority"] = 1
	n = split("dialect files render columns words page picture capture input options", rooms, " ")
	for (i = 1; i <= n; i++)
		shared[rooms[i]] = i
	may["snap capture"] = may["snap explain"] = may["snap history"] = may["share history"] = may["prio history"] = may["top explain"] = 1
	may["dialect explain"] = may["dialect prio"] = may["dialect showq"] = may["dialect input"] = 1
	for (i = 1; i < ARGC; i++)
		known[ARGV[i]] = 1
}

function bad(why) {
	printf "%s:%d: %s: %s\n", FILENAME, FNR, why, $0
	failed = 1
}

function in_libfs(from, to) {
	sub("/.*", "", to)
	if ((place[to] > place[from] || (to " " from) in apart || (from " " to) in apart))
		bad("libfs/" from " must not know libfs/" to)
}

# Folders that all commands use include none of the commands, and each other only to the left. "." are the files next to
# main.c.
function in_cmd(from, to) {
	if (to !~ "/")
		return
	sub("/.*", "", to)
	if (to != from && !(to in shared && (!(from in shared) || shared[to] < shared[from])) && !((from " " to) in may))
		bad("cmd/" from " must not know cmd/" to)
}

FNR == 1 {
	split(FILENAME, path, "/")
	folder = FILENAME
	sub("/[^/]*$", "/", folder)
	if (path[1] == "libfs" && path[2] != "include" && path[3] != "" && !(path[2] in place))
		bad("libfs/" path[2] " is no layer")
}

/^[ \t]*#[ \t]*include[ \t]*["<]/ {
	count++
	header = $0
	sub("^[^\"<]*", "", header)
	quoted = substr(header, 1, 1) == "\""
	header = substr(header, 2)
	sub("[\">].*", "", header)
	own = quoted && (folder header) in known
	public = ("libfs/include/" header) in known
	if (tolower(header) ~ "cjson" && FILENAME != "libfs/base/json.c")
		bad("only libfs/base/json.c includes cJSON")
	else if (header ~ "curses" && FILENAME !~ "^cmd/top/terminal[.]c$")
		bad("only cmd/top/terminal.c includes curses")
	else if (FILENAME ~ "^cmd/top/(data|keys|list|model|ops|screen|update|views|words)[.]" && (header ~ "^top/(terminal|load|run|setup|top)[.]h" || header ~ "^(unistd|poll|signal|fcntl|pthread|errno)[.]h"))
		bad("the model, the update and the view of fs-top know no files, threads or terminals")
	else if (path[1] == "libfs" && path[2] == "include" && quoted)
		bad("public headers include each other as <fs/NAME.h>")
	else if (path[1] == "libfs" && (("libfs/" header) in known))
		in_libfs(path[2], header)
	else if (path[1] == "cmd" && !own && !(("cmd/" header) in known) && (("libfs/" header) in known))
		bad("cmd/ sees no header of libfs but the public ones")
	else if (path[1] == "cmd" && (("cmd/" header) in known))
		in_cmd(path[3] == "" ? "." : path[2], header)
	else if (header ~ "[.][.]/" || header ~ "^libfs/")
		bad("includes go from the top of libfs/ or cmd/")
	else if (quoted && path[1] == "libfs" && !public)
		bad("no such header in libfs")
}

END {
	if (!failed)
		printf "layers: %d includes in order\n", count
	exit failed
}' $(find libfs cmd -name '*.[ch]' | sort)
