#!/usr/bin/env bats
# Histories: the folders that fs-snap keep maintains, and the tables and pictures of fs-share and fs-prio --history.

load lib

demo=$BATS_TEST_DIRNAME/../../cmd/demo.jsonl

# later SECONDS FACTOR [PRIVATEDATA]: prints the demo, SECONDS later and with dana's usage multiplied by FACTOR.
later() {
	python3 - "$demo" "$@" <<-'E'
	import json, sys
	for line in open(sys.argv[1]):
	    r = json.loads(line)
	    if r["type"] == "snapshot":
	        r["time"] += int(sys.argv[2])
	        r["priority_time"] += int(sys.argv[2])
	    if r["type"] == "config" and len(sys.argv) > 4:
	        r["PrivateData"] = sys.argv[4].split(",")
	    if r["type"] == "association" and r.get("user") == "dana":
	        for key in r:
	            if key.startswith("usage"):
	                r[key] = r[key] * float(sys.argv[3]) if not isinstance(r[key], dict) else \
	                    {k: v * float(sys.argv[3]) for k, v in r[key].items()}
	    print(json.dumps(r))
	E
}

# history [PRIVATEDATA]: stores five states in H, a day or an hour apart.
history() {
	local n=0 at
	for at in 0 86400 172800 176400 180000; do
		n=$((n + 1))
		later "$at" "1.$n" "$@" >state.jsonl
		fs-snap keep H state.jsonl
	done
}

@test "fs-snap keep writes a compressed file and a digest, private by default" {
	fs-snap keep H "$demo"
	[ "$(cd H && echo *)" = "20261120T160100Z.jsonl.zst 20261120T160100Z.jsonl.zst.digest" ]
	[ "$(stat -c %a H)" = 700 ]
	[ "$(stat -c %a H/20261120T160100Z.jsonl.zst)" = 600 ]
	[ "$(stat -c %a H/20261120T160100Z.jsonl.zst.digest)" = 600 ]
	fs-share -a -l -f H/*.zst | diff <(fs-share -a -l --demo) -
	fs-snap keep H "$demo" --mode 664
	[ "$(stat -c %a H/20261120T160100Z.jsonl.zst)" = 664 ]
	[ "$(stat -c %a H/20261120T160100Z.jsonl.zst.digest)" = 644 ]
}

@test "fs-snap keep thins old snapshots with their digests, not other files" {
	mkdir H
	: >H/notes
	: >H/20261101T000000Z.jsonl.zst.digest
	for at in 0 600 1200 86400 90000; do
		later "$at" 1 >state.jsonl
		fs-snap keep H state.jsonl
	done
	[ "$(cd H && echo *)" = "20261120T160100Z.jsonl.zst 20261120T160100Z.jsonl.zst.digest 20261121T160100Z.jsonl.zst 20261121T160100Z.jsonl.zst.digest 20261121T170100Z.jsonl.zst 20261121T170100Z.jsonl.zst.digest notes" ]
}

@test "fs-snap keep deletes nothing after a snapshot with a wrong clock" {
	for at in 0 7200 400000000; do
		later "$at" 1 >state.jsonl
		fs-snap keep H state.jsonl 2>said
	done
	[[ $(<said) == *"warning: H: the newest snapshot is at least a year later than all others"* ]]
	[ "$(cd H && echo *.zst)" = "20261120T160100Z.jsonl.zst 20261120T180100Z.jsonl.zst 20390725T070740Z.jsonl.zst" ]
}

@test "a share history has the numbers of fs-share --json" {
	history
	for user in dana anna; do
		fs-share --history H -u "$user" --json >course
		python3 - "$user" H/*.zst <<-'E'
		import json, subprocess, sys
		rows = json.load(open("course"))["rows"]
		n = 0
		for name in sys.argv[2:]:
		    doc = json.loads(subprocess.check_output(["fs-share", "--json", "-U", "-u", sys.argv[1], "-f", name]))
		    for row in doc["rows"]:
		        mine = [r for r in rows if r["time"] == doc["snapshot"]["time"] and r["account"] == row["account"]]
		        assert len(mine) == 1, mine
		        for key, value in mine[0]["values"].items():
		            assert row[key] == value or value is None and row[key] is None, (key, row[key], value)
		        n += 1
		assert n == len(rows) >= 5, n
		E
	done
	[ "$(fs-share --history H -u dana --csv | cut -d, -f 11 | sort -u | wc -l)" -ge 3 ]
}

@test "a job history has fs-prio's numbers and fs-showq's position" {
	history
	fs-prio --history H -j 812154 --json >course
	python3 - H/*.zst <<-'E'
	import json, subprocess, sys
	rows = json.load(open("course"))["rows"]
	assert len(rows) == len(sys.argv) - 1 == 5
	for name, mine in zip(sys.argv[1:], rows):
	    doc = json.loads(subprocess.check_output(["fs-prio", "--json", "-j", "812154", "-f", name]))
	    row = doc["rows"][0]
	    assert row["priority"] == mine["values"]["priority"] and mine["state"] == "PENDING"
	    for term in row["terms"]:
	        assert mine["values"][term["factor"]] == term["points"], term
	    doc = json.loads(subprocess.check_output(["fs-showq", "--json", "-f", name, "--as", "root"]))
	    assert [r["position"] for r in doc["rows"] if r["jobid"] == 812154] == [mine["values"]["position"]]
	E
}

@test "histories are the same with and without digests" {
	history
	jobs=$(fs-prio --demo --jsonl | sed -n 's/.*"jobid":\([0-9]*\).*/\1/p' | sort -u | paste -sd,)
	fs-share --history H -a --json >shares
	fs-prio --history H -j "$jobs" --json >jobs
	[ "$(wc -c <shares)" -gt 20000 ]
	[ "$(wc -c <jobs)" -gt 20000 ]
	mkdir P
	cp H/*.zst P
	fs-share --history P -a --json | cmp - shares
	fs-prio --history P -j "$jobs" --json | cmp - jobs
	n=0
	for file in "$BATS_TEST_DIRNAME"/../top/*.jsonl; do
		rm -rf H P
		fs-snap check "$file" >/dev/null 2>&1 || [ $? != 3 ] || continue
		n=$((n + 1))
		fs-snap keep H "$file" 2>/dev/null
		mkdir P
		cp H/*.zst P
		jobs=$(fs-prio -f "$file" --as root --jsonl 2>/dev/null | sed -n 's/.*"jobid":\([0-9]*\).*/\1/p' | sort -u | paste -sd,)
		fs-share --as root --history H -a --csv >with || [ $? = 4 ]
		fs-share --as root --history P -a --csv | cmp - with
		fs-prio --as root --history H -j "$jobs" --csv >with || [ $? = 4 ]
		fs-prio --as root --history P -j "$jobs" --csv | cmp - with
	done
	[ "$n" -ge 2 ]
}

