#!/usr/bin/env bats
# Local times across the beginning and the end of daylight saving: imports with --tz, and printed times.

load lib

setup_file() {
	[ -r /usr/share/zoneinfo/Europe/Berlin ] || skip "no tz database"
}

# moved HOURS: writes case/ to moved/ with all times in Berlin's local time. The capture is HOURS after the end of daylight
# saving (2026-10-25 01:00 UTC).
moved() {
	python3 - "$1" <<-'PY'
	import datetime as d, os, re, sys
	from zoneinfo import ZoneInfo
	utc, zone = d.timezone.utc, ZoneInfo('Europe/Berlin')
	begin = float(open('case/in/date_begin').read())
	shift = int(1792890000 + float(sys.argv[1]) * 3600 - begin)
	def local(m):
	    t = d.datetime.fromisoformat(m[0]).replace(tzinfo=utc) + d.timedelta(seconds=shift)
	    return t.astimezone(zone).strftime('%Y-%m-%dT%H:%M:%S')
	os.makedirs('moved', exist_ok=True)
	for name in os.listdir('case/in'):
	    text = open('case/in/' + name, errors='surrogateescape').read()
	    text = str(begin + shift) if name == 'date_begin' else re.sub(r'\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d', local, text)
	    if name == 'sdiag.txt':
	        text = re.sub(r'\((\d{10})\)', lambda m: '(%d)' % (int(m[1]) + shift), text)
	    open('moved/' + name, 'w', errors='surrogateescape').write(text)
	PY
}

@test "--tz imports local times around the change as if in UTC" {
	local name hours
	for name in 26.11-s3-base 22.05-s3-base; do
		rm -rf case moved
		mkdir case
		tar -xJf "$BATS_TEST_DIRNAME/../cases/slurm/$name.tar.xz" -C case --strip-components=1
		fs-snap import slurm case/in -o utc.jsonl 2>/dev/null
		fs-prio -f utc.jsonl --as root -l >want
		[ "$(wc -l <want)" -gt 3 ]
		for hours in 0.001 0.01 0.1 1.5 30 -0.001 -200; do
			moved "$hours"
			run -0 --separate-stderr fs-snap import slurm moved --tz Europe/Berlin -o berlin.jsonl
			if [[ $stderr != *"came twice"* ]]; then
				diff want <(fs-prio -f berlin.jsonl --as root -l) || { echo "$name $hours"; return 1; }
			fi
		done
		moved 1.5
		fs-snap import slurm moved --tz Europe/Berlin -o berlin.jsonl 2>/dev/null
		diff want <(fs-prio -f berlin.jsonl --as root -l)
		run -3 --separate-stderr fs-snap import slurm moved --tz Asia/Tokyo -o no.jsonl
		[[ $stderr == *"the local times in the files are UTC+1 h, but the time zone of --tz has another offset"* ]]
		[ ! -e no.jsonl ]
	done
	run -2 fs-snap import slurm moved --tz Europe/Nowhere
	run -2 fs-snap import slurm moved --tz ../../etc/passwd
	run -2 fs-snap import flux moved --tz Europe/Berlin
}

small() { # SUBMIT START: a capture at 2026-10-25T12:00:00 UTC
	mkdir -p small
	echo 1792929600 >small/date_begin
	printf 'Configuration data as of 2026-10-25T13:00:00\nClusterName = c\nSLURM_VERSION = 24.05.3\n' >small/scontrol_config.txt
	echo "JobId=1 JobName=x UserId=u(1) GroupId=g(1) Priority=1 JobState=RUNNING Partition=p SubmitTime=$1 EligibleTime=$1 StartTime=$2 NumNodes=1 NumCPUs=1 Network=(null)" >small/scontrol_job_o.txt
}

submitted() {
	grep -o '"submit_time":[0-9]*' "$1" | cut -d: -f2
}

