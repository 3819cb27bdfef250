/* Parses the words of scheduler commands, sets record fields from their values, and writes commands for advice. */
#include "scenario/grammar.h"

#include "base/num.h"
#include "base/text.h"
#include "model/find.h"
#include "model/scheduler.h"
#include "scenario/edit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words and keyword tables */

/* Returns the length of the common prefix of `a` and `b`, ignoring case; at most `len`. */
static size_t get_common_prefix(const char *a, size_t len, const char *b)
{
	size_t i = 0;

	while (i < len && b[i] && fsi_char_to_lower(a[i]) == fsi_char_to_lower(b[i]))
		i++;
	return i;
}

int fsi_scenario_refuse(struct fsi_scenario *s, const char *fmt, ...)
{
	char text[sizeof(s->err->message)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return fsi_fail_with_code(s->err, FS_EUSAGE, "%s", text);
}

void fsi_scenario_note(const struct fsi_scenario *s, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (!s->o->note)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	s->o->note(s->o->note_ctx, text);
}

/* Copies one word without its quotes from *from to *to, and advances both pointers. Returns false if a quote is not
 * closed. */
static bool copy_unquoted_word(const char **from, char **to)
{
	char quote = 0;

	for (; **from && (quote || !strchr(" \t\n", **from)); (*from)++) {
		if (quote ? **from == quote : **from == '\'' || **from == '"')
			quote = quote ? 0 : **from;
		else
			*(*to)++ = **from;
	}
	*(*to)++ = '\0';
	return !quote;
}

static bool is_valid_utf8(const char *s)
{
	size_t remaining = strlen(s), len;

	for (; remaining && (len = fsi_utf8_sequence_length(s, remaining)); s += len)
		remaining -= len;
	return !remaining;
}

int fsi_scenario_split_words(struct fsi_scenario *s, const char *command)
{
	char *to = s->text;

	if (strlen(command) >= sizeof(s->text))
		return fsi_scenario_refuse(s, "the command is longer than %d bytes", FSI_COMMAND_MAX - 1);
	if (!is_valid_utf8(command))
		return fsi_scenario_refuse(s, "the command is not UTF-8");
	for (s->n = 0; *(command += strspn(command, " \t\n")); s->n++) {
		if (s->n == FSI_COMMAND_WORDS)
			return fsi_scenario_refuse(s, "the command has more than %d words", FSI_COMMAND_WORDS);
		s->words[s->n] = to;
		if (!copy_unquoted_word(&command, &to))
			return fsi_scenario_refuse(s, "a quote is not closed");
	}
	s->words[s->n] = NULL;
	return s->n ? 0 : fsi_scenario_refuse(s, "the command is empty");
}

static const char *get_table_name(const void *names, size_t stride, size_t i)
{
	const char *name;

	memcpy(&name, (const char *)names + i * stride, sizeof(name));
	return name;
}

size_t fsi_scenario_find_name(const void *names, size_t n, size_t stride, const char *s, size_t len)
{
	enum { MIN_ABBREVIATION = 3 };
	size_t match = n, matches = 0;

	for (size_t i = 0; i < n; i++) {
		const char *name = get_table_name(names, stride, i);

		if (fsi_is_same_ignoring_case(s, len, name))
			return i;
		if (len >= MIN_ABBREVIATION && get_common_prefix(s, len, name) == len) {
			match = i;
			matches++;
		}
	}
	return matches == 1 ? match : n;
}

/* Returns the Levenshtein distance between the two names, ignoring case; SIZE_MAX if a name has more than
 * MAX_NAME_LETTERS letters. */
static size_t compute_edit_distance(const char *a, size_t n, const char *b)
{
	enum { MAX_NAME_LETTERS = 64 };
	const size_t m = strlen(b);
	size_t row[MAX_NAME_LETTERS + 1];

	if (n > MAX_NAME_LETTERS || m > MAX_NAME_LETTERS)
		return SIZE_MAX;
	for (size_t k = 0; k <= m; k++)
		row[k] = k;
	for (size_t i = 1; i <= n; i++) {
		size_t corner = row[0];

		row[0] = i;
		for (size_t k = 1; k <= m; k++) {
			const size_t change = corner + (fsi_char_to_lower(a[i - 1]) != fsi_char_to_lower(b[k - 1]));
			const size_t less = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;

			corner = row[k];
			row[k] = change < less ? change : less;
		}
	}
	return row[m];
}

const char *fsi_scenario_nearest_name(const void *names, size_t n, size_t stride, const char *s, size_t len)
{
	const char *best = NULL;
	size_t min = SIZE_MAX;

	for (size_t i = 0; i < n; i++) {
		const size_t d = compute_edit_distance(s, len, get_table_name(names, stride, i));

		if (!best || d < min) {
			best = get_table_name(names, stride, i);
			min = d;
		}
	}
	return best;
}

static size_t find_table_keyword(const struct fsi_edit_keyword *table, size_t n, const char *s, size_t len)
{
	if (!table->min_letters)
		return fsi_scenario_find_name(table, n, sizeof(*table), s, len);
	for (size_t i = 0; i < n; i++)
		if (len >= table[i].min_letters && get_common_prefix(s, len, table[i].keyword) == len)
			return i;
	return n;
}

bool fsi_scenario_is_keyword(const struct fsi_edit_keyword *table, size_t n, const char *s, size_t len)
{
	return find_table_keyword(table, n, s, len) < n;
}

int fsi_scenario_parse_keyword(struct fsi_scenario *s, const struct fsi_edit_keyword *table, size_t n, const char *what,
			       const char *text, const struct fsi_edit_keyword **out, struct fsi_operand *v)
{
	size_t len = strcspn(text, "="), i;

	*v = (struct fsi_operand){ '=', text[len] ? text + len + 1 : NULL };
	if (v->text && len && strchr("+-", text[len - 1]))
		v->op = text[--len];
	i = find_table_keyword(table, n, text, len);
	if (i == n)
		return fsi_scenario_refuse(s, "%s: unknown keyword \"%.*s\"; the nearest is %s", what,
					   (int)(len < 60 ? len : 60), text,
					   fsi_scenario_nearest_name(table, n, sizeof(*table), text, len));
	*out = &table[i];
	return 0;
}

int fsi_scenario_note_no_effect(FSI_SETTER_ARGS)
{
	(void)rec;
	(void)v;
	fsi_scenario_note(s, "%s has no effect on computed values", w->keyword);
	return 0;
}

int fsi_scenario_note_not_modelled(FSI_SETTER_ARGS)
{
	(void)rec;
	(void)v;
	fsi_scenario_note(s, "%s is ignored, although it may change where or when a job starts", w->keyword);
	return 0;
}

int fsi_scenario_run_verb(struct fsi_scenario *s, const struct fsi_verb *verbs, size_t n, const char *what, size_t at)
{
	const char *word = at < s->n ? s->words[at] : "";
	const size_t len = strlen(word), i = fsi_scenario_find_name(verbs, n, sizeof(*verbs), word, len);

	if (!len)
		return fsi_scenario_refuse(s, "%s: expected a subcommand, such as %s", what, verbs[0].name);
	if (i == n)
		return fsi_scenario_refuse(s, "%s \"%.60s\" is not supported; the nearest is %s", what, word,
					   fsi_scenario_nearest_name(verbs, n, sizeof(*verbs), word, len));
	return verbs[i].run(s, at + 1);
}

/* ---- field values */

int fsi_scenario_parse_minutes(const char *text, int64_t *seconds)
{
	const size_t len = strlen(text);
	uint64_t minutes;

	if (fsi_is_same_ignoring_case(text, len, "UNLIMITED") || fsi_is_same_ignoring_case(text, len, "INFINITE") ||
	    !strcmp(text, "-1")) {
		*seconds = FS_UNLIMITED;
		return 0;
	}
	if (!fsi_parse_u64(text, len, &minutes)) {
		if (minutes >= UINT32_MAX)
			return -1;
		*seconds = (int64_t)minutes * 60;
		return 0;
	}
	if (fsi_parse_duration(text, len, seconds) || *seconds >= (int64_t)UINT32_MAX * 60)
		return -1;
	*seconds = (*seconds + 59) / 60 * 60;
	return 0;
}

/* Adds the set whose members are the `bytes` bytes at `all`, and frees `all`. Returns FSI_INTERN_FAILED if out of
 * memory. */
static uint32_t add_freed_set(fs_snapshot *m, void *all, size_t bytes)
{
	const uint32_t set = fsi_intern_add(&m->sets, all, bytes);

	free(all);
	return set;
}

uint32_t fsi_scenario_set_amount(fs_snapshot *m, uint32_t set, uint32_t tres, int64_t amount)
{
	size_t n, k = 0;
	const struct fsi_amount *old = fsi_amount_items(m, set, &n);
	struct fsi_amount *all = calloc(n + 1, sizeof(*all));
	bool is_present = false;

	if (!all)
		return FSI_INTERN_FAILED;
	for (size_t i = 0; i < n; i++) {
		if (old[i].tres == tres && (amount < 0 || is_present))
			continue;
		all[k] = old[i];
		if (old[i].tres == tres)
			all[k].n = amount;
		is_present = is_present || old[i].tres == tres;
		k++;
	}
	if (!is_present && amount >= 0)
		all[k++] = (struct fsi_amount){ .tres = tres, .n = amount };
	return add_freed_set(m, all, k * sizeof(*all));
}

uint32_t fsi_scenario_change_list(fs_snapshot *m, uint32_t list, uint32_t name, bool in)
{
	size_t n, k = 0;
	const uint32_t *old = fsi_list_items(m, list, &n);
	uint32_t *all = calloc(n + 1, sizeof(*all));

	if (!all)
		return FSI_INTERN_FAILED;
	for (size_t i = 0; i < n; i++)
		if (old[i] != name)
			all[k++] = old[i];
	if (in && k < n) { /* the name is listed already */
		free(all);
		return list;
	}
	if (in)
		all[k++] = name;
	return add_freed_set(m, all, k * sizeof(*all));
}

struct edit_target {
	struct fsi_scenario *s;
	const struct fsi_field *f;
	struct fsi_rec *rec;
	void *member; /* address of field `f` in record `rec` */
	unsigned bit;
	const char *keyword;
	struct fsi_operand v;
};

static int refuse_target_value(const struct edit_target *t, const char *expected)
{
	return fsi_scenario_refuse(t->s, "%s: expected %s, got \"%.60s\"", t->keyword, expected, t->v.text);
}

static int mark_target_known(const struct edit_target *t)
{
	fsi_mark_known(t->rec, t->bit);
	if (t->bit < FSI_SPECIAL_BITS)
		t->rec->special &= ~(1u << t->bit);
	return 0;
}

static int mark_target_unknown(const struct edit_target *t)
{
	mark_target_known(t);
	fsi_mark_unknown(t->rec, t->bit);
	return 0;
}

/* Sets a number field. In an unsigned or floating-point field, -1 means no limit and marks the field unknown. */
static int set_number_field(const struct edit_target *t)
{
	uint64_t n;
	double d;
	int64_t i;

	switch (t->f->type) {
	case FSI_U32:
		if (!strcmp(t->v.text, "-1") || fsi_is_same_ignoring_case(t->v.text, strlen(t->v.text), "UNLIMITED"))
			return *(uint32_t *)t->member = 0, mark_target_unknown(t);
		if (fsi_parse_u64(t->v.text, strlen(t->v.text), &n) || n > UINT32_MAX)
			return refuse_target_value(t, "an integer from 0 to 4294967295, or -1 for none");
		*(uint32_t *)t->member = (uint32_t)n;
		return mark_target_known(t);
	case FSI_I32:
		if (fsi_parse_i64(t->v.text, strlen(t->v.text), &i) || i < INT32_MIN || i > INT32_MAX)
			return refuse_target_value(t, "an integer");
		*(int32_t *)t->member = (int32_t)i;
		return mark_target_known(t);
	default:
		if (!strcmp(t->v.text, "-1"))
			return *(double *)t->member = 0, mark_target_unknown(t);
		if (fsi_parse_double(t->v.text, strlen(t->v.text), &d) || d < 0)
			return refuse_target_value(t, "a number of at least 0, or -1 for none");
		*(double *)t->member = d;
		return mark_target_known(t);
	}
}

static int set_shares_field(const struct edit_target *t)
{
	uint64_t n;

	if (fsi_is_same_ignoring_case(t->v.text, strlen(t->v.text), "parent")) {
		*(uint32_t *)t->member = 0;
		mark_target_known(t);
		t->rec->special |= 1u << t->bit;
		return 0;
	}
	if (fsi_parse_u64(t->v.text, strlen(t->v.text), &n) || n > INT32_MAX)
		return refuse_target_value(t, "shares from 0 to 2147483647, or parent");
	*(uint32_t *)t->member = (uint32_t)n;
	return mark_target_known(t);
}

static int set_duration_field(const struct edit_target *t)
{
	int64_t *to = t->member;

	if (fsi_scenario_parse_minutes(t->v.text, to))
		return refuse_target_value(t, "minutes, hours:minutes:seconds, days-hours or UNLIMITED");
	mark_target_known(t);
	if (*to == FS_UNLIMITED) {
		*to = 0;
		t->rec->special |= 1u << t->bit;
	}
	return 0;
}

static int set_text_field(const struct edit_target *t)
{
	const uint32_t id = fsi_name_intern(t->s->m, t->v.text);

	if (id == FSI_INTERN_FAILED)
		return fsi_fail_no_memory(t->s->err);
	*(uint32_t *)t->member = id;
	return id ? mark_target_known(t) : mark_target_unknown(t);
}

/* Changes a list field: "=a,b" replaces the list; "+=a,b" adds each name, "-=a,b" removes each name. */
static int change_list_field(const struct edit_target *t)
{
	uint32_t *to = t->member, list = t->v.op == '=' ? 0 : *to;
	const char *p = t->v.text;

	for (p += strspn(p, ","); *p; p += strspn(p, ",")) {
		const size_t len = strcspn(p, ",");
		const uint32_t name = fsi_intern_add(&t->s->m->names, p, len);

		if (name == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(t->s->err);
		list = fsi_scenario_change_list(t->s->m, list, name, t->v.op != '-');
		if (list == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(t->s->err);
		p += len;
	}
	*to = list;
	return *t->v.text ? mark_target_known(t) : mark_target_unknown(t);
}

/* Sets a list field, such as the accounts that a partition admits. "ALL" clears the field, because an absent list
 * admits everyone. */
static int set_admitted_list(const struct edit_target *t)
{
	if (!fsi_is_same_ignoring_case(t->v.text, strlen(t->v.text), "ALL"))
		return change_list_field(t);
	*(uint32_t *)t->member = 0;
	return mark_target_unknown(t);
}

static uint32_t find_tres_name(const fs_snapshot *m, const char *s, size_t len)
{
	for (size_t i = 0; i < m->tres.n; i++)
		if (fsi_is_same_ignoring_case(s, len, fsi_name_text(m, m->tres.v[i].name)))
			return m->tres.v[i].name;
	return 0;
}

/* Sets amounts in a field that is a TRES set, such as "cpu=16,mem=64G". The amount -1 removes the TRES. */
static int set_tres_field(const struct edit_target *t)
{
	uint32_t *to = t->member, set = *to;
	const char *p = t->v.text;

	for (p += strspn(p, ","); *p; p += strspn(p, ",")) {
		const size_t len = strcspn(p, ","), name = strcspn(p, "=,");
		const uint32_t tres = find_tres_name(t->s->m, p, name);
		const bool in_mb = tres && !strcmp(fsi_name_text(t->s->m, tres), "mem");
		int64_t amount = -1;

		if (!tres)
			return fsi_scenario_refuse(t->s, "%s: the cluster has no TRES \"%.*s\"", t->keyword,
						   (int)(name < 60 ? name : 60), p);
		if (name + 1 >= len ||
		    (!(len - name - 1 == 2 && !strncmp(p + name + 1, "-1", 2)) &&
		     ((in_mb ? fsi_parse_mem_mb : fsi_parse_count)(p + name + 1, len - name - 1, &amount) ||
		      amount < 0)))
			return refuse_target_value(t, "amounts, as in cpu=16,mem=64G");
		set = fsi_scenario_set_amount(t->s->m, set, tres, amount);
		if (set == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(t->s->err);
		p += len;
	}
	*to = set;
	return set ? mark_target_known(t) : mark_target_unknown(t);
}

static int set_bool_field(const struct edit_target *t)
{
	static const char *const words[] = { "NO", "YES", "0", "1" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (fsi_is_same_ignoring_case(t->v.text, strlen(t->v.text), words[i])) {
			*(bool *)t->member = i % 2;
			return mark_target_known(t);
		}
	return refuse_target_value(t, "YES or NO");
}

/* Sets *later to the number of seconds from now to the given time. `text`: the part after "now" in "now", "now+90" or
 * "now+2hours" (src/common/parse_time.c: _get_delta). */
static int parse_time_from_now(const char *text, int64_t *later)
{
	static const struct {
		const char *name;
		uint64_t seconds;
	} units[] = { { "seconds", 1 }, { "minutes", 60 }, { "hours", 3600 }, { "days", 86400 }, { "weeks", 604800 } };
	const size_t digits = strspn(text + (*text == '+'), "0123456789");
	const char *unit = text + (*text == '+') + digits;
	uint64_t n;

	*later = 0;
	if (!*text)
		return 0;
	if (*text != '+' || fsi_parse_u64(text + 1, digits, &n) || n > (uint64_t)FSI_SECONDS_MAX / 604800)
		return -1;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!*unit || !strncmp(unit, units[i].name, strlen(unit))) {
			*later = (int64_t)(n * units[i].seconds);
			return 0;
		}
	return -1;
}

static int set_time_field(const struct edit_target *t)
{
	int64_t later;

	if (strncmp(t->v.text, "now", 3) != 0)
		return fs_time_parse(t->s->m, t->v.text, t->member, t->s->err) ? FS_EUSAGE : mark_target_known(t);
	if (parse_time_from_now(t->v.text + 3, &later))
		return refuse_target_value(t, "a time, now, or now+2hours");
	*(int64_t *)t->member = t->s->m->info.time + later;
	return mark_target_known(t);
}

static int set_typed_field(const struct edit_target *t)
{
	const bool adds = t->v.op != '=';

	if (adds && t->f->type != FSI_LIST)
		return fsi_scenario_refuse(t->s, "%s does not accept %c=; use =", t->keyword, t->v.op);
	switch (t->f->type) {
	case FSI_U32:
	case FSI_I32:
	case FSI_DBL:
		return set_number_field(t);
	case FSI_SHARES:
		return set_shares_field(t);
	case FSI_DUR:
		return set_duration_field(t);
	case FSI_STR:
		return set_text_field(t);
	case FSI_LIST:
		return adds ? change_list_field(t) : set_admitted_list(t);
	case FSI_TRES:
		return set_tres_field(t);
	case FSI_BOOL:
		return set_bool_field(t);
	case FSI_TIME:
		return set_time_field(t);
	default:
		return fsi_scenario_refuse(t->s, "%s cannot be changed", t->keyword);
	}
}

static unsigned find_field_bit(enum fsi_record_type type, const char *field)
{
	const struct fsi_record_table *table = fsi_record_table(type);
	unsigned bit = 0;

	while (strcmp(table->fields[bit].key, field) != 0)
		bit++;
	return bit;
}

#define FIELD_SIZE_OF(t) [FSI_##t] = sizeof(FSI_C_##t)
static const size_t field_sizes[] = { FIELD_SIZE_OF(U32),   FIELD_SIZE_OF(U64),    FIELD_SIZE_OF(I32),
				      FIELD_SIZE_OF(TIME),  FIELD_SIZE_OF(DUR),    FIELD_SIZE_OF(DBL),
				      FIELD_SIZE_OF(STR),   FIELD_SIZE_OF(SHARES), FIELD_SIZE_OF(BOOL),
				      FIELD_SIZE_OF(STATE), FIELD_SIZE_OF(LIST),   FIELD_SIZE_OF(TRES),
				      FIELD_SIZE_OF(TRESF) };

bool fsi_scenario_is_same_field(enum fsi_record_type type, const struct fsi_rec *a, const struct fsi_rec *b,
				const char *field)
{
	const unsigned bit = find_field_bit(type, field);
	const struct fsi_field *f = &fsi_record_table(type)->fields[bit];

	return fsi_is_field_known(a, bit) == fsi_is_field_known(b, bit) &&
	       fsi_is_field_special(a, bit) == fsi_is_field_special(b, bit) &&
	       !memcmp((const char *)a + f->offset, (const char *)b + f->offset, field_sizes[f->type]);
}

static bool is_amount_raised(const fs_snapshot *m, uint32_t was, uint32_t now)
{
	size_t n, nnow;
	const struct fsi_amount *v = fsi_amount_items(m, was, &n), *w = fsi_amount_items(m, now, &nnow);

	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (k < nnow && w[k].tres != v[i].tres)
			k++;
		if (k == nnow || w[k].n > v[i].n)
			return true;
	}
	return false;
}

bool fsi_scenario_is_limit_raised(const fs_snapshot *m, enum fsi_record_type type, const struct fsi_rec *was,
				  const struct fsi_rec *now, const char *field)
{
	const unsigned bit = find_field_bit(type, field);
	const struct fsi_field *f = &fsi_record_table(type)->fields[bit];
	uint32_t old, new;

	if ((f->type != FSI_U32 && f->type != FSI_DUR && f->type != FSI_TRES) || !fsi_is_field_known(was, bit) ||
	    fsi_is_field_special(was, bit))
		return false;
	if (!fsi_is_field_known(now, bit) || fsi_is_field_special(now, bit))
		return true;
	memcpy(&old, (const char *)was + f->offset, sizeof(old));
	memcpy(&new, (const char *)now + f->offset, sizeof(new));
	return f->type == FSI_TRES ? is_amount_raised(m, old, new) : new > old;
}

void fsi_scenario_copy_field(enum fsi_record_type type, struct fsi_rec *to, const struct fsi_rec *from,
			     const char *field)
{
	const unsigned bit = find_field_bit(type, field);
	const struct fsi_field *f = &fsi_record_table(type)->fields[bit];
	const uint32_t word = bit < FSI_SPECIAL_BITS ? 1u << bit : 0;

	if (fsi_is_field_known(from, bit))
		fsi_mark_known(to, bit);
	else
		fsi_mark_unknown(to, bit);
	to->special = (to->special & ~word) | (from->special & word);
	memcpy((char *)to + f->offset, (const char *)from + f->offset, field_sizes[f->type]);
}

int fsi_scenario_set_field(struct fsi_scenario *s, enum fsi_record_type type, struct fsi_rec *rec, const char *word,
			   const char *field, struct fsi_operand v)
{
	struct edit_target t = { .s = s, .rec = rec, .bit = find_field_bit(type, field), .keyword = word, .v = v };

	if (!v.text)
		return fsi_scenario_refuse(s, "%s needs a value", word);
	t.f = &fsi_record_table(type)->fields[t.bit];
	t.member = fsi_field_writable_member(s->m, t.f, rec);
	return t.member ? set_typed_field(&t) : fsi_fail_no_memory(s->err);
}

int fsi_scenario_apply_keyword(struct fsi_scenario *s, enum fsi_record_type type, struct fsi_rec *rec,
			       const struct fsi_edit_keyword *w, struct fsi_operand v)
{
	return w->set ? w->set(s, rec, w, v) : fsi_scenario_set_field(s, type, rec, w->keyword, w->field, v);
}

enum { COMMAND_ID_SIZE = FS_JOB_ID_TEXT + 12 };

static void add_printed_length(struct fsi_command *c, int wrote)
{
	c->len = wrote < 0 || c->len + (size_t)wrote >= sizeof(c->text) ? 0 : c->len + (size_t)wrote;
}

/* Writes the job id in the form that commands use. A component of a het job is written as leader+offset, because the id
 * of its first component (the leader) refers to the whole het job. For scontrol top, which accepts no offset, the
 * component's own id is written. */
static void format_command_job_id(char text[COMMAND_ID_SIZE], const fs_snapshot *m, uint64_t job, bool top)
{
	const uint32_t row = fsi_job_find_row(m, job);
	const struct fsi_job *j = row == FSI_NO_INDEX ? NULL : &m->job.v[row];
	char id[FS_JOB_ID_TEXT];

	if (j && !top && FSI_HAS(j, JOB, het_job_id) && FSI_HAS(j, JOB, het_offset))
		snprintf(text, COMMAND_ID_SIZE, "%s+%" PRIu32,
			 fs_job_id_format(m, fsi_job_ext(m, j)->het_job_id, true, id), fsi_job_ext(m, j)->het_offset);
	else
		snprintf(text, COMMAND_ID_SIZE, "%s", fs_job_id_format(m, job, true, id));
}

static const struct fsi_commands *get_scheduler_commands(const fs_snapshot *m)
{
	static const struct fsi_commands none = { .update = NULL };

	return m->scheduler->commands ? m->scheduler->commands : &none;
}

/* Sets the text of the command to the format, with its only "%s" replaced by the job id. */
static void format_job_command(struct fsi_command *c, const fs_snapshot *m, const char *format, uint64_t job)
{
	char id[COMMAND_ID_SIZE];
	const char *at = format ? strstr(format, "%s") : NULL;

	*c = (struct fsi_command){ .len = 0 };
	if (!at)
		return;
	format_command_job_id(id, m, job, format == get_scheduler_commands(m)->top);
	add_printed_length(c, snprintf(c->text, sizeof(c->text), "%.*s%s%s", (int)(at - format), format, id, at + 2));
}

void fsi_command_begin_update(struct fsi_command *c, const fs_snapshot *m, uint64_t job)
{
	const char *format = get_scheduler_commands(m)->update;

	format_job_command(c, m, format, job);
	if (c->len && get_scheduler_commands(m)->job_last)
		c->tail = c->len - (strcspn(format, "%") - strlen(" "));
}

void fsi_command_add_change(struct fsi_command *c, const fs_snapshot *m, enum fsi_change what, const char *fmt, ...)
{
	const char *word = get_scheduler_commands(m)->word[what];
	char tail[FSI_COMMAND_TEXT];
	va_list ap;

	if (!c->len || !word) {
		c->len = 0;
		return;
	}
	c->len -= c->tail;
	memcpy(tail, c->text + c->len, c->tail + 1);
	add_printed_length(c, snprintf(c->text + c->len, sizeof(c->text) - c->len, "%s", word));
	if (!c->len)
		return;
	va_start(ap, fmt);
	add_printed_length(c, vsnprintf(c->text + c->len, sizeof(c->text) - c->len, fmt, ap));
	va_end(ap);
	if (c->len)
		add_printed_length(c, snprintf(c->text + c->len, sizeof(c->text) - c->len, "%s", tail));
}

void fsi_command_add_minutes(struct fsi_command *c, const fs_snapshot *m, enum fsi_change what, int64_t minutes)
{
	char text[48] = "";

	if (get_scheduler_commands(m)->minutes)
		get_scheduler_commands(m)->minutes(text, sizeof(text), minutes);
	fsi_command_add_change(c, m, what, "%s", text);
}

void fsi_command_write_hold(struct fsi_command *c, const fs_snapshot *m, uint64_t job)
{
	format_job_command(c, m, get_scheduler_commands(m)->hold, job);
}

void fsi_command_write_release(struct fsi_command *c, const fs_snapshot *m, uint64_t job, bool by_owner)
{
	const struct fsi_commands *x = get_scheduler_commands(m);

	format_job_command(c, m, by_owner && x->release_own ? x->release_own : x->release, job);
}

void fsi_command_write_first(struct fsi_command *c, const fs_snapshot *m, uint64_t job)
{
	format_job_command(c, m, get_scheduler_commands(m)->first, job);
}

void fsi_command_write_top(struct fsi_command *c, const fs_snapshot *m, uint64_t job)
{
	format_job_command(c, m, get_scheduler_commands(m)->top, job);
}

void fsi_command_write_limit(struct fsi_command *c, const fs_snapshot *m, const struct fsi_limit_change *l)
{
	*c = (struct fsi_command){ .len = 0 };
	if (get_scheduler_commands(m)->limit)
		get_scheduler_commands(m)->limit(c, l);
}

void fsi_command_set_text(struct fsi_command *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_printed_length(c, vsnprintf(c->text, sizeof(c->text), fmt, ap));
	va_end(ap);
}
