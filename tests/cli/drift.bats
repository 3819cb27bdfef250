#!/usr/bin/env bats
# --help, man pages, completions, JSON Schemas and the field tables of the snapshot agree.

load lib

top=$BATS_TEST_DIRNAME/../..
man=$top/man

# same WHAT FILE FILE: the files are equal and not empty; otherwise prints the difference.
same() {
	cat "$2" >first
	cat "$3" >second
	[ -s first ] || { echo "$1: nothing found"; return 1; }
	diff -u --label "$1: first" --label "$1: second" first second
}

# help_options COMMAND: prints the options in --help, in the form "-a, --all" or "--sort=COLUMNS".
help_options() {
	$1 --help | sed -nE 's/^  (-[A-Za-z], --[^ ]+|-[A-Za-z]|    --[^ ]+) .*/\1/p' | sed 's/^ *//' | sort
}

# man_options PAGE: prints the options in the page's lists, in the same form.
man_options() {
	sed -n 's/^\.It Fl //p' "$man/$1" |
		sed 's/ Ns Op = Ns Ar \(.*\)$/[=\1]/; s/ Ns = Ns Ar /=/; s/ , Fl /, -/; s/^/-/' | sort
}

# words: prints each option on its own line, without its value.
words() {
	tr -s ', ' '\n' | sed 's/[=[].*//' | grep '^-' | sort -u
}

# listed PAGE MARK: prints the names in the list after the comment MARK.
listed() {
	awk -v mark=".\\\\\" $2" '
	$0 == mark { inside = 1 }
	/^\.El/ { inside = 0 }
	inside && /^\.It Cm/ { sub(/^\.It Cm /, ""); gsub(/ , /, "\n"); print }' "$man/$1"
}

@test "--help and man page of fs-share list the same options" {
	same options <(help_options fs-share) <(man_options fs-share.1)
	[ "$(help_options fs-share | wc -l)" -gt 25 ]
}

@test "--help and man page of fs-prio list the same options" {
	same options <(help_options fs-prio) <(man_options fs-prio.1)
	[ "$(help_options fs-prio | wc -l)" -gt 20 ]
}

@test "--help and man page of fs-showq list the same options" {
	same options <(help_options fs-showq) <(man_options fs-showq.1)
	[ "$(help_options fs-showq | wc -l)" -gt 15 ]
}

@test "--help and man page of fs-explain list the same options" {
	same options <(help_options fs-explain) <(man_options fs-explain.1)
	[ "$(help_options fs-explain | wc -l)" -gt 14 ]
}

@test "--help and man page of fs-diff list the same options" {
	same options <(help_options fs-diff) <(man_options fs-diff.1)
	[ "$(help_options fs-diff | wc -l)" -gt 15 ]
}

@test "--help and man page of fs-top list the same options" {
	same options <(help_options fs-top) <(man_options fs-top.1)
	[ "$(help_options fs-top | wc -l)" -gt 12 ]
}

@test "a capture requests every limit that the library reads" {
	python3 - "$top" <<'PY'
import re, sys
names = open(sys.argv[1] + "/libfs/model/records/limit_names.h").read()
capture = open(sys.argv[1] + "/libfs/import/slurm/outputs.c").read()
def columns(*lists):
    found = set()
    for l in lists:
        body = re.search(r"#define FSI_%s_LIMITS\(X\)(.*?[^\\])\n" % l, names, re.S).group(1)
        found |= set(re.findall(r'X\(\w+, \w+, "\w+", "(\w+)"', body.replace("\\\n", " ")))
    return found
def asked(what):
    text = re.search(what + r"(.*?)\n\n", capture, re.S).group(1)
    return "".join(re.findall(r'"([^"]*)"', text)).split(",")
def lacking(wanted, words): # sacctmgr accepts names longer than the heading: GrpSubmitJobs
    assert len(wanted) > 10, wanted
    return [c for c in wanted if not any(w.startswith(c) for w in words)]
missing = lacking(columns("ASSOC_GROUP", "ASSOC_OWN", "ASSOC_ACCRUE"), asked("#define ASSOC_FORMAT\\(")) + \
    lacking(columns("ASSOC_GROUP", "QOS", "QOS_ACCRUE"), asked("char qos_format\\[\\]"))
assert not missing, missing
PY
}

