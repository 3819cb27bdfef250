#!/usr/bin/env bats
# fs-snap anonymise: all names are replaced, no number changes, the same key gives the same names.

load lib

demo=$BATS_TEST_DIRNAME/../../cmd/demo.jsonl

# names FILE: prints the names in FILE that must not be in the copy.
names() {
	python3 - "$1" <<-'EOF'
	import json, re, sys
	stays = {"root", "normal", "DEFAULT", "NOGROUP", "[NONE]", "", "ALL", "NONE", "none", "all", "(null)", "N/A", "*"}
	found = set()
	for line in open(sys.argv[1]):
	    r = json.loads(line)
	    for k in "cluster captured_by user account parent partition default_qos default_account group reservation comment".split():
	        found.add(r.get(k) or "")
	    for k in "partitions queues projects coordinates allow_accounts allow_groups deny_accounts users accounts".split():
	        found.update(r.get(k) or [])
	    if r["type"] in ("user", "qos", "partition", "reservation", "job", "credential"):
	        found.add(r.get("name") or "")
	    if r["type"] == "node":
	        found.update(re.findall(r"[A-Za-z][A-Za-z_.]*", r["name"]))
	print("\n".join(sorted(n for n in found - stays if len(n) > 2)))
	EOF
}

@test "anonymise replaces every name" {
	names "$demo" >names
	[ "$(wc -l <names)" -gt 40 ]
	fs-snap anonymise "$demo" -o out.jsonl
	grep -v '"type":"config"' out.jsonl | sed -E 's/"([a-z_]+)":/\n/g; s,gres/gpu,,g; s/"gpu:[0-9]+"//g' >values
	absent -wFf names values
	fs-snap check out.jsonl
	fs-snap verify out.jsonl | tail -1 | grep -q 'agree$' || [ $? = 1 ]
}

@test "anonymise changes no number" {
	local c
	fs-snap anonymise "$demo" -o out.jsonl
	fs-share -f "$demo" -a --json=pretty >share.a
	fs-share -f out.jsonl -a --json=pretty >share.b
	for c in share.a share.b; do
		grep -E '"(raw_usage|fairshare|level_fs|rank|norm_shares)"' $c | sort >$c.n
	done
	cmp share.a.n share.b.n
	diff <(fs-prio -f "$demo" -h -o '%i %Y %A %F %J %P %Q' | sort) <(fs-prio -f out.jsonl -h -o '%i %Y %A %F %J %P %Q' | sort)
}

@test "the same key gives the same new names, another key different ones" {
	head -c 32 /dev/urandom >one
	head -c 32 /dev/urandom >two
	fs-snap anonymise "$demo" --key one -o a.jsonl
	fs-snap anonymise "$demo" --key one >b.jsonl
	fs-snap anonymise "$demo" --key two -o c.jsonl
	cmp a.jsonl b.jsonl
	differ a.jsonl c.jsonl
	# the new name of an account does not depend on the other records
	snapshot '{"type":"association","id":1,"account":"root"}' '{"type":"association","id":2,"account":"plasma","parent":"root"}'
	fs-snap anonymise s.jsonl --key one -o d.jsonl
	grep -qF "$(fs-share -f d.jsonl -a -P -h | sed -n 's/^ \([a-z]*\)|.*/"\1"/p')" a.jsonl
	fs-snap anonymise "$demo" -o e.jsonl
	fs-snap anonymise "$demo" -o f.jsonl
	differ e.jsonl f.jsonl
}

@test "anonymise keeps the order of names that breaks ties between accounts" {
	# three accounts tie, so the order of their names decides the rank of their users
	snapshot '{"type":"config","PriorityType":"priority/multifactor"}' \
		'{"type":"association","id":1,"account":"root"}' \
		'{"type":"association","id":2,"account":"abel","parent":"root","shares":1,"usage_tres_s":0}' \
		'{"type":"association","id":3,"account":"abel","user":"x","shares":1,"usage_tres_s":10}' \
		'{"type":"association","id":4,"account":"zoe","parent":"root","shares":1,"usage_tres_s":0}' \
		'{"type":"association","id":5,"account":"zoe","user":"y","shares":1,"usage_tres_s":10}' \
		'{"type":"association","id":6,"account":"mid","parent":"root","shares":1,"usage_tres_s":0}' \
		'{"type":"association","id":7,"account":"mid","user":"w","shares":1,"usage_tres_s":10}'
	for k in 1 2 3 4 5 6 7 8; do
		printf 'a key of sixteen bytes and more %s' $k >key
		fs-snap anonymise s.jsonl --key key -o out.jsonl
		diff <(fs-share -f s.jsonl -a --json=pretty | grep -E '"(id|rank|fairshare)"' | paste - - - | sort) \
			<(fs-share -f out.jsonl -a --json=pretty | grep -E '"(id|rank|fairshare)"' | paste - - - | sort)
	done
}

