#!/usr/bin/env bats
# fs-snap verify: the data of the stand-ins was computed by hand.

bats_require_minimum_version 1.5.0

setup() {
	FS_BIN=$(cd "${FS_BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd)
	data=$BATS_TEST_TMPDIR/data
	cp -r "$BATS_TEST_DIRNAME/stand-ins/data" "$data"
	rm "$data/sshare_a.json" # six decimals are easier to change by hand
	s=$BATS_TEST_TMPDIR/s.jsonl
	"$FS_BIN/fs-snap" import slurm "$data" -o "$s"
}

# verify_with SED: runs verify on the snapshot as changed by the sed script.
verify_with() {
	sed "$1" "$s" >"$s.changed"
	run ! cmp -s "$s" "$s.changed"
	run "$FS_BIN/fs-snap" verify "$s.changed"
}

@test "verify reports that all values agree" {
	run "$FS_BIN/fs-snap" verify "$s"
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "column               compared     differ" ]
	[ "${lines[-1]}" = "$s: all 75 values agree" ]
}

@test "verify compares each column of a share" {
	for c in norm_shares:0.333333:0.333334 raw_usage:1000:1001 norm_usage:0.125:0.12501 \
		effective_usage:0.25:0.25001 factor:0.75:0.5 level_fs:1.333333:1.3335; do
		IFS=: read -r name was is <<<"$c"
		verify_with "/\"recorded\",\"association\":6,/s/\"$name\":$was\([,}]\)/\"$name\":$is\1/"
		[ "$status" -eq 4 ]
		[[ "${lines[0]}" == "association 6 (ducks teal): $name: printed $is, computed "* ]]
		grep -qE "^$name +[0-9]+ +1$" <<<"$output"
		[[ "${lines[-1]}" == "$s.changed: 1 of 75 values differ: $name; the others agree; --if, --at and forecasts "* ]]
	done
}

@test "verify compares each column of a priority" {
	for c in priority:6393:6395 site:0:1 nice:0:-1 age:100:101 assoc:0:1 fairshare:5000:4999 \
		jobsize:31:32 partition_points:250:249 qos_points:1000:1001 norm_age:0.1:0.09999 \
		norm_fairshare:0.5:0.50001; do
		IFS=: read -r name was is <<<"$c"
		verify_with "/\"recorded\",\"job\":101,/s/\"$name\":$was\([,}]\)/\"$name\":$is\1/"
		[ "$status" -eq 4 ]
		[[ "${lines[0]}" == "job 101 (shore normal): $name: printed $is, computed "* ]]
		[[ "${lines[-1]}" == "$s.changed: 1 of 75 values differ: $name; the others agree; --if, --at and forecasts "* ]]
	done
}

@test "verify compares weighted TRES" {
	verify_with '/"recorded","job":101,/s/"cpu":12/"cpu":14/'
	[ "$status" -eq 4 ]
	[ "${lines[0]}" = "job 101 (shore normal): tres/cpu: printed 14, computed 12.5" ]
	verify_with '/"recorded","job":101,/s/,"tres":{"cpu":12}//'
	[ "$status" -eq 4 ]
}

@test "verify ignores differences by rounding" {
	verify_with '/"recorded","job":101,/s/"cpu":12/"cpu":13/; s/"priority":6393,/"priority":6394,/2'
	[ "$status" -eq 0 ]
}

@test "verify detects a changed input" {
	verify_with '/"association","id":6,/s/"shares":1/"shares":2/'
	[ "$status" -eq 4 ]
	[[ "$output" == *"association 5 (ducks mallard): norm_shares: printed 0.666667, computed 0.5"* ]]
}

@test "verify reports rows that exist on one side only" {
	verify_with '/"recorded","job":101,/s/"job":101/"job":999/'
	[ "$status" -eq 4 ]
	[[ "$output" == *"job 999 (shore): only the scheduler lists a priority"* ]]
	[[ "$output" == *"job 101 (shore): only fs-tools lists a priority"* ]]
	verify_with '/"recorded","job":102,/s/"partition":"deep"/"partition":"shore"/'
	[ "$status" -eq 4 ]
}

