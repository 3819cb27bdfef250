#!/usr/bin/env bats
# Control characters, invisible characters and invalid UTF-8 in every field, command, format and output stream.

load lib

@test "no field, file name or argument reaches a terminal unescaped" {
	command -v python3 >/dev/null || skip "no python3"
	python3 "$BATS_TEST_DIRNAME/hostile.py" "$FS_BIN" "$BATS_TEST_DIRNAME/../.." "${HOSTILE_STEP:-20}"
}

@test "JSON and YAML preserve the original text" {
	snapshot '{"type":"association","id":1,"account":"root","shares":1}' \
		'{"type":"association","id":2,"account":"root","user":"a\u001b[31mb\u009b\u202e\ud83d\ude00: é","shares":1}'
	fs-share -f s.jsonl -a --json >out.json
	fs-share -f s.jsonl -a --json=slurm >slurm.json
	LC_ALL=C absent -q $'[\001-\011\013-\037\177\233]' out.json slurm.json
	python3 - <<-'PY'
	import json
	name = "a\x1b[31mb\x9b\u202e\U0001f600: é"
	assert name in [r["user"] for r in json.load(open("out.json"))["rows"]]
	assert '"' + "a\\u001b[31mb\\u009b\\u202e\U0001f600: é" + '"' in open("slurm.json").read()
	PY
	fs-share -f s.jsonl -a --yaml >out.yaml
	grep -qF '!!str "a\u001b[31mb\u009b\u202e😀: é"' out.yaml
}

@test "valid UTF-8 is printed unchanged" {
	snapshot '{"type":"association","id":1,"account":"root","shares":1}' \
		'{"type":"association","id":2,"account":"root","user":"jürgen日","shares":1}'
	[[ "$(fs-share -f s.jsonl -aP)" == *"|jürgen日|"* ]]
	[[ "$(fs-share -f s.jsonl -a)" == *" jürgen日 "* ]]
	[[ "$(fs-share -f s.jsonl -a --yaml)" == *"!!str jürgen日"* ]]
}

@test "documents preserve every name" {
	command -v python3 >/dev/null || skip "no python3"
	python3 "$BATS_TEST_DIRNAME/names.py" "$FS_BIN"
}
