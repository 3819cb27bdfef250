/* What the words of fs-explain's command line stand for. */
#include "explain/list/list.h"
#include "explain/past/past.h"
#include "explain/run.h"
#include "render/text.h"

#include <string.h>

enum { LONGEST = 64 };

static size_t least(size_t a, size_t b, size_t c)
{
	const size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Letters to add, drop or change. Names longer than that are far from all. */
static size_t distance(const char *a, const char *b)
{
	const size_t n = strlen(b);
	size_t row[LONGEST + 1];

	if (n > LONGEST || strlen(a) > LONGEST)
		return LONGEST + 1;
	for (size_t k = 0; k <= n; k++)
		row[k] = k;
	for (size_t i = 0; a[i]; i++) {
		size_t corner = row[0];

		row[0] = i + 1;
		for (size_t k = 0; k < n; k++) {
			const size_t above = row[k + 1];

			row[k + 1] = least(above + 1, row[k] + 1, corner + (a[i] != b[k]));
			corner = above;
		}
	}
	return row[n];
}

/* The user or account that may be seen and is spelled most like the word, one letter off or, of long words, two; NULL
 * none. */
static const char *near_name(const struct explain_view *v, const char *word)
{
	const size_t n = v->from->shares ? fs_shares_count(v->from->shares) : 0;
	size_t nearest = strlen(word) > 5 ? 6 : 4; /* in half letters: a wrong first one counts for more */
	const char *found = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *r = fs_shares_row(v->from->shares, i);
		const char *name = *r->user ? r->user : r->account;
		const size_t d = r->visible ? distance(word, name) : LONGEST + 1;

		if (d > LONGEST || 2 * d + (*name != *word) >= nearest)
			continue;
		nearest = 2 * d + (*name != *word);
		found = name;
	}
	return found;
}

static bool find_job(const struct explain_run *r, const char *word, struct subject *out)
{
	*out = (struct subject){ .kind = JOB, .row = fs_explain_find_job(r->view.x, word) };
	return out->row != FS_NO_ROW;
}

/* Finds a credential of Maui; kind NULL: of any kind, or of the one that the word begins with. */
static bool find_credential(const struct explain_run *r, const char *kind, const char *word,
			    struct subject *out)
{
	char text[512];

	snprintf(text, sizeof(text), "%s%s%.400s", kind ? kind : "", kind ? ":" : "", word);
	*out = (struct subject){ .kind = CREDENTIAL, .row = fs_explain_find_credential(r->view.x, text) };
	return out->row != FS_NO_ROW;
}

static bool find_user(const struct explain_run *r, const char *word, struct subject *out)
{
	if (!r->from.shares)
		return find_credential(r, "user", word, out);
	*out = (struct subject){ .kind = USER, .row = fs_explain_find_row(r->view.x, r->account ? r->account : "",
							   word) };
	return *word && out->row != FS_NO_ROW;
}

static bool find_account(const struct explain_run *r, const char *word, struct subject *out)
{
	if (!r->from.shares)
		return find_credential(r, "acct", word, out);
	*out = (struct subject){ .kind = ACCOUNT, .row = fs_explain_find_row(r->view.x, word, "") };
	return *word && out->row != FS_NO_ROW;
}

static bool find_reason(const char *word, struct subject *out)
{
	*out = (struct subject){ .kind = REASON, .reason = explain_find_reason(word) };
	return out->reason != NULL;
}

static int not_found(const struct explain_run *r, enum kind kind, const char *word)
{
	static const char *const kinds[] = { "job, user or account", "job", "user", "account" };
	const char *near = kind == JOB ? NULL : near_name(&r->view, word);
	char visible[200], other[200];

	text_visible(visible, sizeof(visible), word);
	if (near)
		complain(r->inv, "no %s \"%s\" that %s may see; did you mean %s?", kinds[kind], visible, input_viewer(&r->input),
			 text_visible(other, sizeof(other), near));
	else
		complain(r->inv, "no %s \"%s\" that %s may see", kinds[kind], visible, input_viewer(&r->input));
	return EXIT_NOTHING;
}

/* Finds a job that only usage records tell of. */
static int find_past(struct explain_run *r, const char *word, enum kind kind, struct subject *out)
{
	uint64_t id;
	int status = fs_job_id_parse(r->snapshot, word, &id) ? 0 : explain_read_past(r, id);

	*out = (struct subject){ .kind = PAST };
	return status ? status : r->view.past ? 0 : not_found(r, kind, word);
}

int explain_find(struct explain_run *r, struct subject *out)
{
	if (r->job)
		return find_job(r, r->job, out) ? 0 : find_past(r, r->job, JOB, out);
	if (r->user)
		return find_user(r, r->user, out) ? 0 : not_found(r, USER, r->user);
	if (r->account)
		return find_account(r, r->account, out) ? 0 : not_found(r, ACCOUNT, r->account);
	return find_job(r, r->word, out) || find_user(r, r->word, out) ||
			       find_account(r, r->word, out) ||
			       find_credential(r, NULL, r->word, out) || find_reason(r->word, out)
		       ? 0
		       : find_past(r, r->word, GUESS, out);
}

int explain_find_other(const struct explain_run *r, const struct subject *first, struct subject *out)
{
	struct explain_run plain = *r;
	bool found;

	plain.account = NULL; /* the account given is that of the first, not of the other */
	if (first->kind == JOB)
		found = find_job(&plain, r->versus, out);
	else if (first->kind == CREDENTIAL)
		found = find_credential(
				r, fs_cred_kind_name(fs_windows_row(r->from.windows, first->row)->kind),
				r->versus, out) ||
			find_credential(r, NULL, r->versus, out);
	else if (first->kind == USER)
		found = find_user(&plain, r->versus, out) || find_account(&plain, r->versus, out);
	else
		found = find_account(&plain, r->versus, out) || find_user(&plain, r->versus, out);
	return found ? 0 : not_found(r, first->kind == JOB ? JOB : GUESS, r->versus);
}
