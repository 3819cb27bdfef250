#!/bin/sh
# Every public declaration is documented: a function, type, member and macro of libfs/include has its own comment, above
# it or after it. A comment applies to the following lines without a comment or an empty line between them; for members
# to one line or, with "these", to the next lines only.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 1

awk '
function bad(what) {
	printf "%s:%d: no comment: %s\n", FILENAME, FNR, what
	failed++
}
# Returns true if a comment belongs to this line.
function told() { return above || /\/\*/ }
FNR == 1 { above = inside = depth = plumbing = 0 }
plumbing { plumbing = /\\$/; above = plumbing ? above : 0; next }
inside { inside = !/\*\//; if (!inside) above = 1; next }
/^[ \t]*\/\*/ { if (/\*\//) above = 1; else inside = 1; if (/^\/\* ----/ ) above = 0; next }
/^[ \t]*$/ { above = 0; next }
/^#(ifdef|else|if)/ || (/^#endif/ && above) { next }
/^#(ifndef|endif|undef|include)/ || /^FS_(BEGIN|END)_DECLS/ { above = 0; next }
/^enum fs_[a-z_]+ { FS_[A-Z_]+\(/ { next } # made of the list of names above it, which has its comment
/^extern "C\+\+"/ { skip = 1 }
skip { if (/^}/) skip = 0; next }
/^#define FS_[A-Z]+_H$/ || /^#define (FS_[A-Z_]+)_ENUM\(/ || /_OPTIONS_INIT/ { plumbing = /\\$/; above = 0; next }
/^#define/ {
	n++
	if (!told() && $2 != last)
		bad($2)
	last = $2 # one name has two definitions on two sides of an #else
	plumbing = /\\$/
	above = 0
	next
}
depth && /^}/ { depth = 0; above = 0; next }
depth == 2 { next } # enumerators: said by the type, or by their names
depth == 1 {
	if (/^[\t ]*(\*|[a-z_ ]*\*\/)/) next
	n++
	if (!told()) bad($0)
	if (/\/\*/ && !/\*\//) { inside = 1 }
	above = 0
	next
}
/^struct .*{$/ { n++; if (!told()) bad($2); depth = 1; above = 0; next }
/^enum .*{$/ { n++; if (!told()) bad($2); depth = 2; above = 0; next }
/^enum .*}/ || /^typedef/ { n++; if (!told()) bad($0); above = 0; next }
/^FS_API/ { n++; if (!told()) bad($0); above = 0; next }
END {
	if (!failed)
		printf "contracts: %d public declarations, each with its comment\n", n
	else
		printf "contracts: %d of %d public declarations without a comment\n", failed, n
	exit failed > 0
}' libfs/include/fs/*.h