@test "a digest does not show what PrivateData hides" {
	history usage,jobs
	mkdir P
	cp H/*.zst P
	for viewer in dana anna nobody root; do
		for ask in "fs-share -a" "fs-share -u dana" "fs-share -u anna" "fs-share -A quantum" "fs-share" \
			"fs-prio -j 812154" "fs-prio -j 812064"; do
			# shellcheck disable=SC2086 # words
			set -- $ask
			"$@" --as "$viewer" --history H --csv >with 2>&1 || [ $? = 4 ]
			"$@" --as "$viewer" --history P --csv >without 2>&1 || [ $? = 4 ]
			sed -i 's/: P: /: H: /' without
			cmp with without
		done
	done
	run -0 fs-share --as root --history H -u dana --csv
	[ "${#lines[@]}" = 6 ]
	run -4 fs-share --as anna --history H -u dana --csv
	run -4 fs-prio --as anna --history H -j 812154
	run -0 fs-prio --as dana --history H -j 812154
}

@test "a damaged, foreign or stale digest changes nothing" {
	history
	fs-share --history H -u dana --csv >expected
	digest=$(echo H/20261122*0100Z.jsonl.zst.digest | cut -d' ' -f1)
	cp "$digest" good
	size=$(stat -c %s good)
	for at in $(seq 0 97 "$size") $((size - 33)) $((size - 1)); do
		cp good "$digest"
		printf '\7' | dd of="$digest" bs=1 seek="$at" conv=notrunc status=none
		fs-share --history H -u dana --csv | cmp - expected
	done
	for n in 0 9 40 $((size / 2)) $((size - 1)); do
		head -c "$n" good >"$digest"
		fs-share --history H -u dana --csv | cmp - expected
	done
	cp good "$digest"
	later 172800 5 >state.jsonl
	fs-snap anonymise state.jsonl -o "${digest%.digest}" 2>/dev/null # another state replaces the digest's snapshot
	run -0 fs-share --history H -u dana --csv
	[ "${#lines[@]}" = 5 ]
}

@test "a history names the greatest change and a command that explains it" {
	later 0 1 >state.jsonl
	fs-snap keep H state.jsonl
	later 3600 9 >state.jsonl
	fs-snap keep H state.jsonl
	run -0 fs-share --history H -u dana
	[[ $output == *"fairshare of dana at quantum changed most between 2026-11-20T16:01:00 and 2026-11-20T17:01:00: from "* ]]
	command=$(sed -n 's/^Why: //p' <<<"$output")
	run -0 $command
	[[ $output == *dana* ]]
	run -0 fs-prio --history H -j 812154
	command=$(sed -n 's/^Why: //p' <<<"$output")
	[[ $command == *--job=812154* ]]
	run -0 $command
}

@test "a history skips links and fifos and refuses a broken snapshot" {
	mkdir H
	run -4 fs-share --history H
	[[ $output == *"the folder has no snapshots"* ]]
	run -1 fs-share --history missing
	cp "$demo" H/a.jsonl
	ln -s "$demo" H/b.jsonl
	mkfifo H/c.jsonl
	run -0 fs-share --history H -u dana --csv
	[ "${#lines[@]}" = 2 ]
	echo broken >H/z.jsonl
	run -3 fs-share --history H -u dana
	[[ $output == *"H/z.jsonl"* ]]
}

@test "--plot fits 80 columns and uses UTF-8 only if supported" {
	history
	run -0 fs-share --history H -u dana --plot
	[[ $output == "fairshare of dana at quantum: 0.703704 from "* ]]
	run -0 fs-prio --history H -j 812154 --plot
	[[ $output == *"#"* ]]
	absent '[^ -~]' <<<"$output"
	LC_ALL=C.UTF-8 run -0 fs-prio --history H -j 812154 --plot
	[[ $output == *$'\xe2\x96\x88'* ]]
	for line in "${lines[@]}"; do
		[ "$(LC_ALL=C.UTF-8 wc -m <<<"$line")" -le 81 ]
	done
}

@test "--history refuses options that do not apply" {
	mkdir H
	for options in "-l" "-o user" "-p" "--sort user" "--usage=computed" "--at +1d" "--spent" "--openmetrics" "--json=slurm" "--csv --plot" \
		"--json --csv" "-f x" "--demo" "-U" "--subtree astro"; do
		# shellcheck disable=SC2086 # words
		run -2 fs-share --history H $options
	done
	run -2 fs-share --demo --csv
	run -2 fs-prio --demo --plot
	for options in "" "-j 1 -l" "-j 1 -u x" "-j 1 --openmetrics" "-j 1 --json --csv" "-j 1 -f x"; do
		# shellcheck disable=SC2086
		run -2 fs-prio --history H $options
	done
	run -2 fs-snap keep
	run -2 fs-snap keep a b c
}

@test "a history's SVG has a mark for each value of the table" {
	history
	fs-share --history H --as root -u dana,emil --svg=share.svg
	fs-share --history H --as root -u dana,emil --csv >share.csv
	fs-prio --history H --as root -j 812154,812168 --svg=prio.svg
	fs-prio --history H --as root -j 812154,812168 --csv >prio.csv
	python3 - <<-'E'
	import csv, xml.etree.ElementTree as E
	svg = "{http://www.w3.org/2000/svg}"
	for name, key, measure in (("share", ("user", "account"), "fairshare"), ("prio", ("jobid", "partition"), "priority")):
	    root = E.parse(name + ".svg").getroot()
	    rows = [r for r in csv.DictReader(open(name + ".csv")) if r[measure]]
	    marks = {r.find(svg + "title").text for r in root.iter(svg + "rect") if r.find(svg + "title") is not None}
	    for r in rows:
	        assert any(m.startswith(r["time"] + ": ") and abs(float(m.split(": ")[1]) - float(r[measure])) < 1e-6 for m in marks), (r, marks)
	    things = {tuple(r[k] for k in key) for r in rows}
	    said = [t.text for t in root.iter(svg + "text") if " of " in t.text]
	    assert len(said) == len(things) > 1, said
	    assert all(0 <= float(l.get(k)) <= 820 for l in root.iter(svg + "line") for k in ("x1", "x2"))
	E
	run -2 fs-share --history H --as root -u dana --svg=x.svg --csv
	run -2 fs-prio --history H --as root -j 812154 --svg=x.svg --json
	run -4 fs-prio --history H --as root -j 1 --svg=x.svg
	[ ! -e x.svg ]
}

@test "a history ignores files of other users, and says so" {
	[ "$(id -u)" = 0 ] || skip "not root: no file can be somebody else's"
	later 0 1 >state.jsonl
	fs-snap keep H state.jsonl
	cp state.jsonl H/20261121T160100Z.jsonl
	chown 12345 H/20261121T160100Z.jsonl
	run -0 --separate-stderr fs-share -u dana --history=H
	[ "$stderr" = "fs-share: H: ignored 1 file of other users" ]
}
