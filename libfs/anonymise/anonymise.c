#include "anonymise/anonymise.h"

#include "base/error.h"
#include "base/text.h"
#include "snapshot/snapshot.h"

#include <ctype.h>
#include "fs/anonymise.h"
#include "fs/job.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_listed_word(const char *const *words, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(words[i], word))
			return true;
	return false;
}

enum fsi_role fsi_anonymise_kind_role(const char *kind)
{
	static const struct {
		const char *kind;
		enum fsi_role role;
	} of[] = { { "user", FSI_ROLE_USER }, { "group", FSI_ROLE_GROUP }, { "acct", FSI_ROLE_ACCOUNT },
		   { "qos", FSI_ROLE_QOS },   { "class", FSI_ROLE_PARTITION } };

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		if (!strcmp(of[i].kind, kind))
			return of[i].role;
	return FSI_ROLE_REMOVE;
}

bool fsi_anonymise_keeps_config(const char *name)
{
	static const char *const words[] = {
		"AccountingStorageEnforce", "AccountingStorageTRES", "AccountingStorageType", "BACKFILLMETRIC", "BACKFILLPOLICY",
		"EnforcePartLimits", "FSPOLICY", "JOBNODEMATCHPOLICY", "JOBPRIOACCRUALPOLICY", "JobDefaults", "Licenses",
		"NODEACCESSPOLICY", "NODEALLOCATIONPOLICY", "NODESETPOLICY", "PreemptMode", "PreemptType", "PriorityFlags", "PriorityType",
		"PriorityUsageResetPeriod", "PriorityWeightTRES", "PrivateData", "RESERVATIONPOLICY", "RESERVATIONTHRESHOLDTYPE",
		"SERVERMODE", "SchedulerParameters", "SchedulerType", "SelectType", "SelectTypeParameters", "TopologyParam",
		"TopologyPlugin", "flux_scheduler", "fluxion_match_policy", "fluxion_queue_policy",
	};

	return is_listed_word(words, sizeof(words) / sizeof(*words), name);
}

/* Returns true for a name that is not replaced, because the name is the same at every site, such as "root" or
 * "DEFAULT". */
static bool is_fixed_name(const char *name)
{
	static const char *const words[] = { "",    "root", "DEFAULT", "NOGROUP", "[NONE]", "NONE", "none",
					     "ALL", "all",  "normal",  "(null)",  "N/A",    "*" };

	return is_listed_word(words, sizeof(words) / sizeof(*words), name);
}

/* SipHash-2-4 (Aumasson and Bernstein, 2012). Without the key, nobody can find the name that belongs to a pseudonym,
 * not even by hashing every possible name. */

static uint64_t rotate_left_bits(uint64_t x, unsigned n)
{
	return x << n | x >> (64 - n);
}

static uint64_t read_little_endian(const unsigned char *p, size_t n)
{
	uint64_t v = 0;

	for (size_t i = 0; i < n; i++)
		v |= (uint64_t)p[i] << (8 * i);
	return v;
}

static void run_sip_rounds(uint64_t v[4], int n)
{
	while (n--) {
		v[0] += v[1];
		v[1] = rotate_left_bits(v[1], 13) ^ v[0];
		v[0] = rotate_left_bits(v[0], 32);
		v[2] += v[3];
		v[3] = rotate_left_bits(v[3], 16) ^ v[2];
		v[0] += v[3];
		v[3] = rotate_left_bits(v[3], 21) ^ v[0];
		v[2] += v[1];
		v[1] = rotate_left_bits(v[1], 17) ^ v[2];
		v[2] = rotate_left_bits(v[2], 32);
	}
}

