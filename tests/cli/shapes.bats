#!/usr/bin/env bats
# Nothing is quadratic: all associations in one account, ties alone, a chain of ten thousand accounts, one user's jobs; in
# tables, what-if, reports, histories, forecasts and pastes.

load lib

shapes() {
	SHAPES_SIZE=15000 SHAPES_CHAIN=2500 SHAPES_MOST=2.5 run "$BATS_TEST_DIRNAME/../bench/shapes.sh" "$FS_BIN/fs-tools"
	[ "$status" = 0 ] && [ "$(grep -c met <<<"$output")" = 13 ]
}

# CPU time counts, which a busy machine spoils now and then, though not twice; under sanitizers it says nothing.
@test "four times as much costs about four times as much, whatever its shape" {
	[ "${FS_VARIANT:-release}" != asan ] || skip "sanitizers have costs of their own"
	shapes || shapes || { echo "$output"; return 1; }
}