@test "fs-scenario.7 lists the words that scenario commands accept" {
	table() { # FILE NAME: prints the first string of each row
		awk -v name="$2" '$0 ~ name "\\[\\] = \\{" || $0 ~ "^} " name { inside = 1 } /^(};)?$/ { inside = 0 } inside' \
			"$top/libfs/$1" | sed -nE 's/^\t\{ "([A-Za-z-]+)", .*/\1/p' | sort
	}
	page() { # MARK
		awk -v mark=".\\\\\" $1" '$0 == mark { inside = 1 } /^\.(El|\\" end)/ { inside = 0 } inside' "$man/fs-scenario.7" |
			sed -nE 's/^\.(It )?Cm ([A-Za-z ,-]+).*/\2/p' | tr -s ' ,' '\n\n' | sed '/^$/d' | sort
	}
	rows() { # FILE LETTER: prints the first string of each row of the macro LETTER
		sed -nE "s/^\t$2\(\"([A-Za-z-]+)\".*/\1/p" "$top/libfs/scenario/$1" | sort
	}
	same sbatch <(rows sbatch.c O) \
		<(awk '$0 == ".\\\" options of sbatch" { inside = 1 } /^\.\\" end/ { inside = 0 } inside' "$man/fs-scenario.7" |
			sed -nE 's/^\.Fl -([a-z-]+).*/\1/p' | sort)
	same job <(table scenario/slurm/job.c words) <(page 'words of job')
	same nodes <(rows slurm/node.c N) <(page 'words of nodes')
	same partitions <(rows slurm/node.c P) <(page 'words of partitions')
	same reservations <(rows slurm/reservation.c R) <(page 'words of reservations')
	same associations <({ rows slurm/assoc.c A; rows slurm/assoc.c U; } | sort -u) <(page 'words of associations')
	same qos <(rows slurm/assoc.c Q) <(page 'words of qos')
	same settings <(sed -nE '/^#define FSI_COMPUTED_SETTINGS/,/[^\\]$/s/^\tX\(([A-Za-z]+), .*/\1/p' \
		"$top/libfs/model/slurm.h" | sort) <(page settings)
}

@test "the help and man page of fs-top list the same keys" {
	echo 'key ?
dump' >script
	same keys <(fs-top --demo --ascii --size 120x80 --script script |
		sed -n '/^ KEYS/,/^$/s/^ \([^ ].\{13\}\) [^ ].*/\1/p' | sed 's/ *$//' | sort) \
		<(sed -n '/^\.\\" keys$/,/^\.El/s/^\.It Cm //p' "$man/fs-top.1" | sed 's/\\&//g; s/\\e/\\/' | sort)
}

@test "--help and man page of fs-snap list the same options" {
	same options <(help_options fs-snap) <(man_options fs-snap.1)
	[ "$(help_options fs-snap | wc -l)" -ge 4 ]
}

@test "options accepted but not in --help are mentioned in the man page" {
	local c name n=0
	for c in share prio showq explain diff top snap; do
		# rows without help, and options of the emulated tool
		for name in $(sed -nE 's/^\t\{ [^,]*, "([^"]+)", [^,]*(, NULL, .*)? \},$/\1/p' "$top/cmd/$c"/*.c); do
			n=$((n + 1))
			grep -q "Fl -$name\b" "$man/fs-$c.1" || { echo "fs-$c.1: --$name"; return 1; }
		done
	done
	[ "$n" -ge 5 ]
}

@test "--help and man page of fs-snap list the same verbs" {
	same verbs <(fs-snap --help | sed -nE '/^Options/q; s/^  ([a-z]+) .*/\1/p' | sort -u) \
		<(sed -n '/^\.Sh VERBS/,/^\.Sh OPTIONS/s/^\.Ss \([a-z]*\).*/\1/p' "$man/fs-snap.1" | sort -u)
}

@test "--help and man page of fs-tools list the same commands" {
	same commands <(fs-tools --help | sed -nE 's/^  ([a-z]+) .*/fs-\1/p' | sort) \
		<(sed -n '/^\.Sh DESC/,/^\.Ss/s/^\.It Xr \(fs-[a-z]*\) 1$/\1/p' "$man/fs-tools.1" | sort)
}

@test "bash completion offers the options of --help" {
	local c
	. "$top/completions/fs-tools.bash"
	for c in fs-share fs-prio fs-showq fs-explain fs-diff fs-top fs-snap; do
		COMP_WORDS=("$c" -) COMP_CWORD=1
		_fs_tools
		same "$c" <(help_options "$c" | words) <(printf '%s\n' "${COMPREPLY[@]}" | words)
		COMP_WORDS=(fs-tools "${c#fs-}" -) COMP_CWORD=2
		_fs_tools
		same "fs-tools $c" <(help_options "$c" | words) <(printf '%s\n' "${COMPREPLY[@]}" | words)
	done
}

@test "--complete options matches --help, and each shell completes every value kind" {
	local c kind
	for c in fs-share fs-prio fs-showq fs-explain fs-diff fs-top fs-snap; do
		fs-tools --complete options "$c" >"$c"
		same "$c" <(help_options "$c" | words) \
			<(awk -F'|' '$1 != "-" { print "-" $1 } $2 != "" { print "--" $2 }' "$c" | sort -u)
		same "$c" <(help_options "$c" | grep -c '[= ][^-]\|\[') <(grep -cE '^.[|][^|]*[|]=' "$c")
	done
	fs-tools --complete options fs-share | grep -qx 'A|accounts|=|:accounts,|only these accounts'
	run -2 fs-tools --complete options fs-nosuch
	for kind in $(cut -d'|' -f4 fs-* | grep '^:' | tr -d :, | sort -u); do
		case $kind in
		accounts | users | jobs | partitions | qos)
			fs-tools --complete "$kind" --demo >/dev/null
			grep -q "^_fs_tools_$kind()" "$top/completions/_fs-tools" ;;
		files) grep -q ':files)' "$top/completions/_fs-tools" ;;
		folders) grep -q ':folders)' "$top/completions/_fs-tools" ;;
		*)
			grep -q "^_fs_tools_$kind()" "$top/completions/_fs-tools"
			grep -q "case .*:$kind,\?\$" "$top/completions/fs-tools.fish" ;;
		esac || { echo "$kind"; return 1; }
		case $kind in
		accounts | users | jobs | partitions | qos) ;;
		*) grep -q "^	:$kind,\?)" "$top/completions/fs-tools.bash" || { echo "bash: $kind"; return 1; } ;;
		esac
	done
}

