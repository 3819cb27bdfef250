/* Runs of one job that are charged: those that ended, from the usage records, and the one that goes on. */
#ifndef EXPLAIN_PAST_H
#define EXPLAIN_PAST_H

#include "explain/run.h"
#include "words/words.h"

enum { PAST_RUNS = 8 };

struct past_run {
	char user[WORDS], account[WORDS], partition[WORDS], qos[WORDS], state[WORDS];
	int64_t submit, eligible, start, end; /* of one that goes on the snapshot's time */
	int64_t ran; /* without the time it was suspended; FS_UNKNOWN: not known */
	bool running, suspended;
	double rate, factor;       /* TRES seconds a second, UsageFactor of the QOS */
	double cost, still_counts; /* TRES seconds; the second NAN while it runs */
	struct fs_bill bill;
};

/* The last PAST_RUNS of n. */
struct explain_past {
	const fs_snapshot *snapshot;
	const char *viewer;
	uint64_t job;
	struct past_run v[PAST_RUNS];
	size_t n;
};

/* Of that job, as far as the viewer may see it. Where usage cannot be computed none: that is no error. Exit status. */
int explain_read_past(struct explain_run *r, uint64_t job);

/* A page of a job that is in no other record. */
void explain_past_text(struct page *p, const struct explain_view *v);
int explain_past_json(const struct explain_view *v);

#endif
