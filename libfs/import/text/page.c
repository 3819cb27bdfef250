#include "base/json.h"
#include "base/num.h"
#include "import/text/tables.h"
#include "import/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Functions for messages of the import, and for the files of a capture in memory. An importer reads these files like
 * the files of a folder. */

struct fsi_text_file *fsi_text_ensure_file(struct fsi_text *t, const char *name)
{
	for (size_t i = 0; i < t->files.n; i++)
		if (!strcmp(t->files.v[i].name, name))
			return &t->files.v[i];
	if (FSI_VEC_RESERVE(&t->files))
		return NULL;
	t->files.v[t->files.n] = (struct fsi_text_file){ .name = name };
	return &t->files.v[t->files.n++];
}

const struct fsi_text_file *fsi_text_find_file(const struct fsi_text *t, const char *name)
{
	for (size_t i = 0; i < t->files.n; i++)
		if (!strcmp(t->files.v[i].name, name))
			return &t->files.v[i];
	return NULL;
}

int fsi_text_add_line(struct fsi_text *t, const char *file, struct fsi_span line, uint32_t no)
{
	struct fsi_text_file *f = fsi_text_ensure_file(t, file);
	char *copy = fsi_arena_strndup(&t->arena, line.s ? line.s : "", line.len);

	if (!f || !copy || FSI_VEC_RESERVE(&f->lines))
		return fsi_fail_no_memory(t->err);
	f->lines.v[f->lines.n++] = (struct fsi_text_line){ copy, (uint32_t)line.len, no, false };
	return 0;
}

/* ---- a line that is being built */

void fsi_text_row_append(struct fsi_text_row *l, struct fsi_span v, const char *sep)
{
	const size_t m = strlen(sep);

	if (l->n + v.len + m >= sizeof(l->text)) {
		l->full = true;
		return;
	}
	if (v.len)
		memcpy(l->text + l->n, v.s, v.len);
	memcpy(l->text + l->n + v.len, sep, m);
	l->n += v.len + m;
}

struct fsi_span fsi_text_row_span(const struct fsi_text_row *l)
{
	return (struct fsi_span){ l->text, l->n };
}

/* ---- reading the files */

static int open_memory_file(void *ctx, const char *name, void **stream)
{
	struct fsi_text_file *file = fsi_text_find_file(ctx, name) ? fsi_text_ensure_file(ctx, name) : NULL;

	if (!file)
		return 1;
	file->next_line = file->next_byte = 0;
	*stream = file;
	return 0;
}

static ptrdiff_t read_memory_file(void *stream, void *buf, size_t size)
{
	struct fsi_text_file *file = stream;
	char *out = buf;
	size_t n = 0;

	while (n < size && file->next_line < file->lines.n) {
		const struct fsi_text_line *l = &file->lines.v[file->next_line];
		const size_t left = l->len - file->next_byte, some = left < size - n ? left : size - n;

		memcpy(out + n, l->s + file->next_byte, some);
		n += some;
		file->next_byte += some;
		if (file->next_byte == l->len && n < size) {
			out[n++] = '\n';
			file->next_line++;
			file->next_byte = 0;
		}
	}
	return (ptrdiff_t)n;
}

static void close_memory_file(void *stream)
{
	(void)stream;
}

static int list_memory_files(void *ctx, const char *dir, int (*each)(void *each_ctx, const char *name), void *each_ctx)
{
	const struct fsi_text *t = ctx;
	int rc = 0;

	if (*dir)
		return 1;
	for (size_t i = 0; i < t->files.n && !rc; i++)
		rc = each(each_ctx, t->files.v[i].name);
	return rc;
}

struct fs_source fsi_text_make_source(struct fsi_text *t)
{
	return (struct fs_source){
		t, t->name, open_memory_file, read_memory_file, close_memory_file, list_memory_files
	};
}

/* ---- messages */

int fsi_text_add_warning(struct fsi_text *t, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (FSI_VEC_RESERVE(&t->warnings))
		return fsi_fail_no_memory(t->err);
	t->warnings.v[t->warnings.n] = fsi_arena_strndup(&t->arena, text, strlen(text));
	return t->warnings.v[t->warnings.n++] ? 0 : fsi_fail_no_memory(t->err);
}

void fsi_text_print_note(const struct fsi_text *t, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	if (!t->o->note)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	t->o->note(t->o->note_ctx, text);
}

/* Cleaning a paste: removing terminal colors, e-mail quoting, carriage returns and non-ASCII blanks. */

/* State of cleaning a paste. `p` to `end` is the part of the paste that is not yet cleaned; out[0..n) is the cleaned
 * part of the current line. */
struct paste_cleaner {
	const unsigned char *p, *end;
	char *out; /* buffer for the text of the current line */
	size_t n, cap;
	bool breaks; /* a tag of HTML ends the line here */
};

static bool begins_with_bytes(const struct paste_cleaner *c, const char *bytes)
{
	const size_t n = strlen(bytes);

	return (size_t)(c->end - c->p) >= n && !memcmp(c->p, bytes, n);
}

/* Skips one escape sequence (ECMA-48: control sequences, strings, single functions). A terminal interprets such a
 * sequence and does not show it. */
static void skip_terminal_escape(struct paste_cleaner *c)
{
	c->p++;
	if (c->p == c->end)
		return;
	if (*c->p == '[') {
		for (c->p++; c->p < c->end && *c->p != '\n'; c->p++)
			if (*c->p >= 0x40 && *c->p <= 0x7e) {
				c->p++;
				return;
			}
	} else if (*c->p == ']' || *c->p == 'P') {
		while (c->p < c->end && *c->p != '\n' && *c->p != 7 && *c->p != 0x1b)
			c->p++;
		if (begins_with_bytes(c, "\x1b\\"))
			c->p += 2;
		else if (c->p < c->end && *c->p == 7)
			c->p++;
	} else if (*c->p == '(' || *c->p == ')') {
		c->p += c->end - c->p > 1 ? 2 : 1;
	} else if (*c->p != '\n') {
		c->p++;
	}
}

static void append_output_byte(struct paste_cleaner *c, char byte)
{
	if (c->n < c->cap)
		c->out[c->n++] = byte;
}

/* If the next bytes are a tag of HTML, such as `</pre>` or `<span class="x">`, skips it and returns true. A word in angle
 * brackets that is not the name of an element, such as <user>, is text. */
static bool skip_html_tag(struct paste_cleaner *c)
{
	static const char inline_elements[] = " code span td th strong em b i tt font ",
			  line_elements[] = " br tr ", blocks[] = " pre p div table tbody blockquote li ul ol h1 h2 h3 ";
	const unsigned char *name = c->p + 1, *end, *close;
	struct fsi_span element;

	if (*c->p != '<')
		return false;
	name += name < c->end && *name == '/';
	for (end = name;
	     end < c->end && ((*end | 0x20) >= 'a' || (*end >= '1' && *end <= '3')) && (*end | 0x20) <= 'z';)
		end++;
	element = (struct fsi_span){ (const char *)name, (size_t)(end - name) };
	close = memchr(end, '>', (size_t)(c->end - end));
	if (!close || (*end != '>' && *end != ' ' && *end != '/') || memchr(end, '\n', (size_t)(close - end)) ||
	    (!fsi_text_is_word_of(inline_elements, element) && !fsi_text_is_word_of(line_elements, element) &&
	     !fsi_text_is_word_of(blocks, element)))
		return false;
	c->p = close + 1;
	c->breaks = fsi_text_is_word_of(blocks, element) ||
		    (fsi_text_is_word_of(line_elements, element) && c->p < c->end && *c->p != '\n' && *c->p != '\r');
	return true;
}

/* Replaces bytes that a mail program, a web page or a terminal shows as other text. Returns false if the next bytes are
 * not such bytes. */
static bool replace_next_bytes(struct paste_cleaner *c)
{
	static const struct {
		const char *bytes;
		char by; /* 0: nothing */
	} replacements[] = { { "\xc2\xa0", ' ' }, /* no-break space */
			     { "\xe2\x80\x8b", 0 }, /* zero-width space */
			     { "\xef\xbb\xbf", 0 }, /* byte-order mark */
			     { "&nbsp;", ' ' },	{ "&#160;", ' ' }, { "&gt;", '>' },   { "&lt;", '<' },
			     { "&amp;", '&' },	{ "&quot;", '"' }, { "&#39;", '\'' }, { "&#x27;", '\'' } };

	for (size_t i = 0; i < sizeof(replacements) / sizeof(*replacements); i++)
		if (begins_with_bytes(c, replacements[i].bytes)) {
			c->p += strlen(replacements[i].bytes);
			if (replacements[i].by)
				append_output_byte(c, replacements[i].by);
			return true;
		}
	return false;
}

static void clean_next_char(struct paste_cleaner *c)
{
	if (*c->p == 0x1b) {
		skip_terminal_escape(c);
	/* Flux's job IDs begin with ƒ, which has two bytes and the width of one column; ƒ is replaced by f */
	} else if (begins_with_bytes(c, "\xc6\x92") && (!c->n || c->out[c->n - 1] == ' ')) {
		append_output_byte(c, 'f');
		c->p += 2;
	} else if (!skip_html_tag(c) && !replace_next_bytes(c)) {
		if (*c->p == '\t')
			do
				append_output_byte(c, ' ');
			while (c->n % 8 && c->n < c->cap);
		else if (*c->p == '\b')
			c->n -= c->n > 0;
		else if (*c->p >= ' ' && *c->p != 0x7f)
			append_output_byte(c, (char)*c->p);
		c->p++;
	}
}

/* Returns the line without the marks of quoted e-mail: "> > squeue". */
static struct fsi_span strip_mail_quotes(struct fsi_span v)
{
	for (;;) {
		size_t i = 0;

		while (i < v.len && i < 2 && v.s[i] == ' ')
			i++;
		if (i == v.len || v.s[i] != '>')
			return v;
		i++;
		i += i < v.len && v.s[i] == ' ';
		v = fsi_span_skip_bytes(v, i);
	}
}

static int append_cleaned_line(struct fsi_text *t, struct paste_cleaner *c, uint32_t no, bool cut)
{
	struct fsi_span v = strip_mail_quotes((struct fsi_span){ c->out, c->n });
	char *copy;

	while (v.len && v.s[v.len - 1] == ' ')
		v.len--;
	if (v.len >= 3 && !memcmp(v.s, "```", 3))
		v.len = 0;
	copy = fsi_arena_strndup(&t->arena, v.s, v.len);
	if (!copy || FSI_VEC_RESERVE(&t->lines))
		return fsi_fail_no_memory(t->err);
	t->lines.v[t->lines.n++] = (struct fsi_text_line){ copy, (uint32_t)v.len, no, cut };
	return 0;
}

int fsi_text_clean_paste(struct fsi_text *t, const char *text, size_t size)
{
	struct paste_cleaner c = { .p = (const unsigned char *)text };
	uint32_t no = 0;
	int rc = 0;

	c.end = c.p + size;
	while (c.p < c.end && !rc) {
		const unsigned char *eol = memchr(c.p, '\n', (size_t)(c.end - c.p));
		const unsigned char *end = eol ? eol : c.end;

		c.n = 0;
		c.cap = (size_t)(end - c.p) * 8;
		c.out = malloc(c.cap + 1);
		if (!c.out)
			return fsi_fail_no_memory(t->err);
		no++;
		while (c.p < end && !rc) {
			clean_next_char(&c);
			if (c.breaks) {
				rc = append_cleaned_line(t, &c, no, false);
				c.n = 0;
				c.breaks = false;
			}
		}
		c.p = eol ? eol + 1 : c.end;
		rc = rc ? rc : append_cleaned_line(t, &c, no, !eol);
		free(c.out);
	}
	return rc;
}

