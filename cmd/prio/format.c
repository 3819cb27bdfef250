/* The letters that name the columns of the priorities, and formats of them. */
#include "prio/prio.h"

#include <stdlib.h>
#include <string.h>

/* In the order of src/sprio/opts.c. */
const struct prio_layout prio_slurm_layout = { PRIO_SPRIO, "aAbBcfFijJnNopPrSqQsuyYtT", NULL };

const struct prio_dialect prio_of_slurm = { .style = STYLE_SLURM, .layout = &prio_slurm_layout };

bool prio_layout_has(const struct prio_layout *l, const struct prio_column *c, unsigned version)
{
	return c->layouts & l->layout && fs_slurm_has(version, c->since);
}

const struct prio_column *prio_letter_find(const struct prio_layout *l, char letter, unsigned version)
{
	for (const struct prio_column *c = prio_columns; c->column.help; c++)
		if (c->letter == letter && prio_layout_has(l, c, version))
			return c;
	return NULL;
}

/* Parses one piece between percent signs: [.][digits]letter text. */
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
	f->column = i < len ? prio_letter_find(l, s[i], version) : NULL;
	if (!f->column)
		return i < len ? s[i] : 0;
	f->suffix_len = len - i - 1;
	f->suffix = strndup(s + i + 1, f->suffix_len);
	return f->suffix ? 0 : -1;
}

int prio_format_parse(struct prio_run *r, const char *text, unsigned version)
{
	struct prio_format *f = &r->format;
	size_t cap = 1;
	const size_t before = strcspn(text, "%");

	for (const char *p = text; *p; p++)
		cap += *p == '%';
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
		rc = parse_piece(&f->field[f->n], r->layout, text, len, version);
		if (rc < 0)
			return -1;
		if (rc > 0)
			complain(r->inv, "Invalid job format specification: %c", (char)rc);
		else if (f->field[f->n].column)
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

void prio_default_format(const struct prio_run *r, char *buf, size_t size)
{
	static const struct {
		enum fs_factor factor;
		const char *points, *norm;
	} usual[] = {
		{ FS_FACTOR_AGE, " %.10A", " %10a" },	     { FS_FACTOR_ASSOC, " %.10B", " %10b" },
		{ FS_FACTOR_FAIRSHARE, " %.10F", " %10f" }, { FS_FACTOR_JOBSIZE, " %.10J", " %10j" },
		{ FS_FACTOR_PARTITION, " %.10P", " %10p" }, { FS_FACTOR_QOS, " %.10Q", " %10q" },
	};

	snprintf(buf, size, "%%.15i %%9r%s%s%s", r->sibling && !r->local ? " %.8c" : "",
		 r->users.given ? " %.8u" : "", r->norm ? " %10y" : " %.10Y %.10S");
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		if (fs_prios_weights(r->prios)[fs_prios_find_term(r->prios, usual[i].factor)].weight != 0)
			strncat(buf, r->norm ? usual[i].norm : usual[i].points, size - strlen(buf) - 1);
	if (fs_prios_find_term(r->prios, FS_FACTOR_TRES) != FS_NO_ROW)
		strncat(buf, r->norm ? " %20t" : " %.20T", size - strlen(buf) - 1);
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
