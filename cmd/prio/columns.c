#include "prio/dialect.h"

#include <stdlib.h>
#include <string.h>

#define OFFSET(m) offsetof(struct fs_prio_row, m)

/* In the order in which --helpformat lists them (src/sprio/opts.c). */
static const struct prio_column columns[] = {
	{ 'a', "AGE", PRIO_NORM, 0, FS_FACTOR_AGE, FS_SLURM_ALWAYS, true, "age factor" },
	{ 'A', "AGE", PRIO_POINTS, 0, FS_FACTOR_AGE, FS_SLURM_ALWAYS, true, "age, weighted" },
	{ 'b', "ASSOC", PRIO_NORM, 0, FS_FACTOR_ASSOC, FS_SLURM_ALWAYS, false, "association factor" },
	{ 'B', "ASSOC", PRIO_POINTS, 0, FS_FACTOR_ASSOC, FS_SLURM_ALWAYS, false, "association, weighted" },
	{ 'c', "CLUSTER", PRIO_CLUSTER, 0, 0, FS_SLURM_ALWAYS, true, "cluster, in a federation" },
	{ 'f', "FAIRSHARE", PRIO_NORM, 0, FS_FACTOR_FAIRSHARE, FS_SLURM_ALWAYS, true, "fair-share factor" },
	{ 'F', "FAIRSHARE", PRIO_POINTS, 0, FS_FACTOR_FAIRSHARE, FS_SLURM_ALWAYS, true, "fair-share, weighted" },
	{ 'i', "JOBID", PRIO_JOBID, 0, 0, FS_SLURM_ALWAYS, true, "job id" },
	{ 'j', "JOBSIZE", PRIO_NORM, 0, FS_FACTOR_JOBSIZE, FS_SLURM_ALWAYS, true, "job size factor" },
	{ 'J', "JOBSIZE", PRIO_POINTS, 0, FS_FACTOR_JOBSIZE, FS_SLURM_ALWAYS, true, "job size, weighted" },
	{ 'n', "QOSNAME", PRIO_NULLABLE, OFFSET(qos), 0, FS_SLURM_SPRIO_NAMES, true, "name of the QOS" },
	{ 'N', "NICE", PRIO_NICE, 0, 0, FS_SLURM_ALWAYS, true, "nice, subtracted" },
	{ 'o', "ACCOUNT", PRIO_TEXT, OFFSET(account), 0, FS_SLURM_SPRIO_NAMES, true, "account" },
	{ 'p', "PARTITION", PRIO_NORM, 0, FS_FACTOR_PARTITION, FS_SLURM_ALWAYS, true, "partition factor" },
	{ 'P', "PARTITION", PRIO_POINTS, 0, FS_FACTOR_PARTITION, FS_SLURM_ALWAYS, true, "partition, weighted" },
	{ 'r', "PARTITION", PRIO_TEXT, OFFSET(partition), 0, FS_SLURM_ALWAYS, true, "name of the partition" },
	{ 'S', "SITE", PRIO_SITE, 0, 0, FS_SLURM_ALWAYS, false, "site factor" },
	{ 'q', "QOS", PRIO_NORM, 0, FS_FACTOR_QOS, FS_SLURM_ALWAYS, true, "QOS factor" },
	{ 'Q', "QOS", PRIO_POINTS, 0, FS_FACTOR_QOS, FS_SLURM_ALWAYS, true, "QOS, weighted" },
	{ 's', "SLUID", PRIO_TEXT, OFFSET(sluid), 0, FS_SLURM_SLUID, false, "Slurm's unique job id" },
	{ 'u', "USER", PRIO_TEXT, OFFSET(user), 0, FS_SLURM_ALWAYS, true, "user" },
	{ 'y', "PRIORITY", PRIO_TOTAL_NORM, 0, 0, FS_SLURM_ALWAYS, true, "priority over 2^32 - 1" },
	{ 'Y', "PRIORITY", PRIO_TOTAL, 0, 0, FS_SLURM_ALWAYS, true, "priority" },
	{ 't', "TRES", PRIO_TRES_NORM, 0, 0, FS_SLURM_ALWAYS, true, "TRES factors" },
	{ 'T', "TRES", PRIO_TRES, 0, 0, FS_SLURM_ALWAYS, true, "TRES, weighted" },
};
const struct prio_layout prio_slurm_layout = { columns, sizeof(columns) / sizeof(*columns), NULL };