@test "zsh completion offers the options of --help" {
	command -v zsh >/dev/null || skip "zsh is not installed"
	local c
	for c in fs-share fs-prio fs-showq fs-explain fs-diff fs-top fs-snap; do
		zsh -fc 'setopt extendedglob; _arguments() { print -rl -- "${@[4,-1]}" }
			eval "$(sed -n "/^_fs_tools_values/,/^}/p; /^_fs_tools_options/,/^}/p" '"$top/completions/_fs-tools"')"
			_fs_tools_options '"$c" >specs
		same "$c" <(help_options "$c" | words) <(sed -E 's/^(\([^)]*\)|\*)//; s/[+=]*-?\[.*//' specs | sort -u)
	done
}

@test "fish completion offers the options of --help" {
	command -v fish >/dev/null || skip "fish is not installed"
	local c
	for c in fs-share fs-prio fs-showq fs-explain fs-diff fs-top fs-snap; do
		fish -c "source $top/completions/fs-tools.fish; complete -c $c" |
			grep -oE ' (-s|-l|--short-option|--long-option) [A-Za-z0-9-]+' |
			sed -E 's/ (-s|--short-option) /-/; s/ (-l|--long-option) /--/' | sort -u >offered
		same "$c" <(help_options "$c" | words) offered
	done
}

@test "bash completion offers the values of options" {
	. "$top/completions/fs-tools.bash"
	local expected reply
	ask() { # WORD...: completes the last word
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_fs_tools
		reply=${COMPREPLY[*]}
	}
	touch state.jsonl
	cp "$top/cmd/demo.jsonl" demo.jsonl
	ln -s "$FS_BIN/fs-tools" fs-tools
	ln -s fs-tools sprio
	while IFS='|' read -r line expected; do
		eval "ask $line"
		[ "$reply" = "$expected" ] || { echo "$line: $reply"; return 1; }
	done <<-'EOF'
	fs-share --sort lev|LevelFS
	fs-share --sort = -fair|-FairShare
	fs-share --sort grp|
	fs-share -o account,norm|account,NormShares account,NormUsage
	fs-share --algorithm = c|classic
	fs-share --algorithm ""|fair_tree classic depth_oblivious flux flux_exact flux_range maui
	fs-share --position r|ratio rank
	fs-share --style ""|slurm flux maui
	fs-share --kind = c|class
	fs-share --compat 22|22.05
	fs-share --json =|fs-share/1 pretty slurm
	fs-prio --json =|pretty
	fs-share --usage = ""|recorded computed compare
	fs-share --usage = comp|computed compare
	fs-prio --usage = comp|computed
	fs-prio --decay ""|slurm exact
	fs-share --decay = e|exact
	fs-share -f sta|state.jsonl
	fs-share --file = sta|state.jsonl
	fs-share --al|--all --algorithm=
	fs-share --us|--users= --Users --usage --usage=
	fs-share --dec|--decay= --decay-runs=
	fs-prio --file sta|state.jsonl
	fs-snap che|check
	fs-snap import ""|slurm flux maui text
	fs-snap check sta|state.jsonl
	fs-snap -o sta|state.jsonl
	fs-snap verify sta|state.jsonl
	fs-tools sh|share showq
	fs-tools showq --sty|--style=
	fs-showq --style ""|fasrc tacc maui flux
	fs-showq --config sta|state.jsonl
	fs-explain --color = a|auto always
	fs-tools share --alg|--algorithm=
	fs-tools prio -f sta|state.jsonl
	fs-top --color = a|auto always
	fs-share --demo -A ast|astro
	fs-share --demo -A astro,chem|astro,chemistry
	fs-share --demo -u b|ben bob boris
	fs-prio --demo --user = anna,a|anna,anna anna,arun
	fs-prio --demo --partition b|bigmem
	fs-showq --demo --start = 81200|812002 812008
	fs-showq -f demo.jsonl --of-user ju|
	fs-showq -f demo.jsonl --of-user ann|anna
	fs-explain --demo quan|quantum
	fs-explain -f nosuch.jsonl quan|
	./sprio --demo -u aru|arun
	fs-tools share --demo -A ecol|ecology
	fs-top --script sta|state.jsonl
	EOF
	ask fs-share -o ""
	same columns <(printf '%s\n' "${COMPREPLY[@]}") <(fs-share -e | tr -s ' ' '\n' | grep .)
	ask fs-prio -o %.10
	[ "${COMPREPLY[0]}" = %.10a ]
	[ "${#COMPREPLY[@]}" = "$(listed fs-prio.1 letters | wc -l)" ]
}

