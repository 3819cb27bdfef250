#!/usr/bin/env bats
# fs-snap ticket writes the state and the page of one job to one file, which every command reads as a snapshot.

load lib

cases=$BATS_TEST_DIRNAME/../cases

demo_job=812064

ticket() {
	cp "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" d.jsonl
	fs-snap ticket "$demo_job" d.jsonl -o t.tar
}

@test "a ticket from tar is read with any amount of padding" {
	ticket
	tar xf t.tar
	for bytes in $(seq 512 512 10240); do
		head -c "$bytes" /dev/zero | tr '\0' x >explanation.md
		tar --format=ustar -cf padded.tar versions.json explanation.md snapshot.jsonl
		run -0 fs-snap check padded.tar
	done
}

# capture KIND NAME [FILE [SCHEDULER]]: imports the capture, whose folder has FILE, to s.jsonl.
capture() {
	mkdir -p "$1-$2"
	tar xJf "$cases/$1/$2.tar.xz" -C "$1-$2"
	dir=$(dirname "$(find "$1-$2" -name "${3:-scontrol_job_o.txt}" | head -1)")
	fs-snap import "${4:-slurm}" "$dir" -o s.jsonl 2>/dev/null
}

# same_pages [N]: fs-explain prints the same from s.jsonl and from a ticket, for the first N pending jobs (1000).
same_pages() {
	jobs=$(sed -n 's/^{"type":"job","id":\([0-9]*\),.*"state":"PENDING".*/\1/p' s.jsonl | head -"${1:-1000}")
	[ "$jobs" ]
	for job in $jobs; do
		fs-snap ticket "$job" s.jsonl -o t.tar 2>/dev/null
		for how in "" --verbose --ahead --json; do
			# shellcheck disable=SC2086 # no word, or one
			fs-explain -f s.jsonl --job "$job" --as root $how >expected 2>/dev/null
			# shellcheck disable=SC2086
			fs-explain -f t.tar --job "$job" --as root $how 2>/dev/null | sed 's/from t\.tar/from s.jsonl/' >got
			[ -s expected ]
			diff expected got
		done
	done
}

@test "a ticket is a private tar archive of four dated files" {
	ticket
	[ "$(tar tf t.tar | tr '\n' ' ')" = "snapshot.jsonl explanation.md explanation.html versions.json " ]
	[ "$(stat -c %a t.tar)" = 600 ]
	tar xf t.tar
	[ "$(stat -c %Y versions.json)" = 1795190460 ]
	python3 - <<-'EOF'
	import json
	v = json.load(open("versions.json"))
	assert v.pop("fs_tools")[0].isdigit()
	assert v == {"cluster": "odyssey", "scheduler": "slurm 26.11.0", "time": 1795190460, "captured": "2026-11-20T16:01:00",
	             "command": "fs-explain -f t.tar --job 812064 --as anna --markdown".split()}, v
	EOF
	LC_ALL=C.UTF-8 fs-explain -f t.tar --job 812064 --as anna --markdown >page
	diff explanation.md page
	LC_ALL=C.UTF-8 fs-explain -f t.tar --job 812064 --as anna --html=page.html
	diff explanation.html page.html
	LC_ALL=C.UTF-8 fs-explain -f d.jsonl --job 812064 --as anna --markdown | sed 's/from d\.jsonl/from t.tar/' | diff explanation.md -
}

@test "a ticket has no usage records, and every command reads it" {
	cp "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" d.jsonl
	grep -q '"type":"usage"' d.jsonl
	fs-snap ticket 812064 d.jsonl -o t.tar
	absent -a '"type":"usage"' t.tar
	for command in "fs-share -a" fs-prio fs-showq "fs-top --once"; do
		diff <($command -f d.jsonl | sed 's/d\.jsonl/t.tar/') <($command -f t.tar)
	done
	fs-snap check t.tar
}

@test "fs-explain prints the same from Slurm tickets as from snapshots" {
	for name in 22.05-s3-base 24.11-s12-multiqos 26.11-s7-ties; do
		capture slurm "$name"
		same_pages 12
	done
}

@test "fs-explain prints the same from Maui and Flux tickets as from snapshots" {
	capture maui living maui.cfg maui
	same_pages 12
	capture flux living flux-jobs_-A_--json.json flux
	same_pages 12
}

@test "--anonymise and --key hide names, and a key gives stable names" {
	printf 'k7Qz02mXv9TjPw4e' >key
	cp "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" d.jsonl
	fs-snap ticket 812064 d.jsonl -o t.tar --key key 2>said
	grep -q 'rows of numbers with the original: all are equal' said
	absent -a -e anna -e astro t.tar
	fs-snap anonymise d.jsonl --key key -o other.jsonl 2>/dev/null
	fs-explain -f other.jsonl --job 812064 --as root | sed 's/other\.jsonl/t.tar/' | diff - <(fs-explain -f t.tar --job 812064 --as root)
	fs-snap ticket 812064 d.jsonl -o u.tar --anonymise 2>/dev/null
	absent -a -e anna -e astro u.tar
}

