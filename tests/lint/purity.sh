#!/bin/sh
# purity.sh LIBFS_A: the library does not print, exit, read a clock or the environment, or keep state. Its symbols are
# fs_ (all declared in libfs/include/fs) or fsi_.
set -u

archive=${1:?usage: purity.sh LIBFS_A}
header=$(dirname "$0")/../../libfs/include/fs
failed=0

bad() {
	echo "$archive: $*"
	failed=1
}

[ -r "$archive" ] || { bad 'no such archive'; exit 1; }

# Prints "object symbol" of each undefined symbol outside libfs, except those with which fs_snapshot_open reads its
# file.
undefined() {
	nm -A -u "$archive" | sed -n 's/^.*:\([^:]*\.o\): *U \([^@]*\).*/\1 \2/p' | grep -v -E ' fsi?_' |
		grep -v -x -E 'read\.o (fopen|fread|fclose|strerror)(64)?'
}

defined() {
	nm -A -g --defined-only "$archive" | sed -n 's/^.*:\([^:]*\.o\):[^ ]* [A-Z] \(.*\)/\1 \2/p'
}

pattern='printf|fputs|putchar|puts|fputc|putc|perror|psignal|fwrite|write|writev|send|syslog|vsyslog'
pattern="$pattern|fopen|fdopen|freopen|fclose|open|openat|creat|close|read|pread|fread|fgets|getline|getdelim|getc"
pattern="$pattern|stdin|stdout|stderr|socket|connect|unlink|rename|mkdir|opendir|stat|fstat|access|mmap"
pattern="$pattern|exit|_exit|_Exit|quick_exit|abort|atexit|raise|kill|signal|sigaction|longjmp|__assert_fail|err|errx|warn|warnx"
pattern="$pattern|getenv|secure_getenv|setenv|putenv|environ|getopt|getpid|getuid|geteuid|getlogin|getpwuid|getpwnam|gethostname|uname"
pattern="$pattern|time|clock|clock_gettime|gettimeofday|nanosleep|sleep|usleep|alarm"
pattern="$pattern|localtime|localtime_r|gmtime|mktime|strftime|ctime|tzset|timezone"
pattern="$pattern|isatty|tcgetattr|ioctl|setlocale|newlocale|uselocale|localeconv|nl_langinfo"
pattern="$pattern|rand|srand|rand_r|random|srandom|drand48|lrand48|arc4random|getrandom|getentropy"
pattern="$pattern|strtok|strerror|system|popen|fork|vfork|execv[pe]*|execl[pe]*|posix_spawn.*|waitpid|pthread_.*|dlopen"

# Any printf except into memory; glibc's names of functions may have __ or 64 or _chk.
impure=$(undefined | grep -E " (__)?(v?f?printf|v?dprintf|v?sprintf|vfprintf|vprintf|v?asprintf|$pattern)(64)?(_chk)?$")
[ -z "$impure" ] || bad "must not use:
$impure"

foreign=$(defined | grep -v -E ' fsi?_[a-z0-9_]+$')
[ -z "$foreign" ] || bad "global symbols that are neither fs_ nor fsi_:
$foreign"

for symbol in $(defined | sed -n 's/.* \(fs_.*\)/\1/p' | sort -u); do
	grep -q -r -w "$symbol" "$header" || bad "$symbol is not declared in a public header"
done

# Constant tables of pointers are .data.rel.ro; variable data is .data, .bss and their thread-local variants.
state=$(size -A "$archive" | awk '
	/:$/ || /ex / { object = $1 }
	$1 ~ /^\.(data|bss|tdata|tbss|ldata|lbss)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 { print object, $1, $2, "bytes" }')
[ -z "$state" ] || bad "keeps state:
$state"
nm -A "$archive" | grep ' C ' && bad 'has common symbols'

[ "$failed" = 0 ] && echo "purity: $(defined | wc -l) symbols, no output, no clock, no state"
exit "$failed"
