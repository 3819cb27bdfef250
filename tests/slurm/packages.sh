# shellcheck shell=bash
# Debian's Slurm, installed if it is missing, or the one in $SLURM. The -core packages of MariaDB contain the programs
# without a service.

packages="mariadb-server-core mariadb-client-core munge"
[ -n "${SLURM-}" ] || packages="slurmctld slurmd slurmdbd slurm-client slurm-wlm-mysql-plugin $packages"

missing_packages() {
	local p
	for p in $packages; do
		[ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$p" 2>/dev/null)" = 'ii ' ] || echo "$p"
	done
}

apt() {
	DEBIAN_FRONTEND=noninteractive timeout -k 5 "$1" apt-get -qq -o Acquire::Retries=1 \
		-o Acquire::http::Timeout=15 --no-install-recommends "${@:2}" >/dev/null 2>&1 </dev/null
}

# Freshly installed services must not start: the test brings its own.
install_quietly() (
	policy=/usr/sbin/policy-rc.d
	if [ ! -e $policy ]; then
		trap 'rm -f $policy' EXIT
		printf '#!/bin/sh\nexit 101\n' >$policy && chmod 755 $policy
	fi
	apt 120 install -y --no-download "$@"
)

need_packages() {
	local missing
	[ "$(id -u)" -eq 0 ] || skip 'it starts daemons, so it must run as root'
	PATH=$PATH:/usr/sbin:/sbin
	[ -z "${SLURM-}" ] || PATH=$SLURM/bin:$SLURM/sbin:$PATH
	command -v apt-get dpkg-query >/dev/null || skip 'it uses the packages of Debian 12, and there is no apt here'
	mapfile -t missing < <(missing_packages)
	if [ ${#missing[@]} -gt 0 ]; then
		echo "installing ${missing[*]}"
		apt 60 install -y --download-only "${missing[@]}" ||
			{ apt 60 update && apt 60 install -y --download-only "${missing[@]}"; } ||
			skip "apt-get could not fetch ${missing[*]}"
		install_quietly "${missing[@]}" || skip "apt-get could not install ${missing[*]}"
	fi
	[ -z "${SLURM-}" ] || [ -x "$SLURM/sbin/slurmctld" ] || die "no sbin/slurmctld in $SLURM"
	case $(slurmctld -V) in
	*' 22.05.'*) ;;
	*) [ -n "${SLURM-}" ] || skip "written for Slurm 22.05 (Debian 12), here is $(slurmctld -V): name it by SLURM=DIR" ;;
	esac
}

# since MAJOR.MINOR: returns 0 if this Slurm is of that series or later
since() {
	local here
	here=$(slurmctld -V)
	here=${here#* }
	[ "$(printf '%s\n' "$1" "${here%%-*}" | sort -V | head -n 1)" = "$1" ]
}
