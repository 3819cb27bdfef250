/* Under which assumptions of a forecast nothing moves, and why. */
#include "picture/forecast.h"
#include "words/words.h"

/* "a, b": the assumptions from the first on under which nothing moves; how long it is. */
static size_t still_words(char text[WORDS], const fs_forecast *f, int first)
{
	size_t n = 0;

	*text = '\0';
	for (int a = first; a < FS_ASSUMPTION_COUNT; a++)
		if (fs_forecast_still(f, (enum fs_assumption)a))
			n += (size_t)snprintf(text + n, WORDS - n, "%s%c", n ? ", " : "", (char)('a' + a));
	return n;
}

/* Does what has run until now, which the next calculation charges, move the factor where nothing does later? Where the
 * factor is no rank accounts have it one calculation later. */
static const char *when_still(const fs_forecast *f, bool lags)
{
	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++)
		if (fs_forecast_still(f, (enum fs_assumption)a) &&
		    fs_forecast_point(f, (enum fs_assumption)a, 0)->fairshare !=
			    fs_forecast_point(f, (enum fs_assumption)a, fs_forecast_points(f) - 1)->fairshare)
			return lags ? "From the second calculation on FairShare" : "From the next calculation on FairShare";
	return "FairShare";
}

void forecast_say_still(struct page *p, const fs_snapshot *s, const fs_forecast *f, const char *forgets,
			bool in_windows)
{
	const bool factor = forecast_curve_of(f).factor, ranked = fs_forecast_point(f, FS_ASSUME_IDLE, 0)->rank != 0;
	char text[WORDS], runs[WORDS], when[WORDS];
	const size_t n = still_words(text, f, FS_ASSUME_IDLE), more = still_words(runs, f, FS_ASSUME_IDLE + 1);
	const char *from = when_still(f, !ranked && !in_windows);
	const char *effect = ranked ? "changes no order" : "moves nothing";
	const bool run = more && fs_forecast_rate(f) > 0;

	if (fs_forecast_reset(f) != FS_UNKNOWN)
		page_say(p, "Usage is reset on %s: from then on only what is used later counts.",
			 date_words(when, s, fs_forecast_reset(f)));
	if (n && factor)
		page_say(p, "%s does not move in %s", from, text);
	if (n && factor && in_windows)
		page_join(p, ": in each window that counts it has the same part of the use.");
	else if (n && factor && forgets)
		page_join(p, ", as far as a snapshot tells usage: it decays alike for all.");
	else if (n && factor && fs_forecast_decays(f))
		page_join(p, ": usage decays alike for all, which %s%s%s.", effect,
			  run ? ", and neither does what runs in " : "", run ? runs : "");
	else if (n && factor)
		page_join(p, ": usage does not decay%s%s%s%s.", run ? ", and what runs in " : "", run ? runs : "",
			  run ? " " : "", run ? effect : "");
	if (factor && forgets)
		page_say(p, "%s", forgets);
	page_end(p);
}
