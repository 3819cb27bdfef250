/* scontrol's records, each over several lines or folded by a terminal, as one line a record; its configuration;
 * sdiag. */
#include "import/text/text.h"

#include "base/memory/buf.h"

#include <stdlib.h>
#include <string.h>

struct joiner {
	struct fsi_text *t;
	struct fsi_text_piece *p;
	const char *file;
	struct fsi_buf text; /* the record so far */
	uint32_t no;
	size_t wide, indent;
	size_t before; /* length of the line before */
	bool open, blank;
	bool spaced; /* a blank line stands after each line, as a mail program puts them */
};

static const char *const starts[] = { [TEXT_JOB] = "JobId=",
				      [TEXT_PARTITION] = "PartitionName=",
				      [TEXT_NODE] = "NodeName=",
				      [TEXT_RESERVATION] = "ReservationName=" };
static const char *const files[] = { [TEXT_JOB] = "scontrol_job_o.txt",
				     [TEXT_PARTITION] = "scontrol_partition_o.txt",
				     [TEXT_NODE] = "scontrol_node_o.txt",
				     [TEXT_RESERVATION] = "scontrol_reservation.txt",
				     [TEXT_ASSOC_MGR] = "scontrol_assoc_mgr_o.txt" };

static bool starts_record(const struct fsi_text_piece *p, struct fsi_span line)
{
	if (p->kind != TEXT_ASSOC_MGR)
		return fsi_span_begins(line, starts[p->kind]);
	return fsi_span_begins(line, "UserName=") || fsi_span_begins(line, "ClusterName=") || fsi_span_begins(line, "QOS=");
}

static int append(struct joiner *j, const char *s, size_t n)
{
	return fsi_buf_add(&j->text, s, n) ? fsi_nomem(j->t->err) : 0;
}

/* The last `Key=value` of a line that was cut says nothing for certain. */
static void drop_last_word(struct joiner *j)
{
	while (j->text.n && j->text.v[j->text.n - 1] != ' ')
		j->text.n--;
	while (j->text.n && j->text.v[j->text.n - 1] == ' ')
		j->text.n--;
}

/* What a record is of: its first word; of an association, its number. */
static struct fsi_span key_of(struct fsi_span record)
{
	struct fsi_span rest = record, word = { NULL, 0 };

	if (fsi_span_begins(record, "ClusterName="))
		while (fsi_span_cut(&rest, ' ', &word) && !fsi_span_begins(word, "ID="))
			;
	else
		fsi_span_cut(&rest, ' ', &word);
	return word;
}

/* Of a record that was pasted twice the longer one counts, of which less was cut. */
static int put_record(struct joiner *j, struct fsi_span record)
{
	struct fsi_text_file *f = fsi_text_file(j->t, j->file);
	const struct fsi_span key = key_of(record);
	uint32_t before, row;
	char *copy;

	if (!f)
		return fsi_nomem(j->t->err);
	before = f->keys.count;
	row = fsi_intern(&f->keys, key.s, key.len);
	if (row == FSI_INTERN_FAILED)
		return fsi_nomem(j->t->err);
	if (!key.len || f->keys.count > before) {
		while (f->first.n < f->keys.count) {
			if (FSI_VEC_ROOM(&f->first))
				return fsi_nomem(j->t->err);
			f->first.v[f->first.n++] = f->lines.n;
		}
		return fsi_text_put(j->t, j->file, record, j->no);
	}
	struct fsi_text_line *old = &f->lines.v[f->first.v[row]];
	const size_t same = old->len < record.len ? old->len : record.len;

	if (memcmp(old->s, record.s, same) != 0 &&
	    fsi_text_warn(j->t, "lines %u and %u: two records of %.*s that differ: the longer is taken", old->no, j->no,
			  (int)(key.len < 60 ? key.len : 60), key.s))
		return FS_ENOMEM;
	if (record.len <= old->len)
		return 0;
	copy = fsi_arena_strndup(&j->t->arena, record.s, record.len);
	if (!copy)
		return fsi_nomem(j->t->err);
	*old = (struct fsi_text_line){ copy, (uint32_t)record.len, j->no, false };
	return 0;
}

static int flush(struct joiner *j)
{
	int rc = 0;

	if (j->open && j->text.n) {
		const struct fsi_span record = { j->text.v, j->text.n };

		rc = j->p->kind == TEXT_CONFIG ? fsi_text_put(j->t, j->file, record, j->no) : put_record(j, record);
		j->p->taken++;
	}
	j->open = false;
	j->text.n = 0;
	return rc;
}

