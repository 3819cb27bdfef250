# Exits 0 when two JSON or YAML texts are the same but for numbers of the fields named, doubles that may differ by 1e-8 of
# themselves, and for numbers under "value" (usage of a TRES) of accounts, by at most 6e-6. A relative bound would be the
# wrong one there: the number is a sum of numbers known to six decimals each, off by up to half of the last decimal for
# each user below and by nothing else, however great it is. Those of users are known to the last digit and must be the same.
function relative(name) { return name ~ /^(usage_normalized|effective_usage|level|factor)$/ }
BEGIN {
	a = ARGV[1]; b = ARGV[2]
	for (;;) {
		ra = (getline x < a); rb = (getline y < b)
		if (ra != rb) exit 1
		if (ra <= 0) exit 0
		key = x; sub(/^ *(!!str )?"?/, "", key); sub(/"?:.*$/, "", key)
		if (x ~ /[{] *$/ || x ~ /!!map *$/) name = key
		if (x ~ /^ *(- )?(!!str )?"?USER"?,? *$/ && apart) exit 1 # stands behind the values of its row
		if (x ~ /^ *(- )?(!!str )?"?(USER|ASSOCIATION)"?,? *$/) apart = 0
		if (x == y) continue
		p = x; q = y
		sub(/^.*(: |float )/, "", p); sub(/^.*(: |float )/, "", q); sub(/,$/, "", p); sub(/,$/, "", q)
		if (substr(x, 1, length(x) - length(p) - 1) != substr(y, 1, length(y) - length(q) - 1) &&
		    key != "value" && key != "number" && !relative(key)) exit 1
		if (p !~ /^-?[0-9]+\.[0-9]+(e[-+]?[0-9]+)?$/ || q !~ /^-?[0-9]+\.[0-9]+(e[-+]?[0-9]+)?$/) exit 1
		d = p - q; if (d < 0) d = -d
		m = p < 0 ? -p : p
		if (key == "value") { apart = 1; if (d > 6e-6) exit 1 }
		else if ((key == "number" && relative(name)) || relative(key)) { if (d > 1e-8 * m) exit 1 }
		else exit 1
	}
}
