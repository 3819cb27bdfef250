# Exits 0 when two JSON or YAML texts are the same but for numbers under "value" (usage of a TRES: a sum of numbers of
# six decimals each) that differ by at most 6e-6, and for numbers of the fields named that differ by 1e-8 of themselves.
function relative(name) { return name ~ /^(usage_normalized|effective_usage|level|factor)$/ }
BEGIN {
	a = ARGV[1]; b = ARGV[2]
	for (;;) {
		ra = (getline x < a); rb = (getline y < b)
		if (ra != rb) exit 1
		if (ra <= 0) exit 0
		key = x; sub(/^ *(!!str )?"?/, "", key); sub(/"?:.*$/, "", key)
		if (x ~ /[{] *$/ || x ~ /!!map *$/) name = key
		if (x == y) continue
		p = x; q = y
		sub(/^.*(: |float )/, "", p); sub(/^.*(: |float )/, "", q); sub(/,$/, "", p); sub(/,$/, "", q)
		if (substr(x, 1, length(x) - length(p) - 1) != substr(y, 1, length(y) - length(q) - 1) &&
		    key != "value" && key != "number" && !relative(key)) exit 1
		if (p !~ /^-?[0-9]+\.[0-9]+(e[-+]?[0-9]+)?$/ || q !~ /^-?[0-9]+\.[0-9]+(e[-+]?[0-9]+)?$/) exit 1
		d = p - q; if (d < 0) d = -d
		m = p < 0 ? -p : p
		if (key == "value") { if (d > 6e-6) exit 1 }
		else if ((key == "number" && relative(name)) || relative(key)) { if (d > 1e-8 * m) exit 1 }
		else exit 1
	}
}
