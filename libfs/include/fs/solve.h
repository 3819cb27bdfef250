/* Which shares, or which usage, give a standing; and the standing after a charge or with new hardware. Not modelled for
 * Maui, which has targets and windows: FS_ENODATA. */
#ifndef FS_SOLVE_H
#define FS_SOLVE_H

#include <fs/forecast.h>
#include <fs/shares.h>

FS_BEGIN_DECLS

/* What a goal is about. */
enum fs_goal {
	FS_GOAL_FACTOR, /* the fair-share factor is at least that */
	FS_GOAL_RANK,	/* so does the rank, N being the best */
	FS_GOAL_LEVEL	/* so does level_fs, where the algorithm has it */
};

/* Whose standing is asked for, by whose shares or usage, and which. */
struct fs_solve_options {
	size_t size; /* FS_SOLVE_OPTIONS_INIT */
	struct fs_view view; /* its usage says nothing here */
	uint32_t row;	     /* whose standing it is: row of fs_shares */
	uint32_t of;	     /* whose shares or usage move; FS_NO_ROW: those of row */
	uint32_t from;	     /* the sibling that gives the shares, or takes those left over; FS_NO_ROW: nobody, there are more or fewer */
	enum fs_goal goal; /* what value is of */
	double value;	     /* of the goal */
	fs_note_fn note;     /* what else should be known of a command, as in fs_snapshot_edit; NULL: nobody is told */
	void *note_ctx; /* first argument of note */
};
#define FS_SOLVE_OPTIONS_INIT FS_INIT(struct fs_solve_options)

/* What struct fs_share_row says of the row at that moment. */
struct fs_standing {
	double norm_shares, raw_usage, norm_usage, effective_usage, level_fs, fairshare; /* NAN as there */
	uint32_t rank; /* 0: none */
};

/* The moments that a solution tells of. */
enum fs_solve {
	FS_SOLVE_NOW,  /* as it is */
	FS_SOLVE_THEN, /* with the amount asked for; where the goal is out of reach, with all that can be had */
	FS_SOLVE_SHORT, /* with one share less, or one TRES second of usage more: the goal is missed */
	FS_SOLVE_COUNT
};

enum { FS_SOLVE_COMMAND = 512 }; /* bytes */

/* The amount that was looked for, and what it makes of the standing. */
struct fs_solution {
	bool possible;	/* false: the amount of `then` is as far as it gets */
	bool bounded;	/* false: the least or greatest amount there is does, and there is no moment short of the goal */
	double amount[FS_SOLVE_COUNT];      /* raw shares, or TRES seconds; NAN: there is none */
	double from[FS_SOLVE_COUNT];	      /* raw shares of the one that gives them; NAN without */
	struct fs_standing at[FS_SOLVE_COUNT]; /* each computed of the state changed so */
	char command[2][FS_SOLVE_COMMAND];    /* that make it so; "": there is none, or no second one */
};

/* The fewest shares, from 1 on, with which the goal is met. Each number is tried by the scheduler's own command on the
 * snapshot, which afterwards is as the last one left it. Errors: FS_EUSAGE where the row has no such goal or no
 * shares of its own; FS_ENODATA where the scheduler has no such command or the standing is unknown; FS_ENOMEM. */
FS_API int fs_solve_shares(fs_snapshot *s, const struct fs_solve_options *options, struct fs_solution *out,
			   struct fs_error *err);

/* The most usage, in whole TRES seconds, with which the goal is met, while all others' stays as it is; of less than
 * those below the row have used each of them has its part. Each number is tried on the snapshot, which is left as
 * fs_solve_shares leaves it. Errors: likewise. */
FS_API int fs_solve_usage(fs_snapshot *s, const struct fs_solve_options *options, struct fs_solution *out,
			  struct fs_error *err);

/* The standing if `of` is charged so many TRES seconds more, all at once: now and then are filled, the goal says
 * nothing. Snapshot and errors: likewise. */
FS_API int fs_solve_charge(fs_snapshot *s, const struct fs_solve_options *options, double tres_s,
			   struct fs_solution *out, struct fs_error *err);

/* The shares that new hardware is worth: with them the row has the part of all its siblings' shares that it would
 * have of all hardware, if what there is belonged to all by their shares and the new to itself. have and more: what
 * they bill a second. The nearest whole number. Snapshot and errors: likewise. */
FS_API int fs_solve_hardware(fs_snapshot *s, const struct fs_solve_options *options, double have, double more,
			     struct fs_solution *out, struct fs_error *err);

FS_END_DECLS

#endif
