#!/usr/bin/env bats
# Pictures are well-formed, show the numbers of the text, and escape every name.

load lib

@test "--ranges --svg draws the slices of the JSON document" {
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

@test "fs-share --svg escapes names and requires --ranges or --forecast" {
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

@test "a forecast's picture has a line per course and labelled marks" {
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
    assert root.find(svg + "title").text.startswith(title)
    lines = {l.get("class") for l in root.iter(svg + "line")} - {"grid"}
    if name == "job.svg":
        assert len(lines) == len(courses), (lines, len(courses))
        dated = [e for e in f["events"] if e["time"]]
        marks = [r.find(svg + "title") for r in root.iter(svg + "rect") if r.find(svg + "title") is not None]
        assert len(marks) == len(dated), (len(marks), len(dated))
    for l in root.iter(svg + "line"):
        assert all(0 <= float(l.get(k)) <= 940 for k in ("x1", "x2"))
P
	for o in '--json' '--markdown'; do run -2 fs-explain --demo 812154 --forecast --svg=x.svg $o; done
	run -2 fs-explain --demo dana --svg=x.svg
	run -2 fs-share --demo --as root -a --forecast --svg=x.svg
	[ ! -e x.svg ]
}

@test "the picture of the answer has the summary, the bars and the timeline" {
	fs-explain --demo --as dana 812154 --svg=a.svg
	fs-explain --demo --as dana 812154 --brief >brief
	python3 - <<'P'
import xml.etree.ElementTree as E
svg = "{http://www.w3.org/2000/svg}"
root = E.parse("a.svg").getroot()
words = " ".join(" ".join(t.text or "" for t in root.iter(svg + "text")).split())
for label in ("Why", "When", "Ahead", "What you can do"):
    assert label in words, label
line = " ".join(open("brief").read().split("\n")[0].split())
assert line in words, (line, words)
tips = [t.text for r in root.iter(svg + "rect") for t in r.iter(svg + "title")]
assert any(t.startswith("job 812154 of dana, planned") for t in tips) and any(t.startswith("FAIRSHARE") for t in tips)
assert "812168 emil" in words and "gpu01" in words
P
	for o in --json --markdown '--versus 812168' '--html x.html'; do run -2 fs-explain --demo 812154 --svg=x.svg $o; done
	[ ! -e x.svg ]
}

@test "the plan's picture shows every node and every planned job" {
	fs-showq --demo --as root --plan --svg=plan.svg
	fs-showq --demo --as root --start 812154 --svg=job.svg
	fs-showq --demo --as root --plan --json >plan.json
	python3 - <<'P'
import json, re, xml.etree.ElementTree as E
svg = "{http://www.w3.org/2000/svg}"
rows = [r for r in json.load(open("plan.json"))["rows"] if r.get("plan") and r["plan"]["start_time"] and r["plan"]["nodes"]]
def read(name):
    root = E.parse(name).getroot()
    tips = [t.text for r in root.iter(svg + "rect") for t in r.iter(svg + "title")]
    return [t.text for t in root.iter(svg + "text")], tips
words, tips = read("plan.svg")
assert {n for r in rows for n in r["plan"]["nodes"]} <= set(words)
last = max(r["plan"]["start_time"] for r in rows)
planned = [re.match(r"job (\S+) of (\S+), planned", t) for t in tips]
planned = [m.groups() for m in planned if m]
assert set(planned) == {(str(r["jobid"]), r["user"]) for r in rows}, planned
assert any(" is running" in t for t in tips)
words, tips = read("job.svg")
row = next(r for r in rows if r["jobid"] == 812154)
assert [w for w in words if w in {n for r in rows for n in r["plan"]["nodes"]}] == row["plan"]["nodes"]
P
	run -2 fs-showq --demo --svg=x.svg
	run -2 fs-showq --demo --plan --json --svg=x.svg
	run -4 fs-showq --demo --as root --start 1 --svg=x.svg
	[ ! -e x.svg ]
}

@test "each bar of fs-prio --svg adds up to the job's priority" {
	fs-prio --demo --as root --svg=p.svg
	fs-prio --demo --as root --json >p.json
	python3 - <<'P'
import json, re, xml.etree.ElementTree as E
svg = "{http://www.w3.org/2000/svg}"
root = E.parse("p.svg").getroot()
sums = {}
for r in root.iter(svg + "rect"):
    t = r.find(svg + "title")
    if t is not None:
        sums[float(r.get("y"))] = sums.get(float(r.get("y")), 0) + int(t.text.rsplit(" ", 1)[1])
rows = sorted(json.load(open("p.json"))["rows"], key=lambda r: -r["priority"]) # bars are in the order of the queue
step = sorted(sums)[1] - sorted(sums)[0]
for i, row in enumerate(rows):
    points = sums.get(72 + i * step)
    assert points is None if row["direct"] else abs(points - row["priority"]) <= 6, (i, points, row["priority"])
assert len(sums) == sum(not r["direct"] for r in rows) > 40
P
	run -4 fs-prio --demo --as root -j 1 --svg=x.svg
	run -2 fs-prio --demo --json --svg=x.svg
	[ ! -e x.svg ]
}

@test "--html writes a well-formed page that fetches nothing and escapes names" {
	fs-explain --demo --as dana 812154 --html=j.html
	LC_ALL=C.UTF-8 fs-explain --demo --as dana 812154 --brief >brief
	python3 - <<'P'
import html.parser, re
text = open("j.html").read()
void = {"meta", "rect", "line"}
class P(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.words, self.seen = [], [], set()
    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        if tag not in ("meta",):
            self.open.append(tag)
        for k, v in attrs:
            assert not k.startswith("on") and k not in ("src", "href"), (tag, k)
    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)
    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open[-3:])
        self.open.pop()
    def handle_data(self, data):
        self.words.append(data)
p = P()
p.feed(text)
assert not p.open and "script" not in p.seen and {"svg", "table", "h1", "h2"} <= p.seen, p.open
assert set(re.findall(r"https?://[^\"' ]*", text)) == {"http://www.w3.org/2000/svg"}
said = " ".join(" ".join(p.words).split())
for line in re.sub(r"\n {17}", " ", open("brief").read()).splitlines():
    if line.strip():
        assert " ".join(line.split()) in said, line
P
	head='{"type":"snapshot","format":1,"time":1000,"cluster":"<script>&\"c","scheduler":"slurm 26.11.0"}'
	snapshot '{"type":"partition","name":"<b onload=x>"}' \
		'{"type":"job","id":7,"user":"<script>alert(1)</script>","account":"a\u202eb\u001b[2J","name":"n","state":"PENDING","partitions":["<b onload=x>"],"reason":"Priority"}'
	fs-explain -f s.jsonl --as root 7 --html=k.html
	grep -qF '&lt;script&gt;' k.html
	absent -qi '<script\|<b onload' k.html
	LC_ALL=C absent -q $'\x1b\|\xe2\x80\xae' k.html
	for o in --json --markdown --brief --ahead --forecast; do run -2 fs-explain --demo 812154 --html=x.html $o; done
	run -2 fs-explain --demo dana --html=x.html
	run -2 fs-explain --demo --html=x.html
	[ ! -e x.html ]
}
