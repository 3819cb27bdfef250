#include "input/progress.h"

#include "files/stream.h"
#include "render/emit.h"

#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

static _Atomic uint64_t seen_done, seen_size;

struct progress_seen progress_seen(void)
{
	return (struct progress_seen){ seen_done, seen_size };
}

static double since(const struct timespec *then, const struct timespec *now)
{
	return (double)(now->tv_sec - then->tv_sec) + (double)(now->tv_nsec - then->tv_nsec) / 1e9;
}

void progress_begin(struct progress *p, FILE *from, bool wanted)
{
	struct stat st;

	*p = (struct progress){ .from = from, .wanted = wanted };
	if (!fstat(fileno(from), &st) && S_ISREG(st.st_mode))
		p->size = (uint64_t)st.st_size;
	seen_done = 0;
	seen_size = p->size;
	clock_gettime(CLOCK_MONOTONIC, &p->begun);
	p->told = p->begun;
}

static void show_progress(struct progress *p, double seconds)
{
	const double part = p->size ? (double)p->done / (double)p->size : 0;

	emit_to(stderr, "\rread %.0f MB", (double)p->done / 1e6);
	if (part > 0 && part <= 1)
		emit_to(stderr, " of %.0f, %.0f %%, %.0f s left ", (double)p->size / 1e6, part * 100,
			seconds / part - seconds);
	p->shown = true;
}

ptrdiff_t progress_read(void *progress, void *buf, size_t size)
{
	enum { TIMES_A_SECOND = 4 };
	struct progress *p = progress;
	const ptrdiff_t n = stream_read(p->from, buf, size);
	struct timespec now;

	if (n <= 0)
		return n;
	p->done += (uint64_t)n;
	seen_done = p->done;
	if (!p->wanted)
		return n;
	clock_gettime(CLOCK_MONOTONIC, &now);
	/* fs-top redirects standard error after the reading has begun */
	if (since(&p->begun, &now) > 1 && since(&p->told, &now) > 1.0 / TIMES_A_SECOND && isatty(STDERR_FILENO)) {
		show_progress(p, since(&p->begun, &now));
		p->told = now;
	}
	return n;
}

void progress_end(const struct progress *p)
{
	if (p->shown)
		emit_to(stderr, "\r%60s\r", "");
}
