/* One call of fs-explain: what was asked for, and what it is explained from. */
#ifndef EXPLAIN_RUN_H
#define EXPLAIN_RUN_H

#include "explain/outlook.h"
#include "explain/text.h"
#include "input/input.h"
#include "render/json.h"

enum kind { GUESS, JOB, USER, ACCOUNT, CREDENTIAL, REASON, PAST };

/* What a word stands for: a job row, a share row, (Maui) a row of fs_windows, a reason, or a job that only usage
 * records tell of, which is then the view's. */
struct subject {
	enum kind kind;
	uint32_t row;
	const struct fs_reason *reason; /* of REASON alone */
};

struct explain_run {
	const struct invocation *inv;
	struct input input;
	const char *word, *job, *user, *account, *versus;
	const char *svg;   /* the file for the picture */
	const char *html;  /* the file for the document */
	const char *until; /* of the forecast; NULL: as far as seems best */
	bool me; /* or nothing was named: the viewer's pending jobs */
	bool ahead, advise, brief, verbose, forecast, markdown, no_pager, colour;
	enum json_form json;
	fs_snapshot *snapshot;
	fs_usage *usage;
	struct explain_past *past;
	struct fs_eval eval, from; /* from: as the view has it */
	struct outlook outlook;
	fs_shares *other; /* by the algorithm that is shown too; NULL none */
	struct explain_view view;
	struct explain_forecast ahead_of; /* what the view has of a forecast */
};

/* -1 to go on, otherwise the exit status: cmd/explain/options.c. */
int explain_parse(struct explain_run *r, int argc, char **argv);

/* Fills everything from the snapshot; what that does not allow to compute stays NULL and is unknown. Exit status:
 * cmd/explain/compute.c. */
int explain_compute(struct explain_run *r);
/* What --forecast asks for, into the view; exit status. */
int explain_look_forward(struct explain_run *r);
/* The plan of starts, into the view, where one can be made; exit status. */
int explain_plan(struct explain_run *r);
/* What a job's page needs of these two: all that was asked for, and unasked what is quick; exit status. */
int explain_outlook(struct explain_run *r, uint32_t job_row);
void explain_release(struct explain_run *r);

/* Whatever the words stand for; exit status, complained of: cmd/explain/find.c. The other is of the same kind as the
 * first: a job against a job, but a user also against an account. */
int explain_find(struct explain_run *r, struct subject *out);
int explain_find_other(const struct explain_run *r, const struct subject *first, struct subject *out);

#endif
