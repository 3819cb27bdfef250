/* Which lines of a paste are which command's output: by headings and by first words, which prompts and prose end. */
#include "import/text/text.h"

#include "base/num.h"

#include <string.h>

/* ---- prompts: `[dana@login1 ~]$ squeue -u dana` */

static bool is_command(struct fsi_span v)
{
	static const char *const names[] = { "squeue", "sshare", "sprio", "scontrol", "sinfo", "sacctmgr", "showq", "diagnose",
					     "mdiag",  "flux",	 "sdiag", "date",     "sacct", "showres",  "checkjob", "scancel", "sbatch", "showstart", NULL };
	struct fsi_span word;

	fsi_span_cut(&v, ' ', &word);
	for (size_t i = 0; names[i]; i++)
		if (fsi_span_equals(word, fsi_span_of(names[i])))
			return true;
	return false;
}

static bool is_prompt(struct fsi_span line)
{
	if (is_command(fsi_span_trim(line)))
		return true;
	for (size_t i = 0; i < line.len && i < 120; i++) {
		const char c = line.s[i];

		if (c != '$' && c != '#' && c != '%' && c != '>')
			continue;
		if (i + 1 == line.len)
			return i < 2 || memchr(line.s, '@', i) || memchr(line.s, ':', i) || line.s[i - 1] == ']';
		if (line.s[i + 1] == ' ')
			return is_command(fsi_span_trim(fsi_span_from(line, i + 1))) ||
			       (memchr(line.s, '@', i) && !memchr(line.s, '=', i));
	}
	return false;
}

/* ---- the clock: `Fri Nov 20 21:06:49 2026` above squeue -l, or as date(1) prints it with a zone */

static bool number_at(const char *s, size_t n, int64_t *out)
{
	while (n && *s == ' ') {
		s++;
		n--;
	}
	return !fsi_parse_i64(s, n, out);
}

static bool is_date(struct fsi_span v, int64_t *out)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	int64_t d, h, m, s, y;

	v = fsi_span_trim(v);
	if (v.len < 24 || v.len > 32 || v.s[3] != ' ' || v.s[13] != ':' || v.s[16] != ':')
		return false;
	for (int i = 0; i < 12; i++)
		if (!memcmp(v.s + 4, months + 3 * i, 3) && number_at(v.s + 8, 2, &d) && number_at(v.s + 11, 2, &h) &&
		    number_at(v.s + 14, 2, &m) && number_at(v.s + 17, 2, &s) && number_at(v.s + v.len - 4, 4, &y)) {
			*out = fsi_days_from_civil(y, i + 1, d) * 86400 + h * 3600 + m * 60 + s;
			return y > 1970 && d > 0 && d < 32 && h < 24 && m < 60 && s < 61;
		}
	return false;
}

static int note_clock(struct fsi_text *t, int64_t clock, bool config, uint32_t no)
{
	const bool first = t->clock == FS_UNKNOWN;
	const int64_t apart = first ? 0 : t->clock > clock ? t->clock - clock : clock - t->clock;

	if (first || (config && !t->clock_by_config)) {
		t->clock = clock;
		t->clock_by_config = config;
	}
	return apart > 60 ? fsi_text_warn(t, "line %u: pieces are of different times, %lld minutes apart: their numbers may not fit together",
					  no, (long long)(apart / 60))
			  : 0;
}

static int note_cluster(struct fsi_text *t, struct fsi_span name, uint32_t no)
{
	name = fsi_span_trim(name);
	if (!name.len)
		return 0;
	if (!t->cluster.len)
		t->cluster = name;
	else if (!fsi_span_equals(t->cluster, name))
		return fsi_text_warn(t, "line %u: pieces are of different clusters, %.*s and %.*s", no, (int)t->cluster.len, t->cluster.s,
				     (int)name.len, name.s);
	return 0;
}

static int note_line(struct fsi_text *t, struct fsi_span line, uint32_t no)
{
	static const char as_of[] = "Configuration data as of ", cluster[] = "CLUSTER: ", of_config[] = "ClusterName ", of_assoc[] = "ClusterName=";
	struct fsi_span v = line, word;
	int64_t clock;

	if (fsi_span_begins(line, as_of)) {
		v = fsi_span_trim(fsi_span_from(line, sizeof(as_of) - 1));
		return fsi_parse_civil(v.s, v.len, &clock) ? 0 : note_clock(t, clock, true, no);
	}
	if (is_date(line, &clock))
		return note_clock(t, clock, false, no);
	if (fsi_span_begins(line, cluster))
		return note_cluster(
			t, fsi_span_from(line, sizeof(cluster) - 1), no);
	if (fsi_span_begins(line, of_config) && fsi_span_cut(&v, '=', &word) && v.s)
		return note_cluster(t, v, no);
	if (fsi_span_begins(line, of_assoc)) {
		v = fsi_span_from(line, sizeof(of_assoc) - 1);
		fsi_span_cut(&v, ' ', &word);
		return note_cluster(t, word, no);
	}
	return 0;
}

