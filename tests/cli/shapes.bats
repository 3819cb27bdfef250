#!/usr/bin/env bats
# No command takes quadratic time for any shape of input: all associations in one account, only ties, a chain of
# thousands of accounts, one user's jobs; in tables, what-if, reports, histories, forecasts and pastes.

load lib

shapes() {
	SHAPES_SIZE=15000 SHAPES_CHAIN=2500 SHAPES_MOST=2.5 run "$BATS_TEST_DIRNAME/../bench/shapes.sh" "$FS_BIN/fs-tools"
	[ "$status" = 0 ] && [ "$(grep -c met <<<"$output")" = 13 ]
}

# A busy machine can spoil one measurement of CPU time, so a failed run is repeated once. Sanitizers distort the times.
@test "four times the input takes about four times the CPU time" {
	[ "${FS_VARIANT:-release}" != asan ] || skip "sanitizers have costs of their own"
	shapes || shapes || { echo "$output"; return 1; }
}
