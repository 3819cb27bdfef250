# shellcheck shell=bash
# The raw capture by shell, for FS_CAPTURE=shell: the files that `fs-snap import slurm` reads, made by the commands that
# an administrator would type.

raw() { # FILE COMMAND...
	timeout 30 "${@:2}" >"$dir/$1" 2>/dev/null </dev/null
}

joined() {
	local IFS=,
	echo "$*"
}

capture_raw() {
	local dir=$1 assoc qos squeue sprio
	mkdir -p "$dir"
	assoc=$(joined Cluster Account User Partition ID ParentName ParentID LFT RGT Fairshare Priority \
		{GrpJobs,MaxJobs}{,Accrue} {Grp,Max}SubmitJobs {Grp,Max}TRES {Grp,Max}TRESMins \
		GrpTRESRunMins MaxTRESPerNode {Grp,Max}Wall QOS QosRaw DefaultQOS)
	qos=$(joined Name ID Priority GraceTime Preempt PreemptMode PreemptExemptTime Flags UsageThres \
		UsageFactor LimitFactor GrpTRES{,Mins,RunMins} GrpJobs{,Accrue} GrpSubmit GrpWall \
		MaxTRES{,PerNode,Mins} MaxWall Max{TRES,Jobs,JobsAccrue,Submit}P{U,A} MinTRES \
		MinPrioThreshold Description)
	squeue=$(joined JobID:20 JobArrayID:24 ArrayTaskID:20 Name:24 UserName:32 UserID:10 GroupName:12 \
		Account:36 Partition:30 QOS:24 State:14 StateCompact:4 Reason:32 PriorityLong:14 \
		Priority:18 Nice:14 NumCPUs:10 NumNodes:8 NumTasks:8 MinCPUs:8 cpus-per-task:14 \
		MinMemory:14 tres:60 tres-alloc:60 TimeLimit:16 TimeUsed:14 TimeLeft:14 \
		{Submit,Eligible,Accrue,Start,End}Time:22 PendingTime:14 LastSchedEval:22 \
		PreemptTime:22 Dependency:30 Reservation:20 Feature:16 {Node,Req,Sched}Nodes:16 \
		OverSubscribe:16 AssocID:10 RestartCnt:10 Command:20 WorkDir:12 Comment:20 \
		admin_comment:24)
	sprio='%i|%r|%u|%o|%Y|%S|%A|%B|%F|%J|%P|%n|%Q|%N|%T|%y|%a|%b|%f|%j|%p|%q|%t'

	date +%s.%N >"$dir/date_begin"
	raw scontrol_config.txt scontrol show config
	raw scontrol_partition_o.txt scontrol -o show partition
	raw scontrol_node_o.txt scontrol -o show node
	raw scontrol_job_o.txt scontrol -o show job
	raw scontrol_job_d.txt scontrol -d show job
	raw scontrol_reservation.txt scontrol show reservation
	raw scontrol_assoc_mgr_o.txt scontrol -o show assoc_mgr
	raw sacctmgr_assoc.txt sacctmgr -P show assoc format="$assoc"
	raw sacctmgr_qos.txt sacctmgr -P show qos
	raw sacctmgr_qos_all.txt sacctmgr -P show qos format="$qos"
	raw sacctmgr_tres.txt sacctmgr -P show tres
	raw sacctmgr_user.txt sacctmgr -P show user withcoord
	raw sacctmgr_account.txt sacctmgr -P show account
	raw squeue_all.txt squeue -o %all
	raw squeue_O.txt squeue -a -O "$squeue"
	raw squeue_start.txt squeue --start
	raw squeue_mid.txt squeue -a -r -h -o '%i|%F|%K|%a|%u|%P|%q|%t|%r|%Q|%p|%y|%C|%D|%m|%l|%V|%e|%S|%R'
	raw sacct.txt sacct -a -P -S now-1days -o "$(sacct -e | xargs | tr ' ' ,)"
	raw sinfo.txt sinfo -N -o '%N|%P|%a|%l|%D|%T|%C|%c|%m|%G|%E|%f'
	raw sdiag.txt sdiag
	raw sshare.txt sshare -a -l -P
	raw sprio.txt sprio -h -o "$sprio"
	cp "$SLURM_CONF" "$dir/slurm.conf"
	date +%s.%N >"$dir/date_end"
}

# The controller stores usage with six decimals in its state file, and no command prints them. After a head of 10 bytes
# (version, time) each association has an id, the usage, the usage by TRES and the wall time; texts have a length that
# includes their final NUL.
exact_usage() {
	perl -0777 -ne '
		my ($text, $at) = ($_, 10);
		while ($at < length $text) {
			my ($id, $usage, $tres, $wall) = unpack("\@$at N N/a* N/a* N", $text);
			$at += 16 + length($usage) + length($tres);
			printf "%d|%s\n", $id, $usage =~ s/\0.*//sr;
		}' "$1"
}
