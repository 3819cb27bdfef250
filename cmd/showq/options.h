/* Rows that all layouts of fs-showq have in their tables of options. */
#ifndef SHOWQ_OPTIONS_H
#define SHOWQ_OPTIONS_H

#include "options/options.h"
#include "showq/showq.h"

enum { OPT_STRICT = OPT_FIRST_FREE, OPT_PLAN, OPT_START, OPT_SHOWQ_FREE };
#define SHOWQ_STYLES "fasrc, tacc, moab, maui or flux", "fasrc tacc moab maui flux"
#define SHOWQ_JSON_OPTION JSON_OPTION("schema fs-showq/1, with --plan the starts too")
#define START_OPTIONS                                                                              \
	HEADING("Start times"),                                                                    \
	{ OPT_PLAN, "plan", NULL, "when each pending job may start, by simulation", SET(plan) },   \
	{ OPT_START, "start", "JOB", "one job's start: as recorded, by priority alone, with backfill", SET(start) }
#define STRICT_OPTION { OPT_STRICT, "strict-compat", NULL, "the tool's own defects too", SET(strict) }
#define SET(member) OPTION_SETS(struct showq_run, member)
#define SET_OF(member, values) OPTION_SETS_OF(struct showq_run, member, values)

#endif