@test "commands accept the sort keys, algorithms and versions that bash completes" {
	. "$top/completions/fs-tools.bash"
	local word opt c
	for opt in "fs-share --sort" "fs-prio --sort" "fs-share --algorithm" "fs-prio --compat" "fs-share --json"; do
		read -r c opt <<<"$opt"
		COMP_WORDS=("$c" "$opt" "=" '') COMP_CWORD=3
		_fs_tools
		[ "${#COMPREPLY[@]}" -gt 1 ]
		for word in "${COMPREPLY[@]}"; do
			[ "$word" != maui ] || continue # requires a Maui snapshot
			"$c" --demo "$opt=$word" >/dev/null || { echo "$c $opt=$word"; return 1; }
		done
	done
	for word in b B s S; do
		run -2 fs-prio --demo --sort "$word"
	done
}

@test "zsh and fish complete names of the snapshot" {
	local kind
	if command -v fish >/dev/null; then
		for kind in "-A :accounts" "-u :users"; do
			same "fish $kind" <(fish -c "source $top/completions/fs-tools.fish; complete -C 'fs-share --demo ${kind%:*}'" | cut -f1 | sort) \
				<(fs-tools --complete "${kind#*:}" --demo | sort)
		done
		same 'fish --start' <(fish -c "source $top/completions/fs-tools.fish; complete -C 'fs-showq --demo --start 81'" | cut -f1 | sort) \
			<(fs-tools --complete jobs --demo | sort)
	fi
	if command -v zsh >/dev/null; then
		for kind in accounts users jobs partitions; do
			same "zsh $kind" <(zsh -fc 'compset() { }; compadd() { print -l ${(P)@[-1]} }; words=(fs-share --demo "")
				eval "$(sed -n "/^_fs_tools_names/,/^}/p; /^_fs_tools_'$kind'/p" '"$top/completions/_fs-tools"')"; _fs_tools_'$kind) \
				<(fs-tools --complete "$kind" --demo)
		done
	fi
}

@test "completion names are sorted, safe for shells and visible to the viewer" {
	local x='$(touch boo)'
	snapshot '{"type":"config","PrivateData":["jobs"]}' '{"type":"partition","name":"p","state":"UP"}' \
		'{"type":"job","id":2,"state":"PENDING","user":"u","account":"a","qos":["q"],"partitions":["p"]}' \
		'{"type":"job","id":1,"state":"PENDING","user":"v","account":"-b","partitions":["p"]}' \
		"{\"type\":\"job\",\"id\":3,\"state\":\"PENDING\",\"user\":\"$x\",\"account\":\"a b\",\"partitions\":[\"p\"]}"
	export FS_SNAPSHOT=$PWD/s.jsonl
	[ "$(FS_USER=root fs-tools --complete jobs | tr '\n' ' ')" = "1 2 3 " ]
	[ "$(FS_USER=u fs-tools --complete jobs)" = 2 ]
	[ "$(FS_USER=root fs-tools --complete users | tr '\n' ' ')" = "u v " ]
	[ "$(FS_USER=root fs-tools --complete accounts)" = a ]
	[ "$(FS_USER=root fs-tools --complete qos)" = q ]
	[ "$(fs-tools --complete partitions)" = p ]
	run -0 fs-tools --complete users -f nosuch
	[ -z "$output" ]
	mkfifo pipe
	run -0 timeout 5 fs-tools --complete users -f pipe
	[ -z "$output" ]
	run -2 fs-tools --complete words
}

@test "completions have valid syntax in their shells" {
	bash -n "$top/completions/fs-tools.bash"
	! command -v shellcheck >/dev/null || shellcheck "$top/completions/fs-tools.bash"
	! command -v zsh >/dev/null || zsh -n "$top/completions/_fs-tools"
	! command -v fish >/dev/null || fish -n "$top/completions/fs-tools.fish"
}

@test "fs-share -e and the man page list the same columns" {
	same columns <(fs-share -e | tr -s ' ' '\n' | grep . | sort) <(listed fs-share.1 columns | sort)
}

