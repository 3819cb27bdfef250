#!/usr/bin/env bats
# Under the names sshare and sprio, options, abbreviations, refusals, statuses and messages are those of Slurm's tools, as
# in Slurm 22.05.8 and in the sources of later versions.

load lib

setup_file() {
	mkdir "$BATS_FILE_TMPDIR/links"
	for name in sshare sprio; do
		ln -s "$(cd "${FS_BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd)/fs-tools" "$BATS_FILE_TMPDIR/links/$name"
	done
}

links() {
	PATH=$BATS_FILE_TMPDIR/links:$PATH
	unset FS_EXTENSIONS
	export FS_SNAPSHOT=${1:-$BATS_TEST_DIRNAME/../../cmd/demo.jsonl} FS_USER=root
}

refused() { # TEXT COMMAND...: status 1, an empty standard output, and the messages of getopt and the tool
	local text=$1
	shift
	run -1 --separate-stderr "$@"
	[ -z "$output" ]
	[ "${stderr#*: }" = "$text"$'\n'"Try \"$1 --help\" for more information" ]
}

@test "options that Slurm's tools lack require FS_EXTENSIONS" {
	links
	refused "unrecognized option '--json'" sprio --json
	refused "invalid option -- 'P'" sprio -P
	refused "unrecognized option '--me'" sprio --me
	refused "invalid option -- 'f'" sprio -f x
	refused "unrecognized option '--partitions'" sprio --partitions gpu
	refused "unrecognized option '--me'" sshare --me
	refused "invalid option -- 'c'" sshare -c
	refused "unrecognized option '--sort'" sshare --sort user
	refused "unrecognized option '--demo'" sshare --demo
	FS_EXTENSIONS=0 refused "invalid option -- 'c'" sshare -c
	FS_EXTENSIONS=1 run -0 sshare -c
	FS_EXTENSIONS=1 run -0 sprio --demo --json
	[[ $output == *fs-prio/1* ]]
}

@test "options abbreviate as in Slurm's tools" {
	links
	run -0 sshare --al
	diff <(sshare --al) <(sshare -a)
	diff <(sshare --f account,user) <(sshare -o account,user)
	diff <(sprio --par gpu) <(sprio -p gpu)
	diff <(sprio --j 812154) <(sprio -j 812154)
	refused "option '--cluster' requires an argument" sshare --c
	refused "option '--partition' requires an argument" sprio --p
	refused "option '--format' requires an argument" sshare --fo
	refused "option requires an argument -- 'o'" sprio -o
	refused "option '--noheader' doesn't allow an argument" sprio --noh=3
}

@test "messages equal the messages of Slurm's tools" {
	links
	run -1 --separate-stderr sprio stray
	[ "$stderr" = "sprio: error: Unrecognized option: stray" ]
	[ "$output" = "Usage: sprio [-j jid[s]] [-u user_name[s]] [-o format] [-p partitions]
   [--federation] [--local] [--sibling] [--usage] [-hlnvVw]" ]
	diff <(sprio --usage) <(sprio stray 2>/dev/null)
	run -1 --separate-stderr sprio -l -o %i
	[ "$stderr" = "sprio: fatal: Options -o(--format) and -l(--long) are mutually exclusive. Please remove one and retry." ]
	run -1 --separate-stderr sshare -o nosuch
	[ "$stderr" = 'sshare: error: Invalid field requested: "nosuch"' ]
	run -0 --separate-stderr sprio -u nosuch
	[ "$stderr" = "sprio: error: Invalid user: nosuch" ]
	run -1 --separate-stderr sprio -j x
	[ "$stderr" = "sprio: error: Invalid job id: x" ]
	run -0 sshare stray
}

@test "empty and malformed lists work as in Slurm's tools" {
	links
	for list in "" ,; do
		[ "$(sprio -j "$list" | wc -l)" = 1 ]
		[ "$(sprio -h -p "$list" | wc -l)" = 0 ]
		[ "$(sprio -h -u "$list" | wc -l)" = 0 ]
	done
	[ "$(sprio -h -o %i -j "812154, 812168" | tr -s ' \n' ' ')" = "812154 812168 " ]
	[ "$(sprio -h -o %i -j0812154)" = 812154 ]
	[ "$(sprio -h -o %i -p gpu -p nosuch)" = "" ] # the last list counts
	[ "$(sprio -h -o %i -j 812168 -n)" = 812168 ]
	[ "$(sprio -j -h -o %i 812168)" = 812168 ]
	run -1 sprio -j 812168 812154
	run -1 sprio -j 0
	run -1 sprio -j -1
	run -1 sprio -M ""
	run -1 sshare -M ""
	[ "$(sshare -h -P -o account,,user | head -1)" = "root|" ]
	[ "$(sshare -P -o account,,user | head -1)" = "Account|User" ]
	sed 's/slurm 26.11.0/slurm 22.05.8/' "$FS_SNAPSHOT" >old.jsonl
	links "$PWD/old.jsonl"
	[ "$(sprio -j "")" = "Unable to find jobs matching user/id(s) specified" ]
	[ "$(sprio -p "" | wc -l)" = 1 ]
}

@test "--json accepts the data_parsers of the snapshot's release" {
	links
	[ "$(sshare --json=list 2>/dev/null | tr '\n' ' ')" = \
		"data_parser/v0.0.43 data_parser/v0.0.44 data_parser/v0.0.45 data_parser/v0.0.46 " ]
	sshare --json=v0.0.44 | grep -q '"data_parser.*v0.0.44"'
	sshare --yaml=data_parser/v0.0.43 | grep -q 'data_parser.*v0.0.43'
	run -1 --separate-stderr sshare --json=bogus
	[ "$stderr" = "sshare: error: application/json output not supported by bogus" ]
	run -1 sshare --json=v0.0.42
	sed 's/slurm 26.11.0/slurm 24.11.7/' "$FS_SNAPSHOT" >old.jsonl
	links "$PWD/old.jsonl"
	diff <(sshare --json=v0.0.42 | sed '/"--json/d') <(sshare --json=latest | sed '/"--json/d')
	sshare --json=v0.0.41 | grep -q '"effective_usage": [0-9]' # v0.0.41 prints a bare number
	sshare --json | absent '"effective_usage": [0-9]'
	sed -i 's/slurm 24.11.7/slurm 22.05.8/' old.jsonl
	refused "unrecognized option '--json'" sshare --json
	refused "unrecognized option '--helpformat'" sprio --helpformat
}

@test "--help lists only the options of Slurm's tools" {
	links
	sprio --help | grep -q -- --weights
	sprio --help | absent -e --json -e --demo -e Snapshot
	diff <(sshare --help) <(sshare --usage)
	run -0 sprio --usage
}
