/* Whom an administrator's reservation admits, as diagnose -r tells. Below a reservation's row stands
 *
 *   ACL: RES==maint= USER==bob+:==eve+ GROUP==staff+
 *
 * (src/MACL.c:MACLListShow). Where a word denies, requires or compares otherwise nobody is said to be admitted. */
#include "import/maui/queue.h"

#include <string.h>

struct reading {
	struct fsi_maui_import *x;
	struct fsi_reservation *at; /* the reservation whose row came last; NULL: a job's */
};

static struct fsi_reservation *named(fs_snapshot *m, struct fsi_span name)
{
	for (size_t i = 0; i < m->reservation.n; i++)
		if (fsi_span_is(name, fsi_str(m, m->reservation.v[i].name)))
			return &m->reservation.v[i];
	return NULL;
}

/* 1: the list is full. */
static int admit(struct fsi_import *imp, struct fsi_reservation *r, uint32_t *list, unsigned bit, struct fsi_span name)
{
	const int rc = fsi_list_add(imp->m, list, 64, fsi_import_name(imp, name));

	if (rc)
		return rc < 0 ? fsi_nomem(imp->err) : rc;
	fsi_mark_known(&r->rec, bit);
	return 0;
}

/* Turns "==bob+" into "bob". False: the word denies, requires or compares. */
static bool is_admitted(struct fsi_span *v)
{
	if (v->len < 4 || memcmp(v->s, "==", 2) != 0 || !memchr("+-=", v->s[v->len - 1], strlen("+-=")))
		return false;
	*v = (struct fsi_span){ v->s + 2, v->len - 3 };
	return !memchr("!*^", v->s[v->len - 1], strlen("!*^"));
}

/* Takes "USER==bob+:==eve+"; 1: it cannot be read. */
static int take_word(struct fsi_import *imp, struct fsi_reservation *r, struct fsi_span word)
{
	const struct {
		const char *type;
		uint32_t *list;
		unsigned bit;
	} types[] = { { "RES", NULL, 0 },
		      { "USER", &r->users, FSI_RESERVATION_users },
		      { "GROUP", &r->groups, FSI_RESERVATION_groups },
		      { "ACCT", &r->accounts, FSI_RESERVATION_accounts },
		      { "CLASS", &r->classes, FSI_RESERVATION_classes },
		      { "QOS", &r->qos, FSI_RESERVATION_qos } };
	const size_t n = sizeof(types) / sizeof(*types);
	const char *sign = memchr(word.s, '=', word.len);
	const struct fsi_span type = { word.s, sign ? (size_t)(sign - word.s) : 0 };
	size_t at = 0;
	int rc = 0;

	while (at < n && !fsi_span_is(type, types[at].type))
		at++;
	word = fsi_span_from(word, type.len);
	while (!rc && word.s) {
		struct fsi_span one;

		fsi_span_cut(&word, ':', &one);
		if (at == n || !is_admitted(&one))
			return 1;
		if (types[at].list)
			rc = admit(imp, r, types[at].list, types[at].bit, one);
	}
	return rc;
}

static int admits(struct fsi_import *imp, struct fsi_reservation *r, const struct fsi_span *w, size_t n)
{
	int rc = 0;

	for (size_t i = 1; i < n && !rc; i++)
		rc = take_word(imp, r, w[i]);
	if (rc < 0)
		return rc;
	FSI_PUT(r, RESERVATION, admits_told, rc == 0);
	return 0;
}

enum { WORDS = 64 };

static int line_of(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct reading *d = ctx;
	struct fsi_span w[WORDS];
	const size_t n = fsi_span_words(line, w, WORDS);

	if (n >= 8 && (fsi_span_is(w[1], "User") || fsi_span_is(w[1], "Job")))
		d->at = fsi_span_is(w[1], "User") ? named(imp->m, w[0]) : NULL;
	else if (n > 1 && n < WORDS && fsi_span_is(w[0], "ACL:") && d->at)
		return admits(imp, d->at, w, n);
	return 0;
}

int fsi_maui_admits_read(struct fsi_maui_import *x)
{
	static const char *const files[] = { "diagnose_-r.txt", "out/diagnose_-r.txt" };
	struct reading d = { .x = x };
	int rc = x->imp->m->reservation.n > 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files) && rc > 0; i++)
		rc = fsi_import_lines(x->imp, files[i], line_of, &d);
	return rc > 0 ? 0 : rc;
}