/* ---- values that a column may have, and their conversion */

bool fsi_text_is_job_id(struct fsi_span v)
{
	for (size_t i = 0; i < v.len; i++)
		if (!(v.s[i] >= '0' && v.s[i] <= '9') && (!i || !strchr("_[]-,%+.*", v.s[i])))
			return false;
	return v.len > 0;
}

bool fsi_text_is_number(struct fsi_span v, bool fraction)
{
	double d;
	int64_t n;

	return fraction ? !fsi_parse_double(v.s, v.len, &d) : !fsi_parse_i64(v.s, v.len, &n);
}

bool fsi_text_is_word_of(const char *words, struct fsi_span v)
{
	for (const char *p = words; v.len && (p = strchr(p, ' ')) != NULL;)
		if (!strncmp(++p, v.s, v.len) && p[v.len] == ' ')
			return true;
	return false;
}

/* Returns true if the text has at least `min` characters, and all are one of `chars`. */
static bool has_only_chars(struct fsi_span v, const char *chars, size_t min)
{
	for (size_t i = 0; i < v.len; i++)
		if (!v.s[i] || !strchr(chars, v.s[i]))
			return false;
	return v.len >= min;
}

static bool is_enclosed(struct fsi_span v, char open, char close)
{
	return v.len > 2 && *v.s == open && v.s[v.len - 1] == close;
}

bool fsi_text_is_redacted(struct fsi_span v)
{
	struct fsi_span name;

	if (is_enclosed(v, '<', '>') || is_enclosed(v, '[', ']'))
		return v.s[1] > '9' || v.s[1] == ' ';
	fsi_span_cut_part(&v, '(', &name);
	return has_only_chars(name, "xX", 3) || has_only_chars(name, "*", 3) || has_only_chars(name, "#", 3) ||
	       is_enclosed(name, '<', '>') || fsi_span_is_word(name, "REDACTED") || fsi_span_is_word(name, "redacted");
}

bool fsi_text_is_ornament(struct fsi_span line)
{
	size_t letters = 0;

	for (size_t i = 0; i < line.len; i++)
		letters += line.s[i] > ',' && line.s[i] != '.' && line.s[i] != '~' && line.s[i] != '-';
	if (!letters && !has_only_chars(line, "-+ ", 1))
		return true;
	return !memchr(line.s, '=', line.len) && *line.s != '{' &&
	       (is_enclosed(line, '<', '>') || is_enclosed(line, '[', ']') || has_only_chars(line, "[].", 3));
}

bool fsi_text_is_config_setting(struct fsi_span line)
{
	const char *equals = memchr(line.s, '=', line.len);
	struct fsi_span name = { line.s, equals ? (size_t)(equals - line.s) : 0 };

	name = fsi_span_trim_blanks(name);
	return name.len && name.s == line.s && !memchr(name.s, ' ', name.len) && *name.s >= 'A' && *name.s <= 'Z' &&
	       equals[-1] == ' ';
}

bool fsi_text_is_flux_id(struct fsi_span v)
{
	uint64_t n;

	return !fsi_import_parse_flux_id(v, &n);
}

/* ---- types of columns */

static const struct {
	enum fsi_text_scheduler scheduler;
	enum fsi_cell_type type;
	const char *columns;
} column_types[] = {
	{ TEXT_SLURM, FSI_CELL_JOB_ID, " JOBID ARRAY_JOB_ID JobID JobIDRaw " },
	{ TEXT_SLURM, FSI_CELL_STATE, " ST STATE State " },
	{ TEXT_SLURM, FSI_CELL_AVAIL, " AVAIL " },
	{ TEXT_SLURM, FSI_CELL_COUNT,
	  " NODES CPUS TASKS UID ASSOC_ID ID MEMORY TMP_DISK WEIGHT RawUsage AllocCPUS ReqCPUS NCPUS NNodes " },
	{ TEXT_SLURM, FSI_CELL_SHARES, " RawShares Share " },
	{ TEXT_SLURM, FSI_CELL_FRACTION, " NormShares NormUsage EffectvUsage FairShare " },
	{ TEXT_SLURM, FSI_CELL_NAME, " USER User " },
	{ TEXT_SLURM, FSI_CELL_NUMBER, " AGE SITE ADMIN ASSOC FAIRSHARE JOBSIZE NICE PRIORITY LevelFS Priority " },
	{ TEXT_SLURM, FSI_CELL_DURATION, " TIME TIME_LIMIT TIME_LIMI TIME_LEFT TIMELIMIT Elapsed Timelimit " },
	{ TEXT_SLURM, FSI_CELL_NODES_OR_REASON, " NODELIST(REASON) " },
	{ TEXT_SLURM, FSI_CELL_TEXT,
	  " NAME REASON COMMENT ADMIN_COMMENT COMMAND WORK_DIR JobName Reason Descr Org Coord Accounts Name Comment " },
	{ TEXT_FLUX, FSI_CELL_FLUX_ID, " JOBID " },
	{ TEXT_FLUX, FSI_CELL_STATE, " ST STATE STATUS " },
	{ TEXT_FLUX, FSI_CELL_NUMBER,
	  " NTASKS NCORES NNODES URG PRI UID URGENCY PRIORITY QFACT FSFACTOR URGFACT BANKFACT BANKPRIO QPRIO FAIRSHARE " },
	{ TEXT_FLUX, FSI_CELL_DURATION, " TIME " },
	{ TEXT_FLUX, FSI_CELL_TEXT, " NAME INFO DEPENDENCIES INACTIVE-REASON CWD " },
};

enum fsi_cell_type fsi_text_cell_type(enum fsi_text_kind kind, const char *name)
{
	const enum fsi_text_scheduler scheduler = fsi_text_kind_scheduler(kind);

	for (size_t i = 0; i < sizeof(column_types) / sizeof(*column_types); i++)
		if (column_types[i].scheduler == scheduler &&
		    fsi_text_is_word_of(column_types[i].columns, fsi_string_to_span(name)))
			return column_types[i].type;
	return FSI_CELL_WORD;
}

bool fsi_text_is_filled_column(enum fsi_text_kind kind, const char *name)
{
	static const struct {
		enum fsi_text_kind kind;
		const char *columns;
	} filled[] = { { TEXT_SQUEUE, " JOBID ST STATE TIME NODES CPUS PRIORITY " },
		       { TEXT_SACCT, " JobID State " },
		       { TEXT_SPRIO, " JOBID " },
		       { TEXT_SSHARE, " Account NormShares RawUsage EffectvUsage " },
		       { TEXT_SINFO, " PARTITION AVAIL NODES STATE " },
		       { TEXT_ASSOC, " Cluster Account " },
		       { TEXT_QOS, " Name " },
		       { TEXT_FLUX_JOBS, " JOBID ST STATE " },
		       { TEXT_FLUX_PRIORITIES, " JOBID " } };

	for (size_t i = 0; i < sizeof(filled) / sizeof(*filled); i++)
		if (filled[i].kind == kind && fsi_text_is_word_of(filled[i].columns, fsi_string_to_span(name)))
			return true;
	return false;
}

static bool is_number_cell(struct fsi_span v)
{
	return fsi_text_is_number(v, true) || v.s[v.len - 1] == '+' || fsi_span_is_word(v, "inf") ||
	       fsi_span_is_word(v, "nan") || fsi_span_is_word(v, "-");
}

