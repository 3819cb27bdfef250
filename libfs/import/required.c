#include "import/required.h"

#include "model/records/limit_names.h"

#include <stdio.h>
#include <string.h>

/* ---- keys of records */

static bool is_key(struct fsi_span key, const char *name)
{
	return name && strlen(name) == key.len && !memcmp(name, key.s, key.len);
}

static void note_first(struct fsi_lacking *l, const char *name, size_t i)
{
	if (name)
		l->of_first[(unsigned char)*name] |= 1ull << i;
}

/* Marks the keys that `key` stands for; few begin with its first byte. */
static void mark_key(struct fsi_lacking *l, struct fsi_span key, const struct fsi_required *keys)
{
	uint64_t some = key.len ? l->of_first[(unsigned char)*key.s] : 0;

	for (size_t i = 0; some; i++, some >>= 1) {
		if (!(some & 1))
			continue;
		if (is_key(key, keys[i].key) || is_key(key, keys[i].other) || is_key(key, keys[i].third))
			l->seen |= 1ull << i;
		if (is_key(key, keys[i].with))
			l->asked |= 1ull << i;
	}
}

void fsi_lacking_line(struct fsi_lacking *l, const struct fsi_required *keys, size_t n, struct fsi_span line)
{
	const char *p = line.s, *end = line.s + line.len;

	for (size_t i = 0; !l->ready && i < n; i++) {
		note_first(l, keys[i].key, i);
		note_first(l, keys[i].other, i);
		note_first(l, keys[i].with, i);
		note_first(l, keys[i].third, i);
	}
	l->ready = true;
	while (p < end) {
		const char *word = p;

		while (p < end && *p != '=' && *p != ' ')
			p++;
		if (p < end && *p == '=')
			mark_key(l, (struct fsi_span){ word, (size_t)(p - word) }, keys);
		while (p < end && *p != ' ')
			p++;
		while (p < end && *p == ' ')
			p++;
	}
}

/* Counts the record, of which the keys by number are lacking. */
static void count_record(struct fsi_lacking *l, uint64_t lacking)
{
	l->records++;
	for (size_t i = 0; lacking; i++, lacking >>= 1)
		l->n[i] += lacking & 1;
	l->seen = l->asked = 0;
}

static uint64_t lacking_keys(const struct fsi_lacking *l, const struct fsi_required *keys, size_t n)
{
	uint64_t lacking = 0;

	for (size_t i = 0; i < n; i++)
		lacking |= ((keys[i].with ? l->asked : ~0ull) & ~l->seen) & 1ull << i;
	return lacking;
}

void fsi_lacking_end(struct fsi_lacking *l, const struct fsi_required *keys, size_t n)
{
	count_record(l, lacking_keys(l, keys, n));
}

void fsi_lacking_record(struct fsi_lacking *l, const struct fsi_required *keys, size_t n, struct fsi_span line)
{
	fsi_lacking_line(l, keys, n, line);
	fsi_lacking_end(l, keys, n);
}

static void number(struct fsi_lacking *l, const struct fsi_required *keys, size_t n, const struct fsi_keyed *line)
{
	for (size_t i = 0; i < n; i++) {
		l->number[i][0] = (uint8_t)fsi_keyed_find(line, keys[i].key);
		l->number[i][1] = (uint8_t)fsi_keyed_find(line, keys[i].other);
		l->number[i][2] = (uint8_t)fsi_keyed_find(line, keys[i].with);
		l->number[i][3] = (uint8_t)fsi_keyed_find(line, keys[i].third);
	}
	l->numbered = true;
}

/* Most records have the keys of the one before. */
void fsi_lacking_keyed(struct fsi_lacking *l, const struct fsi_required *keys, size_t n, const struct fsi_keyed *line)
{
	const bool alone = !l->seen && !l->asked;

	if (alone && l->numbered && !memcmp(l->before, line->has, sizeof(l->before))) {
		count_record(l, l->lacked_before);
		return;
	}
	if (!l->numbered)
		number(l, keys, n, line);
	for (size_t i = 0; i < n; i++) {
		const uint8_t *at = l->number[i];

		l->seen |= (uint64_t)(line->value[at[0]].s || line->value[at[1]].s || line->value[at[3]].s) << i;
		l->asked |= (uint64_t)(line->value[at[2]].s != NULL) << i;
	}
	if (alone) {
		memcpy(l->before, line->has, sizeof(l->before));
		l->lacked_before = lacking_keys(l, keys, n);
	}
	fsi_lacking_end(l, keys, n);
}

/* A count of 0 is left out. */
static size_t add_lacking(char *text, size_t size, size_t at, const char *name, size_t count)
{
	char number[24] = "";
	int more = 0;

	if (count)
		snprintf(number, sizeof(number), " (%zu)", count);
	if (at < size)
		more = snprintf(text + at, size - at, "%s%s%s", at ? ", " : "", name, number);
	return at + (more > 0 ? (size_t)more : 0);
}

