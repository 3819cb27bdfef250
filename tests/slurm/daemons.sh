# shellcheck shell=bash disable=SC2154
# A complete Slurm in $work: its own munge key and socket, its own database with a socket only, and daemons on loopback
# ports that no other process uses.

declare -A pids=()

# The kernel ends a daemon whose parent ended, for any reason.
start() {
	local name=$1
	shift
	setpriv --pdeathsig KILL -- "$@" >"$work/log/$name.out" 2>&1 </dev/null &
	pids[$name]=$!
}

stop() {
	local pid=${pids[$1]-} i
	[ -n "$pid" ] || return 0
	unset "pids[$1]"
	kill "$pid" 2>/dev/null
	for ((i = 0; i < 300; i++)); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	return 0
}

# until_ok SECONDS WHAT COMMAND...
until_ok() {
	local deadline=$((SECONDS + $1)) what=$2
	shift 2
	until timeout 10 "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $deadline ] || die "timeout: $what"
		sleep 0.2
	done
}

free_ports() {
	local base p
	for ((base = 26817; base < 32000; base += 10)); do
		for p in 0 1 2 3; do
			(exec 3<>"/dev/tcp/127.0.0.1/$((base + p))") 2>/dev/null && continue 2
		done
		port=$base
		return
	done
	die 'no free ports'
}

write_configuration() {
	local host
	host=$(uname -n)
	host=${host%%.*}
	cat >"$work/etc/slurmdbd.conf" <<-END
		DbdHost=$host
		DbdAddr=127.0.0.1
		DbdPort=$((port + 2))
		SlurmUser=root
		AuthType=auth/munge
		AuthInfo=socket=$work/munge/socket
		CommunicationParameters=NoInAddrAny
		StorageType=accounting_storage/mysql
		StorageHost=localhost
		StorageUser=root
		StorageLoc=accounting
		LogFile=$work/log/slurmdbd.log
		PidFile=$work/run/slurmdbd.pid
	END
	chmod 600 "$work/etc/slurmdbd.conf"
	# The second node: 24.11 needs a separate address for it, with which 22.05 starts no job.
	local second="NodeHostname=$host NodeAddr=127.0.0.1"
	! since 24.11 || second='NodeHostname=n02 NodeAddr=127.0.0.2'
	! since 24.05 || echo 'CgroupPlugin=disabled' >"$work/etc/cgroup.conf"
	cat >"$work/etc/slurm.conf" <<-END
		ClusterName=trial
		SlurmctldHost=$host(127.0.0.1)
		SlurmUser=root
		SlurmctldPort=$port
		SlurmdPort=$((port + 1))
		CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
		AuthType=auth/munge
		AuthInfo=socket=$work/munge/socket
		CredType=cred/munge
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		MpiDefault=none
		StateSaveLocation=$work/state
		SlurmdSpoolDir=$work/spool/%n
		SlurmctldPidFile=$work/run/slurmctld.pid
		SlurmdPidFile=$work/run/slurmd.%n.pid
		SlurmctldLogFile=$work/log/slurmctld.log
		SlurmdLogFile=$work/log/slurmd.%n.log
		ReturnToService=2
		SlurmdTimeout=0
		KillWait=2
		SlurmdParameters=config_overrides
		MaxJobCount=$((10000 + FS_BULK_JOBS))
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU_Memory
		DefMemPerCPU=1000
		GresTypes=gpu
		AccountingStorageType=accounting_storage/slurmdbd
		AccountingStorageHost=127.0.0.1
		AccountingStoragePort=$((port + 2))
		AccountingStoragePass=$work/munge/socket
		AccountingStorageEnforce=associations,limits,qos
		AccountingStorageTRES=gres/gpu,license/zeta,license/alpha
		Licenses=zeta:5,alpha:3
		SchedulerParameters=bf_interval=5
		PriorityType=priority/multifactor
		PriorityCalcPeriod=1
		PriorityDecayHalfLife=7-0
		PriorityMaxAge=0:30:00
		PriorityWeightAge=5000
		PriorityWeightAssoc=4000
		PriorityWeightFairshare=100000
		PriorityWeightJobSize=7000
		PriorityWeightPartition=20000
		PriorityWeightQOS=30000
		PriorityWeightTRES=CPU=1000,Mem=2000,GRES/gpu=3000
		NodeName=n01 NodeHostname=$host NodeAddr=127.0.0.1 CPUs=64 RealMemory=256000 Feature=odd
		NodeName=d[01-11] NodeHostname=nohost NodeAddr=127.0.0.9 CPUs=64 RealMemory=256000 Gres=gpu:8 State=DOWN
		PartitionName=DEFAULT Nodes=n01,d[01-11] MaxTime=7-0 DefaultTime=1:00:00 TRESBillingWeights=CPU=1000.0,Mem=250.0G
		PartitionName=normal Default=YES PriorityTier=1 PriorityJobFactor=10
		PartitionName=short PriorityTier=10 PriorityJobFactor=100
		PartitionName=long PriorityTier=5 PriorityJobFactor=40
		NodeName=n02 $second Port=$((port + 3)) CPUs=16 RealMemory=64000
		PartitionName=wide Nodes=n02 PriorityTier=1 PriorityJobFactor=60
	END
}

