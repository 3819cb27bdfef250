/* The layout of TACC's showq (siliu-tacc/slurm_showq 1.0: slurm_showq.cpp). */
#include "showq/showq.h"
#include "render/emit.h"

#include <stdio.h>
#include <strings.h>

#define HEAD { CELL_ID, 10, "", "" }, { CELL_NAME, 11, "", "" }, { CELL_USER, 14, "", "" }, { CELL_STATE, 8, "", "" }
#define END { CELL_END, 0, "", "" }

static const struct showq_column active[] = {
	HEAD, { CELL_NODES, 5, "", "" }, { CELL_LEFT, 2, " ", "  " }, { CELL_START, 0, "", "" },
	END,
};

static const struct showq_column active_long[] = {
	HEAD, { CELL_CPUS, 6, "", " " }, { CELL_NODES, 5, "", "" }, { CELL_QUEUE, 14, " ", "" },
	{ CELL_LEFT, 2, " ", "  " }, { CELL_START, 0, "", "" }, END,
};

static const struct showq_column pending[] = {
	HEAD, { CELL_NODES, 5, "", "" }, { CELL_LIMIT, 2, " ", "  " }, { CELL_SUBMIT, 0, "", "" },
	END,
};

static const struct showq_column waiting_long[] = {
	HEAD, { CELL_CPUS, 5, "", " " }, { CELL_NODES, 5, "", "" }, { CELL_QUEUE, 14, " ", "" },
	{ CELL_LIMIT, 2, " ", "  " }, { CELL_SUBMIT, 0, "", "" }, END,
};

static const struct showq_column blocked_long[] = {
	HEAD, { CELL_CPUS, 6, "", " " }, { CELL_NODES, 5, "", "" }, { CELL_QUEUE, 14, " ", "" },
	{ CELL_LIMIT, 2, " ", "  " }, { CELL_SUBMIT, 0, "", "" }, END,
};

static const struct showq_column errored[] = {
	HEAD,
	{ CELL_NODES, 5, "", " " },
	{ CELL_LEFT_HOURS, 2, " ", "  " },
	{ CELL_START, 0, "", "" },
	END,
};

static const struct showq_reason reasons[] = {
	{ "Dependency", PLACE_BLOCKED, "WaitDep" },
	{ "JobHeldAdmin", PLACE_BLOCKED, "HeldAdm" },
	{ "BeginTime", PLACE_BLOCKED, "WaitTim" },
	{ "Reservation", PLACE_BLOCKED, "WaitRes" },
	{ "ReqNodeNotAvail", PLACE_BLOCKED, "WaitNod" },
	{ "JobHeldUser", PLACE_BLOCKED, "HeldUsr" },
	{ "NodeDown", PLACE_BLOCKED, "DownNode" },
	{ "QOSNotAllowed", PLACE_BLOCKED, "WaitQOS" },
	{ "PartitionNodeLimit", PLACE_ERRORED, "ErrNode" },
	{ "PartitionTimeLimit", PLACE_ERRORED, "ErrTime" },
	{ "BadConstraints", PLACE_ERRORED, "ErrCons" },
	{ "DependencyNeverSatisfied", PLACE_ERRORED, "ErrDep" },
	{ "None", PLACE_WAITING, "Waiting" },
	{ "Priority", PLACE_WAITING, "Waiting" },
	{ "Resources", PLACE_WAITING, "Waiting" },
	{ "PartitionDown", PLACE_WAITING, "Waiting" },
	{ "PartitionInactive", PLACE_WAITING, "Waiting" },
	{ NULL, PLACE_BLOCKED, "Blocked" },
};

static void summaries(struct showq_run *r)
{
	if (r->config_custom)
		emit("Using customized configuration file: %s \n", r->config_file);
	else
		emit("Using system default configuration file \n");
	if (!r->config_found)
		emit("\n Warning: can not open/load configuration file!\n");
	if (showq_one_user(r))
		emit("\nSUMMARY OF JOBS FOR USER: <%s>\n\n", r->user);
}

