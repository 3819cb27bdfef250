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

@test "names are text there, and --svg goes with --ranges and --forecast alone" {
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

@test "a forecast as a picture: a line for each course, marks that say what they are" {
	fs-explain --demo 812154 --forecast=+5d --svg=job.svg
	fs-share --demo --as dana -u dana --forecast=+7d --svg=user.svg
	fs-explain --demo 812154 --forecast=+5d --json >job.json
	python3 - <<'P'
import json, xml.etree.ElementTree as E
svg = "{http://www.w3.org/2000/svg}"
f = json.load(open("job.json"))["forecast"]
courses = {tuple(p["priority"] for p in a["points"]) for a in f["assumptions"]}
for name, title in (("job.svg", "Priority of job 812154"), ("user.svg", "FairShare of dana in quantum")):
    root = E.parse(name).getroot()
    assert root.find(svg + "title").text == title
    lines = {l.get("class") for l in root.iter(svg + "line")} - {"grid"}
    if name == "job.svg":
        assert len(lines) == len(courses), (lines, len(courses))
        dated = [e for e in f["events"] if e["time"]]
        marks = [r.find(svg + "title") for r in root.iter(svg + "rect") if r.find(svg + "title") is not None]
        assert len(marks) == len(dated), (len(marks), len(dated))
    for l in root.iter(svg + "line"):
        assert all(0 <= float(l.get(k)) <= 760 for k in ("x1", "x2"))
P
	for o in '--json' '--markdown'; do run -2 fs-explain --demo 812154 --forecast --svg=x.svg $o; done
	run -2 fs-explain --demo 812154 --svg=x.svg
	run -2 fs-share --demo --as root -a --forecast --svg=x.svg
	[ ! -e x.svg ]
}
