#!/bin/sh
# make demo: explains why a job waits, and shows the tables with it, from the compiled-in snapshot.
bin=$1
say() {
	printf '\n$ %s\n' "$*"
	PATH=$bin:$PATH "$@"
}
say fs-explain --demo 812154
say fs-explain --demo 812154 --versus 812168
say fs-showq --demo --plan -p gpu
say fs-prio --demo -S -Y
say fs-share --demo -a -l -o Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare,LevelFS
say fs-top --demo --once
echo
echo "Everything above is computed from cmd/demo.jsonl. The tables have the layout of sprio and sshare. Try also:"
echo "  $bin/fs-top --demo    $bin/fs-explain --demo --ahead 812186    $bin/fs-share --help"