uint64_t fsi_anonymise_siphash(const unsigned char key[16], const void *bytes, size_t n)
{
	const uint64_t k0 = read_little_endian(key, 8), k1 = read_little_endian(key + 8, 8);
	uint64_t v[4] = { k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du, k0 ^ 0x6c7967656e657261u,
			  k1 ^ 0x7465646279746573u };
	const unsigned char *p = bytes;
	size_t i = 0;

	for (; i <= n; i += 8) {
		const size_t rest = n - i;
		const uint64_t word = rest < 8 ? read_little_endian(p + i, rest) | (uint64_t)(n & 0xff) << 56
					       : read_little_endian(p + i, 8);

		v[3] ^= word;
		run_sip_rounds(v, 2);
		v[0] ^= word;
	}
	v[2] ^= 0xff;
	run_sip_rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

enum { HASH_LETTERS = 10, RANK_LETTERS = 5, PSEUDONYM = HASH_LETTERS + RANK_LETTERS };

struct name_renaming {
	fs_snapshot *m; /* copy of the snapshot in which names are replaced */
	const struct fs_anonymise_options *o;
	unsigned char key[16];
	struct fsi_intern seen; /* all collected names, each preceded by the letter of its role */
	/* rank[id of a name in `seen`]: alphabetical rank of the name; NULL: the alphabetical order of pseudonyms is
	 * independent of the order of the names */
	uint32_t *rank;
	bool gathering;		/* true: the first pass, in which names are collected and nothing is replaced */
	struct fs_error *err;
};

static int fail_no_memory(struct name_renaming *r)
{
	return fsi_fail_no_memory(r->err);
}

static int append_text_bytes(struct name_renaming *r, struct fsi_buf *t, const char *bytes, size_t n)
{
	return fsi_buf_append_bytes(t, bytes, n) ? fail_no_memory(r) : 0;
}

static void write_base26_letters(char *to, uint64_t v, int n)
{
	for (int i = n; i--; v /= 26)
		to[i] = (char)('a' + v % 26);
}

static void write_name_hash(const struct name_renaming *r, uint32_t id, char to[HASH_LETTERS])
{
	write_base26_letters(
		to,
		fsi_anonymise_siphash(r->key, fsi_intern_get_string(&r->seen, id), fsi_intern_get_length(&r->seen, id)),
		HASH_LETTERS);
}

/* Appends the pseudonym of the name to t. */
static int append_name_pseudonym(struct name_renaming *r, struct fsi_buf *t, enum fsi_role role, const char *name,
				 size_t len)
{
	const char letter = (char)('A' + (int)role / FSI_ROLE_KEEP);
	struct fsi_buf own = { 0 };
	char out[PSEUDONYM];
	size_t n = 0;
	uint32_t id;

	if (append_text_bytes(r, &own, &letter, 1) || append_text_bytes(r, &own, name, len)) {
		free(own.v);
		return FS_ENOMEM;
	}
	id = fsi_intern_add(&r->seen, own.v, own.n);
	free(own.v);
	if (id == FSI_INTERN_FAILED)
		return fail_no_memory(r);
	if (r->rank) {
		write_base26_letters(out, r->rank[id], RANK_LETTERS);
		n = RANK_LETTERS;
	}
	write_name_hash(r, id, out + n);
	return append_text_bytes(r, t, out, n + HASH_LETTERS);
}

/* Appends a hostlist with pseudonyms for the letters outside brackets: "rack2node[01-16]" has the names "rack" and
 * "node". */
static int append_node_pseudonyms(struct name_renaming *r, struct fsi_buf *t, const char *s)
{
	bool inside = false;
	int rc = 0;

	while (*s && !rc) {
		size_t n = 0;

		while (!inside && (isalpha((unsigned char)s[n]) || (n && (s[n] == '_' || s[n] == '.'))))
			n++;
		if (n) {
			rc = append_name_pseudonym(r, t, FSI_ROLE_NODES, s, n);
		} else {
			inside = *s == '[' || (inside && *s != ']');
			rc = append_text_bytes(r, t, s, n = 1);
		}
		s += n;
	}
	return rc;
}

/* Appends the wait reason without the node list that the controller adds after a colon. An unknown reason becomes a
 * pseudonym. */
static int append_reason_text(struct name_renaming *r, struct fsi_buf *t, const char *s)
{
	const size_t n = strcspn(s, ":");
	int rc = append_text_bytes(r, t, s, n);

	if (rc || fs_reason_find(t->v))
		return rc;
	t->n = 0;
	return append_name_pseudonym(r, t, FSI_ROLE_REASON, s, n);
}

/* Replaces a text: sets *id to the name id of its replacement, or to 0 if the text is removed. In the first pass, only
 * collects the names. */
static int rename_one_text(struct name_renaming *r, enum fsi_role role, uint32_t *id)
{
	const char *s = fsi_name_text(r->m, *id);
	struct fsi_buf t = { 0 };
	int rc;

	if (role == FSI_ROLE_REMOVE) {
		*id = r->gathering ? *id : 0;
		return 0;
	}
	if (is_fixed_name(s))
		return 0;
	rc = role == FSI_ROLE_NODES    ? append_node_pseudonyms(r, &t, s)
	     : role == FSI_ROLE_REASON ? append_reason_text(r, &t, s)
				       : append_name_pseudonym(r, &t, role, s, strlen(s));
	if (!rc && !r->gathering) {
		*id = t.n ? fsi_name_intern(r->m, t.v) : 0;
		rc = *id == FSI_INTERN_FAILED ? fail_no_memory(r) : 0;
	}
	free(t.v);
	return rc;
}

static int rename_name_list(struct name_renaming *r, enum fsi_role role, uint32_t *set)
{
	size_t n;
	const uint32_t *list = fsi_list_items(r->m, *set, &n);
	uint32_t *copy = malloc((n + 1) * sizeof(*copy));
	int rc = copy ? 0 : fail_no_memory(r);

	if (!rc && n)
		memcpy(copy, list, n * sizeof(*copy));
	for (size_t i = 0; i < n && !rc; i++)
		rc = rename_one_text(r, role, &copy[i]);
	if (!rc && !r->gathering && n) {
		*set = fsi_intern_add(&r->m->sets, copy, n * sizeof(*copy));
		rc = *set == FSI_INTERN_FAILED ? fail_no_memory(r) : 0;
	}
	free(copy);
	return rc;
}

/* ---- records */

static const char *get_field_text(const fs_snapshot *m, const struct fsi_record_table *t, const struct fsi_rec *rec,
				  const char *key)
{
	for (uint32_t i = 0; i < t->nfields; i++)
		if (!strcmp(t->fields[i].key, key))
			return fsi_name_text(m, *(const uint32_t *)fsi_field_member(m, &t->fields[i], rec));
	return "";
}

/* Replaces a numeric user id by a hash; 0 (root) is not replaced. */
static void rename_user_id(const struct name_renaming *r, uint32_t *uid)
{
	if (*uid && !r->gathering)
		*uid = 1 + (uint32_t)(fsi_anonymise_siphash(r->key, uid, sizeof(*uid)) % 2000000000u);
}

static int rename_record_field(struct name_renaming *r, const struct fsi_record_table *t, unsigned bit,
			       struct fsi_rec *rec)
{
	const struct fsi_field *f = &t->fields[bit];
	uint32_t *at = fsi_is_field_known(rec, bit) ? fsi_field_writable_member(r->m, f, rec) : NULL;
	enum fsi_role role = fsi_field_role(f);
	int rc;

	if (!at)
		return fsi_is_field_known(rec, bit) ? fail_no_memory(r) : 0;
	if (!strcmp(f->key, "uid"))
		rename_user_id(r, at);
	if ((f->type != FSI_STR && f->type != FSI_LIST) || role == FSI_ROLE_KEEP)
		return 0;
	if (role == FSI_ROLE_BY_KIND)
		role = fsi_anonymise_kind_role(get_field_text(r->m, t, rec, "kind"));
	if (f->type == FSI_LIST && role != FSI_ROLE_REMOVE)
		return rename_name_list(r, role, at);
	rc = rename_one_text(r, role, at);
	if (!r->gathering && !*at && role == FSI_ROLE_REMOVE)
		fsi_mark_unknown(rec, bit);
	return rc;
}

static int rename_table_rows(struct name_renaming *r, const struct fsi_record_table *t, void *rows, size_t n)
{
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++)
		for (unsigned k = 0; k < t->nfields && !rc; k++)
			rc = rename_record_field(r, t, k, (struct fsi_rec *)(void *)((char *)rows + i * t->size));
	return rc;
}

