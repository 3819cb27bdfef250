#!/usr/bin/env bats
# Snapshots of several clusters, and the variables of sshare and sprio. The expected messages are those of Slurm 26.05's
# sources (src/common/slurmdb_defs.c, src/common/proc_args.c, src/sshare/sshare.c, src/sprio/opts.c).

load lib

setup_file() {
	mkdir "$BATS_FILE_TMPDIR/links" "$BATS_FILE_TMPDIR/both"
	for name in sshare sprio; do
		ln -s "$(cd "${FS_BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd)/fs-tools" "$BATS_FILE_TMPDIR/links/$name"
	done
	cp "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" "$BATS_FILE_TMPDIR/both/a.jsonl"
	sed '1s/"odyssey"/"beta"/; s/"name":"anna"/"name":"bea"/; s/"user":"anna"/"user":"bea"/' \
		"$BATS_FILE_TMPDIR/both/a.jsonl" >"$BATS_FILE_TMPDIR/both/b.jsonl"
}

clusters() { # [FILES]: the tools of Slurm on PATH, and the snapshots of two clusters
	PATH=$BATS_FILE_TMPDIR/links:$PATH
	unset FS_EXTENSIONS
	both=$BATS_FILE_TMPDIR/both
	export FS_SNAPSHOT=${1:-$both/a.jsonl,$both/b.jsonl} FS_USER=root
}

@test "sshare -M prints a heading and a table for each cluster" {
	clusters
	[ "$(sshare -M all -h -U -o user -P -u anna,bea)" = $'CLUSTER: beta\nbea\nbea\nbea\n\nCLUSTER: odyssey\nanna\nanna\nanna' ]
	diff <(sshare -M odyssey,beta) <(sshare -M all)
	diff <(sshare -M BETA) <(sshare -M beta)
	[ "$(sshare -M beta --json | sed -n 1,2p)" = $'CLUSTER: beta\n{' ]
	[ "$(sshare -M beta -M odyssey | head -1)" = "CLUSTER: odyssey" ]
	diff <(sshare) <(FS_SNAPSHOT=$both/a.jsonl sshare)
	diff <(SLURM_CLUSTERS=beta sshare) <(sshare) # sshare does not read the variable
}

@test "unknown clusters are reported as by Slurm's tools" {
	clusters
	run -0 --separate-stderr sshare -M beta,nosuch -h
	[ "$stderr" = "sshare: error: No cluster 'nosuch' known by database." ]
	[ "${lines[0]}" = "CLUSTER: beta" ]
	invalid="'nosuch' can't be reached now, or it is an invalid entry for --cluster.  Use 'sacctmgr list clusters' to see available clusters."
	for tool in sshare sprio; do
		run -1 --separate-stderr "$tool" -M nosuch
		[ -z "$output" ]
		[ "${stderr_lines[0]}" = "$tool: error: No cluster 'nosuch' known by database." ]
		[ "${stderr_lines[1]}" = "$tool: error: $invalid" ]
		[ "${stderr_lines[2]}" = "$tool: fatal: Could not get cluster information" ]
	done
	sed '1s/slurm 26.11.0/slurm 23.11.10/' "$both/a.jsonl" >old.jsonl
	clusters "$PWD/old.jsonl"
	run -1 --separate-stderr sprio -M nosuch
	[ "${#stderr_lines[@]}" = 2 ]
	SLURM_CLUSTERS=nosuch run -1 --separate-stderr sprio
	[[ ${stderr_lines[1]} == *"an invalid entry for SLURM_CLUSTERS."* ]]
	run -1 --separate-stderr fs-prio -M nosuch
	[ "$stderr" = 'fs-prio: -M: the snapshot is of cluster "odyssey", not "nosuch"' ]
}

@test "sprio reads one cluster, by -M or SLURM_CLUSTERS" {
	clusters
	run -1 --separate-stderr sprio -M all
	[ -z "$output" ]
	[ "$stderr" = "sprio: fatal: Only one cluster can be used at a time with sprio" ]
	diff <(sprio -M beta -h -o %u | grep -c bea) <(FS_SNAPSHOT=$both/a.jsonl sprio -h -o %u | grep -c anna)
	diff <(SLURM_CLUSTERS=beta sprio) <(sprio -M beta)
	diff <(SLURM_CLUSTERS=nosuch sprio -M odyssey) <(sprio)
	clusters "$both/a.jsonl"
	diff <(sprio -M all) <(sprio)
}

