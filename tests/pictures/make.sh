#!/bin/bash
# Makes the README's pictures of the demo cluster in a folder: make.sh BIN_DIR FOLDER.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd)
cd "$2"
export LC_ALL=C.UTF-8
unset NO_COLOR FS_SNAPSHOT FS_USER
"$bin/fs-top" --demo --as root --once --size=120x32 --color=always | python3 "$here/screen_svg.py" >fs-top.svg
"$bin/fs-explain" --demo --as dana 812154 --svg=- >answer.svg
"$bin/fs-showq" --demo --as root --plan --svg=- >plan.svg
"$bin/fs-share" --demo --as root -a --ranges --svg=- >ranges.svg
