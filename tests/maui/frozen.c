/* Preloaded into Maui, whose simulation begins at its start time: this is always the same second, so that a site
 * generated twice is the same. */
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

enum { START = 1600000000 };

time_t time(time_t *t)
{
	if (t)
		*t = START;
	return START;
}

int gettimeofday(struct timeval *tv, void *tz)
{
	(void)tz;
	*tv = (struct timeval){ .tv_sec = START };
	return 0;
}
