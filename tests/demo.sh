#!/bin/sh
# make demo: the two tables on the compiled-in snapshot.
bin=$1
say() {
	printf '\n$ %s\n' "$*"
	PATH=$bin:$PATH "$@"
}
say fs-share --demo -a -l -o Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare,LevelFS
say fs-prio --demo -S -Y
echo
echo "These are the tables of sshare and sprio, computed from cmd/demo.jsonl. Try also: $bin/fs-share --help"
