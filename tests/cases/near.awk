# Exits 0 if two files differ only in decimal numbers, by at most tol.
function numeric(s) { return s ~ /^-?[0-9]+\.[0-9]+(e[-+]?[0-9]+)?$/ }
BEGIN {
	a = ARGV[1]; b = ARGV[2]
	for (;;) {
		ra = (getline x < a); rb = (getline y < b)
		if (ra != rb) exit 1
		if (ra <= 0) exit 0
		if (x == y) continue
		n = split(x, p, /[ |]/); m = split(y, q, /[ |]/)
		if (n != m) exit 1
		for (i = 1; i <= n; i++) {
			if (p[i] == q[i]) continue
			d = p[i] - q[i]
			if (!numeric(p[i]) || !numeric(q[i]) || (d < 0 ? -d : d) > tol + 0) exit 1
		}
	}
}