@test "SPRIO_SIBLING and SPRIO_LOCAL work as the options" {
	clusters
	diff <(SPRIO_SIBLING='' sprio) <(sprio --sibling)
	diff <(SPRIO_SIBLING=1 SPRIO_LOCAL=1 sprio) <(sprio)
	diff <(SPRIO_SIBLING=1 sprio -M odyssey) <(sprio)
	diff <(SPRIO_FEDERATION=1 sprio) <(sprio)
	diff <(SPRIO_SIBLING=1 fs-prio) <(fs-prio)
}

@test "fs-share and fs-prio print a table for each cluster, and other commands read the first" {
	clusters
	diff <(fs-share -M all) <(sshare -M all)
	diff <(SLURM_CLUSTERS=all fs-share) <(sshare -M all)
	diff <(fs-prio -M all | grep -v '^$\|CLUSTER: ') <(fs-prio -M beta; fs-prio -M odyssey)
	[ "$(fs-prio -M all | grep -c '^CLUSTER: ')" = 2 ]
	run -2 fs-prio -M all --json
	run -2 fs-share -M all --json
	run -1 --separate-stderr fs-share -M odyssey,nosuch
	[ "$stderr" = 'fs-share: -M: no snapshot of cluster "nosuch"' ]
	diff <(fs-showq) <(FS_SNAPSHOT=$both/a.jsonl fs-showq)
	diff <(SLURM_CLUSTERS=beta fs-showq) <(fs-showq -f "$both/b.jsonl")
	diff <(fs-top --once -f "$both/b.jsonl,$both/a.jsonl") <(fs-top --once -f "$both/b.jsonl")
	SLURM_CLUSTERS=nosuch run -0 fs-prio -f "$both/a.jsonl"
}

@test "a folder has the newest snapshot of each cluster" {
	clusters
	diff <(fs-share -f "$both" -M all) <(fs-share -M all)
	run -1 --separate-stderr fs-share -f "$both"
	[ "$stderr" = "fs-share: a folder of several snapshots requires -M CLUSTER or SLURM_CLUSTERS" ]
	mkdir d empty
	sed 's/"user":"anna"/"user":"old"/; s/"name":"anna"/"name":"old"/; 1s/"time":1795190460/"time":1795190459/' \
		"$both/a.jsonl" >d/z.jsonl
	cp "$both/a.jsonl" d
	diff <(fs-share -f d -M all) <(fs-share -f "$both/a.jsonl" -M all)
	run -1 fs-share -f empty -M all
	rm d/z.jsonl
	diff <(fs-share -f d) <(fs-share -f "$both/a.jsonl")
}

@test "a comma in the name of an existing file does not make a list" {
	clusters
	cp "$both/b.jsonl" a,b.jsonl
	diff <(fs-share -f a,b.jsonl -a) <(fs-share -f "$both/b.jsonl" -a)
}

@test "SLURM_JSON=compact prints JSON on one line since 25.05" {
	clusters "$BATS_FILE_TMPDIR/both/a.jsonl"
	export SLURM_JSON=compact
	[ "$(sshare --json -a | wc -l)" = 1 ]
	diff <(sshare --json | tr -d ' \n') <(SLURM_JSON=pretty sshare --json | tr -d ' \n')
	diff <(SLURM_JSON=compact,pretty sshare --json) <(SLURM_JSON=pretty sshare --json)
	diff <(SLURM_YAML=compact sshare --yaml) <(sshare --yaml)
	SLURM_JSON=bogus run -1 --separate-stderr sshare --json
	[ "$stderr" = 'sshare: fatal: Unable to parse serializer "bogus" flags: Invalid argument' ]
	SLURM_JSON=bogus run -0 sshare
	sed '1s/slurm 26.11.0/slurm 24.11.7/' "$FS_SNAPSHOT" >old.jsonl
	FS_SNAPSHOT=old.jsonl
	[ "$(sshare --json | wc -l)" -gt 100 ]
}