@test "fs-prio --helpformat and the man page list the same format letters" {
	local letter
	same letters <(fs-prio --helpformat | tr -d % | tr -s ' ' '\n' | grep . | LC_ALL=C sort) \
		<(listed fs-prio.1 letters | LC_ALL=C sort)
	for letter in $(listed fs-prio.1 letters); do
		awk -v letter="$letter" -v heading="$(fs-prio --demo -o "%$letter" -j 0 | head -1)" '
		/^\.It Cm/ { here = $3 == letter || $5 == letter; next }
		here { found = $1 == heading || $1 == heading ":"; exit }
		END { exit !found }' <(sed -n '/^\.\\" letters/,/^\.El/p' "$man/fs-prio.1") ||
			{ echo "letter $letter"; return 1; }
	done
}

# keys EXPRESSION: prints the keys that the expression gives for the JSON document on standard input. The key "if" is
# left out, because only documents of a hypothetical state have it.
keys() {
	python3 -c 'import json, sys
doc = json.load(sys.stdin)
print("\n".join(sorted(k for k in eval(sys.argv[1]) if k != "if")))' "$1"
}

@test "fs-share's JSON keys agree with its schema and man page" {
	fs-share --demo -a --json | keys 'set(k for r in doc["rows"] for k in r)' >output
	same rows output <(keys 'doc["$defs"]["row"]["properties"]' <"$man/fs-share-1.schema.json")
	same rows output <(keys 'doc["$defs"]["row"]["required"]' <"$man/fs-share-1.schema.json")
	same rows output <(listed fs-share.1 json | sort)
	fs-share --demo -a --json | keys doc >output
	same document output <(keys 'doc["properties"]' <"$man/fs-share-1.schema.json")
}

@test "JSON keys of forecasts agree with schemas, man page and header" {
	fs-share --demo --as root -u dana --forecast --json | keys 'set(k for r in doc["rows"] for k in r)' >output
	same rows output <(keys 'doc["$defs"]["row"]["properties"]' <"$man/fs-forecast-1.schema.json")
	same rows output <(listed fs-share.1 'json forecast rows' | sort)
	python3 - "$man" <<-'EOF'
	import json, re, sys
	one, two = (json.load(open(sys.argv[1] + "/fs-" + n + "-1.schema.json"))["$defs"] for n in ("explain", "forecast"))
	assert all(one[k] == two[k] for k in ("forecast", "forecast_point", "text", "number"))
	header = open(sys.argv[1] + "/../libfs/include/fs/forecast.h").read()
	kinds = re.findall(r'\bX\([A-Z_]+, "(\w+)"\)', header.split("FS_FORECAST_EVENTS(X)")[1].split("#undef")[0])
	told = one["forecast"]["properties"]["events"]["items"]["properties"]["kind"]["enum"]
	assert kinds == told, set(kinds) ^ set(told)
	EOF
}

@test "JSON keys of the fs-share reports agree with schema and man page" {
	local report row schema=$man/fs-usage-2.schema.json
	declare -A option=([compare]=--usage=compare [spent]=--spent [grants]=--grants [bill]=--bill=cpu=1)
	for report in compare spent grants bill; do
		fs-share --demo -a "${option[$report]}" --json >doc
		keys doc <doc >output
		same "$report" output <(keys "doc['\$defs']['$report']['properties']" <"$schema")
		same "$report" output <(keys "doc['\$defs']['$report']['required']" <"$schema")
		keys 'set(k for r in doc["rows"] for k in r)' <doc >output
		row="doc['\$defs']['${report}_row']"
		same "$report rows" output <(keys "$row['properties']" <"$schema")
		same "$report rows" output <(keys "$row['required']" <"$schema")
		same "$report rows" output <(listed fs-share.1 "json $report rows" | sort)
		case $report in
		compare)
			keys 'set(doc) - {"schema", "snapshot", "report", "rows"}' <doc >output
			same compare output <(listed fs-share.1 'json compare' | sort)
			continue ;;
		spent) row='run' list='top_jobs' ;;
		grants) row='grant' list='grants' ;;
		bill) row='term' list='terms' ;;
		esac
		keys "set(k for r in doc['rows'] for t in r['$list'] for k in t)" <doc >output
		same "$row" output <(keys "doc['\$defs']['$row']['properties']" <"$schema")
		same "$row" output <(keys "doc['\$defs']['$row']['required']" <"$schema")
		for row in $(cat output); do
			sed -n "/^\.\\\\\" json $report rows\$/,/^\.El/p" "$man/fs-share.1" | grep -qw "$row" ||
				{ echo "$report: $row"; return 1; }
		done
	done
}

