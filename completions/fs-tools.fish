# fish completion for fs-tools, fs-share, fs-prio, fs-showq, fs-explain, fs-diff, fs-top and fs-snap; tests/cli/drift.bats compares its options with
# --help. fish looks for a file of the command's name: install it as fs-tools.fish with links of the others.

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

# Options that every command reading a snapshot has.
for __fs_tools_command in fs-share fs-prio fs-showq fs-explain fs-diff fs-top
	__fs_tools_complete $__fs_tools_command -f
	__fs_tools_complete $__fs_tools_command -s f -l file -rF -d 'read this snapshot; - is standard input'
	__fs_tools_complete $__fs_tools_command -l demo -d 'use the small cluster compiled in'
	__fs_tools_complete $__fs_tools_command -l fresh -d 'ask the scheduler, even if it was half a minute ago'
	__fs_tools_complete $__fs_tools_command -l as -xa '(__fs_tools_names users)' -d 'look through this user\'s eyes'
	__fs_tools_complete $__fs_tools_command -l if -x -d 'as if the scheduler had been given this command'
	__fs_tools_complete $__fs_tools_command -l algorithm -xa 'fair_tree classic depth_oblivious flux flux_exact flux_range maui' -d 'algorithm of the factor'
	__fs_tools_complete $__fs_tools_command -l position -xa 'pow2 ratio rank' -d 'of flux_range'
	__fs_tools_complete $__fs_tools_command -l maui-dialect -xa 'code manual' -d 'Maui\'s code or its manual'
	__fs_tools_complete $__fs_tools_command -l compat -xa '22.05 23.02 23.11 24.05 24.11 25.05 25.11 26.05 26.11' -d 'behave like this Slurm'
	__fs_tools_complete $__fs_tools_command -s V -l version -d 'print the version'
	__fs_tools_complete $__fs_tools_command -l help -d 'print a summary'
end
set -e __fs_tools_command

# Those of commands that can move the clock.
for __fs_tools_clock in fs-share fs-prio fs-explain fs-diff fs-top
	__fs_tools_complete $__fs_tools_clock -l at -x -d 'move the clock forward: +2d, +12h, YYYY-MM-DDTHH:MM'
	__fs_tools_complete $__fs_tools_clock -l decay -xa 'slurm exact' -d 'how usage decays'
	__fs_tools_complete $__fs_tools_clock -l decay-runs -x -d 'times of earlier decay runs'
end
set -e __fs_tools_clock
__fs_tools_complete fs-share -l style -xa 'slurm flux maui' -d 'whose layout'
__fs_tools_complete fs-prio -l style -xa 'slurm flux maui' -d 'whose layout'
__fs_tools_complete fs-showq -l style -xa 'fasrc tacc moab maui flux' -d 'whose layout'
__fs_tools_complete fs-top -l style -xa 'slurm flux maui' -d 'whose layout'

