#include "prio/dialect.h"

#include <stdlib.h>
#include <string.h>

/* In the order in which --helpformat lists them (src/sprio/opts.c). */
static const struct prio_letter letters[] = {
	{ 'a', "AGE", OF_TERM(SHARE, AGE), .form = FORM_FACTOR },
	{ 'A', "AGE", OF_TERM(POINTS, AGE) },
	{ 'b', "ASSOC", OF_TERM(SHARE, ASSOC), .form = FORM_FACTOR, .unsortable = true },
	{ 'B', "ASSOC", OF_TERM(POINTS, ASSOC), .unsortable = true },
	{ 'c', NULL, OF_ROW(CLUSTER), .form = FORM_NULL },
	{ 'f', "FAIRSHARE", OF_TERM(SHARE, FAIRSHARE), .form = FORM_FACTOR },
	{ 'F', "FAIRSHARE", OF_TERM(POINTS, FAIRSHARE) },
	{ 'i', NULL, OF_ROW(JOBID) },
	{ 'j', "JOBSIZE", OF_TERM(SHARE, JOBSIZE), .form = FORM_FACTOR },
	{ 'J', "JOBSIZE", OF_TERM(POINTS, JOBSIZE) },
	{ 'n', NULL, OF_ROW(QOS), .form = FORM_NULLABLE, .since = FS_SLURM_SPRIO_NAMES },
	{ 'N', "NICE", OF_TERM(VALUE, NICE) },
	{ 'o', NULL, OF_ROW(ACCOUNT), .since = FS_SLURM_SPRIO_NAMES },
	{ 'p', "PARTITION", OF_TERM(SHARE, PARTITION), .form = FORM_FACTOR },
	{ 'P', "PARTITION", OF_TERM(POINTS, PARTITION) },
	{ 'r', NULL, OF_ROW(PARTITION) },
	{ 'S', "SITE", OF_TERM(VALUE, SITE), .unsortable = true },
	{ 'q', "QOS", OF_TERM(SHARE, QOS), .form = FORM_FACTOR },
	{ 'Q', "QOS", OF_TERM(POINTS, QOS) },
	{ 's', NULL, OF_ROW(SLUID), .since = FS_SLURM_SLUID, .unsortable = true },
	{ 'u', NULL, OF_ROW(USER) },
	{ 'y', NULL, OF_ROW(SUM), .form = FORM_OF_MAX },
	{ 'Y', NULL, OF_ROW(PRIORITY) },
	{ 't', NULL, OF_ROW(TRES), .form = FORM_TRES_SHARE },
	{ 'T', NULL, OF_ROW(TRES), .form = FORM_TRES },
};
const struct prio_layout prio_slurm_layout = { COLUMNS(letters), NULL };

const struct prio_dialect prio_of_slurm = { .style = STYLE_SLURM, .layout = &prio_slurm_layout };

const char *prio_heading(const struct prio_letter *l)
{
	return l->heading ? l->heading : l->column->name;
}

void prio_value(const struct prio_letter *l, const struct prio_source *of, const struct fs_prio_row *row,
		struct value *out)
{
	column_value(l->column, of, l->of_term ? (const void *)&row->terms[fs_prios_find_term(of->prios, l->factor)] : row,
		     out);
}

const struct prio_letter *prio_letter_find(const struct prio_layout *l, char letter, unsigned version)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->letter[i].letter == letter && fs_slurm_has(version, l->letter[i].since))
			return &l->letter[i];
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
	f->letter = i < len ? prio_letter_find(l, s[i], version) : NULL;
	if (!f->letter)
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
		else if (f->field[f->n].letter)
			f->n++;
		text += len;
	}
	return 0;
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
