# Exits 0 if two JSON or YAML texts differ only in numbers: those of the named fields are doubles that may differ by
# 1e-8 relative, and those under "value" (usage of a TRES) of accounts by at most 6e-6. A relative bound would be wrong
# there: the number is a sum of numbers with six decimals each, off by at most half of the last decimal per user below.
# The numbers of users have all digits and must be equal.
function relative(name) { return name ~ /^(usage_normalized|effective_usage|level|factor)$/ }
BEGIN {
	a = ARGV[1]; b = ARGV[2]
	for (;;) {
		ra = (getline x < a); rb = (getline y < b)
		if (ra != rb) exit 1
		if (ra <= 0) exit 0
		key = x; sub(/^ *(!!str )?"?/, "", key); sub(/"?:.*$/, "", key)
		if (x ~ /[{] *$/ || x ~ /!!map *$/) name = key
		if (x ~ /^ *(- )?(!!str )?"?USER"?,? *$/ && apart) exit 1 # comes after the values of its row
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
