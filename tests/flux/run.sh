#!/bin/bash
# A Flux of four simulated nodes (FLUX: the prefix of flux-core and flux-accounting) with banks, users, queues, limits
# and jobs generated from a seed, compared with our import of an ordinary capture: see lab.py.
# Usage: run.sh BIN_DIR [SEED [SHAPE]...]
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd)
if [ ! -x "${FLUX:-}/bin/flux" ]; then
	echo "flux: skipped: FLUX=DIR names no Flux (DIR/bin/flux)"
	exit 0
fi
if [ ! -e "$FLUX/lib/flux/job-manager/plugins/mf_priority.so" ]; then
	echo "flux: skipped: no flux-accounting in $FLUX (lib/flux/job-manager/plugins/mf_priority.so)"
	exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export PATH=$FLUX/bin:$PATH
flux R encode -r 0-3 -c 0-7 -g 0-1 -H 'fake[0-3]' -p 'batch:1-3' -p 'debug:0' -p 'big:2-3' -p 'old:3' >"$work/R" || exit 1
# The scheduler is named, because an installed Fluxion would replace sched-simple.
module=sched-simple policy=
for word in "${@:3}"; do
	case $word in
	backfill) module=sched-backfill ;;
	fcfs | easy | hybrid | conservative) module=sched-fluxion-qmanager policy=$word ;;
	esac
done
cat >"$work/conf.toml" <<EOF
[modules.alternatives]
sched = "$module"
[sched-fluxion-qmanager]
queue-policy = "${policy:-fcfs}"
[access]
allow-guest-user = true
allow-root-owner = true
[exec.testexec]
allow-guests = true
[resource]
noverify = true
path = "$work/R"
[queues.batch]
requires = ["batch"]
[queues.debug]
requires = ["debug"]
[queues.standby]
requires = ["batch"]
[policy.jobspec.defaults.system]
queue = "batch"
EOF
shift
[ $# -gt 0 ] || set -- 1
flux start -s 4 --config-path="$work/conf.toml" flux python "$here/lab.py" "$bin" "$work" "$@"
