#!/usr/bin/env bats
# Every example of the man pages prints what the page shows. In a page `.\" example` marks a display of commands ("$ ",
# continued by "> ") and their output. `.\" file NAME` marks a display of a file that the commands read. Blanks at the
# ends of lines are not compared, since a page cannot show them.

load lib

pages=$BATS_TEST_DIRNAME/../../man

# blocks PAGE: writes the marked displays of the page to files: example.001, example.002 and so on, or NAME.
blocks() {
	awk '
	/^\.\\" (example|file)/ { name = $2 == "file" ? $3 : sprintf("example.%03d", ++n); next }
	/^\.Bd/ && name { if (name ~ "/") system("mkdir -p \"$(dirname " name ")\""); inside = 1; next }
	/^\.Ed/ { if (inside) close(name); name = ""; inside = 0; next }
	inside { sub(/^\\&/, ""); gsub(/\\e/, "\\"); print > name }
	' "$1"
}

# transcript FILE: prints the commands of an example, each followed by its current output.
transcript() {
	local line shown='' command=''
	while IFS= read -r line; do
		case $line in
		'$ '*)
			[ -z "$command" ] || { printf '%s' "$shown"; bash -c "$command" 2>&1 </dev/null; }
			shown=$line$'\n' command=${line:2} ;;
		'> '*)
			shown+=$line$'\n' command+=$'\n'${line:2} ;;
		esac
	done <"$1"
	printf '%s' "$shown"
	bash -c "$command" 2>&1 </dev/null
}

check_page() {
	local example wrong=0 n=0
	blocks "$pages/$1"
	for example in example.*; do
		[ -s "$example" ] || continue
		n=$((n + 1))
		transcript "$example" >now || true
		diff -u --label "man/$1" --label "printed now" <(sed 's/ *$//' "$example") \
			<(sed 's/ *$//' now) || wrong=1
	done
	[ "$n" -gt 0 ]
	[ "$wrong" = 0 ]
}

@test "the examples of fs-share.1 print the output shown" {
	check_page fs-share.1
}

@test "the examples of fs-prio.1 print the output shown" {
	check_page fs-prio.1
}

@test "the examples of fs-showq.1 print the output shown" {
	check_page fs-showq.1
}

@test "the examples of fs-explain.1 print the output shown" {
	cp "$BATS_TEST_DIRNAME"/examples/flux.jsonl "$BATS_TEST_DIRNAME"/../top/maui.jsonl . # read by the examples
	check_page fs-explain.1
}

@test "the examples of fs-diff.1 print the output shown" {
	check_page fs-diff.1
}

@test "the examples of fs-top.1 print the output shown" {
	check_page fs-top.1
}

@test "the examples of fs-snap.1 print the output shown" {
	check_page fs-snap.1
}

@test "the examples of fs-tools.1 print the output shown" {
	check_page fs-tools.1
}

@test "the examples of fs-snapshot.5 print the output shown" {
	check_page fs-snapshot.5
}

@test "the examples of fs-fairshare.7 print the output shown" {
	check_page fs-fairshare.7
}

@test "the examples of fs-scenario.7 print the output shown" {
	check_page fs-scenario.7
}

@test "the examples of fs-usage.7 print the output shown" {
	check_page fs-usage.7
}

@test "each command line of a page is a checked example" {
	local page
	for page in "$pages"/*.[157]; do
		awk '/^\.\\" example/ { marked = 1 }
		/^\.Ed/ { marked = 0 }
		/^\$ / && !marked { print FILENAME ":" FNR ": " $0; bad = 1 }
		END { exit bad }' "$page"
		! grep -q '^\.\\" example' "$page" ||
			grep -q "check_page ${page##*/}$" "$BATS_TEST_FILENAME"
	done
}
