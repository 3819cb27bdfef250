#!/usr/bin/env bats
# fs-snap check and verify print JSON with everything that the text shows, valid by the installed schemas.

load lib

top=$BATS_TEST_DIRNAME/../..

# follows NAME: out.json has exactly the members of the schema NAME. If jsonschema is installed, it checks the values.
follows() {
	python3 - "$top/man/$1-1.schema.json" <<-'PY'
	import json, sys
	schema, doc = json.load(open(sys.argv[1])), json.load(open("out.json"))
	row = schema["$defs"]["row"]
	assert list(doc) == schema["required"] == list(schema["properties"]), list(doc)
	assert doc["schema"] == schema["properties"]["schema"]["const"]
	for r in doc["rows"]:
	    assert list(r) == row["required"] == list(row["properties"]), list(r)
	PY
	if python3 -c 'import jsonschema' 2>/dev/null; then
		python3 -W ignore -m jsonschema -i out.json "$top/man/$1-1.schema.json"
	fi
}

@test "check --json has the rows and notes of the text" {
	local file
	for file in "$top/cmd/demo.jsonl" "$top/tests/top/maui.jsonl" "$top/tests/cli/examples/flux.jsonl"; do
		fs-snap check "$file" >text
		fs-snap check --json "$file" >out.json
		follows fs-check
		python3 - <<-'PY'
		import json
		doc, text = json.load(open("out.json")), open("text").read().splitlines()
		notes = [l[6:] for l in text if l.startswith("note: ")]
		notes = [n for n in notes if not n.endswith(" more; --json lists all")]
		assert [n for n in doc["notes"] if n in notes] == notes, (doc["notes"], notes)
		rows = {l.split()[0]: int(l.split()[1]) for l in text[1:] if l.split()[1:] and l.split()[1].isdigit()}
		assert rows == {r["type"]: r["records"] for r in doc["rows"]}
		PY
	done
	printf '{}\n' >bad.jsonl
	run -3 --separate-stderr fs-snap check --json bad.jsonl
	[ -z "$output" ]
	run -2 fs-snap index --json "$top/cmd/demo.jsonl"
}

@test "verify --json has the columns and the exit status of the text" {
	local root='{"type":"association","id":1,"account":"root","shares":1,"usage_tres_s":0}'
	snapshot '{"type":"config","PriorityType":"priority/multifactor"}' "$root"
	run -4 --separate-stderr fs-snap verify --json s.jsonl
	printf '%s\n' "$output" >out.json
	follows fs-verify
	python3 -c 'import json; d = json.load(open("out.json")); assert (d["compared"], d["differ"], d["notes"]) == (0, 0, [])'
	tar -xf "$top/tests/cases/slurm/22.05-s1-fairtree.tar.xz"
	fs-snap import slurm 22.05-s1-fairtree/in -o v.jsonl
	fs-snap verify v.jsonl >text
	fs-snap verify --json v.jsonl >out.json
	follows fs-verify
	python3 - <<-'PY'
	import json
	doc, text = json.load(open("out.json")), [l.split() for l in open("text")]
	assert doc["compared"] > 0 == doc["differ"]
	assert [[r["column"], str(r["compared"]), str(r["differ"])] for r in doc["rows"]] == [l for l in text[1:] if len(l) == 3]
	PY
}

@test "--json works with every other option or is refused" {
	python3 "$BATS_TEST_DIRNAME/json_pairs.py" "$FS_BIN" "$BATS_TEST_DIRNAME/examples/flux.jsonl" \
		"$BATS_TEST_DIRNAME/../top/maui.jsonl"
}