@test "fs-prio's JSON keys agree with its schema and man page" {
	fs-prio --demo --json >doc
	keys 'set(k for r in doc["rows"] for k in r)' <doc >output
	same rows output <(keys 'doc["$defs"]["row"]["properties"]' <"$man/fs-prio-1.schema.json")
	same rows output <(keys 'doc["$defs"]["row"]["required"]' <"$man/fs-prio-1.schema.json")
	same rows output <(listed fs-prio.1 json | sort)
	keys 'set(k for r in doc["rows"] for t in r["terms"] for k in t)' <doc >output
	same terms output <(keys 'doc["$defs"]["term"]["properties"]' <"$man/fs-prio-1.schema.json")
	same terms output <(listed fs-prio.1 'json terms' | sort)
	keys 'set(k for r in doc["rows"] for k in r["accrue"])' <doc >output
	same accrue output <(keys 'doc["$defs"]["accrue"]["properties"]' <"$man/fs-prio-1.schema.json")
	same accrue output <(listed fs-prio.1 'json accrue' | sort)
	keys doc <doc >output
	same document output <(keys 'doc["properties"]' <"$man/fs-prio-1.schema.json")
	[ -s output ]
}

@test "fs-showq's JSON keys agree with its schema and man page" {
	fs-showq --demo --json --plan >doc
	keys 'set(k for r in doc["rows"] for k in r)' <doc >output
	same rows output <(keys 'doc["$defs"]["row"]["properties"]' <"$man/fs-showq-1.schema.json")
	same rows output <(listed fs-showq.1 json | sort)
	same required <(grep -v '^plan$' output) <(keys 'doc["$defs"]["row"]["required"]' <"$man/fs-showq-1.schema.json")
	keys 'set(k for r in doc["rows"] if "plan" in r for k in r["plan"])' <doc >output
	same plan output <(keys 'doc["$defs"]["plan"]["properties"]' <"$man/fs-showq-1.schema.json")
	same plan output <(listed fs-showq.1 'json plan' | sort)
	keys doc <doc >output
	same document output <(keys 'doc["properties"]' <"$man/fs-showq-1.schema.json")
}

@test "fs-diff's JSON keys agree with its schema and man page" {
	local schema=$man/fs-diff-1.schema.json what
	fs-diff --demo --as root --json --if 'sacctmgr modify user dana where account=quantum set fairshare=20' >doc
	keys doc <doc >output
	same document output <(keys 'doc["properties"]' <"$schema")
	same document <(grep -v '^s\(chema\|napshot\)$' output) <(listed fs-diff.1 'json document' | sort)
	for what in job share; do
		keys "set(k for r in doc['${what}s'] for k in r)" <doc >output
		same "$what" output <(keys "doc['\$defs']['$what']['properties']" <"$schema")
		same "$what" output <(keys "doc['\$defs']['$what']['required']" <"$schema")
		same "$what" output <(listed fs-diff.1 "json $what" | sort)
	done
}