const struct prio_dialect prio_of_slurm = { .style = STYLE_SLURM, .layout = &prio_slurm_layout };

const struct prio_column *prio_column_find(const struct prio_layout *l, char letter,
					   unsigned version)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->column[i].letter == letter && fs_slurm_has(version, l->column[i].since))
			return &l->column[i];
	return NULL;
}

/* One piece between percent signs: [.][digits]letter text. */
static int parse_piece(struct prio_field *f, const struct prio_layout *l, const char *s, size_t len,
		       unsigned version)
{
	size_t i = 0;

	*f = (struct prio_field){ 0 };
	if (i < len && s[i] == '.') {
		f->right = true;
		i++;
	}
	for (; i < len && s[i] >= '0' && s[i] <= '9'; i++)
		if (f->width < 100000)
			f->width = f->width * 10 + (s[i] - '0');
	f->column = i < len ? prio_column_find(l, s[i], version) : NULL;
	if (!f->column)
		return i < len ? s[i] : 0;
	f->suffix = strndup(s + i + 1, len - i - 1);
	return f->suffix ? 0 : -1;
}

int prio_format_parse(struct prio_format *f, const struct prio_layout *l, const char *text,
		      unsigned version, void (*bad)(void *ctx, char letter), void *ctx)
{
	size_t cap = 1;
	const size_t before = strcspn(text, "%");

	for (const char *p = text; *p; p++)
		cap += *p == '%';
	*f = (struct prio_format){ 0 };
	f->prefix = strndup(text, before);
	f->field = calloc(cap, sizeof(*f->field));
	if (!f->prefix || !f->field)
		return -1;
	for (text += before; *text;) {
		text += strspn(text, "%");
		const size_t len = strcspn(text, "%");
		int rc;

		if (!len)
			break;
		rc = parse_piece(&f->field[f->n], l, text, len, version);
		if (rc < 0)
			return -1;
		if (rc > 0)
			bad(ctx, (char)rc);
		else if (f->field[f->n].column)
			f->n++;
		text += len;
	}
	return 0;
}

const struct fs_prio_term *prio_term(const fs_prios *p, const struct fs_prio_row *row,
				     enum fs_factor factor)
{
	return &row->terms[fs_prios_find_term(p, factor)];
}

void prio_format_free(struct prio_format *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->field[i].suffix);
	free(f->field);
	free(f->prefix);
	*f = (struct prio_format){ 0 };
}

void prio_default_format(char *buf, size_t size, const fs_prios *p, bool norm, bool with_user,
			 bool with_cluster)
{
	static const struct {
		enum fs_factor factor;
		const char *points, *norm;
	} usual[] = {
		{ FS_FACTOR_AGE, " %.10A", " %10a" },	     { FS_FACTOR_ASSOC, " %.10B", " %10b" },
		{ FS_FACTOR_FAIRSHARE, " %.10F", " %10f" }, { FS_FACTOR_JOBSIZE, " %.10J", " %10j" },
		{ FS_FACTOR_PARTITION, " %.10P", " %10p" }, { FS_FACTOR_QOS, " %.10Q", " %10q" },
	};

	snprintf(buf, size, "%%.15i %%9r%s%s%s", with_cluster ? " %.8c" : "",
		 with_user ? " %.8u" : "", norm ? " %10y" : " %.10Y %.10S");
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		if (fs_prios_weights(p)[fs_prios_find_term(p, usual[i].factor)].weight != 0)
			strncat(buf, norm ? usual[i].norm : usual[i].points,
				size - strlen(buf) - 1);
	if (fs_prios_find_term(p, FS_FACTOR_TRES) != FS_NO_ROW)
		strncat(buf, norm ? " %20t" : " %.20T", size - strlen(buf) - 1);
}

const char *prio_long_format(bool norm, unsigned version)
{
	const bool names = fs_slurm_has(version, FS_SLURM_SPRIO_NAMES);

	if (norm)
		return names ? "%.15i %9r %.8u %.8o %10y %10a %10b %10f %10j %10p %10n %10q %20t"
			     : "%.15i %9r %.8u %10y %10a %10b %10f %10j %10p %10q %20t";
	return names ? "%.15i %9r %.8u %.8o %.10Y %.10S %.10A %.10B %.10F %.10J %.10P %.10n %.10Q %.11N %.20T"
		     : "%.15i %9r %.8u %.10Y %.10S %.10A %.10B %.10F %.10J %.10P %.10Q %.11N %.20T";
}
