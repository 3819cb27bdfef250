#!/bin/bash
# Opens pages and pictures in a real browser without a window (Debian: chromium): at 360, 800 and 1600 pixels none is
# wider than the window. HTML Tidy (Debian: tidy), if installed, finds no error in a page.
# Usage: run.sh BIN_DIR; last line "N passed, N failed". KEEP=DIR: folder for screenshots.
set -u
bin=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ]; then
	echo "browser: skipped: no chromium is installed"
	echo '0 passed, 0 failed'
	exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

verdict() { # STATUS WORDS
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok: $2"
	fi
}

look() { # ARGUMENT...
	timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" "$@" 2>/dev/null
}

# Prints the width of the file in a frame of this many pixels.
width_of() { # FILE PIXELS
	cat >"$work/frame.html" <<-EOF
	<!DOCTYPE html><title>frame</title><iframe id="f" src="file://$1" style="width:$2px;height:2000px;border:0"></iframe>
	<script>onload = () => { const d = document.getElementById("f").contentDocument;
	document.body.dataset.width = Math.max(d.documentElement.scrollWidth, d.body ? d.body.scrollWidth : 0) }</script>
	EOF
	look --disable-web-security --allow-file-access-from-files --window-size=1700,2100 --virtual-time-budget=2000 --dump-dom \
		"file://$work/frame.html" | sed -n 's/.*data-width="\([0-9]*\)".*/\1/p'
}

cd "$work" || exit 1
top=$here/../..
"$bin/fs-explain" --demo --as dana 812154 --html=slurm.html
"$bin/fs-explain" --demo --as root 812145 --html=first.html
"$bin/fs-explain" -f "$top/tests/top/maui.jsonl" --as root 403 --html=maui.html
flux=$("$bin/fs-showq" -f "$top/tests/cli/examples/flux.jsonl" --as root --json |
	python3 -c 'import json, sys; print(next(r["jobid"] for r in json.load(sys.stdin)["rows"] if r["eligible"]))')
"$bin/fs-explain" -f "$top/tests/cli/examples/flux.jsonl" --as root "$flux" --html=flux.html
"$bin/fs-showq" --demo --as root --plan --svg=plan.svg
"$bin/fs-prio" --demo --as root --svg=prio.svg
"$bin/fs-share" --demo --as root -a --ranges --svg=ranges.svg
"$bin/fs-explain" --demo --as dana 812154 --forecast --svg=forecast.svg
mkdir kept
cp "$top/cmd/demo.jsonl" kept/a.jsonl
sed '1s/"time":[0-9]*/"time":1795276860/;1s/"priority_time":[0-9]*/"priority_time":1795276700/' kept/a.jsonl >kept/b.jsonl
"$bin/fs-share" --history=kept --as root -u dana --svg=history.svg

for page in *.html; do
	[ "$page" = frame.html ] && continue
	for pixels in 360 800 1600; do
		wide=$(width_of "$work/$page" "$pixels")
		[ -n "$wide" ] && [ "$wide" -le "$pixels" ]
		verdict $? "$page is ${wide:-not there,} pixels wide at $pixels"
		[ -z "${KEEP:-}" ] || look --hide-scrollbars --screenshot="$KEEP/${page%.html}-$pixels.png" --window-size="$pixels,2000" "file://$work/$page"
	done
	if command -v tidy >/dev/null; then
		tidy -q -e --drop-empty-elements no --mute-id yes "$page" >tidy.out 2>&1
		[ $? -lt 2 ] && ! grep -v 'PROPRIETARY\|trimming\|summary' tidy.out | grep -q .
		verdict $? "$page: $(head -3 tidy.out | tr '\n' ' ')"
	fi
done
for picture in *.svg; do
	look --dump-dom "file://$work/$picture" | grep -q '<svg' && ! look --dump-dom "file://$work/$picture" | grep -q parsererror
	verdict $? "$picture does not open"
	[ -z "${KEEP:-}" ] || look --screenshot="$KEEP/${picture%.svg}.png" --window-size=1000,1300 "file://$work/$picture"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