__fs_tools_complete fs-share -s a -l all -d 'all users, not only yourself'
__fs_tools_complete fs-share -s A -l accounts -xa '(__fish_complete_list , "__fs_tools_names accounts")' -d 'only these accounts'
__fs_tools_complete fs-share -s u -l users -xa '(__fish_complete_list , "__fs_tools_names users")' -d 'only these users, by name or id'
__fs_tools_complete fs-share -s c -l concise -d 'only users with usage'
__fs_tools_complete fs-share -s U -l Users -d 'users only, no rows of accounts'
__fs_tools_complete fs-share -l me -d 'only your own rows'
__fs_tools_complete fs-share -l subtree -xa '(__fs_tools_names accounts)' -d 'only this account and all below it'
__fs_tools_complete fs-share -l sort -xa '(__fish_complete_list , __fs_tools_sort_columns)' -d 'sort by columns'
__fs_tools_complete fs-share -l kind -xa 'user group acct qos class' -d 'Maui: only this kind of credential'
__fs_tools_complete fs-share -s M -l cluster -x -d 'name the cluster above the table'
__fs_tools_complete fs-share -s l -l long -d 'more columns'
__fs_tools_complete fs-share -s m -l partition -d 'with the partition of each association'
__fs_tools_complete fs-share -s o -l format -xa '(__fish_complete_list , __fs_tools_columns)' -d 'these columns'
__fs_tools_complete fs-share -s e -l helpformat -d 'list the columns'
__fs_tools_complete fs-share -s h -d 'no heading'
__fs_tools_complete fs-share -s n -l noheader -d 'no heading'
__fs_tools_complete fs-share -s p -l parsable -d 'a | after every field'
__fs_tools_complete fs-share -s P -l parsable2 -d 'a | between fields'
__fs_tools_complete fs-share -l forecast -d 'how it will move'
__fs_tools_complete fs-share -l solve -xa 'shares usage time job hardware target' -d 'what it takes for a standing'
__fs_tools_complete fs-share -l ranges -d 'flux_range as a picture'
__fs_tools_complete fs-share -l svg -r -d 'as an SVG picture'
__fs_tools_complete fs-share -l json -a 'fs-share/1 pretty slurm' -d 'JSON'
__fs_tools_complete fs-share -l jsonl -d 'JSON, a row a line'
__fs_tools_complete fs-share -l openmetrics -d 'metrics for Prometheus'
__fs_tools_complete fs-share -l history -xa '(__fish_complete_directories)' -d 'over the snapshots of a folder'
__fs_tools_complete fs-share -l csv -d 'with --history: comma-separated values'
__fs_tools_complete fs-share -l plot -d 'with --history: a picture'
__fs_tools_complete fs-share -l yaml -d 'YAML as sshare prints it'
__fs_tools_complete fs-share -l usage -a 'recorded computed compare' -d 'where usage comes from'
__fs_tools_complete fs-share -l spent -a '(__fs_tools_names accounts)' -d 'who spent the usage of an account'
__fs_tools_complete fs-share -l grants -a '(__fs_tools_names accounts)' -d 'what its raw shares are the sum of'
__fs_tools_complete fs-share -l bill -x -d 'what TRES would cost in each partition'
__fs_tools_complete fs-share -s v -l verbose -d 'say what was asked for'

__fs_tools_complete fs-prio -s j -l jobs -a '(__fish_complete_list , "__fs_tools_names jobs")' -d 'only these jobs'
__fs_tools_complete fs-prio -s u -l user -xa '(__fish_complete_list , "__fs_tools_names users")' -d 'only jobs of these users, by name or id'
__fs_tools_complete fs-prio -s p -l partition -xa '(__fish_complete_list , "__fs_tools_names partitions")' -d 'only jobs in these partitions'
__fs_tools_complete fs-prio -l me -d 'only your own jobs'
__fs_tools_complete fs-prio -l subtree -xa '(__fs_tools_names accounts)' -d 'only jobs of this account and those below it'
__fs_tools_complete fs-prio -l state -xa '(__fish_append , PENDING RUNNING SUSPENDED COMPLETED CANCELLED FAILED TIMEOUT)' -d 'only jobs in these states'
__fs_tools_complete fs-prio -s S -l sort -xa '(__fs_tools_keys)' -d 'sort by these letters; - before one: falling'
__fs_tools_complete fs-prio -s M -l cluster -x -d 'the cluster'
__fs_tools_complete fs-prio -l sibling -d 'with the cluster of each row'
__fs_tools_complete fs-prio -l federation -d 'accepted'
__fs_tools_complete fs-prio -l local -d 'accepted'
__fs_tools_complete fs-prio -s l -l long -d 'all columns'
__fs_tools_complete fs-prio -s n -l norm -d 'factors before their weights'
__fs_tools_complete fs-prio -s w -l weights -d 'the weights only'
__fs_tools_complete fs-prio -l svg -rF -d 'as an SVG picture'
__fs_tools_complete fs-prio -l weights-report -d 'which weights decide'
__fs_tools_complete fs-prio -s o -l format -xa '(__fs_tools_format)' -d 'these columns'
__fs_tools_complete fs-prio -l helpformat -d 'list the letters'
__fs_tools_complete fs-prio -s h -l noheader -d 'no heading'
__fs_tools_complete fs-prio -s P -l parsable2 -d 'a | between fields'
__fs_tools_complete fs-prio -l json -a pretty -d JSON
__fs_tools_complete fs-prio -l jsonl -d 'JSON, a row a line'
__fs_tools_complete fs-prio -l openmetrics -d 'metrics for Prometheus'
__fs_tools_complete fs-prio -l history -xa '(__fish_complete_directories)' -d 'over the snapshots of a folder'
__fs_tools_complete fs-prio -l csv -d 'with --history: comma-separated values'
__fs_tools_complete fs-prio -l plot -d 'with --history: a picture'
__fs_tools_complete fs-prio -l usage -a 'recorded computed' -d 'where usage comes from'
__fs_tools_complete fs-prio -s v -l verbose -d 'print what was asked for first'

