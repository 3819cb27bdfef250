# bash completion for fs-tools, fs-share, fs-prio, fs-showq, fs-explain, fs-diff, fs-top and fs-snap.
#
# Options, their values, verbs, columns and letters are asked of the program itself, so that they cannot go stale.
# Source this file, or install it as fs-tools with a link of each command's name beside it.

# The completions that are columns or letters are parts of a list: no blank behind them.
_fs_tools_part() {
	compopt -o nospace 2>/dev/null || true
}

# Words of $1 that go on from $2, behind the prefix $3; capitals do not matter.
_fs_tools_words() {
	local word
	for word in $1; do
		[[ ${word,,} != "${2,,}"* ]] || COMPREPLY+=("$3$word")
	done
}

# Files, or only folders with $2 = -d.
_fs_tools_files() {
	local file
	compopt -o filenames 2>/dev/null || true
	while IFS= read -r file; do
		COMPREPLY+=("$file")
	done < <(compgen "${2:--f}" -- "$1")
}

# A list of columns; to sort by, each perhaps with a - before it, and none of TRES.
_fs_tools_columns() {
	local done=${2%"${2##*,}"} last=${2##*,} columns
	columns=$("${run[@]}" -e 2>/dev/null)
	if [[ $1 == sort ]]; then
		[[ $last != -* ]] || { done+=- last=${last#-}; }
		columns=$(tr -s ' ' '\n' <<<"$columns" | grep -v TRES)
	fi
	_fs_tools_words "$columns" "$last" "$done"
	_fs_tools_part
}

# Letters of fs-prio behind what is there already: %i for a format, i for a sort key.
_fs_tools_letters() {
	local letters done=$2
	letters=$("${run[@]}" --helpformat 2>/dev/null)
	if [[ $1 == sort ]]; then
		letters=${letters//%/}
		letters=${letters//[bBsS]/}
	elif [[ $done =~ ^(.*%\.?[0-9]*)$ ]]; then
		letters=${letters//%/}
	fi
	_fs_tools_words "$letters" '' "$done"
	_fs_tools_part
}

# Names of a kind of the snapshot that the command reads.
_fs_tools_names() {
	local file='' i
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-f | --file) file=${COMP_WORDS[i + 1]}; [[ $file != = ]] || file=${COMP_WORDS[i + 2]} ;;
		--demo) "$tools" --complete "$1" --demo 2>/dev/null; return ;;
		esac
	done
	"$tools" --complete "$1" ${file:+-f "${file/#\~/$HOME}"} 2>/dev/null
}

# Names of a kind that go on from $2; in a list from its last comma.
_fs_tools_named() {
	local done=''
	[[ $3 != list ]] || done=${2%"${2##*,}"}
	_fs_tools_words "$(_fs_tools_names "$1")" "${2#"$done"}" "$done"
}

# The value $2 of the long option $1 (without dashes): the program says what it is completed with. :KIND is a kind of
# names, or what stands above; words are words; a comma behind: a list.
_fs_tools_value() {
	local name values list=''
	while IFS='|' read -r _ name _ values _; do
		[[ $name != "$1" ]] || break
	done < <("$tools" --complete options "$command" 2>/dev/null)
	[[ $name == "$1" ]] || return 0
	[[ $values != *, ]] || list=list
	case $values in
	:files) _fs_tools_files "$2" ;;
	:folders) _fs_tools_files "$2" -d ;;
	:columns,) _fs_tools_columns format "$2" ;;
	:sort_columns,) _fs_tools_columns sort "$2" ;;
	:letters) _fs_tools_letters format "$2" ;;
	:sort_letters) _fs_tools_letters sort "$2" ;;
	:subjects) _fs_tools_subjects "$2" ;;
	:*) values=${values#:}; _fs_tools_named "${values%,}" "$2" "$list" ;;
	*,) _fs_tools_words "${values%,}" "${2##*,}" "${2%"${2##*,}"}" ;;
	*) _fs_tools_words "$values" "$2" ;;
	esac
}

# What fs-explain explains.
_fs_tools_subjects() {
	_fs_tools_words "$(_fs_tools_names jobs; _fs_tools_names users; _fs_tools_names accounts)" "$1"
}