@test "fs-showq's man page lists the library's sections, sort keys and plan states" {
	words_of() { # MACRO: prints the second arguments of its X()
		awk -v name="$1(X)" '/^#define/ { inside = $2 == name } inside { print } !/\\$/ { inside = 0 }' \
			"$top"/libfs/include/fs/*.h | grep -oE 'X\([A-Z_]+, "[^"]+"' | sed 's/.*"\(.*\)"/\1/' | sort
	}
	same sections <(words_of FS_SECTIONS) <(listed fs-showq.1 sections | sort)
	same keys <(words_of FS_QUEUE_KEYS) <(listed fs-showq.1 keys | sort)
	same states <(words_of FS_PLAN_STATES) <(listed fs-showq.1 states | sort)
	same sections <(words_of FS_SECTIONS) <(python3 -c 'import json, sys
print("\n".join(sorted(json.load(sys.stdin)["$defs"]["row"]["properties"]["section"]["enum"])))' <"$man/fs-showq-1.schema.json")
}

@test "every schema names a job's id jobid and its name jobname" {
	python3 - "$man" <<-'EOT'
	import glob, json, sys
	seen = 0
	def walk(o, file):
	    global seen
	    if isinstance(o, list):
	        for v in o:
	            walk(v, file)
	    if not isinstance(o, dict):
	        return
	    p = o.get("properties", {})
	    if "jobid" in p:
	        seen += 1
	        assert not {"job_id", "id", "job_name"} & set(p), (file, list(p))
	        assert "name" not in p or "jobname" in p, (file, list(p))
	    for v in o.values():
	        walk(v, file)
	for file in sorted(glob.glob(sys.argv[1] + "/*.schema.json")):
	    walk(json.load(open(file)), file)
	assert seen > 8, seen
	EOT
}

@test "fs-explain's JSON keys agree with its schema and man page" {
	local schema=$man/fs-explain-1.schema.json
	fs-explain --demo 812154 --json >doc
	keys 'set(doc) - {"schema", "snapshot", "kind"}' <doc >output
	same job output <(listed fs-explain.1 'json job' | sort)
	same job output <(keys 'doc["$defs"]["job"]["properties"]' <"$schema")
	same job output <(keys 'doc["$defs"]["job"]["required"]' <"$schema")
	keys 'doc["$defs"]["brief"]["properties"]' <"$schema" >output
	fs-explain --demo 812154 --brief --json | keys 'doc["brief"]' >brief
	same brief output brief
	fs-explain --demo 812160 --advise --json | keys 'set(k for s in doc["advice"] for k in s)' >output
	same advice output <(listed fs-explain.1 'json advice' | sort)
	same advice output <(keys 'doc["$defs"]["advice"]["properties"]' <"$schema")
	fs-explain --demo --as dana --script=- --json -A quantum <<<'#!/bin/sh' | keys 'doc["script"]' >output
	same script output <(listed fs-explain.1 'json script' | sort)
	same script output <(keys 'doc["$defs"]["script"]["properties"]' <"$schema")
	keys 'set(k for s in doc["sums"] for k in s)' <doc >output
	same sums output <(listed fs-explain.1 'json sum' | sort)
	same sums output <(keys 'doc["$defs"]["sum"]["properties"]' <"$schema")
	keys 'doc["fairshare"]' <doc >output
	same fairshare output <(listed fs-explain.1 'json fairshare' | sort)
	same fairshare output <(keys 'doc["$defs"]["path"]["properties"]' <"$schema")
	local row='"account user partition raw_shares norm_shares raw_usage late_usage norm_usage effective_usage level_fs low high position"'
	keys "set(doc[\"fairshare\"][\"levels\"][0]) - set($row.split())" <doc >output
	same level output <(listed fs-explain.1 'json level' | sort)
	fs-explain --demo dana --json | keys "set(doc[\"associations\"][0]) - set($row.split())" >output
	same association output <(listed fs-explain.1 'json association' | sort)
	keys 'set(k for s in doc["sums"] for t in s["terms"] for k in t)' <doc >output
	same terms output <(keys 'doc["$defs"]["term"]["properties"]' <"$schema")
}

# fields TYPE: prints the list of fields that fs-snapshot.5 must have, from the tables in libfs/model/records
# (records.h, fields_*.h) and the type names in libfs/snapshot/write.c.
fields() {
	awk -v type="$1" '
	function plain(s) { gsub(/\\"/, "\"", s); return s }
	FNR == NR {
		while (match($0, /\[FSI_[A-Z0-9]+\] = "([^"\\]|\\.)*"/)) {
			row = substr($0, RSTART + 5, RLENGTH - 6)
			$0 = substr($0, RSTART + RLENGTH)
			text[substr(row, 1, index(row, "]") - 1)] = plain(substr(row, index(row, "\"") + 1))
		}
		next
	}
	/^#define FSI_[A-Z]+_FIELDS/ { inside = $2 == "FSI_" toupper(type) "_FIELDS(X)"; next }
	inside { more = sub(/[ \t]*\\$/, ""); all = all $0; inside = more }
	END {
		while (match(all, /X(##_EXT)?\([a-z_0-9]+, [A-Z0-9]+, [A-Z_0-9| ]+,[ \t]*"([^"\\]|\\.)*",[ \t]*"([^"\\]|\\.)*"\)/)) {
			row = substr(all, RSTART, RLENGTH - 1)
			sub(/^[^(]*\(/, "", row)
			all = substr(all, RSTART + RLENGTH)
			split(row, part, /,[ \t]*/)
			row = substr(row, index(row, "\"") + 1)
			unit = substr(row, 1, index(row, "\"") - 1)
			row = substr(row, index(row, "\"") + 1)
			help = substr(row, index(row, "\"") + 1)
			sub(/"$/, "", help)
			print ".It Cm " part[1]
			print "[" text[part[2]] (unit == "" ? "" : ", " unit) \
				(part[3] ~ /FSI_REQ/ ? ", required" : "") "] " plain(help)
		}
	}' "$top/libfs/snapshot/write.c" "$top"/libfs/model/records/{records,fields_*}.h
}

record_types() {
	sed -nE '/^#define FSI_RECORD_TYPES/,/^$/s/^\tX\([A-Z]+, [a-z]+, "([a-z]+)"\).*/\1/p' "$top/libfs/model/records/records.h"
}

