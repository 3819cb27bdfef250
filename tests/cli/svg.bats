#!/usr/bin/env bats
# Pictures: well-formed, of the numbers of the text, with every name escaped.

load lib

@test "ranges as SVG: well-formed, one bar or mark a row, slices as in the JSON" {
	run -0 fs-share --demo --as root -a --ranges --svg=r.svg
	[ -z "$output" ]
	fs-share --demo --as root -a --algorithm=flux_range --json >doc
	python3 - <<'P'
import json, xml.etree.ElementTree as E
svg = "{http://www.w3.org/2000/svg}"
root = E.parse("r.svg").getroot()
tips = [r.find(svg + "title").text for r in root.iter(svg + "rect")]
rows = [r for r in json.load(open("doc"))["rows"] if r["fairshare"] is not None]
want = {f'{r["low"]:.6f} to {r["fairshare"]:.6f}' for r in rows if not r["user"] and r["fairshare"] > r["low"]}
assert want and want <= set(tips), want - set(tips)
words = [t.text for t in root.iter(svg + "text")]
assert "physics" in words and "dana" in words and not list(root.iter(svg + "script"))
P
}

@test "names are text there, and --svg goes with --ranges alone" {
	snapshot '{"type":"association","id":1,"account":"root","shares":1,"usage_tres_s":1}' \
		'{"type":"association","id":2,"account":"<script>&\"\u202e\u001b[2J","parent":"root","shares":1,"usage_tres_s":1}'
	fs-share -f s.jsonl --as root -a --ranges --svg=r.svg
	python3 -c 'import xml.etree.ElementTree as E; E.parse("r.svg")'
	grep -qF '&lt;script&gt;&amp;&quot;' r.svg
	absent -q '<script' r.svg
	LC_ALL=C absent -q $'\x1b\|\xe2\x80\xae' r.svg
	run -2 fs-share --demo --svg=x.svg
	[ ! -e x.svg ]
	run -1 fs-share --demo --ranges --svg=/nonexistent/x.svg
}