# Lines "-a all" and "-o format=": letter and long name of each option that --help shows, a = behind
# those that take a value, =? if it may be left out.
_fs_tools_options() {
	"${run[@]}" --help 2>/dev/null |
		sed -nE 's/^  (-[A-Za-z])  .*/\1 /p
			s/^  (-[A-Za-z]), --([A-Za-z0-9-]+)(\[?=?).*/\1 \2\3/p
			s/^      --([A-Za-z0-9-]+)(\[?=?).*/- \1\2/p' | sed 's/\[=$/=?/'
}

_fs_tools_verbs() {
	"${run[@]}" --help 2>/dev/null | sed -nE '/^Options/q; s/^  ([a-z]+) .*/\1/p' | sort -u
}

# fs-snap: its verbs, and what comes behind them. $1: first word behind the command.
_fs_tools_snap() {
	local verb='' n=0 i
	for ((i = $1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-* | =) ;;
		*)
			case ${COMP_WORDS[i - 1]} in
			-o | --* | =) ;;
			*) ((n++)) || verb=${COMP_WORDS[i]} ;;
			esac ;;
		esac
	done
	case $verb:$n in
	:0) _fs_tools_words "$(_fs_tools_verbs)" "$cur" ;;
	import:1) _fs_tools_words 'slurm flux maui text' "$cur" ;;
	import:2) _fs_tools_files "$cur" ;;
	keep:1) _fs_tools_files "$cur" ;;
	ticket:2 | keep:2 | check:1 | verify:1 | index:1 | anonymise:1) _fs_tools_files "$cur" ;;
	esac
}

_fs_tools() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} first=1
	local run=("${COMP_WORDS[0]/#\~/$HOME}") command=${COMP_WORDS[0]##*/} option='' letter name tools=fs-tools
	COMPREPLY=()

	# The program that knows names and values: the one the command is a link to.
	[[ ${COMP_WORDS[0]} != */* ]] || tools=${run[0]%/*}/fs-tools

	case $command in
	sshare | sprio) command=fs-${command#s} ;;
	showq) command=fs-showq ;;
	esac
	if [[ $command == fs-tools ]]; then
		if ((COMP_CWORD == 1)); then
			_fs_tools_words "$(_fs_tools_verbs) --help --version" "$cur"
			return
		fi
		case ${COMP_WORDS[1]} in
		sshare | sprio) command=fs-${COMP_WORDS[1]#s} ;;
		showq) command=fs-showq ;;
		*) command=fs-${COMP_WORDS[1]#fs-} ;;
		esac
		run+=("${COMP_WORDS[1]}")
		first=2
	fi
	case $cur:$prev in # = is a word of its own
	=:--*) option=${prev#--} cur='' ;;
	*:=) option=${COMP_WORDS[COMP_CWORD - 2]#--} ;;
	esac
	if [[ ! $option && $prev == -?* ]]; then
		while read -r letter name; do
			[[ $prev != "$letter" && $prev != "--${name%=}" ]] || [[ $name != *= ]] || option=${name%=}
		done < <(_fs_tools_options)
	fi
	if [[ $option ]]; then
		_fs_tools_value "$option" "$cur"
	elif [[ $cur == -* ]]; then
		while read -r letter name; do
			if [[ $cur != --* && $letter != - ]]; then
				_fs_tools_words "$letter" "$cur"
			fi
			[[ ! $name ]] || _fs_tools_words "--${name%=?}" "$cur"
			[[ $name != *=? ]] || _fs_tools_words "--${name%?}" "$cur"
		done < <(_fs_tools_options)
		[[ ${COMPREPLY[*]} != *= ]] || _fs_tools_part
	elif [[ $command == fs-snap ]]; then
		_fs_tools_snap "$first"
	elif [[ $command == fs-explain ]]; then
		_fs_tools_subjects "$cur"
	elif [[ $command == fs-diff ]]; then
		_fs_tools_files "$cur"
	fi
}

complete -F _fs_tools fs-tools fs-share fs-prio fs-showq fs-explain fs-diff fs-top fs-snap

# The names of other tools only where they are links to ours.
_fs_tools_links() {
	local name
	for name in sshare sprio showq; do
		[[ $(readlink -f "$(type -P "$name")" 2>/dev/null) != */fs-tools ]] || complete -F _fs_tools "$name"
	done
}
_fs_tools_links
unset -f _fs_tools_links