start_munge() {
	dd if=/dev/urandom of="$work/munge/key" bs=128 count=1 status=none
	chmod 600 "$work/munge/key"
	start munged munged --foreground --key-file="$work/munge/key" --socket="$work/munge/socket" \
		--pid-file="$work/run/munged.pid" --seed-file="$work/munge/seed"
	until_ok 15 munged munge -n -S "$work/munge/socket"
}

start_database() {
	timeout 60 mariadb-install-db --no-defaults --user=root --datadir="$work/db" --skip-test-db \
		>"$work/log/install-db.out" 2>&1 </dev/null || die 'mariadb-install-db failed'
	export MYSQL_UNIX_PORT=$work/run/db.sock
	start mariadbd mariadbd --no-defaults --user=root --datadir="$work/db" --socket="$MYSQL_UNIX_PORT" \
		--skip-networking --pid-file="$work/run/mariadbd.pid" --innodb-flush-log-at-trx-commit=0 \
		--innodb-buffer-pool-size=64M --innodb-lock-wait-timeout=900 --skip-log-bin
	until_ok 30 mariadbd mariadb --no-defaults -u root -e 'select 1'
}

nodes_are_up() { [ "$(sinfo -h -N -n n01,n02 -p normal,wide -o '%N %T' | sort -u | grep -c idle)" = 2 ]; }
controller_is_up() { scontrol ping | grep -q ' is UP'; }

start_controller() {
	start slurmctld slurmctld -D -i
	until_ok 30 slurmctld bash -c "$(declare -f controller_is_up); controller_is_up"
}

start_slurm() {
	local name
	for name in ${!SLURM_*} ${!SPRIO_*} ${!SQUEUE_*} ${!SACCTMGR_*}; do
		unset "$name"
	done
	export SLURM_CONF=$work/etc/slurm.conf
	start slurmdbd slurmdbd -D
	until_ok 40 slurmdbd sacctmgr -nP show cluster
	sacctmgr -iQ add cluster trial >/dev/null || die 'sacctmgr add cluster failed'
	start slurmd slurmd -D -N n01
	start slurmd2 slurmd -D -N n02
	start_controller
	until_ok 30 slurmd bash -c "$(declare -f nodes_are_up); nodes_are_up"
}

start_daemons() {
	# Jobs of every user read slurm.conf and the munge socket.
	chmod 755 "$work"
	mkdir "$work"/{etc,log,run,munge,db,state,spool}
	free_ports
	write_configuration
	start_munge
	start_database
	start_slurm
}

stop_daemons() {
	local name
	for name in slurmd slurmd2 slurmctld slurmdbd mariadbd munged; do
		stop $name
	done
	# Steps of jobs outlive their slurmd.
	# shellcheck disable=SC2046 # numbers
	kill -KILL $(grep -lzs "^SLURM_CONF=$work/" /proc/[0-9]*/environ | cut -d/ -f3) 2>/dev/null
}