/* Has the record a key of the line already? Then the line is of another one, whose beginning is lost. Some keys
 * stand in a record once for each node. */
static bool has_key_of(const struct joiner *j, struct fsi_span line)
{
	static const char *const own[] = { "UserId=", "Priority=", "JobState=", "SubmitTime=", "StartTime=", "Partition=", "NumNodes=", "Account=",
					   "TimeLimit=", "AllowGroups=", "MaxNodes=", "State=", "TotalCPUs=", "CPUAlloc=", "CPUTot=", NULL };
	const struct fsi_span record = { j->text.v, j->text.n };
	struct fsi_span rest = record, word, rest_of_line = line, in_line;

	while (fsi_span_cut(&rest_of_line, ' ', &in_line))
		for (size_t k = 0; own[k]; k++) {
			if (!fsi_span_begins(in_line, own[k]))
				continue;
			for (rest = record; fsi_span_cut(&rest, ' ', &word);)
				if (fsi_span_begins(word, own[k]))
					return true;
		}
	return false;
}

/* Is it of another record than the one at hand? scontrol ends each with a blank line. */
static bool of_another(const struct joiner *j, struct fsi_span line)
{
	return j->p->kind != TEXT_ASSOC_MGR && ((j->blank && !j->spaced) || has_key_of(j, line));
}

/* Does the line look like a part of a record: a key, or what a terminal folded? */
static bool is_part(const struct joiner *j, struct fsi_span line, size_t indent)
{
	const char *equals = memchr(line.s, '=', line.len);

	if (equals && equals > line.s && !memchr(line.s, ' ', (size_t)(equals - line.s)))
		return true;
	return !j->blank && (indent >= 2 || j->before + 1 >= j->wide);
}

/* Joins the line to the record. A terminal folds at its width, wherever that is; copied from it, a line lacks the
 * blank that stood last. Other lines of a record are indented, and a mail program folds at blanks. */
static int join(struct joiner *j, struct fsi_span line, size_t indent)
{
	const bool folded = indent < 3 && j->before == j->wide && j->wide >= 40;
	int rc = 0;

	if (!folded)
		rc = append(j, " ", 1);
	else if (indent)
		rc = append(j, "  ", indent);
	return rc ? rc : append(j, line.s, line.len);
}

/* Several lines of exactly one length that no fold continues had their ends taken by a terminal, or by cut(1). What
 * stands behind them may be wider, where a heading is lost. */
static bool ends_are_cut(const struct joiner *j, size_t i)
{
	const struct fsi_text_lines *l = &j->t->lines;
	const size_t wide = l->v[i].len;
	size_t same = 0;

	if (l->v[i].cut)
		return true;
	if (wide < 40 || (wide != j->wide && wide % 10 != 0 && wide != 132))
		return false;
	for (size_t k = j->p->begin; k < j->p->end; k++)
		same += l->v[k].len == wide;
	return same > 1 || (wide == j->wide && (wide % 10 == 0 || wide == 132));
}

static int take_line(struct joiner *j, size_t i)
{
	const struct fsi_text_line *l = &j->t->lines.v[i], *next = i + 1 < j->p->end ? l + 1 : NULL;
	const struct fsi_span raw = { l->s, l->len }, line = fsi_span_trim(raw);
	const size_t indent = line.len ? (size_t)(line.s - raw.s) - j->indent : 0;
	int rc = 0;

	if (!line.len) {
		j->blank = true;
		return 0;
	}
	if (starts_record(j->p, line)) {
		rc = flush(j);
		j->open = true;
		j->no = l->no;
		rc = rc ? rc : append(j, line.s, line.len);
	} else if (j->open && of_another(j, line)) {
		rc = flush(j);
		j->p->odd++;
	} else if (j->open && is_part(j, line, indent)) {
		rc = join(j, line, indent);
	} else if (j->p->kind == TEXT_ASSOC_MGR && (fsi_span_begins(line, "Current Assoc") || memchr(line.s, ' ', line.len))) {
		rc = flush(j);
	} else {
		j->p->odd++;
	}
	if (j->open && ends_are_cut(j, i)) {
		const struct fsi_span after = next ? fsi_text_span(next) : (struct fsi_span){ "", 0 };
		const struct fsi_span trimmed = fsi_span_trim(after);

		if (l->cut || !trimmed.len || starts_record(j->p, trimmed) ||
		    (size_t)(trimmed.s - after.s) - j->indent >= 3)
			drop_last_word(j);
	}
	j->before = l->len;
	j->blank = false;
	return rc;
}