/* Returns true if v is a job's state in full or compact form, or the beginning of a state that a column has cut. */
static bool is_job_state(struct fsi_span v)
{
	return has_only_chars(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_+", 1) || fsi_span_starts_with(v, "CANCELLED by");
}

static bool is_duration(struct fsi_span v)
{
	return has_only_chars(v, "0123456789:-.", 1) || (*v.s >= '0' && *v.s <= '9' && !memchr(v.s, ' ', v.len)) ||
	       fsi_text_is_word_of(" UNLIMITED UNLIMITE INVALID N/A n/a NOT_SET Partition_Limit infinite ", v);
}

bool fsi_text_fits_type(enum fsi_text_kind kind, enum fsi_cell_type type, struct fsi_span v)
{
	const bool has_blank = v.len && memchr(v.s, ' ', v.len);

	if (type == FSI_CELL_FLUX_ID)
		return fsi_text_is_flux_id(v);
	if (type == FSI_CELL_JOB_ID && kind == TEXT_SPRIO && fsi_span_is_word(v, "Weights"))
		return true;
	if (type == FSI_CELL_JOB_ID)
		return v.len && *v.s >= '0' && *v.s <= '9' && !has_blank &&
		       (kind == TEXT_SACCT || fsi_text_is_job_id(v));
	if (!v.len)
		return true;
	switch (type) {
	case FSI_CELL_STATE:
		return kind == TEXT_SINFO ? !has_blank && *v.s >= 'a' && *v.s <= 'z' : is_job_state(v);
	case FSI_CELL_AVAIL:
		return fsi_text_is_word_of(" up down drain inact ", v);
	case FSI_CELL_NAME:
		return !has_blank && !has_only_chars(v, "0123456789.", 1);
	case FSI_CELL_COUNT:
		return has_only_chars(v, "0123456789/+-.KMGTk", 1) && *v.s != '/';
	case FSI_CELL_SHARES:
		return has_only_chars(v, "0123456789", 1) || fsi_span_is_word(v, "parent");
	case FSI_CELL_FRACTION:
		return is_number_cell(v) && (memchr(v.s, '.', v.len) || *v.s > '9' || v.s[v.len - 1] == '+');
	case FSI_CELL_NUMBER:
		return is_number_cell(v);
	case FSI_CELL_DURATION:
		return is_duration(v) || fsi_span_is_word(v, "-");
	case FSI_CELL_NODES_OR_REASON:
		return *v.s == '(' || !has_blank;
	default:
		return type == FSI_CELL_TEXT || !has_blank;
	}
}

size_t fsi_text_find_column(const struct fsi_text_table *table, const char *name)
{
	size_t i = 0;

	while (i < table->columns && strcmp(table->name[i], name) != 0)
		i++;
	return i;
}

struct fsi_span fsi_text_find_cell(const struct fsi_text_table *table, size_t row, const char *name)
{
	const size_t i = fsi_text_find_column(table, name);

	return i < table->columns ? table->cell[row * table->columns + i] : (struct fsi_span){ NULL, 0 };
}

/* Compact and full name of each job state (src/common/slurm_protocol_defs.c: job_state_string_compact). */
static const char *const slurm_states[][2] = {
	{ "PD", "PENDING" },	{ "R", "RUNNING" },	 { "S", "SUSPENDED" },	    { "CF", "CONFIGURING" }, { "CG", "COMPLETING" },
	{ "CD", "COMPLETED" },	{ "CA", "CANCELLED" },	 { "F", "FAILED" },	    { "TO", "TIMEOUT" },     { "NF", "NODE_FAIL" },
	{ "PR", "PREEMPTED" },	{ "BF", "BOOT_FAIL" },	 { "DL", "DEADLINE" },	    { "OOM", "OUT_OF_MEMORY" }, { "RQ", "REQUEUED" },
	{ "RH", "REQUEUE_HOLD" }, { "RF", "REQUEUE_FED" }, { "SE", "SPECIAL_EXIT" }, { "RS", "RESIZING" },    { "SI", "SIGNALING" },
	{ "SO", "STAGE_OUT" },	{ "ST", "STOPPED" },	 { "RV", "REVOKED" },	    { "LF", "LAUNCH_FAILED" },
};

struct fsi_span fsi_text_expand_state(struct fsi_span v)
{
	for (size_t i = 0; i < sizeof(slurm_states) / sizeof(*slurm_states); i++)
		if (fsi_span_equals(v, fsi_string_to_span(slurm_states[i][0])))
			return fsi_string_to_span(slurm_states[i][1]);
	for (size_t i = 0; i < sizeof(slurm_states) / sizeof(*slurm_states); i++)
		if (fsi_span_equals(v, fsi_string_to_span(slurm_states[i][1])))
			return v;
	return (struct fsi_span){ NULL, 0 };
}

struct fsi_span fsi_text_format_limit(struct fsi_text *t, struct fsi_span v)
{
	size_t colons = 0;
	char *s;

	for (size_t i = 0; i < v.len; i++)
		colons += v.s[i] == ':';
	if (colons != 1 || memchr(v.s, '-', v.len))
		return v;
	s = fsi_arena_alloc(&t->arena, v.len + 3);
	if (!s)
		return (struct fsi_span){ NULL, 0 };
	memcpy(s, "0:", 2);
	memcpy(s + 2, v.s, v.len);
	return (struct fsi_span){ s, v.len + 2 };
}

struct fsi_span fsi_text_append_name(struct fsi_text *t, struct fsi_span list, struct fsi_span name)
{
	struct fsi_span rest = list, one;
	char *s;

	while (list.len && fsi_span_cut_part(&rest, ',', &one))
		if (fsi_span_equals(one, name))
			return list;
	if (!name.len)
		return list;
	s = fsi_arena_alloc(&t->arena, list.len + name.len + 2);
	if (!s)
		return (struct fsi_span){ NULL, 0 };
	if (list.len) {
		memcpy(s, list.s, list.len);
		s[list.len] = ',';
	}
	memcpy(s + list.len + (list.len > 0), name.s, name.len);
	return (struct fsi_span){ s, list.len + (list.len > 0) + name.len };
}

/* Recognizes which command of Slurm, Flux or Maui printed an output, from the columns of its table or the first words
 * of its records.
 *
 * Sources of the headings:
 *   Flux  flux-core's src/cmd/flux-jobs.py, flux-queue.py, flux-resource.py and src/bindings/python/flux/job/info.py;
 *         flux-accounting's formatter.py
 *   Maui  src/server/omclient.c (MCShow...), src/UserI.c and src/moab/MFS.c (MFSShow) */

/* ---- the headings of the columns that each command prints */

#define LIMIT_COLUMNS "GrpTRES GrpTRESMins GrpTRESRunMins GrpTRESRunMin GrpJobs GrpJobsAccrue GrpSubmit GrpWall MaxTRES MaxTRESPerNode MaxTRESMins MaxWall MaxJobs MaxSubmit MaxJobsAccrue MinPrioThres MinPrio "

static const struct command_columns {
	enum fsi_text_kind kind;
	const char *name;  /* command that prints the table */
	const char *required_column;   /* a column that the heading always has; NULL: none */
	/* columns that only this command prints; a heading must have at least one of them */
	const char *distinctive_columns;
	const char *heading_words; /* all columns that the command is known to print */
} command_columns[] = {
	{ TEXT_FLUX_PRIORITIES, "flux account jobs", "JOBID", " BANKPRIO FSFACTOR URGFACT ",
	  " JOBID USER BANK BANKPRIO BANKFACT QUEUE QPRIO QFACT FAIRSHARE FSFACTOR URGENCY URGFACT PRIORITY " },
	{ TEXT_FLUX_JOBS, "flux jobs", "JOBID",
	  " NTASKS NNODES NCORES URG PRI INFO DEPENDENCIES T_REMAINING INACTIVE-REASON ",
	  " JOBID QUEUE USER UID NAME ST STATE STATUS S NTASKS NNODES NCORES TIME RUNTIME DURATION EXPIRATION INFO BANK PROJECT PRI URG "
	  "DEPENDENCIES RANKS NODELIST RESULT RS SUCCESS RC T_SUBMIT T_DEPEND T_PRIORITY T_SCHED T_RUN T_CLEANUP T_INACTIVE T_REMAINING "
	  "T_ESTIMATE INACTIVE-REASON SCHED CWD " },
	{ TEXT_FLUX_TREE, "flux account view-bank", "Username", " Bank Account ",
	  " Bank Account Username Active RawShares RawUsage Fairshare " },
	{ TEXT_FLUX_ROWS, "flux account", NULL, " factor key parent_bank username queue bank ",
	  " factor weight key value bank_id bank active parent_bank shares job_usage priority ignore_older_than creation_time mod_time username "
	  "userid default_bank fairshare max_running_jobs max_active_jobs max_nodes max_cores queues projects default_project max_sched_jobs "
	  "queue min_nodes_per_job max_nodes_per_job max_time_per_job max_nodes_per_assoc max_sched_nodes_per_assoc "
	  "max_sched_cores_per_assoc " },
	{ TEXT_FLUX_QUEUES, "flux queue list", "QUEUE", " EN TDEFAULT TLIMIT ",
	  " QUEUE PARENT EN ST TDEFAULT TLIMIT NNODES NCORES NGPUS " },
	{ TEXT_FLUX_NODES, "flux resource list", "STATE", " NCORES NGPUS ",
	  " STATE QUEUE PROPERTIES NNODES NCORES NGPUS RANKS NODELIST " },
	{ TEXT_FLUX_DRAINED, "flux resource status", "STATE", " UP NNODES ",
	  " STATE UP NNODES RANKS NODELIST REASON TIMESTAMP TIME " },
	{ TEXT_SHOWQ_IDLE, "showq -i", "JobName", " SystemQueueTime ",
	  " JobName Priority XFactor Q User Group Procs WCLimit Class SystemQueueTime " },
	{ TEXT_SHOWQ_RUNNING, "showq -r", "JobName", " MHost Effic ",
	  " JobName S prio Par Effic XFactor Q User Group MHost Procs Remaining StartTime " },
	{ TEXT_SHOWQ_BLOCKED, "showq -b", "JobName", " Reason ", " JobName User Reason " },
	{ TEXT_SHOWQ, "showq", "JOBNAME", " WCLIMIT REMAINING ",
	  " JOBNAME USERNAME STATE PROC REMAINING STARTTIME WCLIMIT QUEUETIME " },
	{ TEXT_DIAGNOSE_JOBS, "diagnose -j", "Name", " QueuedTime ",
	  " Name State Par Proc QOS WCLimit R Min User Group Account QueuedTime Network Opsys Arch Mem Disk Procs Class Features " },
	{ TEXT_SHOWRES, "showres", "ReservationID", " N/P ",
	  " ReservationID Type S Start End Duration N/P StartTime " },
	{ TEXT_SHOWRES_NODES, "showres -n", "NodeName", " JobState ",
	  " NodeName Type ReservationID JobState Task Start Duration StartTime " },
	{ TEXT_SPRIO, "sprio", NULL, " AGE FAIRSHARE JOBSIZE SITE ADMIN ASSOC ",
	  " JOBID PARTITION USER ACCOUNT PRIORITY SITE ADMIN AGE ASSOC FAIRSHARE JOBSIZE QOS QOSNAME NICE TRES SLUID CLUSTER " },
	{ TEXT_SQUEUE, "squeue", NULL, " JOBID ARRAY_JOB_ID ",
	  " JOBID PARTITION NAME USER ST STATE TIME NODES NODELIST(REASON) NODELIST REASON PRIORITY NICE CPUS TASKS TIME_LIMIT "
	  "TIME_LIMI TIME_LEFT SUBMIT_TIME ELIGIBLE_TIME ACCRUE_TIME START_TIME END_TIME LAST_SCHED_EVAL PENDING_TIME QOS ACCOUNT UID "
	  "GROUP ARRAY_JOB_ID ARRAY_TASK_ID ASSOC_ID DEPENDENCY RESERVATION FEATURES LICENSES REQ_NODES EXC_NODES SCHEDNODES "
	  "OVER_SUBSCRIBE TRES_ALLOC TRES_PER_NODE TRES_PER_JOB MIN_CPUS MIN_MEMORY CPUS_PER_TASK MIN_TMP_DISK RESTART_COUNT "
	  "RESTART_CO COMMAND WORK_DIR COMMENT ADMIN_COMMENT PREEMPT_TIME EXEC_HOST WCKEY CONTIGUOUS S:C:T SOCKETS_PER_NODE "
	  "CORES_PER_SOCKET THREADS_PER_CORE CORE_SPEC " },
	{ TEXT_SACCT, "sacct", "JobID", " State JobName Partition User ExitCode AllocCPUS ReqCPUS NNodes Elapsed ReqTRES AllocTRES Timelimit ",
	  " JobID JobIDRaw JobName Partition User Account State ExitCode DerivedExitCode AllocCPUS ReqCPUS NCPUS NNodes AllocNodes "
	  "Submit Eligible Start End Elapsed Timelimit NodeList QOS Reason Priority ReqMem ReqTRES AllocTRES MaxRSS Cluster Group UID " },
	{ TEXT_SSHARE, "sshare", NULL, " RawShares NormShares RawUsage NormUsage EffectvUsage LevelFS ",
	  " Account User Partition RawShares NormShares RawUsage NormUsage EffectvUsage FairShare LevelFS GrpTRESMins TRESRunMins Cluster ID "
	  "GrpTRESRaw " },
	{ TEXT_SINFO, "sinfo", NULL, " AVAIL NODELIST HOSTNAMES AVAIL_FE TMP_DISK NODES(A/I/O/T) ",
	  " PARTITION AVAIL TIMELIMIT JOB_SIZE ROOT OVERSUBS GROUPS NODES NODES(A/I/O/T) NODES(A/I) STATE NODELIST HOSTNAMES CPUS S:C:T "
	  "SOCKETS CORES THREADS MEMORY FREE_MEM ALLOCMEM TMP_DISK WEIGHT GRES GRES_USED REASON CPUS(A/I/O/T) CPU_LOAD AVAIL_FE AVAIL_FEATURES "
	  "ACTIVE_FEATURES USER TIMESTAMP PRIO_TIER PRIO_JOB_FACTOR " },
	{ TEXT_QOS, "sacctmgr show qos", NULL, " UsageFactor UsageThres MaxTRESPU MaxJobsPU MaxSubmitPU ",
	  " Name Priority ID GraceTime Preempt PreemptExemptTime PreemptMode Flags UsageThres UsageFactor LimitFactor Descr " LIMIT_COLUMNS
	  "MaxTRESPU MaxJobsPU MaxSubmitPU MaxTRESPA MaxJobsPA MaxSubmitPA MaxTRESRunMinsPA MaxTRESRunMinsPU MaxJobsAccruePA MaxJobsAccruePU "
	  "MinTRES " },
	{ TEXT_ASSOC, "sacctmgr show assoc", NULL, " Share ParentName ",
	  " Cluster Account User Partition Share Priority ParentName ID LFT RGT QOS Def " LIMIT_COLUMNS },
	{ TEXT_USER, "sacctmgr show user", NULL, " Admin ", " User Def Acct Admin Coord Accounts Default " },
	{ TEXT_TRES, "sacctmgr show tres", NULL, " Type ", " Type Name ID Count " },
};

static const char *const record_commands[TEXT_KINDS] = { [TEXT_CONFIG] = "scontrol show config",
						      [TEXT_JOB] = "scontrol show job",
						      [TEXT_PARTITION] = "scontrol show partition",
						      [TEXT_NODE] = "scontrol show node",
						      [TEXT_RESERVATION] = "scontrol show reservation",
						      [TEXT_ASSOC_MGR] = "scontrol show assoc_mgr",
						      [TEXT_SDIAG] = "sdiag",
						      [TEXT_SQUEUE_JSON] = "squeue --json",
						      [TEXT_FLUX_JSON] = "JSON",
						      [TEXT_FLUX_STATUS] = "flux queue status",
						      [TEXT_DIAGNOSE_FAIRSHARE] = "diagnose -f",
						      [TEXT_DIAGNOSE_PRIORITIES] = "diagnose -p",
						      [TEXT_CHECKJOB] = "checkjob",
						      [TEXT_SHOWSTART] = "showstart" };

const char *fsi_text_kind_name(enum fsi_text_kind kind)
{
	for (size_t i = 0; i < sizeof(command_columns) / sizeof(*command_columns); i++)
		if (command_columns[i].kind == kind)
			return command_columns[i].name;
	return kind < TEXT_KINDS && record_commands[kind] ? record_commands[kind] : "?";
}

enum fsi_text_scheduler fsi_text_kind_scheduler(enum fsi_text_kind kind)
{
	return kind <= TEXT_TRES ? TEXT_SLURM : kind <= TEXT_FLUX_DRAINED ? TEXT_FLUX : TEXT_MAUI;
}

bool fsi_text_is_column(enum fsi_text_kind kind, struct fsi_span word)
{
	for (size_t i = 0; i < sizeof(command_columns) / sizeof(*command_columns); i++)
		if (command_columns[i].kind == kind)
			return fsi_text_is_word_of(command_columns[i].heading_words, word);
	return false;
}

/* ---- headings */

static bool cut_next_heading(struct fsi_span *rest, char sep, struct fsi_span *word)
{
	while (fsi_span_cut_part(rest, sep, word)) {
		*word = fsi_span_trim_blanks(*word);
		if (word->len)
			return true;
	}
	return false;
}

/* Returns true if more than three quarters of the line's words are names of columns that the command prints. The
 * required column and at least one of the distinctive columns must be among these words. */
static bool is_command_heading(const struct command_columns *c, struct fsi_span line)
{
	const char sep = memchr(line.s, '|', line.len) ? '|' : ' ';
	struct fsi_span rest = line, word;
	size_t known_words = 0, unknown_words = 0;
	bool has_distinctive = false, has_required = !c->required_column;

	if (c->kind == TEXT_FLUX_ROWS && sep != '|')
		return false;
	while (cut_next_heading(&rest, sep, &word)) {
		struct fsi_span first = word;

		if (sep == '|' && c->kind != TEXT_FLUX_ROWS) /* a heading may have a blank: "Def QOS" */
			fsi_span_cut_part(&word, ' ', &first);
		known_words += fsi_text_is_word_of(c->heading_words, first);
		unknown_words += !fsi_text_is_word_of(c->heading_words, first);
		has_distinctive = has_distinctive || fsi_text_is_word_of(c->distinctive_columns, first);
		has_required = has_required || fsi_span_equals(first, fsi_string_to_span(c->required_column));
	}
	return has_distinctive && has_required && known_words >= 2 && known_words > 3 * unknown_words;
}

enum fsi_text_kind fsi_text_kind_of_heading(struct fsi_span line)
{
	for (size_t i = 0; i < sizeof(command_columns) / sizeof(*command_columns); i++)
		if (is_command_heading(&command_columns[i], line))
			return command_columns[i].kind;
	return TEXT_KINDS;
}

/* ---- records, which are recognized by their first words */

/* Returns true if the line begins a QOS record of `scontrol show assoc_mgr`. Its first word contains the ID of the QOS,
 * such as `QOS=normal(1)`. */
static bool is_qos_record(struct fsi_span line)
{
	struct fsi_span word;

	fsi_span_cut_part(&line, ' ', &word);
	return word.len && word.s[word.len - 1] == ')';
}

/* Returns true for lines like `batch: Scheduling is started`. A Flux instance without named queues prints no name. */
static bool is_queue_status_line(struct fsi_span line)
{
	static const char *const texts[] = { "Job submission is ", "Scheduling is st" };
	struct fsi_span rest = line, name;

	if (fsi_span_cut_part(&rest, ':', &name) && rest.s && !memchr(name.s, ' ', name.len))
		line = fsi_span_trim_blanks(rest);
	return fsi_span_starts_with(line, texts[0]) || fsi_span_starts_with(line, texts[1]);
}

/* Returns true if the line begins a JSON text, such as `[` or `{"jobs": [{"id": ...`. Returns false for a prompt like
 * `[dana@login1 ~]$`. */
static bool is_json_start(struct fsi_span line)
{
	struct fsi_span next = { line.s + 1, line.len - 1 };

	if (!line.len || (*line.s != '{' && *line.s != '['))
		return false;
	next = fsi_span_trim_blanks(next);
	return !next.len || strchr("\"{[]}", *next.s);
}

/* Returns true for the first line of showstart: `job 12 requires 4 procs for 1:30:00`. */
static bool is_showstart_line(struct fsi_span line)
{
	struct fsi_span w[3];

	for (size_t i = 0; i < 3; i++)
		if (!fsi_span_cut_part(&line, ' ', &w[i]))
			return false;
	return fsi_span_is_word(w[0], "job") && fsi_span_is_word(w[2], "requires");
}

/* Returns true for a line that `scontrol show config | grep` may print. */
static bool is_scheduling_setting(struct fsi_span line)
{
	static const char *const prefixes[] = { "Priority", "Sched", "Select", "Accounting", "Preempt", "Slurm", "SLURM_" };
	bool known = false;

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		known = known || fsi_span_starts_with(line, prefixes[i]);
	return known && fsi_text_is_config_setting(line);
}

enum fsi_text_kind fsi_text_kind_of_record(struct fsi_span line)
{
	static const struct {
		const char *begin;
		enum fsi_text_kind kind;
	} starts[] = { { "Configuration data as of", TEXT_CONFIG },
		       { "JobId=", TEXT_JOB },
		       { "PartitionName=", TEXT_PARTITION },
		       { "NodeName=", TEXT_NODE },
		       { "ReservationName=", TEXT_RESERVATION },
		       { "Current Association Manager state", TEXT_ASSOC_MGR },
		       { "UserName=", TEXT_ASSOC_MGR },
		       { "ClusterName=", TEXT_ASSOC_MGR },
		       { "QOS=", TEXT_ASSOC_MGR },
		       { "sdiag output at", TEXT_SDIAG },
		       { "ACTIVE JOBS-", TEXT_SHOWQ },
		       { "IDLE JOBS-", TEXT_SHOWQ },
		       { "BLOCKED JOBS-", TEXT_SHOWQ },
		       { "FairShare Information", TEXT_DIAGNOSE_FAIRSHARE },
		       { "diagnosing job priority information", TEXT_DIAGNOSE_PRIORITIES },
		       { "checking job ", TEXT_CHECKJOB } };

	line = fsi_span_trim_blanks(line);
	/* a line that begins with QOS= may also be a part of a job's record, folded by a terminal */
	if (fsi_span_starts_with(line, "QOS=") && !is_qos_record(line))
		return TEXT_KINDS;
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (fsi_span_starts_with(line, starts[i].begin))
			return starts[i].kind;
	return is_queue_status_line(line) ? TEXT_FLUX_STATUS
	       : is_scheduling_setting(line) ? TEXT_CONFIG
	       : is_showstart_line(line)  ? TEXT_SHOWSTART
	       : is_json_start(line)	     ? TEXT_FLUX_JSON
				     : TEXT_KINDS;
}

/* Outputs that are recognized by their headings but not supported. One warning for each command names the command to
 * paste instead. The rows of an unsupported output must not be read as rows of the output before it.
 *
 * Sources of the headings: Maui's src/UserI.c (UIDiagnose...), src/moab/MQOS.c, MClass.c, MRes.c and MPar.c (...Show,
 * ...Diag); flux-accounting's bank-info, show-usage, view-job-records and export-db; the showq of Harvard, of TACC and
 * of Moab. */

enum { HEADING_WORDS_MAX = 5, TREE_SEARCH_LINES = 6 };

static const struct unsupported_output {
	const char *begin;	  /* first words of the line; NULL: the line is recognized by heading_words */
	const char *heading_words[HEADING_WORDS_MAX]; /* words that the heading has, in any order */
	const char *name, *instead;
} unsupported_outputs[] = {
	{ "Diagnosing blocked jobs", { NULL }, "diagnose -q", "`showq -b`, which lists blocked jobs" },
	{ "QOS Status", { NULL }, "diagnose -Q", "`checkjob JOB`, which shows the job's QOS" },
	{ "Class/Queue Status", { NULL }, "diagnose -c", "`checkjob JOB`, which shows the job's class" },
	{ "Displaying Partition Status", { NULL }, "diagnose -t", "`showres -n`" },
	{ "Displaying user information", { NULL }, "diagnose -u", "`diagnose -f`, which shows usage and targets" },
	{ "Displaying group information", { NULL }, "diagnose -g", "`diagnose -f`, which shows usage and targets" },
	{ "Displaying account information", { NULL }, "diagnose -a", "`diagnose -f`, which shows usage and targets" },
	{ "diagnosing node table", { NULL }, "diagnose -n", "`showres -n`" },
	{ NULL, { "ResID", "Type", "StartTime", "EndTime" }, "diagnose -r", "`showres -n`" },
	{ NULL, { "JOBID", "JOBNAME", "USERNAME", "STATE" }, "the showq of Harvard and TACC", "`squeue` and `sprio -l`" },
	{ NULL, { "JOBID", "USERNAME", "STATE", "PROCS" }, "Moab's showq", "`squeue` and `sprio -l`, if Slurm runs the jobs" },
	{ NULL, { "JOBID", "USERNAME", "GROUP", "PROCS" }, "Moab's showq", "`squeue` and `sprio -l`, if Slurm runs the jobs" },
	{ NULL, { "Name", "Shares", "Norm", "Usage" }, "flux account bank-info", "`flux account view-bank root -t`" },
	{ NULL, { "Name", "Shares", "Norm_Shares" }, "flux account bank-info", "`flux account view-bank root -t`" },
	{ NULL, { "|", "jobid", "userid", "t_submit" }, "flux account view-job-records", "`flux jobs -A --json`" },
};

/* Lines that summarize the jobs. If such a line directly follows a pasted output, without a prompt or date between
 * them, the line is the last line of that output. In any other case, such a line begins an output of showq -s. */
static const struct unsupported_output showq_summaries[] = {
	{ "Total Jobs:", { NULL }, "showq -s", "`showq`, which lists the jobs" },
	{ "active jobs:", { NULL }, "showq -s", "`showq`, which lists the jobs" },
};
static const struct unsupported_output usage_tree = {
	NULL, { NULL }, "flux account export-db", "`flux account view-bank root -t`"
};
static const struct unsupported_output usage_chart = {
	NULL, { NULL }, "flux account show-usage", "`flux account view-bank root -t`"
};

static bool has_heading_word(struct fsi_span line, const char *word)
{
	const bool has_bars = line.len && memchr(line.s, '|', line.len);
	struct fsi_span part;

	if (!strcmp(word, "|"))
		return has_bars;
	while (fsi_span_cut_part(&line, has_bars ? '|' : ' ', &part))
		if (fsi_span_is_word(fsi_span_trim_blanks(part), word))
			return true;
	return false;
}

static bool is_unsupported_heading(const struct unsupported_output *u, struct fsi_span line)
{
	if (u->begin)
		return fsi_span_starts_with(line, u->begin);
	for (size_t k = 0; k < HEADING_WORDS_MAX && u->heading_words[k]; k++)
		if (!has_heading_word(line, u->heading_words[k]))
			return false;
	return true;
}

static struct fsi_span get_trimmed_line(const struct fsi_text *t, size_t i)
{
	return fsi_span_trim_blanks(fsi_text_get_line(t, i));
}

/* Returns true if line i begins a tree of export-db. The tree may be on one line or on several lines: `{ "root": {
 * "bank": "root", "shares": 1, "usage": 2.5, "children": [`. */
static bool is_usage_tree(const struct fsi_text *t, size_t i)
{
	bool bank = false, children = false;

	if (!get_trimmed_line(t, i).len || *get_trimmed_line(t, i).s != '{')
		return false;
	for (size_t k = i; k < t->lines.n && k < i + TREE_SEARCH_LINES; k++) {
		bank = bank || fsi_span_contains_text(get_trimmed_line(t, k), "\"bank\":");
		children = children || fsi_span_contains_text(get_trimmed_line(t, k), "\"children\":");
	}
	return bank && children;
}

static const struct unsupported_output *find_unsupported_output(const struct unsupported_output *of, size_t n,
								struct fsi_span line)
{
	for (size_t k = 0; line.len && k < n; k++)
		if (is_unsupported_heading(&of[k], line))
			return &of[k];
	return NULL;
}

static const struct unsupported_output *find_output_by_heading(struct fsi_span line)
{
	if (fsi_span_contains_text(line, "| \xe2\x96\x88"))
		return &usage_chart;
	return find_unsupported_output(unsupported_outputs, sizeof(unsupported_outputs) / sizeof(*unsupported_outputs),
				       line);
}

static bool is_showq_section(struct fsi_span line)
{
	return fsi_span_contains_text(line, " JOBS--") || fsi_span_contains_text(line, " jobs--");
}

static struct fsi_span get_next_line(const struct fsi_text *t, size_t i)
{
	do
		i++;
	while (i < t->lines.n && !get_trimmed_line(t, i).len);
	return i < t->lines.n ? get_trimmed_line(t, i) : (struct fsi_span){ "", 0 };
}

/* Returns the unsupported output that begins in line i; NULL if there is none. `open`: line i may belong to the output
 * before it. In every variant of showq, a section line such as `ACTIVE JOBS-----` precedes the heading. The line after
 * the section line shows which variant it is. */
static const struct unsupported_output *get_unsupported_output(const struct fsi_text *t, size_t i, bool open)
{
	const struct fsi_span line = get_trimmed_line(t, i);
	const struct unsupported_output *const sum =
		open ? NULL
		     : find_unsupported_output(showq_summaries, sizeof(showq_summaries) / sizeof(*showq_summaries),
					       line);

	return sum		  ? sum
	       : is_usage_tree(t, i)	  ? &usage_tree
	       : is_showq_section(line) ? find_output_by_heading(get_next_line(t, i))
				  : find_output_by_heading(line);
}

static bool begins_unsupported_output(const struct fsi_text *t, size_t line, bool open)
{
	return get_unsupported_output(t, line, open) != NULL;
}

static bool continues_unsupported_output(const struct fsi_text *t, size_t line)
{
	return is_showq_section(get_trimmed_line(t, line)) &&
	       fsi_text_kind_of_heading(get_next_line(t, line)) != TEXT_SHOWQ;
}

int fsi_text_warn_unread(struct fsi_text *t)
{
	const struct unsupported_output *warned[16];
	size_t pieces = 0, n = 0, k;
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++) {
		const struct fsi_text_piece p = t->pieces.v[i];
		const struct unsupported_output *const u =
			p.kind == TEXT_UNSUPPORTED ? get_unsupported_output(t, p.begin, false) : NULL;

		if (!u) {
			t->pieces.v[pieces++] = p;
			continue;
		}
		for (k = 0; k < n && strcmp(warned[k]->name, u->name) != 0;)
			k++;
		if (k < n || n == sizeof(warned) / sizeof(*warned))
			continue;
		warned[n++] = u;
		rc = fsi_text_add_warning(t, "line %u: %s is not supported: paste %s", t->lines.v[p.begin].no, u->name,
					  u->instead);
	}
	t->pieces.n = rc ? t->pieces.n : pieces;
	return rc;
}

