#!/bin/sh
# make demo: the tables on the compiled-in snapshot.
bin=$1
say() {
	printf '\n$ %s\n' "$*"
	PATH=$bin:$PATH "$@"
}
say fs-share --demo -a -l -o Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare,LevelFS
say fs-prio --demo -S -Y
say fs-showq --demo -b -l -o
say fs-showq --demo --plan -p gpu
echo
echo "These are the tables of sshare, sprio and showq, computed from cmd/demo.jsonl. Try also: $bin/fs-share --help"
