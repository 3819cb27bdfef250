/* The verdict as a sentence of a page. */
#include "explain/parts.h"
#include "words/verdict.h"

#include <string.h>

void explain_verdict_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	const enum fs_verdict_kind kind = job->verdict.kind;
	char words[VERDICT_TEXT], remedy[VERDICT_TEXT];

	verdict_words(words, nouns(v), v->from->snapshot, &job->verdict);
	if (kind == FS_VERDICT_HELD)
		page_say(p, "It is %s.", *words ? words : "held");
	else if (!strncmp(words, "waits for ", strlen("waits for ")))
		page_say(p, "It %s.", words);
	else if (*words)
		page_say(p, "%c%s.", *words >= 'a' && *words <= 'z' ? *words - 'a' + 'A' : *words,
			 words + 1);
	if (kind == FS_VERDICT_NEVER)
		page_say(p, "%s", verdict_remedy(remedy, nouns(v), &job->verdict));
	else if (kind == FS_VERDICT_HELD && v->dialect->explain->held_apart)
		page_say(p, "While held it is not eligible%s.",
			 job->nsums ? "" : ", has no priority and does not age");
	else if (job->verdict.stale)
		page_say(p, "The reason recorded, %s, does not hold any more.", job->verdict.reason->name);
}

void explain_not_eligible_text(struct page *p, const struct explain_view *v, const struct fs_explain_job *job)
{
	char id[WORDS], words[VERDICT_TEXT];

	if (job->nsums && job->sums->position)
		return;
	page_say(p, "Job %s is not eligible: %s.", job_words(id, v->from->snapshot, job->job_row),
		 verdict_words(words, nouns(v), v->from->snapshot, &job->verdict));
}
