# shellcheck shell=bash disable=SC2154
# The cluster of the scene with many more users and jobs, for the figures: FS_BULK_USERS more users in 300 more accounts
# and FS_BULK_JOBS pending jobs. A job needs a user of this machine; so the users of base-passwd submit all jobs, one in
# each team.

divisions=12
teams=288
submitters=(daemon bin sys games man lp mail news uucp proxy www-data backup list irc)
partitions=(normal short long 'normal,short')
qos=(normal normal urgent standby)

submitter() { echo "${submitters[$1 % ${#submitters[@]}]}"; }

team_name() {
	printf 'team%03d' "$1"
	[ $(($1 % 17)) -ne 0 ] || printf '_with_a_name_too_long_for_its_column'
}

set_shares() { # from 1 to 97 or parent, as if chosen by hand
	shares=$(((7 * $1 * $1 + 31 * $1) % 97 + 1))
	[ $(($1 % 3)) -ne 2 ] || shares=parent
}

# Writes the input of `sacctmgr load`, which needs seconds for everything.
tree_dump() {
	local d t u shares
	printf "Cluster - 'trial'\nParent - 'root'\n"
	for ((d = 0; d < divisions; d++)); do
		printf "Account - 'div%02d':Fairshare=%d:QOS='normal,urgent,standby'\n" $d $((d * d + 3))
	done
	for ((d = 0; d < divisions; d++)); do
		printf "Parent - 'div%02d'\n" $d
		for ((t = d; t < teams; t += divisions)); do
			set_shares $((t * 11))
			echo "Account - '$(team_name $t)':Fairshare=$shares"
		done
	done
	for ((t = 0; t < teams; t++)); do
		echo "Parent - '$(team_name $t)'"
		echo "User - '$(submitter $t)':Fairshare=5"
		for ((u = t; u < FS_BULK_USERS; u += teams)); do
			set_shares $u
			printf "User - 'person%05d':Fairshare=%s\n" $u "$shares"
		done
		# Some users are also in the previous team.
		for ((u = t - 1; u >= 0 && u < FS_BULK_USERS; u += 10 * teams)); do
			printf "User - 'person%05d':Fairshare=1\n" $u
		done
	done
}

# Writes usage like that of months of work, for the state file of a stopped controller, in the form that exact_usage
# reads. Every third user has no usage; all others have so much that the six decimals do not change a LevelFS.
usage_records() {
	sacctmgr -nP show assoc format=ID,User | perl -F'[|\n]' -ane '
		my ($id, $user) = @F;
		next unless $user;
		next if $user =~ /^person/ && $id % 3 == 0;
		my $usage = sprintf "%.6f\0", 1e7 + ($id * 7919 % 100003) ** 1.9;
		print pack "N N/a* N N", $id, $usage, 0, 0;'
}

# Calling sbatch for every job takes a minute. Splitting arrays by one scontrol takes seconds and gives as many jobs,
# each with its own record.
submit_arrays() {
	local t i n id gpu
	for ((t = 0; t < teams; t++)); do
		n=$(((FS_BULK_JOBS - t + teams - 1) / teams))
		[ $n -gt 0 ] || break
		gpu=()
		[ $((t % 5)) -ne 0 ] || gpu=(--gres=gpu:$((t % 3 + 1)))
		id=$(job "$(submitter $t)" "$(team_name $t)" --array=0-$((n - 1)) -n$((t % 9 + 1)) \
			-p "${partitions[t % 4]}" -q "${qos[t / 4 % 4]}" --mem-per-cpu=$((100 + t * 7)) "${gpu[@]}") || exit 1
		for ((i = 0; i < n; i++)); do
			echo "update jobid=${id}_$i numcpus=$((i % 40 + 10)) nice=$((i * t % 500)) timelimit=$((i * t % 100 + 1))"
		done
	done
}

grow() {
	local n
	tree_dump >"$work/tree.dump"
	timeout 60 sacctmgr -i load file="$work/tree.dump" >"$work/log/load" 2>&1 </dev/null ||
		die 'sacctmgr load failed'
	{
		head -c 10 "$work/state/assoc_usage"
		usage_records
	} >"$work/assoc_usage"
	mv "$work/assoc_usage" "$work/state/assoc_usage"
	start_controller
	timeout 20 scancel --state=PENDING || die 'scancel failed'
	submit_arrays >"$work/updates"
	timeout 60 scontrol <"$work/updates" >"$work/log/updates" 2>&1
	n=$(squeue -h -t PD | wc -l)
	[ "$n" -eq "$FS_BULK_JOBS" ] || die "$n jobs instead of $FS_BULK_JOBS"
	# A restart recalculates at once; the scheduler must try every job before.
	sleep 4
	stop slurmctld
	touch "$work/queued"
	start_controller
	await_decay
}

real_tables() {
	mkdir "$work"/big-{real,ours}
	sshare -alP >"$work/big-real/sshare.out"
	sprio -l >"$work/big-real/sprio.out"
}

compare_tables() {
	local name
	from_snapshot "$work/big-exact.jsonl" sshare -alP >"$work/big-ours/sshare.out"
	from_snapshot "$work/big-exact.jsonl" sprio -l >"$work/big-ours/sprio.out"
	for name in sshare sprio; do
		cmp -s "$work"/big-{real,ours}/$name.out
		judge $? "$name on the big cluster" || show_difference $name big- | head -n 40
	done
}

bulk_title() {
	echo "$FS_BULK_USERS users, $((divisions + teams)) accounts, $FS_BULK_JOBS jobs"
}

run_bulk() {
	grow
	observe big "$(bulk_title)" real_tables
	compare_tables
}
