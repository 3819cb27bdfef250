#!/usr/bin/env bats
# Each lint finds its kind of fault, and accepts correct files.

load lib

@test "negations.sh finds each negated command that cannot fail a test" {
	local line
	mkdir tests
	for line in 'NOT grep a b' 'x=1; NOT grep a b' 'for i in 1 2; do NOT grep a b; done' 'if a; then NOT b; fi' 'a | NOT grep b' 'a && NOT b' '{ NOT b; }'; do
		line=${line/NOT/!}
		printf '@test "x" {\n\t%s\n\techo\n}\n' "$line" >tests/a.bats
		run -1 "$BATS_TEST_DIRNAME/../lint/negations.sh" .
		[[ $output == "tests/a.bats:2: "*"$line" ]]
	done
	for line in 'NOT a || b' 'if NOT a; then b; fi' 'run NOT a' 'while NOT a; do b; done' '[ NOT -e a ]' '[[ NOT a == b ]]'; do
		line=${line/NOT/!}
		printf '@test "x" {\n\t%s\n\techo\n}\n' "$line" >tests/a.bats
		run -0 "$BATS_TEST_DIRNAME/../lint/negations.sh" .
	done
}

@test "promises.sh finds promises without tests and tests that are missing" {
	mkdir -p man tests/cli
	printf '@test "a b" {\n}\n' >tests/cli/x.bats
	page() { printf '%s\n' '.Sh PROMISES' '.It Sy "One"' "$@" >man/fs-tools.7; }
	page '.Pa tests/cli/x.bats :' '.Dq "a b" .'
	run -0 "$BATS_TEST_DIRNAME/../lint/promises.sh" .
	page '.Pa tests/cli/x.bats :' '.Dq "a" .'
	run -1 "$BATS_TEST_DIRNAME/../lint/promises.sh" .
	[[ $output == 'man/fs-tools.7:'*': no test "a" in tests/cli/x.bats' ]]
	page '.Pa tests/cli/y.bats .'
	run -1 "$BATS_TEST_DIRNAME/../lint/promises.sh" .
	[[ $output == *': no file tests/cli/y.bats' ]]
	page text
	run -1 "$BATS_TEST_DIRNAME/../lint/promises.sh" .
	[[ $output == *': no test holds the promise'* ]]
}

@test "style.sh finds long lines, blanks for tabs and misplaced braces" {
	mkdir -p libfs cmd tests
	printf 'int f(void) {\n        return 0;\n}\nchar* g;\n' >libfs/x.c
	printf '/* %s */\nint a;\n\n\nvoid h(int x)\n{\n\tif(x)\n\t\th(%0130d);\n}\n' "$(printf 'long %.0s' $(seq 30))" 0 >cmd/y.c
	run -1 "$BATS_TEST_DIRNAME/../lint/style.sh" .
	[ "${#lines[@]}" = 7 ]
	printf 'static const char *h(int x)\n{\n\treturn x ? "%0130d" : NULL; /* %0130d */\n}\n' 0 0 >libfs/x.c
	rm cmd/y.c
	run -0 "$BATS_TEST_DIRNAME/../lint/style.sh" .
}

@test "contracts.sh finds public functions, types, members and macros without comments" {
	local line
	mkdir -p libfs/include/fs
	for line in 'FS_API int fs_a(void);' 'struct fs_a {' 'typedef int fs_a;' '#define FS_A 1' 'enum fs_a {'; do
		printf '/* Said. */\nFS_API int fs_b(void);\n%s\n' "$line" >libfs/include/fs/x.h
		run -1 "$BATS_TEST_DIRNAME/../lint/contracts.sh" .
		[[ $output == *'x.h:3: no comment: '* ]]
		printf '/* Said. */\nFS_API int fs_b(void);\n/* Said. */\n%s\n' "$line" >libfs/include/fs/x.h
		run -0 "$BATS_TEST_DIRNAME/../lint/contracts.sh" .
	done
	printf '/* Said. */\nstruct fs_a {\n\tint a; /* said */\n\tint b;\n};\n' >libfs/include/fs/x.h
	run -1 "$BATS_TEST_DIRNAME/../lint/contracts.sh" .
	[[ $output == *'x.h:4: no comment: '*'int b;'* ]]
}

@test "mirror.sh finds unit tests without a source file of their name" {
	mkdir -p libfs/plan tests/unit/plan
	touch libfs/plan/map.c libfs/plan/why.h tests/unit/plan/test_map.c tests/unit/plan/test_map_random.c tests/unit/plan/test_why.c
	run -0 "$BATS_TEST_DIRNAME/../lint/mirror.sh" .
	touch tests/unit/plan/test_mapping.c
	run -1 "$BATS_TEST_DIRNAME/../lint/mirror.sh" .
	[ "$output" = 'tests/unit/plan/test_mapping.c: no libfs/plan/mapping.c or .h' ]
}