/* Finding the pasted outputs: which lines of the paste were printed by which command. An output begins with a heading
 * or with the first words of a record; a prompt or a date ends it. */

/* ---- prompts: `[dana@login1 ~]$ squeue -u dana` */

static bool begins_with_command(struct fsi_span v)
{
	static const char *const names[] = { "squeue", "sshare", "sprio", "scontrol", "sinfo", "sacctmgr", "showq", "diagnose",
					     "mdiag",  "flux",	 "sdiag", "date",     "sacct", "showres",  "checkjob", "scancel", "sbatch", "showstart", NULL };
	struct fsi_span word;

	fsi_span_cut_part(&v, ' ', &word);
	for (size_t i = 0; names[i]; i++)
		if (fsi_span_equals(word, fsi_string_to_span(names[i])))
			return true;
	return false;
}

static bool is_shell_prompt(struct fsi_span line)
{
	if (begins_with_command(fsi_span_trim_blanks(line)))
		return true;
	for (size_t i = 0; i < line.len && i < 120; i++) {
		const char c = line.s[i];

		if (c != '$' && c != '#' && c != '%' && c != '>')
			continue;
		if (i + 1 == line.len)
			return i < 2 || memchr(line.s, '@', i) || memchr(line.s, ':', i) || line.s[i - 1] == ']';
		if (line.s[i + 1] == ' ')
			return begins_with_command(fsi_span_trim_blanks(fsi_span_skip_bytes(line, i + 1))) ||
			       (memchr(line.s, '@', i) && !memchr(line.s, '=', i));
	}
	return false;
}