__fs_tools_complete fs-showq -s u -l user -d 'only your own jobs'
__fs_tools_complete fs-showq -s U -l of-user -xa '(__fs_tools_names users)' -d 'only this user\'s jobs'
__fs_tools_complete fs-showq -s p -l partition -xa '(__fs_tools_names partitions)' -d 'only jobs of this partition'
__fs_tools_complete fs-showq -s q -l queue -xa '(__fs_tools_names partitions)' -d 'the same'
__fs_tools_complete fs-showq -s b -l blocked -d 'blocked jobs of other users too'
__fs_tools_complete fs-showq -s i -l idle -d 'idle jobs only, as Maui lists them'
__fs_tools_complete fs-showq -s r -l running -d 'running jobs only, as Maui lists them'
__fs_tools_complete fs-showq -s s -l summary -d 'the summary only'
__fs_tools_complete fs-showq -l all-reserv -d 'accepted'
__fs_tools_complete fs-showq -s l -l long -d 'with nodes, cores and partition'
__fs_tools_complete fs-showq -s v -l verbose -d 'priorities with -r'
__fs_tools_complete fs-showq -s o -l by-priority -d 'waiting jobs by falling priority'
__fs_tools_complete fs-showq -l why -d 'in scheduling order, and what keeps each job there'
__fs_tools_complete fs-showq -l plan -d 'when each pending job may start'
__fs_tools_complete fs-showq -l start -xa '(__fs_tools_names jobs)' -d 'the start of one job'
__fs_tools_complete fs-showq -l svg -rF -d 'the plan as an SVG picture'
__fs_tools_complete fs-showq -l json -a pretty -d JSON
__fs_tools_complete fs-showq -l svg -rF -d 'the plan as an SVG picture'
__fs_tools_complete fs-showq -l jsonl -d 'JSON, a row a line'
__fs_tools_complete fs-showq -l openmetrics -d 'metrics for Prometheus'
__fs_tools_complete fs-showq -l strict-compat -d 'the tool\'s own defects too'
__fs_tools_complete fs-showq -l config -rF -d 'read hosts_available from this showq.conf'
__fs_tools_complete fs-showq -s h -l help -d 'print a summary'

__fs_tools_complete fs-explain -l job -xa '(__fs_tools_names jobs)' -d 'this job'
__fs_tools_complete fs-explain -l user -xa '(__fs_tools_names users)' -d 'this user'
__fs_tools_complete fs-explain -l account -xa '(__fs_tools_names accounts)' -d 'this account'
__fs_tools_complete fs-explain -l versus -xa '(__fs_tools_subjects)' -d 'against another'
__fs_tools_complete fs-explain -xa '(__fs_tools_subjects)'
__fs_tools_complete fs-explain -l ahead -d 'the jobs ahead of the job'
__fs_tools_complete fs-explain -l me -d 'your pending jobs'
__fs_tools_complete fs-explain -l text -rF -d 'what somebody pasted'
__fs_tools_complete fs-explain -l brief -d 'four lines of the job'
__fs_tools_complete fs-explain -l advise -d 'what would make it start earlier'
__fs_tools_complete fs-explain -l svg -r -F -d 'the forecast as a picture'
__fs_tools_complete fs-explain -l forecast -d 'how it will move'
__fs_tools_complete fs-explain -l verbose -d 'in sentences too'
__fs_tools_complete fs-explain -l html -rF -d 'the page of a job as HTML'
__fs_tools_complete fs-explain -l markdown -d 'Markdown, for tickets'
__fs_tools_complete fs-explain -l json -a pretty -d JSON
__fs_tools_complete fs-explain -l color -xa 'auto always never' -d 'colours'
__fs_tools_complete fs-explain -l usage -a 'recorded computed' -d 'where usage comes from'
__fs_tools_complete fs-explain -l style -xa 'slurm flux maui' -d 'accepted'
__fs_tools_complete fs-explain -l no-pager -d 'not through a pager'