@test "cited.sh finds comments that cite missing names or files" {
	mkdir -p libfs/plan cmd
	printf '/* See fsi_plan_b and libfs/plan/a.c. */\nint fsi_plan_b;\n' >libfs/plan/a.c
	run -0 "$BATS_TEST_DIRNAME/../lint/cited.sh" .
	printf '/* See\n * fsi_plan_c. */\nint fsi_plan_b; /* or libfs/plan/c.c */\n' >libfs/plan/a.c
	run -1 "$BATS_TEST_DIRNAME/../lint/cited.sh" .
	[[ $output == *'libfs/plan/a.c:2: nothing is called fsi_plan_c'* ]]
	[[ $output == *'libfs/plan/a.c:3: no file libfs/plan/c.c'* ]]
	printf '/* ---- b.c: see plan/c.c and src/plan/c.c */\n' >libfs/plan/a.c
	run -1 "$BATS_TEST_DIRNAME/../lint/cited.sh" .
	[[ $output == *'libfs/plan/a.c:1: no file plan/c.c'* ]]
	[[ $output == *'libfs/plan/a.c:1: a comment that begins with the name of a file'* ]]
	[[ $output != *src/plan* ]]
}

@test "tables.sh finds rows of tables with their own column widths" {
	local file of call
	mkdir cmd
	while read -r file of _; do
		mkdir -p "$(dirname "cmd/$file")"
		printf 'static void %s(void)\n{\n\temit("%%-14s", name);\n}\n' "$of" >>"cmd/$file.c"
	done < <(sed -n "/^reasons=/,/^'$/s/^[a-z_/]*[a-z]  .*/&/p" "$BATS_TEST_DIRNAME/../lint/tables.sh")
	run -0 "$BATS_TEST_DIRNAME/../lint/tables.sh" .
	mkdir -p cmd/top
	for call in 'emit("%-10s\n", name);' 'lines_add_formatted(l, ATTR_PLAIN,
		"%s %*s", name, width, user);' 'snprintf(text, size, "%-10s %5u", name, n);'; do
		printf '\t%s\n' "$call" >cmd/top/fresh.c
		run -1 "$BATS_TEST_DIRNAME/../lint/tables.sh" .
	done
	for call in 'snprintf(text, size, "%-10s", name);' 'emit("%02d:%02d\n", h, m);' 'emit("%.3f of %s\n", v, name);'; do
		printf '\t%s\n' "$call" >cmd/top/fresh.c
		run -0 "$BATS_TEST_DIRNAME/../lint/tables.sh" .
	done
	echo >cmd/main.c
	run -1 "$BATS_TEST_DIRNAME/../lint/tables.sh" .
}

@test "words.sh finds unknown words, and static functions in five files" {
	local i
	mkdir -p libfs/plan cmd man tests/lint
	printf '.It queue record\n' >man/fs-words.7
	printf '# plain words\nint\ncount\nstatic\nvoid\nloaded_blorb\n' >tests/lint/words.txt
	printf '/* blorb */\nstatic int count_queue_records;\nint nrecords, loaded_blorb;\n' >libfs/plan/a.c
	run -0 "$BATS_TEST_DIRNAME/../lint/words.sh" .
	printf 'int count_queue;\nint blorb_count;\n' >cmd/b.c
	run -1 "$BATS_TEST_DIRNAME/../lint/words.sh" .
	[ "$output" = 'cmd/b.c:2: unknown word: blorb (in blorb_count)' ]
	run -1 "$BATS_TEST_DIRNAME/../lint/words.sh" -l .
	[ "$output" = blorb ]
	printf 'look\n' >>tests/lint/words.txt
	printf 'int look_count, looked_count;\n' >cmd/b.c # a refused word is found even as a form of a known word
	run -1 "$BATS_TEST_DIRNAME/../lint/words.sh" .
	[ "$output" = 'cmd/b.c:1: unknown word: looked (in looked_count)' ]
	for i in 1 2 3 4; do
		printf 'static void count(void)\n{\n}\n' >"cmd/$i.c"
	done
	rm cmd/b.c
	run -0 "$BATS_TEST_DIRNAME/../lint/words.sh" .
	cp cmd/1.c libfs/plan/b.c
	run -1 "$BATS_TEST_DIRNAME/../lint/words.sh" .
	[[ $output == 'count: static functions of this name are in more than 4 files, also in '* ]]
}

@test "prose.sh finds phrases that are hard to read in comments, messages, manuals and scripts" {
	local lint=$BATS_TEST_DIRNAME/../lint/prose.sh
	mkdir -p cmd man tests/lint
	printf '/* Returns the job that waits. */\nint f(void);\n' >cmd/a.c
	run -0 "$lint" .
	for line in '/* Of the jobs, it takes one. */' '/* Where no job runs. */' 'f("the user is told");' 'f("jobs " "of " "which");'; do
		printf '%s\n' "$line" >cmd/b.c
		run -1 "$lint" .
		[[ $output == cmd/b.c:1:* ]]
	done
	printf '/* Is it a job? */\nstatic int f(void)\n{\n}\n' >cmd/b.c
	run -1 "$lint" .
	[[ $output == 'cmd/b.c:1: a question above a function'* ]]
	printf 'int of_which;\n' >cmd/b.c
	printf '.It Fl x\nSays who has\n.Ar it .\n' >man/a.1
	run -1 "$lint" .
	[[ $output == 'man/a.1:2: who has'* ]]
	printf 'man/a.1\twho has\tquoted\n' >tests/lint/prose.txt
	run -0 "$lint" .
	printf '# Likewise for the rest.\n' >tests/a.sh
	run -1 "$lint" .
	[[ $output == 'tests/a.sh:1: Likewise'* ]]
	rm tests/a.sh man/a.1 # an exception that is not needed is an error
	run -1 "$lint" .
}
