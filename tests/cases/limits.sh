#!/bin/bash
# The usage of limits in the captures of tests/cases/slurm and tests/cases/limits (where jobs wait for every kind of
# limit, with and without AccountingStorageEnforce=safe), compared with the output of `scontrol show assoc_mgr`:
#   - of every association, QOS, user and account in it, every limit and TRES, set or not (limit_use.c);
#   - of every pending job whose reason is a limit: fs-explain finds that limit and reports that it blocks the job.
# Value
#     and usage of this limit and of all other limits that fs-explain lists, for the job and for some jobs with other
#     reasons, are those of scontrol.
# Usage: limits.sh BIN_DIR LIMIT_USE [CASE]...
. "$(dirname "$0")/lib.sh"
limit_use=$(realpath "$2")
shift 2

check_jobs() {
	python3 - "$1" "$bin" "$work/s.jsonl" "$work/case/in/scontrol_assoc_mgr_o.txt" <<-'PY'
	import json, re, subprocess, sys
	case, bin, snapshot, text = sys.argv[1:]
	keys = {"MaxTRESPerJob": "MaxTRESPJ", "MaxTRESPerNode": "MaxTRESPN", "MaxTRESMinsPerJob": "MaxTRESMinsPJ",
	        "MinTRESPerJob": "MinTRESPJ", "MaxWall": "MaxWallPJ"}
	lines = open(text).read().splitlines()
	uids = {u: n for n, u in re.findall(r"UserName=(\S+)\((\d+)\)", "\n".join(lines))}

	def places(limit):
	    "what scontrol printed of the associations or the QOS that have the limit"
	    if limit["scope"] in ("association", "account"):
	        user = limit["whose"] if limit["scope"] == "association" else ""
	        return [l for l in lines if l.startswith("ClusterName=") and " Account=%s " % limit["of"] in l
	                and re.search(r" UserName=%s(\(\d+\))? " % re.escape(user), l)]
	    line = [l for l in lines if l.startswith("QOS=%s(" % limit["of"])]
	    if limit["limit"][-2:] not in ("PU", "PA"):
	        return line
	    of_user = limit["limit"].endswith("PU")
	    for name, inside in re.findall(r" ([^ =]+)=\{([^}]*)\}", line[0]):
	        if inside.startswith("MaxJobsPU" if of_user else "MaxJobsPA"):
	            who = uids.get(re.sub(r".*\(|\)", "", name)) if of_user else name
	            if who == limit["whose"]:
	                return [" %s " % inside]
	    return []

	def printed(limit, line):
	    "limit and use; None: not shown"
	    key = keys.get(limit["limit"], limit["limit"])
	    v = re.search(r" %s=(\S*)" % key, line)
	    v = v.group(1) if v else ""
	    if limit["tres"]:
	        v = dict(i.split("=") for i in v.split(",") if i).get(limit["tres"], "")
	    m = re.match(r"([\dN]*)([KMGTP]?)(?:\(([\d.]*)\))?$", v)
	    value = int(m.group(1)) * 1024 ** ("KMGTP".index(m.group(2)) - 1 if m.group(2) else 0) \
	        if m.group(1) not in ("", "N") else None
	    return value, float(m.group(3)) if m.group(3) else None

	# the other job of its user had ended since the scheduler last tried it
	stale = {("22.05-s3-basic", 37)}
	bad = jobs = others = limits = 0
	for record in map(json.loads, open(snapshot)):
	    if record["type"] != "job" or record["state"] != "PENDING":
	        continue
	    waits = re.match(r"Assoc(Grp|Max)|QOS(Grp|Max|Min)|Max\w+Per(Account|User)$", record.get("reason", ""))
	    others += not waits
	    if not waits and others > 20:
	        continue
	    doc = json.loads(subprocess.run([bin + "/fs-explain", "-f", snapshot, "--as", "root", "--json",
	                                     "--job", str(record["id"])], check=True, capture_output=True).stdout)
	    if waits:
	        jobs += 1
	        first = doc["limits"][0] if doc["limits"] else {"named": False}
	        shut = all(c["blocked"] or c["never"] for c in doc["choices"])
	        if not first["named"] or (not (first["blocks"] and shut) and (case, record["id"]) not in stale):
	            bad += 1
	            print("%s: job %d waits for %s, fs-explain has %s" % (case, record["id"], record["reason"], doc["limits"]))
	    for limit in doc["limits"]:
	        scale = 60 if limit["limit"] in ("GrpWall", "MaxWall") else 1
	        limits += 1
	        figures = [printed(limit, l) for l in places(limit)]
	        if not any(value is not None and int(value * limit["factor"]) * scale == limit["value"] and
	                   (limit["used"] is None or abs(limit["used"] / scale - used) < (0.00501 if scale > 1 else 1e-9))
	                   for value, used in figures):
	            bad += 1
	            print("%s: job %d: %s: scontrol has %s" % (case, record["id"], limit, figures))
	print("%-36s %4d jobs wait for a limit, %4d limits" % (case, jobs, limits))
	sys.exit(bad != 0)
	PY
}

check_case() {
	rm -rf "$work/case"
	mkdir "$work/case"
	tar -xJf "$here"/*/"$1.tar.xz" -C "$work/case" --strip-components=1 || exit 1
	"$bin/fs-snap" import slurm "$work/case/in" -o "$work/s.jsonl" 2>/dev/null || exit 1
	"$limit_use" "$work/s.jsonl" "$work/case/in/scontrol_assoc_mgr_o.txt" >"$work/figures"
	if grep -q " figures, 0 differ\$" "$work/figures" && check_jobs "$1"; then
		passed=$((passed + 1))
	else
		fail "$1" "limits or use differ from scontrol's"
	fi
	sed "s/^/$1: /" "$work/figures"
}

if [ $# -eq 0 ]; then
	for archive in $("$here/archives.sh" limits slurm); do
		set -- "$@" "$(basename "$archive" .tar.xz)"
	done
fi
for case; do
	check_case "$case"
done
echo "limits: $passed passed, $failed failed"
[ $failed = 0 ]