/* ---- the time of the capture: `Fri Nov 20 21:06:49 2026` above squeue -l, or as date(1) prints it with a time zone */

static bool parse_padded_number(const char *s, size_t n, int64_t *out)
{
	while (n && *s == ' ') {
		s++;
		n--;
	}
	return !fsi_parse_i64(s, n, out);
}

/* Returns true and sets *out to the local time if the line is a date. */
static bool parse_date_line(struct fsi_span v, int64_t *out)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	int64_t d, h, m, s, y;

	v = fsi_span_trim_blanks(v);
	if (v.len < 24 || v.len > 32 || v.s[3] != ' ' || v.s[13] != ':' || v.s[16] != ':')
		return false;
	for (int i = 0; i < 12; i++)
		if (!memcmp(v.s + 4, months + 3 * i, 3) && parse_padded_number(v.s + 8, 2, &d) &&
		    parse_padded_number(v.s + 11, 2, &h) && parse_padded_number(v.s + 14, 2, &m) &&
		    parse_padded_number(v.s + 17, 2, &s) && parse_padded_number(v.s + v.len - 4, 4, &y)) {
			*out = fsi_days_from_civil(y, i + 1, d) * 86400 + h * 3600 + m * 60 + s;
			return y > 1970 && d > 0 && d < 32 && h < 24 && m < 60 && s < 61;
		}
	return false;
}

/* Sets t->clock if t->clock is not known yet or earlier. `config`: the time is from `scontrol show config`; such a time
 * replaces a t->clock from another output, and no other output replaces it. Warns if `clock` differs from the previous
 * t->clock by more than a minute. */
static int set_capture_clock(struct fsi_text *t, int64_t clock, bool config, uint32_t no)
{
	const bool first = t->clock == FS_UNKNOWN;
	const int64_t difference_s = first ? 0 : t->clock > clock ? t->clock - clock : clock - t->clock;

	if (first || (!t->clock_from_config && (config || clock > t->clock))) {
		t->clock = clock;
		t->clock_from_config = config;
	}
	return difference_s > 60
		       ? fsi_text_add_warning(
				 t,
				 "line %u: the time is %lld minutes from the time of an earlier output: the outputs may not match",
				 no, (long long)(difference_s / 60))
		       : 0;
}

static int set_cluster_name(struct fsi_text *t, struct fsi_span name, uint32_t no)
{
	name = fsi_span_trim_blanks(name);
	if (!name.len)
		return 0;
	if (!t->cluster.len)
		t->cluster = name;
	else if (!fsi_span_equals(t->cluster, name))
		return fsi_text_add_warning(t, "line %u: the outputs are from different clusters, %.*s and %.*s", no,
					    (int)t->cluster.len, t->cluster.s, (int)name.len, name.s);
	return 0;
}

static int read_clock_and_cluster(struct fsi_text *t, struct fsi_span line, uint32_t no)
{
	static const char as_of[] = "Configuration data as of ", cluster[] = "CLUSTER: ", of_config[] = "ClusterName ", of_assoc[] = "ClusterName=";
	struct fsi_span v = line, word;
	int64_t clock;

	if (fsi_span_starts_with(line, as_of)) {
		v = fsi_span_trim_blanks(fsi_span_skip_bytes(line, sizeof(as_of) - 1));
		return fsi_parse_civil_time(v.s, v.len, &clock) ? 0 : set_capture_clock(t, clock, true, no);
	}
	if (parse_date_line(line, &clock))
		return set_capture_clock(t, clock, false, no);
	if (fsi_span_starts_with(line, cluster))
		return set_cluster_name(t, fsi_span_skip_bytes(line, sizeof(cluster) - 1), no);
	if (fsi_span_starts_with(line, of_config) && fsi_span_cut_part(&v, '=', &word) && v.s)
		return set_cluster_name(t, v, no);
	if (fsi_span_starts_with(line, of_assoc)) {
		v = fsi_span_skip_bytes(line, sizeof(of_assoc) - 1);
		fsi_span_cut_part(&v, ' ', &word);
		return set_cluster_name(t, word, no);
	}
	return 0;
}

/* ---- pasted outputs */

static int start_new_piece(struct fsi_text *t, enum fsi_text_kind kind, size_t line)
{
	if (FSI_VEC_RESERVE(&t->pieces))
		return fsi_fail_no_memory(t->err);
	t->pieces.v[t->pieces.n++] = (struct fsi_text_piece){ .kind = kind, .begin = line, .end = line + 1 };
	return 0;
}

/* Returns true if each line of this kind, such as `checking job 12`, begins a new pasted output. */
static bool always_begins_piece(enum fsi_text_kind kind, struct fsi_span line)
{
	return (kind == TEXT_CONFIG && fsi_span_starts_with(line, "Configuration")) || kind == TEXT_FLUX_JSON ||
	       (kind >= TEXT_DIAGNOSE_FAIRSHARE && kind <= TEXT_SHOWSTART) ||
	       (kind == TEXT_SHOWQ && fsi_span_starts_with(fsi_span_trim_blanks(line), "ACTIVE"));
}

/* Returns true if the JSON text that begins in line i is from `squeue --json`. */
static bool is_squeue_json(const struct fsi_text *t, size_t i)
{
	enum { SEARCH_LINES = 400 };

	for (size_t k = i; k < t->lines.n && k < i + SEARCH_LINES; k++)
		if (fsi_span_contains_text(fsi_text_get_line(t, k), "\"job_state\"") ||
		    fsi_span_contains_text(fsi_text_get_line(t, k), "\"state_reason\""))
			return true;
	return false;
}