@test "anonymise removes free text and reports what may still identify people" {
	snapshot '{"type":"config","PriorityType":"priority/basic","PluginDir":"/home/dana/lib"}' \
		'{"type":"partition","name":"p","nodes":"holy[1-2],login-gpu3"}' \
		'{"type":"node","name":"holy1","reason":"dana spilt tea"}' \
		'{"type":"job","id":7,"state":"PENDING","user":"dana","partitions":["p"],"comment":"for dana","reason":"ReqNodeNotAvail, UnavailableNodes:holy1"}' \
		'{"type":"job","id":8,"state":"PENDING","user":"dana","partitions":["p"],"reason":"dana says no"}'
	printf 'sixteen bytes of key' >key # a random key could make a name that contains one of the words
	run -0 --separate-stderr fs-snap anonymise s.jsonl --key key -o out.jsonl
	[[ $stderr == *"PluginDir is omitted"*"rows of numbers with the original: all are equal"*"may identify"* ]]
	absent -E 'dana|holy|login|gpu|tea|PluginDir' out.jsonl
	grep -q '"reason":"ReqNodeNotAvail, UnavailableNodes"' out.jsonl
	grep -q '"nodes":"[a-z]*\[1-2\],[a-z]*-[a-z]*3"' out.jsonl
}

@test "anonymise and ticket refuse keys without entropy" {
	local job
	head -c 64 /dev/zero >key.zero
	printf 'secretsecretsecretsecret\n' >key.word
	printf 'k7Qz02mXv9TjPw4e' >key.text
	python3 -c 'import sys; sys.stdout.buffer.write(bytes(range(64)))' >key.up
	python3 -c 'import sys; sys.stdout.buffer.write(bytes(range(64, 0, -1)))' >key.down
	yes | head -c 4096 >key.yes
	for key in /dev/zero key.zero key.word key.up key.down key.yes; do
		run -1 fs-snap anonymise "$demo" --key "$key" -o out.jsonl
		[[ $output == *"$key: the key is too regular"* ]]
		[ ! -e out.jsonl ]
	done
	job=$(fs-prio --demo -h -o %i | head -1)
	run -1 fs-snap ticket "${job// /}" "$demo" --key /dev/zero -o out.tar
	[ ! -e out.tar ]
	fs-snap anonymise "$demo" --key key.text -o out.jsonl
	od -An -tx1 -N16 /dev/urandom >key.hex
	fs-snap anonymise "$demo" --key key.hex -o out.jsonl
}

@test "the manual names all data that anonymise does not replace" {
	local page=$BATS_TEST_DIRNAME/../../man/fs-snap.1
	local source=$BATS_TEST_DIRNAME/../../libfs/anonymise/anonymise.c
	sed -n '/^.Ss anonymise FILE/,/^.Ss ticket/p' "$page" | tr -s ' ,' '\n\n' >words
	sed -n '/^bool fsi_anonymise_keeps_config/,/^}/p' "$source" | grep -o '"[A-Za-z_]*"' | tr -d '"' >parameters
	grep -ohE '\b[a-z_]+, (STR|LIST), (FSI_REQ . )?FSI_ROLE_KEEP' "$BATS_TEST_DIRNAME"/../../libfs/model/records/*.h |
		cut -d, -f1 | grep -vx name | sort -u >fields
	[ "$(wc -l <parameters)" -gt 20 ]
	[ "$(wc -l <fields)" -gt 20 ]
	cat parameters fields | while read -r word; do
		grep -qxF -e "$word" words || { echo "not named: $word"; return 1; }
	done
}

@test "anonymise refuses a short or missing key and writes nothing" {
	printf short >key
	run -1 fs-snap anonymise "$demo" --key key -o out.jsonl
	[[ $output == *"at least 16 bytes"* ]]
	run -1 fs-snap anonymise "$demo" --key missing -o out.jsonl
	run -2 fs-snap anonymise
	[ ! -e out.jsonl ]
}