@test "fs-snapshot.5 lists every record field with its type, unit and meaning" {
	local type wrong=0 n=0
	for type in snapshot $(record_types); do
		n=$((n + 1))
		fields "$type" >tables
		sed -n "/^\.\\\\\" fields $type\$/,/^\.El/p" "$man/fs-snapshot.5" | grep -v '^\.\(\\"\|Bl\|El\)' >page
		same "$type (libfs, man/fs-snapshot.5)" tables page || wrong=1
		[ "$(grep -c '^\.It' tables)" = "$(awk -v name="FSI_${type^^}_FIELDS(X)" '
			/^#define/ { inside = $2 == name } /^$/ { inside = 0 } inside { n += gsub(/X(##_EXT)?\([a-z]/, "") }
			END { print n }' "$top"/libfs/model/records/{records,fields_*}.h)" ]
	done
	[ "$wrong" = 0 ]
	[ "$n" -ge 10 ]
}

@test "fs-snapshot.5 documents record types, job states and the limits that apply" {
	local word
	for word in $(record_types); do
		grep -q "^\.Ss $word\$" "$man/fs-snapshot.5" || { echo "$word"; return 1; }
	done
	for word in $(sed -nE '/^#define FSI_JOB_STATES/,/^$/s/X\(([A-Z_]+)\)|\\|#define.*/\1 /gp' "$top/libfs/model/records/records.h"); do
		grep -qE "(^|[ ])$word([,.]| or|\$)" "$man/fs-snapshot.5" || { echo "$word"; return 1; }
	done
	[ "$word" = UNKNOWN ]

	deep() { # N: prints a record that is nested N levels deep
		printf '{"type":"novelty","a":%s1%s}' "$(printf '[%.0s' $(seq 2 "$1"))" "$(printf ']%.0s' $(seq 2 "$1"))"
	}
	grep -q 'nested deeper than 16' "$man/fs-snapshot.5"
	snapshot "$(deep 16)"
	run -0 fs-snap check s.jsonl
	snapshot "$(deep 17)"
	run -3 fs-snap check s.jsonl

	long() { # N: prints a header and a record of N bytes
		printf '%s\n{"type":"novelty","a":"' "$head"
		head -c $(($1 - 25)) /dev/zero | tr '\0' x
		printf '"}\n'
	}
	grep -q 'more than 4 MiB' "$man/fs-snapshot.5"
	long $((4 * 1024 * 1024)) >s.jsonl
	run -0 fs-snap check s.jsonl
	long $((4 * 1024 * 1024 + 1)) >s.jsonl
	run -3 fs-snap check s.jsonl
}

@test "fs-snapshot.5 lists every configuration parameter that the program reads" {
	local word n=0
	for word in $(grep -rhoE 'config_(find|get_int|get_list|is_true|list_has|text|number)\([^,"]+, "[A-Za-z_]+"' "$top/libfs" "$top/cmd" --include='*.c' \
		--exclude-dir=import | sed 's/.*"\(.*\)"/\1/' | sort -u) \
		$(sed -nE 's/^\t\t\{ "(Priority[A-Za-z]+)", &c->.*/\1/p' "$top/libfs/model/slurm.c"); do
		n=$((n + 1))
		sed -n '/^\.Ss config/,/^\.Ss tres/p' "$man/fs-snapshot.5" | grep -qw "$word" || { echo "$word"; return 1; }
	done
	[ "$n" -gt 10 ]
}

@test "fs-snap.1 lists exactly the files that imports read" {
	same files <(grep -rhoE '"([a-z]+/)?[a-zA-Z0-9._=-]+\.(txt|conf|cfg|out|json)"|import_read_lines\((&f->)?imp, "[A-Za-z_]+"' \
		"$top"/libfs/import/*.c "$top"/libfs/import/*/*.c | sed 's/.*"\(.*\)"/\1/; s/.*\///; s/\.[12]\.txt$/.txt/' | sort -u) \
		<(sed -n '/^\.Sh VERBS/,/^\.Sh OPTIONS/s/^\.It Pa //p' "$man/fs-snap.1" |
			sed 's/ , /\n/g' | sed 's/\.[12]\.txt$/.txt/' | sort -u)
}

@test "fs-tools.1 lists exactly the environment variables that commands read" {
	same variables <(grep -rhoE 'getenv\("[A-Z_]+"' "$top/cmd" --include='*.c' | sed 's/.*"\(.*\)"/\1/' | sort -u) \
		<(sed -n 's/^\.It Ev //p' "$man/fs-tools.1" | sort)
}

@test "each command's man page lists the exit statuses 0 to 4" {
	local page
	for page in "$man"/*.1; do
		same "$page" <(seq 0 4) <(sed -n '/^\.Sh EXIT STATUS/,/^\.El/s/^\.It //p' "$page")
	done
	same cmd.h <(seq 0 4) <(sed -nE 's/^\tEXIT_[A-Z]+ = ([0-9]+).*/\1/p' "$top/cmd/cmd.h")
}

@test "commands exit with the documented statuses" {
	run -0 fs-share --demo -u dana -A astro
	run -1 fs-share -f nosuch.jsonl
	run -2 fs-share --demo -o nosuch
	echo '{}' >s.jsonl
	run -3 fs-share -f s.jsonl
	run -4 fs-share --demo --subtree nosuch
	snapshot '{"type":"config","PriorityType":"priority/multifactor"}'
	run -4 fs-prio -f s.jsonl -j 1
}

@test "mandoc reports no warnings in the man pages" {
	command -v mandoc >/dev/null || skip "mandoc is not installed"
	run -0 mandoc -Tlint -Wwarning "$man"/*.[157]
	[ -z "$output" ]
}