/* Returns the kind of output that line i begins; TEXT_KINDS if the line begins no output. `open`: kind of the output
 * before line i; TEXT_KINDS if there is none. A heading begins an output, unless it is the heading of another section
 * of showq. A record begins an output if the output before it is of another kind, or if every record of this kind
 * begins a new output (always_begins_piece). */
static enum fsi_text_kind find_piece_start(const struct fsi_text *t, size_t i, enum fsi_text_kind open)
{
	const struct fsi_span line = fsi_text_get_line(t, i);
	enum fsi_text_kind kind =
		begins_unsupported_output(t, i, open < TEXT_KINDS) ? TEXT_UNSUPPORTED : fsi_text_kind_of_record(line);

	if (open == TEXT_UNSUPPORTED && kind == TEXT_SHOWQ && continues_unsupported_output(t, i))
		return TEXT_KINDS;
	if (kind == TEXT_FLUX_JSON && is_squeue_json(t, i))
		return TEXT_SQUEUE_JSON;
	if (kind < TEXT_KINDS)
		return kind == open && !always_begins_piece(kind, line) ? TEXT_KINDS : kind;
	kind = open == TEXT_CONFIG && memchr(line.s, '=', line.len) ? TEXT_KINDS : fsi_text_kind_of_heading(line);
	return kind == TEXT_SHOWQ && open == TEXT_SHOWQ ? TEXT_KINDS : kind;
}

/* Returns the index of the line after the JSON text that begins in line i. If a prompt or heading comes before the end
 * of the JSON text, returns the index of the prompt or heading. */
static size_t find_json_end(const struct fsi_text *t, size_t i)
{
	bool quoted = false, escaped = false;
	int64_t depth = 0;

	for (size_t k = i; k < t->lines.n; k++) {
		const struct fsi_text_line *l = &t->lines.v[k];
		const struct fsi_span line = { l->s, l->len };

		if (k > i && !quoted && (is_shell_prompt(line) || fsi_text_kind_of_heading(line) < TEXT_KINDS))
			return k;
		for (size_t c = 0; c < l->len; c++) {
			if (quoted)
				quoted = escaped || l->s[c] != '"';
			else if (l->s[c] == '"')
				quoted = true;
			else
				depth += (l->s[c] == '{' || l->s[c] == '[') - (l->s[c] == '}' || l->s[c] == ']');
			escaped = quoted && !escaped && l->s[c] == '\\';
		}
		if (depth <= 0)
			return k + 1;
	}
	return t->lines.n;
}

/* Returns true if a terminal folded the heading of the last output, and the line is the rest of this heading. Such a
 * line directly follows the lines of the output, and its first word differs from the heading's first word. */
static bool continues_folded_heading(const struct fsi_text *t, enum fsi_text_kind kind, size_t line)
{
	const struct fsi_text_piece *p = t->pieces.n ? &t->pieces.v[t->pieces.n - 1] : NULL;
	struct fsi_span first, here, a, b;

	if (!p || p->kind != kind || kind <= TEXT_SDIAG || kind == TEXT_UNSUPPORTED || p->end != line)
		return false;
	first = fsi_span_trim_blanks(fsi_text_line_span(&t->lines.v[p->begin]));
	here = fsi_span_trim_blanks(fsi_text_line_span(&t->lines.v[line]));
	fsi_span_cut_part(&first, ' ', &a);
	fsi_span_cut_part(&here, ' ', &b);
	return !fsi_span_equals(a, b);
}

static bool is_json_piece(const struct fsi_text *t, size_t i, enum fsi_text_kind kind)
{
	return kind == TEXT_FLUX_JSON || kind == TEXT_SQUEUE_JSON ||
	       (kind == TEXT_UNSUPPORTED && t->lines.v[i].len && *t->lines.v[i].s == '{');
}

/* Returns the first place of the text in the line; NULL: none. */
static const char *find_in_line(struct fsi_span line, const char *text)
{
	const size_t n = strlen(text);

	for (size_t i = 0; i + n <= line.len; i++)
		if (!memcmp(line.s + i, text, n))
			return line.s + i;
	return NULL;
}

/* Returns the last word of the line. */
static struct fsi_span get_last_word(struct fsi_span line)
{
	struct fsi_span rest = fsi_span_trim_blanks(line), word = rest;

	while (rest.len && fsi_span_cut_part(&rest, ' ', &word))
		;
	return word;
}

static bool begins_output(struct fsi_span line)
{
	return fsi_text_kind_of_heading(line) < TEXT_KINDS || fsi_text_kind_of_record(line) < TEXT_KINDS;
}

/* ---- line numbers: those of `cat -n`, `grep -n` or an editor */

enum { LINE_NUMBER_DIGITS_MAX = 6 };

/* Returns true if the line begins with a number that is followed by a blank, one of the characters |:.) or the end of
 * the line. Sets *rest to the text after the number and this character. */
static bool split_line_number(struct fsi_span line, int64_t *no, struct fsi_span *rest)
{
	const struct fsi_span text = fsi_span_trim_blanks(line);
	size_t n = 0;

	while (n < text.len && text.s[n] >= '0' && text.s[n] <= '9')
		n++;
	if (!n || n > LINE_NUMBER_DIGITS_MAX || fsi_parse_i64(text.s, n, no) ||
	    (n < text.len && !strchr(" |:.)", text.s[n])))
		return false;
	n += n < text.len && text.s[n] != ' ';
	*rest = (struct fsi_span){ text.s + n, text.len - n };
	return true;
}

/* Returns true if the line is a command line with a prompt. */
static bool has_prompt_sign(struct fsi_span line)
{
	return is_shell_prompt(line) && !begins_with_command(fsi_span_trim_blanks(line));
}

/* Returns the index after the last of the lines, from line i on, whose numbers count up by one. Empty lines need no
 * number. Sets *outputs to true if the text after a number begins an output or is a command line, and *blanks to the
 * number of blanks that all numbers have after them. */
static size_t find_numbered_end(const struct fsi_text *t, size_t i, bool *outputs, size_t *blanks)
{
	struct fsi_span rest;
	int64_t no, next = 0;
	size_t end = i;

	*outputs = false;
	*blanks = SIZE_MAX;
	for (; i < t->lines.n; i++) {
		size_t n = 0;

		if (!fsi_text_get_line(t, i).len && next)
			continue;
		if (!split_line_number(fsi_text_get_line(t, i), &no, &rest) || (next && no != next))
			break;
		next = no + 1;
		end = i + 1;
		while (n < rest.len && rest.s[n] == ' ')
			n++;
		*blanks = rest.len && n < *blanks ? n : *blanks;
		*outputs = *outputs || (rest.len && (begins_output(rest) || has_prompt_sign(rest)));
	}
	return end;
}

/* Removes line numbers from the lines of outputs. Lines whose numbers count up, but without a line that begins an
 * output, are left unchanged: the numbers may be job IDs. */
static void remove_line_numbers(struct fsi_text *t)
{
	size_t end, blanks;
	bool outputs;

	for (size_t i = 0; i < t->lines.n; i = end > i ? end : i + 1) {
		struct fsi_span rest;
		int64_t no;

		end = find_numbered_end(t, i, &outputs, &blanks);
		for (size_t k = i; k < end && outputs; k++)
			if (split_line_number(fsi_text_get_line(t, k), &no, &rest)) {
				rest = fsi_span_skip_bytes(rest, rest.len < blanks ? rest.len : blanks);
				t->lines.v[k].s = rest.s;
				t->lines.v[k].len = (uint32_t)rest.len;
			}
	}
}

/* If the first line of an output of checkjob is missing, but the command line with the job's name is there, replaces
 * the command line by that first line: "checking job 12" for "$ checkjob 12". */
static int complete_checkjob_pages(struct fsi_text *t)
{
	static const char command[] = "checkjob ", first[] = "checking job ";

	for (size_t i = 0; i + 1 < t->lines.n; i++) {
		struct fsi_text_line *l = &t->lines.v[i];
		const struct fsi_span line = fsi_text_get_line(t, i);
		const char *at = is_shell_prompt(line) ? find_in_line(line, command) : NULL;
		size_t next = i + 1;
		struct fsi_span name;
		char *text;

		while (next + 1 < t->lines.n && !fsi_span_trim_blanks(fsi_text_get_line(t, next)).len)
			next++;
		if (!at || is_shell_prompt(fsi_text_get_line(t, next)) || begins_output(fsi_text_get_line(t, next)))
			continue;
		name = get_last_word(fsi_span_skip_bytes(line, (size_t)(at - line.s) + strlen(command)));
		text = fsi_arena_alloc(&t->arena, name.len + sizeof(first));
		if (!text)
			return fsi_fail_no_memory(t->err);
		l->len = (uint32_t)snprintf(text, name.len + sizeof(first), "%s%.*s", first, (int)name.len, name.s);
		l->s = text;
	}
	return 0;
}

/* ---- tables without heading, below their command line: `squeue -h -o "%i %u %T"` */

/* A command whose tables may lack the heading. Formats of letters: src/squeue/opts.c, src/sprio/opts.c and
 * src/sinfo/opts.c. Formats of names: `squeue -O` and sacct. */
static const struct bare_table {
	const char *command, *layout; /* layout: the format that the command uses without an option */
	const char *fields[30];	      /* letter and heading */
	size_t width; /* width of a column in a list of names; 0: a blank is between the columns */
	const char *names[31][2];     /* name in the list, and heading */
} bare_tables[] = {
	{ "squeue", "%i %P %j %u %t %M %D %R",
	  { "iJOBID", "PPARTITION", "jNAME", "uUSER", "tST", "TSTATE", "MTIME", "lTIME_LIMIT", "LTIME_LEFT", "DNODES", "CCPUS", "RNODELIST(REASON)",
	    "rREASON", "NNODELIST", "QPRIORITY", "pPRIORITY", "qQOS", "aACCOUNT", "VSUBMIT_TIME", "SSTART_TIME", "eEND_TIME", "EDEPENDENCY", "vRESERVATION",
	    "AJOBID", "FARRAY_JOB_ID", "fFEATURES", "mMIN_MEMORY", "bTRES_PER_NODE" },
	  20,
	  { { "JobID", "JOBID" }, { "JobArrayID", "JOBID" }, { "ArrayJobID", "ARRAY_JOB_ID" }, { "Partition", "PARTITION" },
	    { "Name", "NAME" }, { "UserName", "USER" }, { "State", "STATE" }, { "StateCompact", "ST" }, { "Reason", "REASON" },
	    { "ReasonList", "NODELIST(REASON)" }, { "PriorityLong", "PRIORITY" }, { "Priority", "PRIORITY" },
	    { "TimeUsed", "TIME" }, { "TimeLimit", "TIME_LIMIT" }, { "TimeLeft", "TIME_LEFT" }, { "NumNodes", "NODES" },
	    { "NumCPUs", "CPUS" }, { "NumTasks", "TASKS" }, { "NodeList", "NODELIST" }, { "Account", "ACCOUNT" },
	    { "QOS", "QOS" }, { "SubmitTime", "SUBMIT_TIME" }, { "StartTime", "START_TIME" }, { "EndTime", "END_TIME" },
	    { "EligibleTime", "ELIGIBLE_TIME" }, { "Dependency", "DEPENDENCY" }, { "Feature", "FEATURES" },
	    { "MinMemory", "MIN_MEMORY" }, { "Reservation", "RESERVATION" }, { "Nice", "NICE" } } },
	{ "sprio", "%i %r %Y %S %A %F %J %P %Q",
	  { "iJOBID", "rPARTITION", "uUSER", "oACCOUNT", "YPRIORITY", "SSITE", "AAGE", "BASSOC", "FFAIRSHARE", "JJOBSIZE", "PPARTITION", "QQOS", "NNICE",
	    "TTRES" },
	  0, { { NULL, NULL } } },
	{ "sinfo", "%P %a %l %D %t %N",
	  { "PPARTITION", "RPARTITION", "aAVAIL", "lTIMELIMIT", "DNODES", "tSTATE", "TSTATE", "NNODELIST", "nHOSTNAMES", "cCPUS", "CCPUS(A/I/O/T)",
	    "FNODES(A/I/O/T)", "mMEMORY", "eFREE_MEM", "EREASON", "fAVAIL_FEATURES", "GGRES", "wWEIGHT", "OCPU_LOAD", "zS:C:T", "hOVERSUBS",
	    "sJOB_SIZE", "dTMP_DISK", "uUSER", "HTIMESTAMP" },
	  0, { { NULL, NULL } } },
	{ "sacct", "JobID,JobName,Partition,Account,AllocCPUS,State,ExitCode", { NULL }, 0, { { NULL, NULL } } },
};