int fsi_lacking_warn(struct fsi_import *imp, const struct fsi_lacking *l, const struct fsi_required *keys, size_t n,
		     const char *file)
{
	char text[240] = "";
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
		if (l->n[i])
			at = add_lacking(text, sizeof(text), at, keys[i].key, l->n[i]);
	if (!at)
		return 0;
	return fsi_import_incomplete(imp, NULL, "%s/%s: of %zu record%s some lack what all have: %s%s", imp->source->name,
				     file, l->records, l->records == 1 ? "" : "s", text,
				     at >= sizeof(text) ? "..." : "");
}

/* ---- the configuration */

/* `scontrol show config` prints all parameters, those of the multifactor plugin where that is loaded, each with a
 * value, if only "(null)" or "none", but flags of priority, of which there may be none
 * (src/common/read_config.c and src/api/config_info.c: slurm_ctl_conf_2_key_pairs). */
static const char *const always[] = {
	"AccountingStorageEnforce", "AccountingStorageTRES", "BOOT_TIME", "ClusterName", "EnforcePartLimits",
	"MaxArraySize", "PreemptMode", "PreemptType", "PriorityType", "PrivateData", "SLURM_VERSION",
	"SchedulerParameters", "SchedulerType", "SelectType", "SelectTypeParameters",
};
static const char *const multifactor[] = {
	"FairShareDampeningFactor", "PriorityCalcPeriod", "PriorityDecayHalfLife", "PriorityFavorSmall",
	"PriorityFlags", "PriorityMaxAge", "PriorityUsageResetPeriod", "PriorityWeightAge", "PriorityWeightAssoc",
	"PriorityWeightFairShare", "PriorityWeightJobSize", "PriorityWeightPartition", "PriorityWeightQOS",
	"PriorityWeightTRES",
};
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

struct config {
	bool heading, basic, seen[COUNT(always) + COUNT(multifactor)];
};

static int config_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	static const char heading[] = "Configuration data as of";
	struct config *c = ctx;
	struct fsi_span key;

	(void)imp;
	c->heading = c->heading || (line.len >= strlen(heading) && !memcmp(line.s, heading, strlen(heading)));
	if (!memchr(line.s, '=', line.len) || !fsi_span_cut(&line, '=', &key))
		return 0;
	key = fsi_span_trim(key);
	line = fsi_span_trim(line);
	c->basic = c->basic || (is_key(key, "PriorityType") && !is_key(line, "priority/multifactor"));
	for (size_t i = 0; i < COUNT(c->seen); i++)
		if (is_key(key, i < COUNT(always) ? always[i] : multifactor[i - COUNT(always)]))
			c->seen[i] = line.len || is_key(key, "PriorityFlags");
	return 0;
}

static int check_config(struct fsi_import *imp)
{
	struct config c = { .heading = false };
	char text[240] = "";
	size_t at = 0, n;
	int rc = fsi_import_lines(imp, "scontrol_config.txt", config_line, &c);

	if (rc)
		return rc < 0 ? rc : 0;
	if (!c.heading)
		at = add_lacking(text, sizeof(text), at, "its heading", 0);
	n = c.basic ? COUNT(always) : COUNT(c.seen);
	for (size_t i = 0; i < n; i++)
		if (!c.seen[i])
			at = add_lacking(text, sizeof(text), at,
				 i < COUNT(always) ? always[i] : multifactor[i - COUNT(always)], 0);
	if (!at)
		return 0;
	return fsi_import_incomplete(imp, "config", "%s/scontrol_config.txt: it is not whole, without %s%s",
				     imp->source->name, text, at >= sizeof(text) ? "..." : "");
}

/* ---- tables under a heading */

#define COLUMN(member, TYPE, name, column, ...) column "|"

/* The columns read, with * those in which no cell is blank; with + those in which that of the first row, root's, may
 * be, or all are (priority/basic has no usage; accounts no factor), users and accounts each for themselves; with - the
 * same of a column that only `sshare -l` has; with / too, and there a row with the shares of its parent has none
 * (src/sshare/process.c: process). */
static const struct table {
	const char *file, *type, *columns;
} tables[] = {
	{ "sacctmgr_assoc.txt", "association",
	  "*Account|User|Partition|*ID|ParentName|*Share|Priority|" FSI_ASSOC_GROUP_LIMITS(COLUMN)
	  FSI_ASSOC_OWN_LIMITS(COLUMN) FSI_ASSOC_AGEING_LIMITS(COLUMN) "Def QOS" },
	{ "sacctmgr_qos_all.txt", "qos",
	  FSI_QOS_LIMITS(COLUMN) FSI_QOS_AGEING_LIMITS(COLUMN)
	  "*Name|*ID|*Priority|Preempt|PreemptMode|Flags|UsageThres|*UsageFactor|LimitFactor" },
	{ "sacctmgr_tres.txt", "tres", "*Type|Name|*ID" },
	{ "sacctmgr_user.txt", "user", "*User|Def Acct|Admin|Coord Accounts" },
	{ "sshare.txt", NULL, "*Account|User|RawShares|*RawUsage|-NormUsage|+EffectvUsage|+FairShare|/LevelFS" },
};

