/* The columns of fs-prio where the terms are Flux's. */
#include "prio/dialect.h"

#define OFFSET(m) offsetof(struct fs_prio_row, m)

static const struct prio_column columns[] = {
	{ 'a', "BANKNAME", PRIO_TEXT, OFFSET(account), 0, FS_SLURM_ALWAYS, true, "name of the bank" },
	{ 'b', "BANK", PRIO_VALUE, 0, FS_FACTOR_BANK, FS_SLURM_ALWAYS, true, "priority of the bank" },
	{ 'B', "BANK", PRIO_POINTS, 0, FS_FACTOR_BANK, FS_SLURM_ALWAYS, true, "bank, weighted" },
	{ 'f', "FAIRSHARE", PRIO_VALUE, 0, FS_FACTOR_FAIRSHARE, FS_SLURM_ALWAYS, true, "fair-share factor" },
	{ 'F', "FAIRSHARE", PRIO_POINTS, 0, FS_FACTOR_FAIRSHARE, FS_SLURM_ALWAYS, true, "fair-share, weighted" },
	{ 'g', "URGENCY", PRIO_URGENCY, 0, 0, FS_SLURM_ALWAYS, true, "urgency, 0 to 31" },
	{ 'i', "JOBID", PRIO_F58, 0, 0, FS_SLURM_ALWAYS, true, "job id in base 58" },
	{ 'I', "ID", PRIO_JOBID, 0, 0, FS_SLURM_ALWAYS, true, "job id as a number" },
	{ 'q', "QUEUE", PRIO_VALUE, 0, FS_FACTOR_QUEUE, FS_SLURM_ALWAYS, true, "priority of the queue" },
	{ 'Q', "QUEUE", PRIO_POINTS, 0, FS_FACTOR_QUEUE, FS_SLURM_ALWAYS, true, "queue, weighted" },
	{ 'r', "QUEUENAME", PRIO_TEXT, OFFSET(partition), 0, FS_SLURM_ALWAYS, true, "name of the queue" },
	{ 'u', "USER", PRIO_TEXT, OFFSET(user), 0, FS_SLURM_ALWAYS, true, "user" },
	{ 'U', "URGENCY", PRIO_POINTS, 0, FS_FACTOR_URGENCY, FS_SLURM_ALWAYS, true, "urgency less 16, weighted" },
	{ 'x', "REASON", PRIO_REASON, 0, 0, FS_SLURM_ALWAYS, false, "what the job waits for" },
	{ 'Y', "PRIORITY", PRIO_TOTAL, 0, 0, FS_SLURM_ALWAYS, true, "priority" },
};

static const char *format_of(bool wide, bool norm)
{
	if (wide)
		return "%.12i %.16I %8u %10a %9r %.10Y %.9f %.10F %.6q %.10Q %.6b %.8B %.7g %.8U  %x";
	return norm ? "%.12i %8u %10a %9r %.10Y %.9f %.6q %.6b %.7g  %x"
		    : "%.12i %8u %10a %9r %.10Y %.10F %.10Q %.8B %.8U  %x";
}

const struct prio_layout prio_flux_layout = { columns, sizeof(columns) / sizeof(*columns), format_of };

const struct prio_dialect prio_of_flux = { .style = STYLE_FLUX, .layout = &prio_flux_layout, .holds = true };