/* Appends the headings of a format such as `%.18i %9P|%u`. Returns false if a field is not known. */
static bool append_format_heading(struct fsi_text_row *l, const char *const *fields, struct fsi_span format)
{
	for (size_t i = 0; i < format.len; i++) {
		size_t k = 0;

		if (format.s[i] != '%') {
			fsi_text_row_append(l, (struct fsi_span){ format.s + i, format.s[i] != '"' && format.s[i] != '\'' }, "");
			continue;
		}
		for (i++; i < format.len && ((format.s[i] >= '0' && format.s[i] <= '9') || format.s[i] == '.');)
			i++;
		while (i < format.len && fields[k] && *fields[k] != format.s[i])
			k++;
		if (i == format.len || !fields[k])
			return false;
		fsi_text_row_append(l, fsi_string_to_span(fields[k] + 1), "");
	}
	return true;
}

static bool are_equal_names(struct fsi_span a, struct fsi_span b)
{
	return a.len == b.len && !strncasecmp(a.s, b.s, a.len);
}

/* Returns the heading of the column with this name in a list of names; an empty span if the name is not known. The
 * headings of sacct are the names themselves. */
static struct fsi_span find_named_heading(const struct bare_table *b, struct fsi_span name)
{
	static const char *const sacct[] = { "JobID", "JobIDRaw", "JobName", "Partition", "User", "Account", "State", "ExitCode", "AllocCPUS",
					     "ReqCPUS", "NCPUS", "NNodes", "AllocNodes", "Submit", "Eligible", "Start", "End", "Elapsed",
					     "Timelimit", "NodeList", "QOS", "Reason", "Priority", "ReqMem", "ReqTRES", "AllocTRES", NULL };

	for (size_t i = 0; b->names[i][0]; i++)
		if (are_equal_names(name, fsi_string_to_span(b->names[i][0])))
			return fsi_string_to_span(b->names[i][1]);
	for (size_t i = 0; !b->names[0][0] && sacct[i]; i++)
		if (are_equal_names(name, fsi_string_to_span(sacct[i])))
			return fsi_string_to_span(sacct[i]);
	return (struct fsi_span){ NULL, 0 };
}

/* Appends a heading to a line whose columns have the width of the list item's suffix: 10 in `JobID:10`, right-aligned
 * in `JobID:.10`. A heading that does not fit is followed by a blank. */
static void append_wide_heading(struct fsi_text_row *l, struct fsi_span heading, struct fsi_span suffix, size_t width)
{
	const bool right = suffix.len && *suffix.s == '.';
	int64_t n;

	suffix = fsi_span_skip_bytes(suffix, right);
	if (suffix.len && !fsi_parse_i64(suffix.s, suffix.len, &n) && n > 0 && n < 200)
		width = (size_t)n;
	for (size_t i = heading.len; right && i < width; i++)
		fsi_text_row_append(l, (struct fsi_span){ NULL, 0 }, " ");
	fsi_text_row_append(l, heading, heading.len < width || right ? "" : " ");
	for (size_t i = heading.len; !right && i < width; i++)
		fsi_text_row_append(l, (struct fsi_span){ NULL, 0 }, " ");
}

/* Appends the headings of a list such as `JobID:10,UserName:.12` (squeue) or `JobID,State%20` (sacct -n). Returns false
 * if a name is not known. */
static bool append_named_heading(struct fsi_text_row *l, const struct bare_table *b, struct fsi_span list, bool bars)
{
	struct fsi_span item, name, suffix;

	while (fsi_span_cut_part(&list, ',', &item)) {
		struct fsi_span heading;

		suffix = fsi_span_trim_blanks(item);
		fsi_span_cut_part(&suffix, b->width ? ':' : '%', &name);
		heading = find_named_heading(b, name);
		if (!heading.len)
			return false;
		if (b->width)
			append_wide_heading(l, heading, suffix, b->width);
		else
			fsi_text_row_append(l, heading, bars ? "|" : " ");
	}
	return true;
}

/* Returns the value of the first of the options that the command line has; an empty span if it has none of them. */
static struct fsi_span get_option_value(struct fsi_span options, const char *const *names)
{
	for (; *names; names++) {
		const char *at = find_in_line(options, *names);
		struct fsi_span v, value;
		bool quoted;

		if (!at)
			continue;
		v = fsi_span_trim_blanks(fsi_span_skip_bytes(options, (size_t)(at - options.s) + strlen(*names)));
		quoted = v.len && (*v.s == '"' || *v.s == '\'');
		value = v = fsi_span_skip_bytes(v, quoted);
		fsi_span_cut_part(&v, quoted ? v.s[-1] : ' ', &value);
		return value;
	}
	return (struct fsi_span){ NULL, 0 };
}

/* Appends the heading of the table that the command line prints. Returns false if a column is not known. */
static bool append_heading(struct fsi_text_row *l, const struct bare_table *b, struct fsi_span options)
{
	static const char *const formats[] = { " -o", " --format=", " -ho", NULL },
				 *const names[] = { " -O", " --Format=", " -hO", NULL },
				 *const lists[] = { " -o", " --format=", " -no", " -Xno", NULL };
	struct fsi_span list = get_option_value(options, b->fields[0] ? names : lists);
	const bool bars = find_in_line(options, " -P") || find_in_line(options, " --parsable") || find_in_line(options, " -p");

	if (!b->fields[0])
		return append_named_heading(l, b, list.len ? list : fsi_string_to_span(b->layout), bars);
	if (list.len && b->names[0][0])
		return append_named_heading(l, b, list, false);
	list = get_option_value(options, formats);
	return append_format_heading(l, b->fields, list.len ? list : fsi_string_to_span(b->layout));
}

/* Returns true if a row without heading follows the command line: it begins with a job ID, or the command line has the
 * option that leaves out the heading. */
static bool lacks_heading(struct fsi_span options, struct fsi_span next)
{
	const bool without = find_in_line(options, " -h") || find_in_line(options, " --noheader") || find_in_line(options, " -n");

	return next.len && !is_shell_prompt(next) && !begins_output(next) &&
	       ((*next.s >= '0' && *next.s <= '9') || without);
}

/* If the heading of a table below its command line is missing, replaces the command line by the heading. */
static int complete_headings(struct fsi_text *t)
{
	for (size_t i = 0; i + 1 < t->lines.n; i++) {
		const struct fsi_span line = fsi_text_get_line(t, i), next = get_next_line(t, i);
		const bool is_prompt = is_shell_prompt(line);

		for (size_t k = 0; k < sizeof(bare_tables) / sizeof(*bare_tables) && is_prompt; k++) {
			const char *at = find_in_line(line, bare_tables[k].command);
			const struct fsi_span options = fsi_span_skip_bytes(line, at ? (size_t)(at - line.s) : 0);
			struct fsi_text_row l = { .n = 0 };
			char *copy;

			if (!at || !lacks_heading(options, next) || !append_heading(&l, &bare_tables[k], options))
				continue;
			copy = fsi_arena_strndup(&t->arena, l.text, l.n);
			if (!copy)
				return fsi_fail_no_memory(t->err);
			t->lines.v[i].s = copy;
			t->lines.v[i].len = (uint32_t)l.n;
			break;
		}
	}
	return 0;
}

int fsi_text_find_pieces(struct fsi_text *t)
{
	enum fsi_text_kind open = TEXT_KINDS;
	int64_t clock;
	int rc;

	remove_line_numbers(t);
	rc = complete_checkjob_pages(t);
	rc = rc ? rc : complete_headings(t);
	for (size_t i = 0; i < t->lines.n && !rc; i++) {
		const struct fsi_span line = fsi_text_get_line(t, i);
		enum fsi_text_kind kind;

		rc = read_clock_and_cluster(t, line, t->lines.v[i].no);
		if (is_shell_prompt(line) || parse_date_line(line, &clock) || fsi_span_starts_with(line, "CLUSTER: ")) {
			open = TEXT_KINDS;
			continue;
		}
		kind = find_piece_start(t, i, open);
		if (kind < TEXT_KINDS && !(kind == open && continues_folded_heading(t, kind, i))) {
			open = kind;
			rc = rc ? rc : start_new_piece(t, kind, i);
			if (!rc && is_json_piece(t, i, kind)) {
				t->pieces.v[t->pieces.n - 1].end = find_json_end(t, i);
				i = t->pieces.v[t->pieces.n - 1].end - 1;
				open = TEXT_KINDS;
			}
		} else if (open < TEXT_KINDS) {
			t->pieces.v[t->pieces.n - 1].end = i + 1;
		}
	}
	return rc;
}

/* JSON in a paste. If the JSON is cut or damaged, the complete objects before the damage are used. */

struct joined_text {
	char *text;
	size_t len, at;
};

/* Joins the lines of the pasted output p. A line of the terminal's width is joined to the next line without a blank,
 * because a terminal folds even within a word. A shorter line is joined with a blank: copied text has no blank at the
 * end of a line. */
static int join_json_lines(struct fsi_text *t, const struct fsi_text_piece *p, struct joined_text *j)
{
	const size_t width = fsi_text_max_width(t, p);

	j->text = malloc((width + 1) * (p->end - p->begin) + 1);
	if (!j->text)
		return fsi_fail_no_memory(t->err);
	for (size_t i = p->begin; i < p->end; i++) {
		const struct fsi_text_line *l = &t->lines.v[i];

		if (fsi_text_is_ornament(fsi_span_trim_blanks(fsi_text_line_span(l))) &&
		    (fsi_span_contains_text(fsi_text_line_span(l), "..") || memchr(l->s, '<', l->len)))
			continue;
		memcpy(j->text + j->len, l->s, l->len);
		j->len += l->len;
		if (l->len < width)
			j->text[j->len++] = ' ';
	}
	return 0;
}

static ptrdiff_t read_joined_text(void *ctx, void *buf, size_t size)
{
	struct joined_text *j = ctx;
	const size_t left = j->len - j->at, n = left < size ? left : size;

	memcpy(buf, j->text + j->at, n);
	j->at += n;
	return (ptrdiff_t)n;
}

