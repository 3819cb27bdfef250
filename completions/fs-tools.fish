# fish completion for fs-tools, fs-share, fs-prio, fs-showq, fs-explain, fs-diff, fs-top and fs-snap. fish looks for a
# file of the command's name: install it as fs-tools.fish with links of the others.

# For a command, and for fs-tools with it as first argument.
function __fs_tools_complete
	complete -c $argv[1] $argv[2..-1]
	set -l verb (string replace fs- '' $argv[1])
	complete -c fs-tools -n "__fish_seen_subcommand_from $verb $argv[1]" $argv[2..-1]
end

function __fs_tools_columns
	fs-share -e 2>/dev/null | string split -n ' '
end

function __fs_tools_sort_columns
	set -l columns (__fs_tools_columns | string match -v '*TRES*')
	printf '%s\n' $columns -$columns
end

# What is typed already, with one more letter: %i for a format, i to sort by.
function __fs_tools_format
	set -l typed (commandline -ct | string replace -r '^--[a-z]+=' '')
	for letter in (fs-prio --helpformat 2>/dev/null | string split -n ' ' | string sub -s 2)
		if string match -qr '%\.?[0-9]*$' -- $typed
			echo $typed$letter
		else
			echo $typed%$letter
		end
	end
end

function __fs_tools_keys
	set -l typed (commandline -ct | string replace -r '^--[a-z]+=' '')
	for letter in (fs-prio --helpformat 2>/dev/null | string split -n ' ' | string sub -s 2)
		string match -qr '[bBsS]' $letter
		or echo $typed$letter
	end
end

# Names from the current snapshot.
function __fs_tools_names
	set -l typed (commandline -opc)
	set -l source
	for i in (seq (count $typed))
		switch $typed[$i]
			case --demo
				set source --demo
			case -f --file
				set source -f $typed[(math $i + 1)]
			case '--file=*'
				set source -f (string replace -- --file= '' $typed[$i])
		end
	end
	fs-tools --complete $argv[1] $source 2>/dev/null
end

function __fs_tools_subjects
	__fs_tools_names jobs
	__fs_tools_names users
	__fs_tools_names accounts
end

function __fs_tools_verbs
	fs-snap --help 2>/dev/null | string match -r '^  [a-z]+ ' | string trim | sort -u
end

complete -c fs-tools -f -n __fish_use_subcommand -a 'share prio showq explain diff top snap'
complete -c fs-tools -n __fish_use_subcommand -l help -d 'list the commands'
complete -c fs-tools -n __fish_use_subcommand -l version -d 'print the version'

# What the value of an option is completed with: :KIND is a function above, or files; words are words; a comma behind: a
# list.
function __fs_tools_values
	switch $argv[1]
		case ''
			echo ''
		case :files :folders
			test $argv[1] = :files
			or echo '(__fish_complete_directories)'
		case :letters
			echo '(__fs_tools_format)'
		case :sort_letters
			echo '(__fs_tools_keys)'
		case :columns,
			echo '(__fish_complete_list , __fs_tools_columns)'
		case :sort_columns,
			echo '(__fish_complete_list , __fs_tools_sort_columns)'
		case :subjects
			echo '(__fs_tools_subjects)'
		case ':*,'
			echo '(__fish_complete_list , "__fs_tools_names '(string trim -c :, $argv[1])'")'
		case ':*'
			echo '(__fs_tools_names '(string trim -c : $argv[1])')'
		case '*,'
			echo '(__fish_append , '(string trim -c , $argv[1])')'
		case '*'
			echo $argv[1]
	end
end

# The options are asked of the program itself, so that they cannot go stale.
for __fs_tools_command in fs-share fs-prio fs-showq fs-explain fs-diff fs-top fs-snap
	test $__fs_tools_command = fs-snap
	or __fs_tools_complete $__fs_tools_command -f
	for line in (fs-tools --complete options $__fs_tools_command 2>/dev/null)
		set -l row (string split -m 4 '|' -- $line)
		set -l option -d $row[5]
		test $row[1] = -
		or set -a option -s $row[1]
		test -z $row[2]
		or set -a option -l $row[2]
		set -l values (__fs_tools_values $row[4])
		test "$row[4]" = :files
		and set -a option -rF
		test "$row[3]" = =
		and test "$row[4]" != :files
		and set -a option -x
		test -z "$values"
		or set -a option -a $values
		__fs_tools_complete $__fs_tools_command $option
	end
end
set -e __fs_tools_command

__fs_tools_complete fs-explain -xa '(__fs_tools_subjects)'
__fs_tools_complete fs-diff -F

complete -c fs-snap -f -n __fish_use_subcommand -a '(__fs_tools_verbs)'
complete -c fs-snap -f -n '__fish_seen_subcommand_from import; and not __fish_seen_subcommand_from slurm flux maui text' -a 'slurm flux maui text'

# The names of other tools only where they are links to ours.
for __fs_tools_link in sshare:share sprio:prio showq:showq
	set -l pair (string split : $__fs_tools_link)
	set -l program (command -s $pair[1])
	and string match -q '*/fs-tools' (realpath $program)
	and complete -c $pair[1] -w fs-$pair[2]
end
set -e __fs_tools_link