@test "verify prints twenty differences and counts all" {
	verify_with '/"recorded"/s/"\(norm_[a-z]*\|effective_usage\|age\|jobsize\|[a-z]*_points\)":/&9/g'
	[ "$status" -eq 4 ]
	[ "$(grep -c ': printed ' <<<"$output")" -eq 20 ]
	grep -qx 'and 18 more; --json lists all' <<<"$output"
	[[ "${lines[-1]}" == "$s.changed: 38 of 75 values differ: norm_shares, "*"norm_fairshare; the others agree; "* ]]
}

@test "verify counts values with hidden inputs separately" {
	sed 's/"usage_source"/"hidden":["qos"],&/; /"type":"qos"/d; s/"qos":2,//' "$s" >"$s.changed"
	run "$FS_BIN/fs-snap" verify "$s.changed"
	[ "$status" -eq 0 ]
	[[ "$output" == *"6 values could not be computed"* ]]
}

@test "verify cannot compute the priorities of hidden jobs" {
	sed 's/"usage_source"/"hidden":["job"],&/; /"type":"job"/d; s/"job":3,//' "$s" >"$s.changed"
	run "$FS_BIN/fs-snap" verify "$s.changed"
	[ "$status" -eq 0 ]
	[[ "$output" == *"3 values could not be computed"* ]]
	[ "${lines[-1]}" = "$s.changed: all 36 values agree" ]
}

@test "verify reports an infinite level that differs from a number" {
	verify_with '1s/"usage_source":"assoc_mgr"/"usage_source":"all digits"/
		/"recorded","association":2,/s/"factor":1/&,"level_fs":5/'
	[ "$status" -eq 4 ]
	[ "${lines[0]}" = "association 2 (root root): level_fs: printed 5, computed inf" ]
}

@test "verify without recorded values exits with status 4" {
	sed '/"type":"recorded"/d; s/,"recorded":[0-9]*//' "$s" >"$s.changed"
	run "$FS_BIN/fs-snap" verify "$s.changed"
	[ "$status" -eq 4 ]
	[[ "$output" == *"nothing to compare"* ]]
}

@test "verify refuses an invalid file, a missing file and wrong arguments" {
	echo '{"type":"snapshot"' >"$s.changed"
	run "$FS_BIN/fs-snap" verify "$s.changed"
	[ "$status" -eq 3 ]
	run "$FS_BIN/fs-snap" verify "$s.none"
	[ "$status" -eq 1 ]
	run "$FS_BIN/fs-snap" verify
	[ "$status" -eq 2 ]
	run "$FS_BIN/fs-snap" verify "$s" "$s"
	[ "$status" -eq 2 ]
}

@test "verify prints no NaN if the usage of an account is unknown" {
	cat >"$s" <<-'EOF'
	{"type":"snapshot","format":1,"time":1795313600,"cluster":"c","scheduler":"slurm 22.05.8","hidden":["association","job"]}
	{"type":"config","AccountingStorageEnforce":["associations","limits","qos"],"BOOT_TIME":1795310702}
	{"type":"tres","id":1,"name":"cpu"}
	{"type":"tres","id":2,"name":"mem"}
	{"type":"tres","id":1001,"name":"gres/gpu"}
	{"type":"association","id":58,"account":"a"}
	{"type":"association","id":40,"account":"a","user":"u","usage_tres_s":21337.41}
	{"type":"job","id":61,"state":"COMPLETED","start_time":1795313345,"end_time":1795313584,"user":"u","account":"a","tres_alloc":{"cpu":16,"mem":16000,"node":2,"billing":19}}
	EOF
	run "$FS_BIN/fs-snap" verify "$s"
	[[ $output == *"uncertain by an unknown number of TRES seconds"* ]]
	[[ $output != *nan* ]]
}