struct table_look {
	const struct table *table;
	struct fsi_pipe pipe;
	char mark[FSI_COLUMNS_MAX]; /* what its name in the table above begins with, of * + - / */
	size_t rows, cut, blank;
	uint64_t first;
	uint32_t filled[2], empty[2]; /* [is a user's row]: of the columns with + - /, by bit, below the first row */
};

static bool has_column(const struct fsi_pipe *p, struct fsi_span name)
{
	for (size_t i = 0; i < p->columns; i++)
		if (is_key(name, p->names[i]))
			return true;
	return false;
}

static size_t cells(struct fsi_span line)
{
	size_t n = 1;

	for (size_t i = 0; i < line.len; i++)
		n += line.s[i] == '|';
	return n;
}

static void note_marks(struct table_look *t)
{
	struct fsi_span rest = { t->table->columns, strlen(t->table->columns) }, name;

	while (fsi_span_cut(&rest, '|', &name))
		for (size_t i = 0; i < t->pipe.columns && strchr("*+-/", *name.s); i++)
			if (is_key(fsi_span_from(name, 1), t->pipe.names[i]))
				t->mark[i] = *name.s;
}

/* Counts the cells with * that are blank, and notes those with +. */
static size_t blanks(struct table_look *t)
{
	const bool user = fsi_span_trim(fsi_pipe_get(&t->pipe, "User")).len > 0;
	const bool parent = fsi_span_is(fsi_pipe_get(&t->pipe, "RawShares"), "parent");
	size_t n = 0;

	for (size_t i = 0; i < t->pipe.columns; i++) {
		const bool blank = !fsi_span_trim(t->pipe.cell[i]).len;

		if (t->mark[i] == '*')
			n += blank;
		else if (t->mark[i] && i < 32 && t->rows > 1 && !(t->mark[i] == '/' && parent))
			*(blank ? &t->empty[user] : &t->filled[user]) |= 1u << i;
	}
	return n;
}

static int table_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct table_look *t = ctx;
	bool odd;

	if (!line.len)
		return 0;
	if (!fsi_pipe_row(&t->pipe, line)) {
		note_marks(t);
		return 0;
	}
	t->rows++;
	odd = cells(line) < t->pipe.columns;
	t->cut += odd;
	if (!odd && blanks(t)) {
		t->blank++;
		odd = true;
	}
	if (odd && !t->first)
		t->first = imp->where.line;
	return 0;
}

static int judge_table(struct fsi_import *imp, const struct table_look *t)
{
	struct fsi_span rest = { t->table->columns, strlen(t->table->columns) }, name;
	const char *dir = imp->source->name, *file = t->table->file;
	char text[200] = "", one[40];
	size_t at = 0;

	while (fsi_span_cut(&rest, '|', &name)) {
		if (strchr("-/", *name.s))
			continue;
		if (*name.s == '*' || *name.s == '+')
			name = fsi_span_from(name, 1);
		snprintf(one, sizeof(one), "%.*s", (int)name.len, name.s);
		if (!has_column(&t->pipe, name))
			at = add_lacking(text, sizeof(text), at, one, 0);
	}
	if (at)
		return fsi_import_incomplete(imp, NULL, "%s/%s: columns are missing: %s%s", dir, file, text,
					     at >= sizeof(text) ? "..." : "");
	if (!t->rows)
		return fsi_import_incomplete(imp, t->table->type, "%s/%s: a heading and no row", dir, file);
	if ((t->filled[0] & t->empty[0]) | (t->filled[1] & t->empty[1]))
		return fsi_import_incomplete(imp, NULL, "%s/%s: some rows lack a cell that others have", dir, file);
	if (!t->first)
		return 0;
	return fsi_import_incomplete(imp, NULL, "%s/%s:%llu: %zu of %zu rows are cut short or lack what all have", dir,
				     file, (unsigned long long)t->first, t->cut + t->blank, t->rows);
}

static int check_tables(struct fsi_import *imp)
{
	for (size_t i = 0; i < COUNT(tables); i++) {
		struct table_look t = { .table = &tables[i] };
		int rc = fsi_import_lines(imp, tables[i].file, table_line, &t);

		if (!rc && t.pipe.columns)
			rc = judge_table(imp, &t);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* ---- nodes that partitions count */

static int check_nodes(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	uint64_t max = 0;
	const struct fsi_partition *of = NULL;

	for (size_t i = 0; i < m->partition.n; i++)
		if (FSI_HAS(&m->partition.v[i], PARTITION, total_nodes) && m->partition.v[i].total_nodes > max) {
			of = &m->partition.v[i];
			max = of->total_nodes;
		}
	if (!m->node.n || max <= m->node.n)
		return 0;
	return fsi_import_incomplete(imp, "node", "%s: partition %.100s has %llu nodes, and scontrol shows %zu",
				     imp->source->name, fsi_str(m, of->name), (unsigned long long)max, m->node.n);
}

int fsi_slurm_required(struct fsi_import *imp)
{
	int rc = check_config(imp);

	if (!rc)
		rc = check_tables(imp);
	return rc ? rc : check_nodes(imp);
}