@test "ambiguous and nonexistent local times are reported" {
	small 2026-10-25T02:30:00 2026-10-25T04:00:00
	run -0 --separate-stderr fs-snap import slurm small --tz Europe/Berlin -o s.jsonl
	[[ $stderr == *"ambiguous, because the clock was set back: the import uses the earlier time (ambiguous times: "* ]]
	[ "$(submitted s.jsonl)" = 1792888200 ]
	[[ $(fs-snap check s.jsonl) == *"ambiguous"* ]]
	small 2026-03-29T02:30:00 2026-10-25T04:00:00
	run -0 --separate-stderr fs-snap import slurm small --tz Europe/Berlin -o s.jsonl
	[[ $stderr == *"a local time does not exist in the time zone"* ]]
	small 2026-10-24T12:00:00 2026-10-25T04:00:00
	run -0 --separate-stderr fs-snap import slurm small --tz Europe/Berlin -o s.jsonl
	[[ $stderr != *"local time"* ]]
	[ "$(submitted s.jsonl)" = 1792836000 ]
	[[ $(fs-showq -f s.jsonl --as root --json) == *'"submit_time":1792836000'* ]]
	FS_SHOWQ_STYLE=tacc run -0 fs-showq -f s.jsonl --as root
	[[ $output == *"Sun Oct 25 04:00:00"* ]]
	fs-snap check s.jsonl >/dev/null
}

@test "the header's UTC offsets set printed times; invalid offsets are refused" {
	local h='{"type":"snapshot","format":1,"time":1792929600,"cluster":"c","scheduler":"slurm 26.11.0","utc_offset_s":3600,"utc_offsets":'
	local j='{"type":"job","id":1,"state":"RUNNING","user":"u","start_time":1792836000,"time_limit_s":600000}'
	printf '%s["0 7200","1792890000 3600"]}\n%s\n' "$h" "$j" >s.jsonl
	run -0 fs-showq -f s.jsonl --as root
	[[ $output == *"Sat Oct 24 12:00:00"* ]]
	for bad in '["1 2 3"]' '["x 3600"]' '["5 3600","4 7200"]' '["5 99999999"]'; do
		printf '%s%s}\n%s\n' "$h" "$bad" "$j" >s.jsonl
		run -3 --separate-stderr fs-showq -f s.jsonl
		[[ $stderr == *utc_offsets* ]]
	done
}

@test "--tz applies to the dates of Maui's showq" {
	mkdir m
	printf 'RMPOLLINTERVAL 60\nFSPOLICY NONE\n' >m/maui.cfg
	# At 2026-10-25 12:00 UTC job 1 has run since 10:00 UTC of the day before, with a limit of 30 hours.
	printf 'ACTIVE JOBS--------------------\nJOBNAME            USERNAME      STATE  PROC   REMAINING            STARTTIME\n\n1                     ann    Running     4     4:00:00  Sat Oct 24 12:00:00\n\n     1 Active Job        4 of    8 Processors Active (50.00%%)\n\nIDLE JOBS----------------------\nJOBNAME            USERNAME      STATE  PROC     WCLIMIT            QUEUETIME\n\n2                     bob       Idle     4    30:00:00  Sun Oct 25 12:30:00\n\n1 Idle Job\n\nBLOCKED JOBS----------------\nJOBNAME            USERNAME      STATE  PROC     WCLIMIT            QUEUETIME\n\n\nTotal Jobs: 2   Active Jobs: 1   Idle Jobs: 1   Blocked Jobs: 0\n' >m/showq.txt
	fs-snap import maui m --tz Europe/Berlin --at 1792929600 -o s.jsonl
	[ "$(grep -o '"start_time":[0-9]*' s.jsonl)" = '"start_time":1792836000' ]
	[ "$(grep '"bob"' s.jsonl | grep -o '"submit_time":[0-9]*')" = '"submit_time":1792927800' ]
	run -0 fs-showq -f s.jsonl --as root
	[[ $output == *"Sat Oct 24 12:00:00"*"Sun Oct 25 12:30:00"* ]]
}