#define RENAME_TABLE(TAG, name, json) \
	rc = rc ? rc : rename_table_rows(r, fsi_record_table(FSI_RECORD_##TAG), r->m->name.v, r->m->name.n);

static int rename_all_records(struct name_renaming *r)
{
	int rc = rename_table_rows(r, fsi_header_table(), &r->m->head, 1);

	FSI_RECORD_TYPES(RENAME_TABLE)
	return rc;
}

static void remove_config_texts(struct name_renaming *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->m->config.n; i++) {
		const struct fsi_config_entry *e = &r->m->config.v[i];
		const bool text = e->kind == FSI_CONFIG_STR || e->kind == FSI_CONFIG_LIST;
		char note[256];

		if (!text || fsi_anonymise_keeps_config(fsi_name_text(r->m, e->name))) {
			r->m->config.v[n++] = *e;
		} else if (r->o->note) {
			snprintf(note, sizeof(note), "the value of %.200s is omitted", fsi_name_text(r->m, e->name));
			r->o->note(r->o->note_ctx, note);
		}
	}
	r->m->config.n = n;
}

/* ---- alphabetical ranks of the names, computed before any name is replaced */

static int compare_seen_names(const void *x, const void *y, const void *ctx)
{
	const struct fsi_intern *seen = ctx;
	const char *a = fsi_intern_get_string(seen, *(const uint32_t *)x),
		   *b = fsi_intern_get_string(seen, *(const uint32_t *)y);
	const int c = strcmp(a + 1, b + 1);

	return c ? c : strcmp(a, b);
}

static int rank_seen_names(struct name_renaming *r)
{
	const uint32_t n = r->seen.count;
	uint32_t *ids = malloc((n + 1) * sizeof(*ids)), *rank = calloc(n + 1, sizeof(*rank));
	int rc = ids && rank ? 0 : fail_no_memory(r);

	for (uint32_t i = 1; i < n && !rc; i++)
		ids[i] = i;
	if (!rc && n && fs_sort(ids + 1, n - 1, sizeof(*ids), compare_seen_names, &r->seen))
		rc = fail_no_memory(r);
	for (uint32_t i = 1; i < n && !rc; i++)
		rank[ids[i]] = i;
	free(ids);
	r->rank = rank;
	return rc;
}

static int check_distinct_pseudonyms(struct name_renaming *r)
{
	struct fsi_intern given = { 0 };
	int rc = 0;

	for (uint32_t i = 1; i < r->seen.count && !rc; i++) {
		char hash[HASH_LETTERS];

		write_name_hash(r, i, hash);
		if (fsi_intern_find_id(&given, hash, sizeof(hash)))
			rc = fsi_fail_with_code(r->err, FS_EDATA, "two names get the same pseudonym; use another key");
		else if (fsi_intern_add(&given, hash, sizeof(hash)) == FSI_INTERN_FAILED)
			rc = fail_no_memory(r);
	}
	fsi_intern_release(&given);
	return rc;
}

static void derive_hash_key(struct name_renaming *r)
{
	static const unsigned char halves[2][16] = { { 1 }, { 2 } };

	for (size_t i = 0; i < 2; i++) {
		const uint64_t h = fsi_anonymise_siphash(halves[i], r->o->key, r->o->key_size);

		memcpy(r->key + 8 * i, &h, sizeof(h));
	}
}

int fs_snapshot_anonymise(fs_snapshot **out, const fs_snapshot *s, const struct fs_anonymise_options *options,
			  struct fs_error *err)
{
	struct fs_anonymise_options own;
	const struct fs_anonymise_options *o = FSI_OPTIONS(own, options);
	struct name_renaming r = { .o = o, .err = err, .gathering = true };
	int rc;

	derive_hash_key(&r);
	rc = fs_snapshot_copy(&r.m, s, err);
	if (!rc)
		rc = rename_all_records(&r);
	if (!rc)
		rc = check_distinct_pseudonyms(&r);
	if (!rc && o->keep_order)
		rc = rank_seen_names(&r);
	r.gathering = false;
	if (!rc)
		rc = rename_all_records(&r);
	if (!rc) {
		remove_config_texts(&r);
		rc = fsi_snapshot_copy_through_text(out, r.m, err);
	}
	fs_snapshot_free(r.m);
	fsi_intern_release(&r.seen);
	free(r.rank);
	return rc;
}
