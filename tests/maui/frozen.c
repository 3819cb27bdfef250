/* Preloaded into Maui: the clock always shows the same second. A simulation begins at Maui's start time, so two runs of
 * the same simulation give the same output. */
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