/* ---- pieces */

static int begin_piece(struct fsi_text *t, enum fsi_text_kind kind, size_t line)
{
	if (FSI_VEC_ROOM(&t->pieces))
		return fsi_nomem(t->err);
	t->pieces.v[t->pieces.n++] = (struct fsi_text_piece){ .kind = kind, .begin = line, .end = line + 1 };
	return 0;
}

/* Does each of its kind begin a piece: `checking job 12`? */
static bool stands_alone(enum fsi_text_kind kind, struct fsi_span line)
{
	return kind == TEXT_CONFIG || kind == TEXT_FLUX_JSON ||
	       (kind >= TEXT_MAUI_SHARES && kind <= TEXT_MAUI_SHOWSTART) ||
	       (kind == TEXT_MAUI_QUEUE && fsi_span_begins(fsi_span_trim(line), "ACTIVE"));
}

/* A heading always begins a piece, but for those of the sections of showq; a record begins one where none of its
 * kind is open. */
static enum fsi_text_kind begins_piece(const struct fsi_text *t, size_t i, enum fsi_text_kind open)
{
	const struct fsi_span line = fsi_text_line(t, i);
	enum fsi_text_kind kind = fsi_text_unread(t, i, open < TEXT_KINDS) ? TEXT_UNREAD : fsi_text_record_of(line);

	if (open == TEXT_UNREAD && kind == TEXT_MAUI_QUEUE && fsi_text_unread_goes_on(t, i))
		return TEXT_KINDS;
	if (kind < TEXT_KINDS)
		return kind == open && !stands_alone(kind, line) ? TEXT_KINDS : kind;
	kind = open == TEXT_CONFIG && memchr(line.s, '=', line.len) ? TEXT_KINDS : fsi_text_table_of(line);
	return kind == TEXT_MAUI_QUEUE && open == TEXT_MAUI_QUEUE ? TEXT_KINDS : kind;
}

/* The line behind the one that closes what line i opens, or before another piece's beginning. */
static size_t json_end(const struct fsi_text *t, size_t i)
{
	bool quoted = false, escaped = false;
	int64_t depth = 0;

	for (size_t k = i; k < t->lines.n; k++) {
		const struct fsi_text_line *l = &t->lines.v[k];
		const struct fsi_span line = { l->s, l->len };

		if (k > i && !quoted && (is_prompt(line) || fsi_text_table_of(line) < TEXT_KINDS))
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

/* Is the line right below a heading, and unlike its beginning, the rest of it, folded? */
static bool goes_on(const struct fsi_text *t, enum fsi_text_kind kind, size_t line)
{
	const struct fsi_text_piece *p = t->pieces.n ? &t->pieces.v[t->pieces.n - 1] : NULL;
	struct fsi_span first, here, a, b;

	if (!p || p->kind != kind || kind <= TEXT_SDIAG || kind == TEXT_UNREAD || p->end != line)
		return false;
	first = fsi_span_trim(fsi_text_span(&t->lines.v[p->begin]));
	here = fsi_span_trim(fsi_text_span(&t->lines.v[line]));
	fsi_span_cut(&first, ' ', &a);
	fsi_span_cut(&here, ' ', &b);
	return !fsi_span_equals(a, b);
}

static bool is_json_page(const struct fsi_text *t, size_t i, enum fsi_text_kind kind)
{
	return kind == TEXT_FLUX_JSON || (kind == TEXT_UNREAD && t->lines.v[i].len && *t->lines.v[i].s == '{');
}

int fsi_text_find(struct fsi_text *t)
{
	enum fsi_text_kind open = TEXT_KINDS;
	int64_t clock;
	int rc = 0;

	for (size_t i = 0; i < t->lines.n && !rc; i++) {
		const struct fsi_span line = fsi_text_line(t, i);
		enum fsi_text_kind kind;

		rc = note_line(t, line, t->lines.v[i].no);
		if (is_prompt(line) || is_date(line, &clock) || fsi_span_begins(line, "CLUSTER: ")) {
			open = TEXT_KINDS;
			continue;
		}
		kind = begins_piece(t, i, open);
		if (kind < TEXT_KINDS && !(kind == open && goes_on(t, kind, i))) {
			open = kind;
			rc = rc ? rc : begin_piece(t, kind, i);
			if (!rc && is_json_page(t, i, kind)) {
				t->pieces.v[t->pieces.n - 1].end = json_end(t, i);
				i = t->pieces.v[t->pieces.n - 1].end - 1;
				open = TEXT_KINDS;
			}
		} else if (open < TEXT_KINDS) {
			t->pieces.v[t->pieces.n - 1].end = i + 1;
		}
	}
	return rc;
}