int fsi_text_read_json(struct fsi_text *t, struct fsi_text_piece *p, fsi_text_json_fn object, void *ctx)
{
	static const char *const nested[] = { "jobs", NULL };
	const struct fsi_json_split split = { nested, NULL, object, ctx };
	struct joined_text j = { .len = 0 };
	int rc = join_json_lines(t, p, &j);

	if (!rc)
		rc = fsi_json_split_document(&split, read_joined_text, &j, t->name, t->err);
	free(j.text);
	if (!rc || rc == FS_ENOMEM)
		return rc;
	p->unparsed++;
	return fsi_text_add_warning(t, "line %u: JSON is truncated or damaged: only the part before the error is used",
				    t->lines.v[p->begin].no);
}

/* Unfolding: restoring the lines of a table that a narrow terminal or a mail program folded. */

enum { HEADING_LINES_MAX = 24 };

size_t fsi_text_max_width(const struct fsi_text *t, const struct fsi_text_piece *p)
{
	size_t wide = 0;

	for (size_t i = p->begin; i < p->end; i++)
		wide = t->lines.v[i].len > wide ? t->lines.v[i].len : wide;
	return wide;
}

size_t fsi_text_split_words(struct fsi_span line, struct fsi_span *word, size_t max)
{
	const size_t n = fsi_span_split_words(line, word, max);

	return n < max ? n : max;
}

struct fsi_span fsi_text_join_lines(struct fsi_text *t, size_t wide, size_t from, size_t n)
{
	char *text = fsi_arena_alloc(&t->arena, wide * n + 1);
	size_t len = 0;

	if (!text)
		return (struct fsi_span){ NULL, 0 };
	memset(text, ' ', wide * n);
	for (size_t i = 0; i < n; i++) {
		const struct fsi_span line = fsi_text_get_line(t, from + i);

		memcpy(text + wide * i, line.s, line.len);
		if (line.len)
			len = wide * i + line.len;
	}
	return (struct fsi_span){ text, len };
}

/* Returns true if the word is the heading of a column. In squeue -O, the word may also consist of the headings of two
 * adjacent columns without a blank between them: "MIN_CPUSCPUS_PER_TASK". */
static bool is_known_heading(enum fsi_text_kind kind, struct fsi_span word)
{
	if (fsi_text_is_column(kind, word))
		return true;
	for (size_t i = 2; kind == TEXT_SQUEUE && i + 2 < word.len; i++)
		if (fsi_text_is_column(kind, (struct fsi_span){ word.s, i }) &&
		    fsi_text_is_column(kind, fsi_span_skip_bytes(word, i)))
			return true;
	return false;
}

bool fsi_text_is_heading_rest(enum fsi_text_kind kind, struct fsi_span line)
{
	struct fsi_span w[FSI_TEXT_COLUMNS_MAX];
	const size_t n = fsi_text_split_words(line, w, FSI_TEXT_COLUMNS_MAX);

	for (size_t i = 0; i < n; i++)
		if (!is_known_heading(kind, w[i]))
			return false;
	return n > 0;
}

/* Returns the number of words that are headings of columns. Sets *all to true if all words are headings of columns,
 * otherwise to false. */
static size_t count_known_headings(const struct fsi_text_grid *g, struct fsi_span line, bool *all)
{
	struct fsi_span w[FSI_TEXT_COLUMNS_MAX];
	const size_t n = fsi_text_split_words(line, w, FSI_TEXT_COLUMNS_MAX);
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		known += is_known_heading(g->p->kind, w[i]);
	*all = known == n;
	return known;
}

/* Returns true if the line after the heading line belongs to the heading too: most of its words are column names. */
static bool has_more_heading_lines(const struct fsi_text_grid *g)
{
	const size_t at = g->p->begin + g->row_lines;
	struct fsi_span w[FSI_TEXT_COLUMNS_MAX];
	bool all;
	size_t known;

	if (at >= g->p->end)
		return false;
	known = count_known_headings(g, fsi_text_get_line(g->t, at), &all);
	return known >= 2 && 2 * known > fsi_text_split_words(fsi_text_get_line(g->t, at), w, FSI_TEXT_COLUMNS_MAX);
}

/* A narrow terminal folds the heading like the rows. A line is added to the heading if the line completes the name of a
 * column, and if all words of the joined heading are then names of columns. */
int fsi_text_read_heading(struct fsi_text *t, struct fsi_text_grid *g)
{
	struct fsi_span line = fsi_text_get_line(g->t, g->p->begin), more;
	bool all;
	size_t known = count_known_headings(g, line, &all);

	g->row_lines = 1;
	while (g->row_lines < HEADING_LINES_MAX && g->p->begin + g->row_lines < g->p->end) {
		size_t now;

		more = fsi_text_join_lines(t, g->width, g->p->begin, g->row_lines + 1);
		if (!more.s)
			return fsi_fail_no_memory(t->err);
		now = count_known_headings(g, more, &all);
		if (!all || now <= known)
			break;
		known = now;
		line = more;
		g->row_lines++;
	}
	g->n = fsi_text_split_words(line, g->word, FSI_TEXT_COLUMNS_MAX);
	for (size_t i = 0; i < g->n; i++) {
		g->begin[i] = (size_t)(g->word[i].s - line.s);
		g->end[i] = g->begin[i] + g->word[i].len;
	}
	return has_more_heading_lines(g);
}

/* Returns true if the word is in the first column. If the column's heading is at the left edge, the word must begin at
 * the left edge. If the heading is not at the left edge, the word must end where the heading ends, or begin no later
 * than the heading and end after it. */
static bool is_in_first_column(const struct fsi_text_grid *g, struct fsi_span line, struct fsi_span word)
{
	const size_t at = (size_t)(word.s - line.s), end = at + word.len;

	return g->begin[0] ? end == g->end[0] || (end > g->end[0] && at <= g->begin[0]) : !at;
}

static bool is_flux_table(const struct fsi_text_grid *g)
{
	return g->p->kind == TEXT_FLUX_JOBS || g->p->kind == TEXT_FLUX_PRIORITIES;
}

/* Returns true if the word is a job ID rather than the rest of a number that was folded. A Flux ID counts units of
 * 1/16,777,216 ms since the start of the Flux instance. A decimal ID therefore has more than 9 digits, unless the job
 * was submitted in the first tenth of a second. */
static bool is_plausible_flux_id(struct fsi_span word)
{
	return fsi_text_is_flux_id(word) && (*word.s == 'f' || word.len > 9);
}

bool fsi_text_begins_job_row(const struct fsi_text_grid *g, struct fsi_span line)
{
	struct fsi_span w[2];

	return fsi_text_split_words(line, w, 2) == 2 &&
	       (is_flux_table(g) ? is_plausible_flux_id(w[0]) : fsi_text_is_job_id(w[0])) &&
	       (g->row_lines > 1 || is_flux_table(g) ? is_in_first_column(g, line, w[0])
						     : (size_t)(w[0].s - line.s) < g->end[0] + 2);
}

/* Returns true if the first line of a folded row can be distinguished from the row's other lines. The lines cannot be
 * distinguished if squeue prints job IDs at the left edge, because the other lines may begin with a number, too. */
static bool can_recognise_rows(const struct fsi_text_grid *g)
{
	return g->begin[0] || is_flux_table(g);
}

static int append_unfolded_row(struct fsi_text *t, struct fsi_text_grid *g, size_t from, size_t n)
{
	const struct fsi_span line = n == 1 ? fsi_text_get_line(g->t, from) : fsi_text_join_lines(t, g->width, from, n);

	if (!line.s || FSI_VEC_RESERVE(&g->rows))
		return fsi_fail_no_memory(t->err);
	g->rows.v[g->rows.n++] =
		(struct fsi_text_line){ line.s, (uint32_t)line.len, t->lines.v[from].no, t->lines.v[from + n - 1].cut };
	return 0;
}

/* Returns true if the row has a parenthesis or bracket that is not closed. */
static bool is_row_open(struct fsi_span row)
{
	int64_t depth = 0;

	for (size_t i = 0; i < row.len; i++)
		depth += (row.s[i] == '(' || row.s[i] == '[') - (row.s[i] == ')' || row.s[i] == ']');
	return depth > 0;
}

/* Returns true if the line is the rest of the previous row, folded by the terminal. Such rows occur because the last
 * column of `flux jobs`, squeue and sinfo has no maximum width. */
static bool is_row_continuation(const struct fsi_text_grid *g, size_t at)
{
	const struct fsi_span line = fsi_text_get_line(g->t, at);

	const size_t previous = fsi_text_get_line(g->t, at - 1).len;

	if (!g->rows.n || !line.len || g->width < 40 || previous + 1 < g->width || fsi_text_is_ornament(line))
		return false;
	if (g->p->kind == TEXT_FLUX_JOBS)
		return g->row_lines == 1 && previous == g->width && !fsi_text_begins_job_row(g, line);
	if (!fsi_text_is_terminal_width(g->width) && !is_row_open(fsi_text_line_span(&g->rows.v[g->rows.n - 1])))
		return false;
	return fsi_text_has_job_rows(g->p->kind) ? !fsi_text_begins_job_row(g, line)
						 : g->row_lines == 1 && !memchr(line.s, ' ', line.len);
}

static int append_row_continuation(struct fsi_text *t, struct fsi_text_grid *g, size_t at)
{
	struct fsi_text_line *row = &g->rows.v[g->rows.n - 1];
	const struct fsi_span line = fsi_text_get_line(g->t, at);
	/* a blank at the end of the previous line is not in the paste */
	const size_t blanks = fsi_text_get_line(g->t, at - 1).len < g->width;
	char *s = fsi_arena_alloc(&t->arena, row->len + blanks + line.len + 1);

	if (!s)
		return fsi_fail_no_memory(t->err);
	memcpy(s, row->s, row->len);
	memset(s + row->len, ' ', blanks);
	memcpy(s + row->len + blanks, line.s, line.len);
	row->s = s;
	row->len += (uint32_t)(blanks + line.len);
	row->cut = t->lines.v[at].cut;
	return 0;
}

int fsi_text_collect_rows(struct fsi_text *t, struct fsi_text_grid *g, size_t at)
{
	const bool of_jobs = fsi_text_has_job_rows(g->p->kind) || is_flux_table(g);
	int rc = 0;

	while (at < g->p->end && !rc) {
		size_t n = 1;

		if (is_row_continuation(g, at)) {
			rc = append_row_continuation(t, g, at++);
			continue;
		}
		if (!fsi_text_get_line(g->t, at).len) {
			at++;
			continue;
		}
		if (of_jobs && g->row_lines > 1 && !fsi_text_begins_job_row(g, fsi_text_get_line(g->t, at))) {
			at++;
			continue;
		}
		while (n < g->row_lines && at + n < g->p->end &&
		       !(of_jobs && can_recognise_rows(g) &&
			 fsi_text_begins_job_row(g, fsi_text_get_line(g->t, at + n))))
			n++;
		rc = append_unfolded_row(t, g, at, n);
		at += n;
	}
	return rc;
}

int fsi_text_unfold_rows(struct fsi_text *t, const struct fsi_text_piece *p, fsi_text_is_complete_fn is_complete,
			 struct fsi_text_lines *rows)
{
	struct fsi_text_grid g = { .t = t, .p = p, .width = fsi_text_max_width(t, p) };
	int rc;

	rc = fsi_text_read_heading(t, &g);
	for (size_t at = p->begin + g.row_lines; at < p->end && !rc;) {
		size_t n = g.row_lines < p->end - at ? g.row_lines : 1;

		if (is_complete(fsi_text_get_line(t, at)))
			n = 1;
		rc = append_unfolded_row(t, &g, at, n);
		at += n;
	}
	*rows = g.rows;
	return rc > 0 ? 0 : rc;
}