static void utilisation(struct showq_run *r)
{
	const int64_t used = r->counts.node_sum;

	if (r->hosts)
		emit(": %4lld of %4lld hosts (%6.2f %%)", (long long)used, (long long)r->hosts,
		       (double)((float)100. * (float)used / (float)r->hosts));
}

/* What `scontrol show reservation | grep -i maintenance` finds: lines with that word, of which the first of a
 * reservation holds its name and times. */
static bool is_maintenance(const char *name)
{
	for (; *name; name++)
		if (!strncasecmp(name, "maintenance", 11))
			return true;
	return false;
}

static void put_time(const struct showq_run *r, int64_t time)
{
	char text[24];

	showq_iso_time(text, time + fs_snapshot_utc_offset(r->snapshot, time));
	emit_text(text);
}

static void put_reservation(const struct showq_run *r, const struct fs_reservation *v)
{
	const int64_t s = v->end_time - v->start_time;

	emit("ReservationName=%s StartTime=", v->name);
	put_time(r, v->start_time);
	emit(" EndTime=");
	put_time(r, v->end_time);
	emit(" Duration=");
	if (s >= 86400)
		emit("%lld-", (long long)(s / 86400));
	emit("%02d:%02d:%02d\n", (int)(s / 3600 % 24), (int)(s / 60 % 60), (int)(s % 60));
}

static void maintenance(struct showq_run *r)
{
	struct fs_reservation v;
	bool any = false;

	for (size_t i = 0; fs_snapshot_reservation(r->snapshot, i, &v); i++) {
		if (!is_maintenance(v.name) || v.start_time == FS_UNKNOWN || v.end_time == FS_UNKNOWN)
			continue;
		if (!any)
			emit("\n\n-------------------- WARNING ! --------------------\n\n"
			      "The following system maintenance has been scheduled:\n");
		any = true;
		put_reservation(r, &v);
	}
	if (any)
		emit("\nYour jobs may only be scheduled to run after the system maintenance,\n"
		      "  if these jobs can not be run before the maintenance.\n\n");
}

#define LONG_BLOCKED "JOBID     JOBNAME    USERNAME      STATE   CORES  NODES QUEUE          WCLIMIT   QUEUETIME"

const struct showq_style showq_tacc = {
	.style = STYLE_TACC,
	.words = showq_words_tacc,
	.section = {
		[PLACE_ACTIVE] = {
			"ACTIVE JOBS--------------------",
			{ "JOBID     JOBNAME    USERNAME      STATE   NODES REMAINING STARTTIME",
			  "JOBID     JOBNAME    USERNAME      STATE   CORES  NODES QUEUE          REMAINING STARTTIME" },
			{ 80, 99 },
			{ active, active_long },
		},
		[PLACE_WAITING] = {
			"WAITING JOBS------------------------",
			{ "JOBID     JOBNAME    USERNAME      STATE   NODES WCLIMIT   QUEUETIME",
			  "JOBID     JOBNAME    USERNAME      STATE   CORES NODES QUEUE          WCLIMIT   QUEUETIME" },
			{ 80, 98 },
			{ pending, waiting_long },
		},
		[PLACE_BLOCKED] = {
			"BLOCKED JOBS--",
			{ "JOBID     JOBNAME    USERNAME      STATE   NODES WCLIMIT   QUEUETIME", LONG_BLOCKED },
			{ 80, 98 },
			{ pending, blocked_long },
		},
		[PLACE_ERRORED] = {
			"COMPLETING/ERRORED JOBS-------------",
			{ "JOBID     JOBNAME    USERNAME      STATE   NODES   WCLIMIT  QUEUETIME",
			  "JOBID     JOBNAME    USERNAME      STATE   NODES   WCLIMIT  QUEUETIME" },
			{ 80, 80 },
			{ errored, errored },
		},
	},
	.reasons = reasons,
	.version = "1.0\n\nTexas Advanced Computing Center\nThe University of Texas at Austin",
	.active_width = 8,
	.over_limit_is_dropped = true,
	.unknown_is_blocked = true,
	.begin = summaries,
	.utilisation = utilisation,
	.end = maintenance,
};
