"""Checks statements about later times with a stepped clock: points and events of a forecast, events that never come,
jobs that never start, and commands given a cycle later. Used by whatif.py."""
import json
import os
import tempfile

HOUR = 3600
CYCLE = 30  # bf_interval: a command takes effect at the latest after this time
LONG = [HOUR, 24 * HOUR, 7 * 24 * HOUR, 60 * 24 * HOUR]
WORDS = 50  # jobs that one command names


class Clock:
    def __init__(self, snapshot, run, fail, counts, known):
        """known: commands that are known to be harmful a cycle later."""
        self.snapshot, self.run, self.fail, self.counts, self.known = snapshot, run, fail, counts, known
        self.kept, self.files, self.folder = {}, {}, tempfile.TemporaryDirectory()
        with open(snapshot, encoding="utf-8") as f:
            self.head, *self.lines = f.read().splitlines()
        self.head = json.loads(self.head)
        self.head.pop("records", None)

    def ask(self, file, command, *words):
        key = (file, command, words)
        if key not in self.kept:
            self.kept[key] = self.run(command, "-f", file, *words) or {}
        return self.kept[key]

    # ---- priorities and ranks: with --at, running jobs continue until their limits

    def at(self, t, command, *words):
        """At the snapshot's own time the priorities are the recorded ones."""
        return self.ask(self.snapshot, command, *([] if t == self.head["time"] else [f"--at={t}"]), *words)

    def best_place(self, t, job, partition):
        sums = self.at(t, "fs-explain", str(job)).get("sums") or []
        return min((s["position"] for s in sums if s["partition"] == partition and s["position"]), default=None)

    def job_is_before(self, t, job, other, partition):
        places = [self.best_place(t, j, partition) for j in (job, other)]
        return None if None in places else places[0] < places[1]

    def level(self, t, who):
        for row in self.at(t, "fs-share", "-a").get("rows", []):
            if all((row.get(k) or None) == (who[k] or None) for k in ("account", "user", "partition")):
                return float("inf") if row["level_fs"] == "inf" else row["level_fs"]
        return None

    def is_before(self, t, event, partition):
        """Returns None if it is unknown or even."""
        if event["kind"].startswith("job_"):
            return self.job_is_before(t, event["jobid"], event["other_jobid"], partition)
        own, other = self.level(t, event["own"]), self.level(t, event["other"])
        return None if own is None or other is None or own == other else own > other

    def check_event(self, event, until, partition):
        wanted = event["kind"].endswith("passes")
        if event["time"]:
            self.counts["events"] += 1
            stands = [(t, self.is_before(t, event, partition)) for t in (event["before"]["time"], event["time"])]
            if stands[0][1] == wanted or stands[1][1] == (not wanted):
                self.fail("event", json.dumps(event), stands)
            return
        for step in LONG:
            t = self.head["time"] + step
            if event["never"] or t <= until:
                self.counts["nevers"] += 1
                if self.is_before(t, event, partition) == wanted:
                    self.fail("never", json.dumps(event), "but at", t)

    def check_points(self, job, points, partition):
        for point in points[1 :: max(1, len(points) // 3)]:
            rows = [r for r in self.at(point["time"], "fs-prio").get("rows", []) if r["jobid"] == job]
            known = {r["priority"] for r in rows if r["partition"] == partition}
            self.counts["points"] += 1
            if known and None not in known and point["priority"] is not None and point["priority"] not in known:
                self.fail("forecast", job, point, "but", known)

    def check_forecast(self, job):
        page = self.ask(self.snapshot, "fs-explain", str(job), "--forecast")
        forecast, sums = page.get("forecast"), page.get("sums")
        if not forecast or not sums:
            return
        partition = sums[0]["partition"]
        for assumed in forecast["assumptions"]:
            if assumed["name"] == "running":
                self.check_points(job, assumed["points"], partition)
        for event in forecast["events"]:
            if "running" in event["assumptions"] and event["kind"] in ("passes", "passed", "job_passes", "job_passed"):
                self.check_event(event, forecast["until"], partition)

    # ---- plans use only the snapshot's clock: a snapshot of a later time is written

    def line_at(self, line, t, ended):
        record = json.loads(line)
        if record["type"] == "job" and record["state"] == "RUNNING" and isinstance(record.get("time_limit_s"), int):
            if record["start_time"] + record["time_limit_s"] <= t:
                ended.append(str(record["id"]))
        if record["type"] == "job" and record["state"] == "PENDING":
            for told in ("start_time", "end_time", "sched_nodes"):
                record.pop(told, None)
        return json.dumps(record, separators=(",", ":"))

    def later(self, seconds):
        """Returns a file of that time, and options that end the jobs at their time limits; no job has started."""
        if seconds not in self.files:
            ended, t = [], self.head["time"] + seconds
            lines = [json.dumps({**self.head, "time": t}, separators=(",", ":"))]
            lines += [self.line_at(line, t, ended) for line in self.lines]
            file = os.path.join(self.folder.name, f"{seconds}.jsonl")
            with open(file, "w", encoding="utf-8") as f:
                f.write("".join(line + "\n" for line in lines))
            cancels = ["scancel " + " ".join(ended[i : i + WORDS]) for i in range(0, len(ended), WORDS)]
            self.files[seconds] = file, [w for c in cancels for w in ("--if", c)]
        return self.files[seconds]

    def rows(self, seconds, job, *words):
        file, ends = self.later(seconds)
        return [r for r in self.ask(file, "fs-showq", "--plan", *ends, *words).get("rows", []) if r["jobid"] == job]

    def start(self, seconds, job, *words):
        starts = [(r.get("plan") or {}).get("start_time") for r in self.rows(seconds, job, *words)]
        return min((s for s in starts if s is not None), default=None)

    def check_verdict(self, job):
        """A job that never starts does not start later either, and a begin time is reached."""
        now = {r["verdict"] for r in self.rows(0, job)}
        for seconds in LONG:
            self.counts["verdicts"] += 1
            then, start = {r["verdict"] for r in self.rows(seconds, job)}, self.start(seconds, job)
            if now == {"never"} and (then - now or start):
                self.fail(job, "never starts, but", seconds, "s later", then, start)
        for begins in {r["plan"]["start_time"] for r in self.rows(0, job) if r["plan"] and r["plan"]["state"] == "not before"}:
            if "begin" in {r["verdict"] for r in self.rows(begins - self.head["time"], job)}:
                self.fail(job, "waits for", begins, "then too")

    def check_advice(self, job, advice):
        """A cycle later the command is harmless."""
        self.counts["later"] += 1
        without, by = self.start(CYCLE, job), self.start(CYCLE, job, "--if", advice["command"])
        harms = without is not None and (by is None or by > without)
        if harms and advice["command"] in self.known:
            self.counts["known"] += 1
        elif harms:
            self.fail(job, advice["command"], CYCLE, "s later starts it", by, "and not", without)
        elif advice["command"] in self.known:
            self.fail(advice["command"], "is known to do harm a cycle later, and does none")
