#!/usr/bin/env bats
# Nothing is quadratic: all associations in one account, ties alone, a chain of ten thousand accounts, one user's jobs; in
# tables, reports, histories, forecasts and pastes.

load lib

@test "four times as much costs about four times as much, whatever its shape" {
	SHAPES_SIZE=15000 SHAPES_CHAIN=2500 SHAPES_MOST=2.5 run -0 "$BATS_TEST_DIRNAME/../bench/shapes.sh" "$FS_BIN/fs-tools"
	[ "$(grep -c met <<<"$output")" = 11 ] || { echo "$output"; return 1; }
}
