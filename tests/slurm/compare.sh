# shellcheck shell=bash disable=SC2154
# Runs every line of commands.txt with the real tools while the controller does nothing, and then with ours from the
# snapshot.

# In some versions sprio refuses lists of job ids (opts.c:_build_job_list, 24.05.0 to 25.11.2).
command_lines() {
	if since 24.05 && ! since 25.11.3; then
		grep -v '^#\|-j [^ ]*,' "$here/commands.txt"
	else
		grep -v '^#' "$here/commands.txt"
	fi
}

refusal_lines() {
	grep -v '^#' "$here/refusals.txt"
}

# answers DIRECTORY: N.out contains standard output and exit status, N.err standard error
answers() {
	local n=0 line
	mkdir -p "$1"
	while IFS= read -r line; do
		n=$((n + 1))
		timeout 20 bash -c "$line" >"$1/$n.out" 2>"$1/$n.err" </dev/null
		echo "exit status $?" >>"$1/$n.out"
	done < <(command_lines; refusal_lines)
}

real_answers() {
	answers "$work/real"
	ranks >"$work/real/ranks.out"
}

from_snapshot() ( # FILE COMMAND...
	export PATH=$work/links:$PATH FS_SNAPSHOT=$1 FS_USER=root
	shift
	"$@"
)

our_answers() {
	mkdir "$work/links"
	ln -s "$FS_BIN/fs-tools" "$work/links/sshare"
	ln -s "$FS_BIN/fs-tools" "$work/links/sprio"
	from_snapshot "$work/scene-exact.jsonl" answers "$work/ours"
	from_snapshot "$work/scene.jsonl" ranks >"$work/ours/ranks.out" 2>&1
}

# A rank needs no more decimals than a capture has.
ranks() {
	sshare -aP -o Account,User,Partition,FairShare
	sprio -l
}

judge() { # STATUS WHAT
	if [ "$1" -eq 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok: $2"
		return 1
	fi
}

show_difference() { # NAME [PREFIX]
	diff -u --label real --label ours "$work/${2-}real/$1.out" "$work/${2-}ours/$1.out"
}

# Removes the folders in which the tools were called, and what only an accounting database knows.
messages() {
	sed 's|^/[^:]*/||; /-M\|cluster/d' "$1"
}

compare_answers() {
	local n=0 line
	while IFS= read -r line; do
		n=$((n + 1))
		cmp -s "$work/real/$n.out" "$work/ours/$n.out"
		judge $? "$line" && continue
		show_difference $n
		sed 's/^/our standard error: /' "$work/ours/$n.err"
	done < <(command_lines)
	while IFS= read -r line; do
		n=$((n + 1))
		cmp -s "$work/real/$n.out" "$work/ours/$n.out" &&
			cmp -s <(messages "$work/real/$n.err") <(messages "$work/ours/$n.err")
		judge $? "$line" && continue
		show_difference $n
		diff --label real --label ours -u <(messages "$work/real/$n.err") <(messages "$work/ours/$n.err")
	done < <(refusal_lines)
	cmp -s "$work/real/ranks.out" "$work/ours/ranks.out"
	judge $? 'FairShare and priorities from the capture alone' || show_difference ranks
}

# medians COMMAND...: prints for each command line the median of its milliseconds in 15 runs. The command lines
# alternate, so that other load on the machine affects all of them equally.
medians() {
	local i k t0 t1 runs=15
	for ((i = 0; i < runs; i++)); do
		for ((k = 1; k <= $#; k++)); do
			t0=${EPOCHREALTIME/[.,]/}
			# shellcheck disable=SC2086 # in words
			${!k} >/dev/null 2>&1 </dev/null
			t1=${EPOCHREALTIME/[.,]/}
			echo $k $((t1 - t0))
		done
	done | sort -n -k1,1 -k2,2 | awk -v n=$runs 'NR % n == (n + 1) / 2 { printf "%.1f\n", $2 / 1e3 }'
}
