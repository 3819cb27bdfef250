#include "scenario/write.h"

#include "model/scheduler.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ID_TEXT = FS_JOB_ID_TEXT + 12 };

static void add_written(struct fsi_command *c, int wrote)
{
	c->len = wrote < 0 || c->len + (size_t)wrote >= sizeof(c->text) ? 0 : c->len + (size_t)wrote;
}

/* A component by its number, since the first one's id means the whole het job; for scontrol top, which takes no such
 * number and means no other, by its id. */
static void write_id(char text[ID_TEXT], const fs_snapshot *m, uint64_t job, bool top)
{
	const uint32_t row = fsi_job_row(m, job);
	const struct fsi_job *j = row == FSI_NO_INDEX ? NULL : &m->job.v[row];
	char id[FS_JOB_ID_TEXT];

	if (j && !top && FSI_HAS(j, JOB, het_job_id) && FSI_HAS(j, JOB, het_offset))
		snprintf(text, ID_TEXT, "%s+%" PRIu32, fs_job_id_format(m, fsi_job_rare(m, j)->het_job_id, true, id),
			 fsi_job_rare(m, j)->het_offset);
	else
		snprintf(text, ID_TEXT, "%s", fs_job_id_format(m, job, true, id));
}

static const struct fsi_commands *commands(const fs_snapshot *m)
{
	static const struct fsi_commands none = { .update = NULL };

	return m->scheduler->commands ? m->scheduler->commands : &none;
}

/* The format has one "%s". */
static void of_job(struct fsi_command *c, const fs_snapshot *m, const char *format, uint64_t job)
{
	char id[ID_TEXT];
	const char *at = format ? strstr(format, "%s") : NULL;

	*c = (struct fsi_command){ .len = 0 };
	if (!at)
		return;
	write_id(id, m, job, format == commands(m)->top);
	add_written(c, snprintf(c->text, sizeof(c->text), "%.*s%s%s", (int)(at - format), format, id, at + 2));
}

void fsi_command_update(struct fsi_command *c, const fs_snapshot *m, uint64_t job)
{
	const char *format = commands(m)->update;

	of_job(c, m, format, job);
	if (c->len && commands(m)->job_last)
		c->tail = c->len - (strcspn(format, "%") - strlen(" "));
}

void fsi_command_change(struct fsi_command *c, const fs_snapshot *m, enum fsi_change what, const char *fmt, ...)
{
	const char *word = commands(m)->word[what];
	char tail[FSI_COMMAND_TEXT];
	va_list ap;

	if (!c->len || !word) {
		c->len = 0;
		return;
	}
	c->len -= c->tail;
	memcpy(tail, c->text + c->len, c->tail + 1);
	add_written(c, snprintf(c->text + c->len, sizeof(c->text) - c->len, "%s", word));
	if (!c->len)
		return;
	va_start(ap, fmt);
	add_written(c, vsnprintf(c->text + c->len, sizeof(c->text) - c->len, fmt, ap));
	va_end(ap);
	if (c->len)
		add_written(c, snprintf(c->text + c->len, sizeof(c->text) - c->len, "%s", tail));
}

void fsi_command_minutes(struct fsi_command *c, const fs_snapshot *m, enum fsi_change what, int64_t minutes)
{
	char text[48] = "";

	if (commands(m)->minutes)
		commands(m)->minutes(text, sizeof(text), minutes);
	fsi_command_change(c, m, what, "%s", text);
}

void fsi_command_hold(struct fsi_command *c, const fs_snapshot *m, uint64_t job)
{
	of_job(c, m, commands(m)->hold, job);
}

void fsi_command_release(struct fsi_command *c, const fs_snapshot *m, uint64_t job, bool by_owner)
{
	const struct fsi_commands *x = commands(m);

	of_job(c, m, by_owner && x->release_own ? x->release_own : x->release, job);
}

void fsi_command_first(struct fsi_command *c, const fs_snapshot *m, uint64_t job)
{
	of_job(c, m, commands(m)->first, job);
}

void fsi_command_top(struct fsi_command *c, const fs_snapshot *m, uint64_t job)
{
	of_job(c, m, commands(m)->top, job);
}

void fsi_command_limit(struct fsi_command *c, const fs_snapshot *m, const struct fsi_limit_change *l)
{
	*c = (struct fsi_command){ .len = 0 };
	if (commands(m)->limit)
		commands(m)->limit(c, l);
}

void fsi_command_put(struct fsi_command *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_written(c, vsnprintf(c->text, sizeof(c->text), fmt, ap));
	va_end(ap);
}
