/* sinfo and sacctmgr: their tables are put into the form that the importer reads. */
#include "import/text/merge.h"

#include <stdio.h>
#include <string.h>

static const struct fsi_span none = { NULL, 0 };

/* ---- sinfo: partitions that scontrol has not shown */

static bool is_shown(const struct fsi_text *t, struct fsi_span name)
{
	static const char key[] = "PartitionName=";
	const struct fsi_text_file *f = fsi_text_has(t, "scontrol_partition_o.txt");

	for (size_t i = 0; f && i < f->lines.n; i++) {
		const struct fsi_text_line *l = &f->lines.v[i];
		const size_t n = sizeof(key) - 1 + name.len;

		if (l->len >= n && !memcmp(l->s + sizeof(key) - 1, name.s, name.len) && (l->len == n || l->s[n] == ' '))
			return true;
	}
	return false;
}

static struct fsi_span partition_state(struct fsi_span v)
{
	static const char *const words[][2] = { { "up", "UP" }, { "down", "DOWN" }, { "drain", "DRAIN" }, { "inact", "INACTIVE" } };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (fsi_span_is(v, words[i][0]))
			return fsi_span_of(words[i][1]);
	return none;
}

/* lost: the name may be cut, and the row is left out. */
static int put_partition(struct fsi_text *t, const struct fsi_text_table *table, size_t r, bool *lost)
{
	struct fsi_span name = fsi_text_cell(table, r, "PARTITION"), limit = fsi_text_cell(table, r, "TIMELIMIT");
	const bool is_default = name.len && name.s[name.len - 1] == '*';
	const struct fsi_span state = partition_state(fsi_text_cell(table, r, "AVAIL"));
	struct fsi_text_row l = { .n = 0 };

	name.len -= is_default;
	name = fsi_text_whole(t, TEXT_PARTITIONS, name, table->cut[r * table->columns + fsi_text_column(table, "PARTITION")]);
	*lost = !name.len;
	if (*lost || is_shown(t, name))
		return 0;
	fsi_text_row_add(&l, fsi_span_of("PartitionName="), "");
	fsi_text_row_add(&l, name, is_default ? " Default=YES State=" : " State=");
	fsi_text_row_add(&l, state, "");
	if (fsi_span_is(limit, "infinite"))
		fsi_text_row_add(&l, none, " MaxTime=UNLIMITED");
	else if (limit.len && !memchr(limit.s, ' ', limit.len)) {
		fsi_text_row_add(&l, none, memchr(limit.s, '-', limit.len) || limit.len > 5 ? " MaxTime=" : " MaxTime=0:");
		fsi_text_row_add(&l, limit, "");
	}
	return fsi_text_put(t, "scontrol_partition_o.txt", fsi_text_row_span(&l), table->no[r]);
}

static int take_partitions(struct fsi_text *t, struct fsi_text_piece *p, struct fsi_text_lost *l)
{
	int rc = 0;

	for (size_t r = 0; r < p->table->rows && !rc; r++) {
		bool lost;

		rc = put_partition(t, p->table, r, &lost);
		if (lost) {
			fsi_text_lose(l, p->table->no[r]);
			fsi_text_odd(p, p->table->no[r]);
		}
		p->taken += !lost;
	}
	return rc;
}

static int read_partitions(struct fsi_text *t)
{
	struct fsi_text_lost lost = { .n = 0 };
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++)
		if (t->pieces.v[i].kind == TEXT_SINFO)
			rc = take_partitions(t, &t->pieces.v[i], &lost);
	return rc ? rc : fsi_text_warn_lost(t, &lost, "sinfo", "left out: the partition's name is missing or may be cut; "
					    "sinfo -o \"%R %a %l\" cuts none");
}

/* ---- sacctmgr: tables go as they are, but for what is cut */

static const struct {
	enum fsi_text_kind kind;
	const char *file, *needs;
} accounts[] = { { TEXT_QOS, "sacctmgr_qos_all.txt", "Name" },
		 { TEXT_ASSOC, "sacctmgr_assoc.txt", "ID" },
		 { TEXT_USER, "sacctmgr_user.txt", "User" },
		 { TEXT_TRES, "sacctmgr_tres.txt", "ID" } };

