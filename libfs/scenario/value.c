/* Values as commands write them into fields of records, by the fields' types. */
#include "base/num.h"
#include "scenario/scenario.h"

#include <string.h>

/* Sets have few members; a list typed in a command has no more than this. */
enum { MAX_SET = 256 };

int fsi_scenario_minutes(const char *text, int64_t *seconds)
{
	const size_t len = strlen(text);
	uint64_t minutes;

	if (fsi_same_any_case(text, len, "UNLIMITED") || fsi_same_any_case(text, len, "INFINITE") || !strcmp(text, "-1")) {
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

uint32_t fsi_scenario_amount(fs_snapshot *m, uint32_t set, uint32_t tres, int64_t amount)
{
	struct fsi_amount all[MAX_SET];
	size_t n, k = 0;
	const struct fsi_amount *old = fsi_amounts(m, set, &n);
	bool there = false;

	if (n >= MAX_SET)
		return FSI_INTERN_FAILED;
	for (size_t i = 0; i < n; i++) {
		if (old[i].tres == tres && (amount < 0 || there))
			continue;
		all[k] = old[i];
		if (old[i].tres == tres)
			all[k].n = amount;
		there = there || old[i].tres == tres;
		k++;
	}
	if (!there && amount >= 0)
		all[k++] = (struct fsi_amount){ .tres = tres, .n = amount };
	return fsi_intern(&m->sets, all, k * sizeof(*all));
}

uint32_t fsi_scenario_change_list(fs_snapshot *m, uint32_t list, uint32_t name, bool in)
{
	uint32_t all[MAX_SET];
	size_t n, k = 0;
	const uint32_t *old = fsi_list(m, list, &n);

	if (n >= MAX_SET)
		return FSI_INTERN_FAILED;
	for (size_t i = 0; i < n; i++)
		if (old[i] != name)
			all[k++] = old[i];
		else if (in)
			return list;
	if (in)
		all[k++] = name;
	return fsi_intern(&m->sets, all, k * sizeof(*all));
}

struct target {
	struct fsi_scenario *s;
	const struct fsi_field *f;
	struct fsi_rec *rec;
	void *member; /* of it */
	unsigned bit;
	const char *word;
	struct fsi_operand v;
};

static int refuse(const struct target *t, const char *expected)
{
	return fsi_scenario_refuse(t->s, "%s: expected %s, got \"%.60s\"", t->word, expected, t->v.text);
}

static int known(const struct target *t)
{
	fsi_mark_known(t->rec, t->bit);
	if (t->bit < FSI_SPECIAL_BITS)
		t->rec->special &= ~(1u << t->bit);
	return 0;
}

static int unknown(const struct target *t)
{
	known(t);
	fsi_mark_unknown(t->rec, t->bit);
	return 0;
}

/* -1 takes a limit away. */
static int set_number(const struct target *t)
{
	uint64_t n;
	double d;
	int64_t i;

	switch (t->f->type) {
	case FSI_U32:
		if (!strcmp(t->v.text, "-1") || fsi_same_any_case(t->v.text, strlen(t->v.text), "UNLIMITED"))
			return *(uint32_t *)t->member = 0, unknown(t);
		if (fsi_parse_u64(t->v.text, strlen(t->v.text), &n) || n > UINT32_MAX)
			return refuse(t, "an integer from 0 to 4294967295, or -1 for none");
		*(uint32_t *)t->member = (uint32_t)n;
		return known(t);
	case FSI_I32:
		if (fsi_parse_i64(t->v.text, strlen(t->v.text), &i) || i < INT32_MIN || i > INT32_MAX)
			return refuse(t, "an integer");
		*(int32_t *)t->member = (int32_t)i;
		return known(t);
	default:
		if (!strcmp(t->v.text, "-1"))
			return *(double *)t->member = 0, unknown(t);
		if (fsi_parse_double(t->v.text, strlen(t->v.text), &d) || d < 0)
			return refuse(t, "a number that is not negative, or -1 for none");
		*(double *)t->member = d;
		return known(t);
	}
}

static int set_shares(const struct target *t)
{
	uint64_t n;

	if (fsi_same_any_case(t->v.text, strlen(t->v.text), "parent")) {
		*(uint32_t *)t->member = 0;
		known(t);
		t->rec->special |= 1u << t->bit;
		return 0;
	}
	if (fsi_parse_u64(t->v.text, strlen(t->v.text), &n) || n > INT32_MAX)
		return refuse(t, "shares from 0 to 2147483647, or parent");
	*(uint32_t *)t->member = (uint32_t)n;
	return known(t);
}

static int set_duration(const struct target *t)
{
	int64_t *to = t->member;

	if (fsi_scenario_minutes(t->v.text, to))
		return refuse(t, "minutes, hours:minutes:seconds, days-hours or UNLIMITED");
	known(t);
	if (*to == FS_UNLIMITED) {
		*to = 0;
		t->rec->special |= 1u << t->bit;
	}
	return 0;
}

static int set_text(const struct target *t)
{
	const uint32_t id = fsi_name(t->s->m, t->v.text);

	if (id == FSI_INTERN_FAILED)
		return fsi_nomem(t->s->err);
	*(uint32_t *)t->member = id;
	return id ? known(t) : unknown(t);
}

/* "a,b" replaces the list; with += or -= each name is put in or taken out. */
static int set_list(const struct target *t)
{
	uint32_t *to = t->member, list = t->v.op == '=' ? 0 : *to;
	const char *p = t->v.text;

	for (p += strspn(p, ","); *p; p += strspn(p, ",")) {
		const size_t len = strcspn(p, ",");
		const uint32_t name = fsi_intern(&t->s->m->names, p, len);

		if (name == FSI_INTERN_FAILED)
			return fsi_nomem(t->s->err);
		list = fsi_scenario_change_list(t->s->m, list, name, t->v.op != '-');
		if (list == FSI_INTERN_FAILED)
			return fsi_nomem(t->s->err);
		p += len;
	}
	*to = list;
	return *t->v.text ? known(t) : unknown(t);
}

/* "ALL" admits all, which an absent list means. */
static int set_admitted(const struct target *t)
{
	if (!fsi_same_any_case(t->v.text, strlen(t->v.text), "ALL"))
		return set_list(t);
	*(uint32_t *)t->member = 0;
	return unknown(t);
}

static uint32_t tres_name(const fs_snapshot *m, const char *s, size_t len)
{
	for (size_t i = 0; i < m->tres.n; i++)
		if (fsi_same_any_case(s, len, fsi_str(m, m->tres.v[i].name)))
			return m->tres.v[i].name;
	return 0;
}

/* "cpu=16,mem=64G"; -1 takes the limit of that TRES away. */
static int set_tres(const struct target *t)
{
	uint32_t *to = t->member, set = *to;
	const char *p = t->v.text;

	for (p += strspn(p, ","); *p; p += strspn(p, ",")) {
		const size_t len = strcspn(p, ","), name = strcspn(p, "=,");
		const uint32_t tres = tres_name(t->s->m, p, name);
		const bool in_mb = tres && !strcmp(fsi_str(t->s->m, tres), "mem");
		int64_t amount = -1;

		if (!tres)
			return fsi_scenario_refuse(t->s, "%s: the cluster has no TRES \"%.*s\"", t->word,
						   (int)(name < 60 ? name : 60), p);
		if (name + 1 >= len ||
		    (!(len - name - 1 == 2 && !strncmp(p + name + 1, "-1", 2)) &&
		     ((in_mb ? fsi_parse_mem_mb : fsi_parse_count)(p + name + 1, len - name - 1, &amount) ||
		      amount < 0)))
			return refuse(t, "amounts, as in cpu=16,mem=64G");
		set = fsi_scenario_amount(t->s->m, set, tres, amount);
		if (set == FSI_INTERN_FAILED)
			return fsi_nomem(t->s->err);
		p += len;
	}
	*to = set;
	return set ? known(t) : unknown(t);
}

static int set_bool(const struct target *t)
{
	static const char *const words[] = { "NO", "YES", "0", "1" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (fsi_same_any_case(t->v.text, strlen(t->v.text), words[i])) {
			*(bool *)t->member = i % 2;
			return known(t);
		}
	return refuse(t, "YES or NO");
}

/* "now", "now+90", "now+2hours" (src/common/parse_time.c: _get_delta). */
static int from_now(const char *text, int64_t *later)
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

static int set_time(const struct target *t)
{
	int64_t later;

	if (strncmp(t->v.text, "now", 3) != 0)
		return fs_time_parse(t->s->m, t->v.text, t->member, t->s->err) ? FS_EUSAGE : known(t);
	if (from_now(t->v.text + 3, &later))
		return refuse(t, "a time, now, or now+2hours");
	*(int64_t *)t->member = t->s->m->info.time + later;
	return known(t);
}

static int set_field(const struct target *t)
{
	const bool adds = t->v.op != '=';

	if (adds && t->f->type != FSI_LIST)
		return fsi_scenario_refuse(t->s, "%s takes no %c=", t->word, t->v.op);
	switch (t->f->type) {
	case FSI_U32:
	case FSI_I32:
	case FSI_DBL:
		return set_number(t);
	case FSI_SHARES:
		return set_shares(t);
	case FSI_DUR:
		return set_duration(t);
	case FSI_STR:
		return set_text(t);
	case FSI_LIST:
		return adds ? set_list(t) : set_admitted(t);
	case FSI_TRES:
		return set_tres(t);
	case FSI_BOOL:
		return set_bool(t);
	case FSI_TIME:
		return set_time(t);
	default:
		return fsi_scenario_refuse(t->s, "%s cannot be changed", t->word);
	}
}

static unsigned bit_of(enum fsi_record_type type, const char *field)
{
	const struct fsi_record_table *table = fsi_record_table(type);
	unsigned bit = 0;

	while (strcmp(table->fields[bit].key, field) != 0)
		bit++;
	return bit;
}

#define SIZE_OF(t) [FSI_##t] = sizeof(FSI_C_##t)
static const size_t sizes[] = { SIZE_OF(U32),  SIZE_OF(U64), SIZE_OF(I32),	 SIZE_OF(TIME), SIZE_OF(DUR),
				SIZE_OF(DBL),  SIZE_OF(STR), SIZE_OF(SHARES), SIZE_OF(BOOL), SIZE_OF(STATE),
				SIZE_OF(LIST), SIZE_OF(TRES), SIZE_OF(TRESF) };

bool fsi_scenario_same_field(enum fsi_record_type type, const struct fsi_rec *a, const struct fsi_rec *b,
			     const char *field)
{
	const unsigned bit = bit_of(type, field);
	const struct fsi_field *f = &fsi_record_table(type)->fields[bit];

	return fsi_known(a, bit) == fsi_known(b, bit) && fsi_special(a, bit) == fsi_special(b, bit) &&
	       !memcmp((const char *)a + f->offset, (const char *)b + f->offset, sizes[f->type]);
}

void fsi_scenario_copy_field(enum fsi_record_type type, struct fsi_rec *to, const struct fsi_rec *from,
			     const char *field)
{
	const unsigned bit = bit_of(type, field);
	const struct fsi_field *f = &fsi_record_table(type)->fields[bit];
	const uint32_t word = bit < FSI_SPECIAL_BITS ? 1u << bit : 0;

	if (fsi_known(from, bit))
		fsi_mark_known(to, bit);
	else
		fsi_mark_unknown(to, bit);
	to->special = (to->special & ~word) | (from->special & word);
	memcpy((char *)to + f->offset, (const char *)from + f->offset, sizes[f->type]);
}

int fsi_scenario_set(struct fsi_scenario *s, enum fsi_record_type type, struct fsi_rec *rec, const char *word,
		     const char *field, struct fsi_operand v)
{
	struct target t = { .s = s, .rec = rec, .bit = bit_of(type, field), .word = word, .v = v };

	if (!v.text)
		return fsi_scenario_refuse(s, "%s needs a value", word);
	t.f = &fsi_record_table(type)->fields[t.bit];
	t.member = fsi_field_own(s->m, t.f, rec);
	return t.member ? set_field(&t) : fsi_nomem(s->err);
}

int fsi_scenario_apply(struct fsi_scenario *s, enum fsi_record_type type, struct fsi_rec *rec,
		       const struct fsi_edit_word *w, struct fsi_operand v)
{
	return w->set ? w->set(s, rec, w, v) : fsi_scenario_set(s, type, rec, w->word, w->field, v);
}
