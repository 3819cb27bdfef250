#define _DEFAULT_SOURCE /* timegm */
#include "snap/thin.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HOUR = 3600, DAY = 24 * HOUR, WEEK = 7 * DAY, YEAR = 365 * DAY, STAMP = sizeof("20261122T233810Z") - 1 };
static const char suffix[] = ".jsonl.zst", digest_suffix[] = ".jsonl.zst.digest";

int kept_name(char out[KEPT_NAME], int64_t time)
{
	const time_t t = (time_t)time;
	struct tm tm;
	size_t n;

	if (!gmtime_r(&t, &tm) || tm.tm_year > 9999 - 1900 || tm.tm_year < -900)
		return -1;
	n = strftime(out, KEPT_NAME, "%Y%m%dT%H%M%SZ", &tm);
	if (n != STAMP)
		return -1;
	strcpy(out + n, suffix);
	return 0;
}

static int stamp_time(const char *name, int64_t *time)
{
	struct tm tm = { .tm_isdst = 0 };
	char again[KEPT_NAME];

	if (strlen(name) < STAMP ||
	    sscanf(name, "%4d%2d%2dT%2d%2d%2dZ", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour, &tm.tm_min,
		   &tm.tm_sec) != 6)
		return -1;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	*time = timegm(&tm);
	return kept_name(again, *time) || strncmp(again, name, STAMP) != 0 ? -1 : 0;
}

int kept_time(const char *name, int64_t *time)
{
	return stamp_time(name, time) || strcmp(name + STAMP, suffix) != 0 ? -1 : 0;
}

size_t astray(const int64_t *time, size_t n)
{
	size_t last = n;

	while (last > 1 && time[last - 1] - time[last - 2] >= YEAR)
		last--;
	return n - last;
}

void thin(const int64_t *time, size_t n, bool *keep)
{
	const int64_t newest = n ? time[n - astray(time, n) - 1] : 0;
	int64_t last = INT64_MIN; /* span of the one that was kept last */

	for (size_t i = 0; i < n; i++) {
		const int64_t age = newest - time[i], unit = age < WEEK ? HOUR : DAY;
		/* Hours are numbered from 0 up and days from -1 down, so that none have the same number. */
		const int64_t span = unit == HOUR ? time[i] / HOUR : -1 - time[i] / DAY;

		keep[i] = age < DAY || (age < YEAR && span != last);
		last = keep[i] ? span : last;
	}
}

/* ---- the folder */

struct kept {
	int64_t *time;
	size_t n;
};

static int by_time(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* -1 with errno. */
static int list(DIR *dir, struct kept *k)
{
	const struct dirent *e;
	int64_t t;

	while ((errno = 0, e = readdir(dir))) {
		if (kept_time(e->d_name, &t))
			continue;
		int64_t *more = realloc(k->time, (k->n + 1) * sizeof(*more));

		if (!more)
			return -1;
		k->time = more;
		k->time[k->n++] = t;
	}
	if (errno)
		return -1;
	if (k->n)
		qsort(k->time, k->n, sizeof(*k->time), by_time);
	return 0;
}

static int remove_kept(int dir, int64_t time)
{
	char name[KEPT_NAME], digest[KEPT_NAME + sizeof(digest_suffix)];

	if (kept_name(name, time))
		return -1;
	snprintf(digest, sizeof(digest), "%.*s%s", STAMP, name, digest_suffix);
	if (unlinkat(dir, digest, 0) && errno != ENOENT)
		return -1;
	return unlinkat(dir, name, 0) && errno != ENOENT ? -1 : 0;
}

/* Removes digests whose snapshot somebody else removed. */
static void remove_widows(DIR *dir)
{
	const struct dirent *e;
	char name[KEPT_NAME];
	int64_t t;

	rewinddir(dir);
	while ((e = readdir(dir)))
		if (!stamp_time(e->d_name, &t) && !strcmp(e->d_name + STAMP, digest_suffix) && !kept_name(name, t) &&
		    faccessat(dirfd(dir), name, F_OK, 0) && errno == ENOENT)
			unlinkat(dirfd(dir), e->d_name, 0);
}

int thin_folder(const struct invocation *inv, const char *path)
{
	DIR *dir = opendir(path);
	struct kept k = { 0 };
	bool *keep = NULL;
	int status = EXIT_DONE;

	if (!dir) {
		complain(inv, "%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	if (list(dir, &k) || !(keep = calloc(k.n + 1, sizeof(*keep)))) {
		complain(inv, "%s: %s", path, strerror(errno));
		status = EXIT_FAILED;
	} else {
		thin(k.time, k.n, keep);
	}
	for (size_t i = 0; i < k.n && !status; i++) {
		if (keep[i] || !remove_kept(dirfd(dir), k.time[i]))
			continue;
		complain(inv, "%s: %s", path, strerror(errno));
		status = EXIT_FAILED;
	}
	if (k.n && astray(k.time, k.n))
		complain(inv, "warning: %s: the newest is a year and more after all others: its clock may be wrong, and none of them goes "
			      "for its sake", path);
	if (!status)
		remove_widows(dir);
	closedir(dir);
	free(k.time);
	free(keep);
	return status;
}