@test "a ticket with the suffix .zst is compressed" {
	ticket
	fs-snap ticket 812064 d.jsonl -o t.tar.zst
	[ "$(stat -c %s t.tar.zst)" -lt "$(stat -c %s t.tar)" ]
	diff <(fs-showq -f t.tar) <(fs-showq -f t.tar.zst)
}

@test "ticket refuses missing arguments, missing files and unknown jobs" {
	cp "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" d.jsonl
	run fs-snap ticket 812064 d.jsonl
	[ "$status" -eq 2 ]
	run fs-snap ticket
	[ "$status" -eq 2 ]
	run fs-snap ticket 1 d.jsonl -o t.tar
	[ "$status" -eq 1 ] || [ "$status" -eq 4 ]
	[[ $output == *'no job "1"'* ]]
	[ ! -e t.tar ]
	run fs-snap ticket 812064 absent.jsonl -o t.tar
	[ "$status" -eq 1 ]
}

@test "a damaged, unsafe or incomplete ticket is refused with a message" {
	ticket
	python3 - <<-'EOF'
	import io, tarfile
	whole = open("t.tar", "rb").read()
	good = {n: tarfile.open("t.tar").extractfile(n).read() for n in ("snapshot.jsonl", "explanation.md", "explanation.html", "versions.json")}
	def made(name, entries, **header):
	    with tarfile.open(name, "w", format=tarfile.USTAR_FORMAT) as t:
	        for n, body in entries:
	            i = tarfile.TarInfo(n)
	            i.size = len(body)
	            for k, v in header.items():
	                setattr(i, k, v)
	            t.addfile(i, io.BytesIO(body) if i.isreg() else None)
	snap = ("snapshot.jsonl", good["snapshot.jsonl"])
	made("dots.tar", [snap, ("../../etc/x", b"x")])
	made("absolute.tar", [("/snapshot.jsonl", snap[1])])
	made("twice.tar", [snap, snap])
	made("none.tar", [("versions.json", b"x")])
	made("link.tar", [snap], type=tarfile.SYMTYPE, linkname="/etc/passwd", size=0)
	made("folder.tar", [snap], type=tarfile.DIRTYPE, size=0)
	made("page.tar", [("explanation.md", bytes(17 << 20)), snap])
	made("prefix.tar", [("a" * 120 + "/snapshot.jsonl", snap[1])])
	made("fine.tar", [("versions.json", b""), snap])
	for at in (512, 700, 40000, 45000, 48000, len(whole) - 1024, len(whole) - 512 - 1):
	    open(f"cut{at}.tar", "wb").write(whole[:at])
	open("after.tar", "wb").write(whole + b"x" * 512)
	open("zeros.tar", "wb").write(whole + bytes(1 << 20))
	def header(name, field, value):
	    b = bytearray(whole)
	    b[field:field + len(value)] = value
	    b[148:156] = b" " * 8
	    b[148:156] = b"%06o\0 " % sum(b[:512])
	    open(name, "wb").write(b)
	header("huge.tar", 124, b"77777777777\0")
	header("bin.tar", 124, b"\x80" + b"\xff" * 11)
	header("unended.tar", 124, b"777777777777")
	header("letters.tar", 124, b"-1\0")
	b = bytearray(whole); b[5] ^= 1; open("sum.tar", "wb").write(b)
	b = bytearray(whole); b[512:1024] = b"\0" * 512; open("broken.tar", "wb").write(b)
	EOF
	fs-showq -f fine.tar >/dev/null
	refused() {
		run --separate-stderr timeout 20 fs-showq -f "$1.tar"
		[ "$status" -eq 3 ] && [[ $stderr == *"$2"* && -z $output ]]
	}
	for name in dots absolute link folder prefix; do
		refused "$name" "not a ticket: the archive contains another file, a folder or a link"
	done
	refused twice "a file twice"
	refused none "the ticket contains no snapshot"
	refused page "a file in the ticket is larger than the maximum"
	for name in bin unended letters; do
		refused "$name" "the ticket is damaged: a file has an invalid size"
	done
	for file in cut*.tar; do
		refused "${file%.tar}" "the ticket is truncated"
	done
	refused huge ""
	refused after "the ticket has data after its end"
	refused zeros "the ticket has data after its end"
	refused sum "the ticket is damaged: invalid header"
	refused broken ""
}
