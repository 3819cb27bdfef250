/* What a live capture is for. */
#ifndef CAPTURE_NEED_H
#define CAPTURE_NEED_H

/* The last two are a few commands each, where the configuration allows it: what is not asked stays unknown. */
enum capture_need {
	CAPTURE_ALL,
	CAPTURE_NO_JOBS,   /* a table of shares: nothing that is of jobs */
	CAPTURE_SHARES,	   /* the same, and of the tree alone */
	CAPTURE_PRIORITIES /* a table of priorities as the scheduler prints it */
};

#endif