static void measure(struct joiner *j)
{
	size_t blanks = 0;

	j->indent = SIZE_MAX;
	for (size_t i = j->p->begin; i < j->p->end; i++) {
		const struct fsi_text_line *l = &j->t->lines.v[i];
		const struct fsi_span line = { l->s, l->len }, v = fsi_span_trim(line);

		if (v.len && (size_t)(v.s - line.s) < j->indent)
			j->indent = (size_t)(v.s - line.s);
		j->wide = l->len > j->wide ? l->len : j->wide;
		blanks += !v.len;
	}
	j->spaced = blanks * 5 > (j->p->end - j->p->begin) * 2;
}

static int take_records(struct fsi_text *t, struct fsi_text_piece *p)
{
	struct joiner j = { .t = t, .p = p, .file = files[p->kind] };
	int rc = 0;

	measure(&j);
	if (p->kind == TEXT_ASSOC_MGR && !fsi_text_has(t, j.file))
		rc = fsi_text_put(t, j.file, fsi_span_of("Current Association Manager state"), t->lines.v[p->begin].no);
	for (size_t i = p->begin; i < p->end && !rc; i++)
		rc = take_line(&j, i);
	rc = rc ? rc : flush(&j);
	free(j.text.v);
	return rc;
}

/* ---- the configuration: `Name   = value`, values folded by the terminal */

static bool is_setting(struct fsi_span line)
{
	const char *equals = memchr(line.s, '=', line.len);
	struct fsi_span name = { line.s, equals ? (size_t)(equals - line.s) : 0 };

	name = fsi_span_trim(name);
	return name.len && name.s == line.s && !memchr(name.s, ' ', name.len) && *name.s >= 'A' && *name.s <= 'Z' &&
	       equals[-1] == ' ';
}

static bool is_next_setting(const struct fsi_text_line *l)
{
	const struct fsi_span line = fsi_span_trim(fsi_text_span(l));

	return !line.len || is_setting(line);
}

static int take_config(struct fsi_text *t, struct fsi_text_piece *p)
{
	static const char file[] = "scontrol_config.txt";
	struct joiner j = { .t = t, .p = p, .file = file };
	int rc = 0;

	measure(&j);
	for (size_t i = p->begin; i < p->end && !rc; i++) {
		const struct fsi_text_line *l = &t->lines.v[i];
		const struct fsi_span raw = { l->s, l->len }, line = fsi_span_trim(raw);

		if (!line.len || l->cut) {
			p->odd += l->cut;
			j.blank = true;
			continue;
		}
		if (is_setting(line) || fsi_span_begins(line, "Configuration data as of")) {
			rc = flush(&j);
			j.open = true;
			j.no = l->no;
			rc = rc ? rc : append(&j, line.s, line.len);
		} else if (j.open && !j.blank && j.before + 1 >= j.wide && j.wide >= 40) {
			if (j.before < j.wide)
				rc = append(&j, " ", 1);
			rc = rc ? rc : append(&j, raw.s + j.indent, raw.len - j.indent);
		} else {
			rc = flush(&j);
			p->odd += line.s[line.len - 1] != ':' && !fsi_span_begins(line, "Slurmctld(");
		}
		if (j.open && ends_are_cut(&j, i) && (i + 1 == p->end || is_next_setting(&t->lines.v[i + 1]))) {
			j.open = false; /* the value may go on */
			p->odd++;
		}
		j.before = l->len;
		j.blank = false;
	}
	rc = rc ? rc : flush(&j);
	free(j.text.v);
	return rc;
}

static int take_as_it_is(struct fsi_text *t, struct fsi_text_piece *p, const char *file)
{
	int rc = 0;

	for (size_t i = p->begin; i < p->end && !rc; i++) {
		rc = fsi_text_put(t, file, fsi_text_line(t, i), t->lines.v[i].no);
		p->taken++;
	}
	return rc;
}

int fsi_text_records(struct fsi_text *t)
{
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++) {
		struct fsi_text_piece *p = &t->pieces.v[i];

		if (p->kind == TEXT_CONFIG)
			rc = take_config(t, p);
		else if (p->kind == TEXT_SDIAG)
			rc = take_as_it_is(t, p, "sdiag.txt");
		else if (p->kind <= TEXT_ASSOC_MGR)
			rc = take_records(t, p);
	}
	return rc;
}