static int put_table(struct fsi_text *t, struct fsi_text_piece *p, const char *file)
{
	const struct fsi_text_table *table = p->table;
	struct fsi_text_row l = { .n = 0 };
	int rc;

	for (size_t c = 0; c < table->columns; c++)
		fsi_text_row_add(&l, fsi_span_of(table->name[c]), c + 1 < table->columns ? "|" : "");
	rc = fsi_text_heading(t, file, fsi_arena_strndup(&t->arena, l.text, l.n));
	for (size_t r = 0; r < table->rows && !rc; r++) {
		bool lost = false;

		l = (struct fsi_text_row){ .n = 0 };
		for (size_t c = 0; c < table->columns; c++) {
			struct fsi_span v = table->cell[r * table->columns + c];
			const char *name = table->name[c];
			const bool cut = table->cut[r * table->columns + c];

			if (cut)
				v = !strcmp(name, "User") ? fsi_text_whole(t, TEXT_USERS, v, true)
				    : !strcmp(name, "Account") || !strcmp(name, "ParentName") ? fsi_text_whole(t, TEXT_ACCOUNTS, v, true)
											    : none;
			lost = lost || (cut && !v.len && (!strcmp(name, "User") || !strcmp(name, "Account") || !strcmp(name, "Name") ||
							  !strcmp(name, "ParentName")));
			fsi_text_row_add(&l, v, c + 1 < table->columns ? "|" : "");
		}
		if (lost || l.full) {
			fsi_text_odd(p, table->no[r]);
			continue;
		}
		rc = fsi_text_put(t, file, fsi_text_row_span(&l), table->no[r]);
		p->taken++;
	}
	return rc;
}

static int read_accounts(struct fsi_text *t)
{
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n; i++)
		for (size_t k = 0; k < sizeof(accounts) / sizeof(*accounts) && !rc; k++) {
			struct fsi_text_piece *p = &t->pieces.v[i];

			if (p->kind != accounts[k].kind)
				continue;
			if (fsi_text_has(t, accounts[k].file))
				rc = fsi_text_warn(t, "line %u: a second table of %s is left out", t->lines.v[p->begin].no,
						   fsi_text_kind_name(p->kind));
			else if (fsi_text_column(p->table, accounts[k].needs) == p->table->columns)
				rc = fsi_text_warn(t, "line %u: %s without the column %s is left out", t->lines.v[p->begin].no,
						   fsi_text_kind_name(p->kind), accounts[k].needs);
			else
				rc = put_table(t, p, accounts[k].file);
		}
	return rc;
}

/* ---- TRES, where sacctmgr has not shown them: their names stand in the configuration */

static int put_tres(struct fsi_text *t, struct fsi_span list, uint32_t no)
{
	static const char *const fixed[] = { "cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages" };
	unsigned next = 1001;
	struct fsi_span full, type;
	int rc = fsi_text_heading(t, "sacctmgr_tres.txt", "Type|Name|ID");

	while (!rc && fsi_span_cut(&list, ',', &full)) {
		struct fsi_span name = fsi_span_trim(full);
		char text[300];
		unsigned id = 0;

		for (unsigned i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
			if (fsi_span_is(name, fixed[i]))
				id = i + 1;
		if (!fsi_span_cut(&name, '/', &type) || !type.len || type.len + name.len > 200)
			continue;
		snprintf(text, sizeof(text), "%.*s|%.*s|%u", (int)type.len, type.s, (int)name.len, name.s ? name.s : "", id ? id : next++);
		rc = fsi_text_put(t, "sacctmgr_tres.txt", fsi_span_of(text), no);
	}
	return rc;
}

static int read_tres(struct fsi_text *t)
{
	const struct fsi_text_file *f = fsi_text_has(t, "scontrol_config.txt");

	for (size_t i = 0; f && !fsi_text_has(t, "sacctmgr_tres.txt") && i < f->lines.n; i++) {
		struct fsi_span line = { f->lines.v[i].s, f->lines.v[i].len }, key;

		if (fsi_span_cut(&line, '=', &key) && line.s && fsi_span_is(fsi_span_trim(key), "AccountingStorageTRES"))
			return put_tres(t, fsi_span_trim(line), f->lines.v[i].no);
	}
	return 0;
}

int fsi_text_tables(struct fsi_text *t)
{
	int rc = 0;

	FSI_IN_TURN(rc, struct fsi_text *, t, fsi_text_sshare, fsi_text_sprio, read_partitions, read_accounts,
		    read_tres);
	return rc;
}