__fs_tools_complete fs-diff -F
__fs_tools_complete fs-diff -l job -xa '(__fs_tools_names jobs)' -d 'this job alone'
__fs_tools_complete fs-diff -l user -xa '(__fs_tools_names users)' -d 'of this user alone'
__fs_tools_complete fs-diff -l account -xa '(__fs_tools_names accounts)' -d 'of this account alone'
__fs_tools_complete fs-diff -l no-plan -d 'plan no starts'
__fs_tools_complete fs-diff -l markdown -d 'Markdown, for tickets'
__fs_tools_complete fs-diff -l json -a pretty -d JSON
__fs_tools_complete fs-diff -l usage -a 'recorded computed' -d 'where usage comes from'
__fs_tools_complete fs-diff -l style -xa 'slurm flux maui' -d 'accepted'
__fs_tools_complete fs-top -l every -x -d 'capture or look again so often'
__fs_tools_complete fs-top -l once -d 'print one screen as text and end'
__fs_tools_complete fs-top -l script -rF -d 'take keys from this file'
__fs_tools_complete fs-top -l size -x -d 'of the screen: COLSxROWS'
__fs_tools_complete fs-top -l color -xa 'auto always never' -d 'when to use colour'
__fs_tools_complete fs-top -l no-color -d 'no colour'
__fs_tools_complete fs-top -l usage -a 'recorded computed' -d 'where usage comes from'
__fs_tools_complete fs-top -l theme -x -a 'auto 16 256 true light mono' -d 'auto, 16, 256, true, light or mono'
__fs_tools_complete fs-top -l ascii -d 'nothing but ASCII on the screen'

complete -c fs-snap -f -n __fish_use_subcommand -a '(__fs_tools_verbs)'
complete -c fs-snap -f -n '__fish_seen_subcommand_from import; and not __fish_seen_subcommand_from slurm flux maui text' -a 'slurm flux maui text'
__fs_tools_complete fs-snap -s o -l output -rF -d 'write there, whole or not at all'
__fs_tools_complete fs-snap -l json -d 'check, verify: JSON'
__fs_tools_complete fs-snap -l index -d 'capture: and an index of the output'
__fs_tools_complete fs-snap -l raw -xa '(__fish_complete_directories)' -d 'capture: keep the output of the commands there'
__fs_tools_complete fs-snap -l records -x -d 'capture: past jobs, too, of so many days'
__fs_tools_complete fs-snap -l limit -x -d 'MiB each command may print, or file hold'
__fs_tools_complete fs-snap -l mode -x -d 'permissions of the output, as 644'
__fs_tools_complete fs-snap -l tz -x -d 'import: zone of the local times'
__fs_tools_complete fs-snap -l key -rF -d 'anonymise, ticket: what makes the pseudonyms'
__fs_tools_complete fs-snap -l anonymise -d 'ticket: under other names'
__fs_tools_complete fs-snap -l small -d 'ticket: with no more of the snapshot than the page needs'
__fs_tools_complete fs-snap -l outside -d 'import: links and includes may lead out of the folder'
__fs_tools_complete fs-snap -l timeout -x -d 'capture: seconds each command may take'
__fs_tools_complete fs-snap -l exact-usage -rF -d 'import: lines id|usage with all digits'
__fs_tools_complete fs-snap -l at -x -d 'import maui: time of the capture'
__fs_tools_complete fs-snap -l maui-dialect -xa 'code manual' -d 'import maui: form of the windows'
__fs_tools_complete fs-snap -l version -d 'print the version'
__fs_tools_complete fs-snap -l help -d 'print a summary'

# The names of other tools only where they are links to ours.
for __fs_tools_link in sshare:share sprio:prio showq:showq
	set -l pair (string split : $__fs_tools_link)
	set -l program (command -s $pair[1])
	and string match -q '*/fs-tools' (realpath $program)
	and complete -c $pair[1] -w fs-$pair[2]
end
set -e __fs_tools_link
