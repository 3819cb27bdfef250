/* fs-share in the shape of Slurm's own `sshare --json` and `--yaml`. The fields and their order follow
 * src/plugins/data_parser (parsers v0.0.40 to v0.0.46). */
#include "share/share.h"

#include "render/doc.h"
#include "render/emit.h"

#include <errno.h>
#include <grp.h>
#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct writer {
	const struct share_run *r;
	unsigned compat; /* FS_SLURM_RELEASE whose document it is */
	int parser;	 /* number of its data_parser */
	struct doc d;
	struct fs_tres *tres;
	double *seconds;
	size_t n; /* TRES of the cluster */
	const char *group;
};

static void write_marks(struct doc *d, bool set, bool infinite)
{
	doc_bool(d, "set", set);
	doc_bool(d, "infinite", infinite);
}

/* {set, infinite, number}: NAN is unset. */
static void write_float(struct doc *d, const char *key, double v)
{
	doc_map(d, key);
	write_marks(d, isfinite(v), isinf(v));
	doc_double(d, "number", isfinite(v) ? v : 0);
	doc_end_map(d);
}

static void write_whole(struct doc *d, const char *key, bool set, bool infinite, int64_t v)
{
	doc_map(d, key);
	write_marks(d, set, infinite);
	doc_int(d, "number", set ? v : 0);
	doc_end_map(d);
}

enum { FIRST_PARSER = 40 }; /* of the first release whose sshare prints JSON */

/* Each release has one data_parser more. */
static const enum fs_slurm_feature later_parsers[] = { FS_SLURM_PARSER_41, FS_SLURM_PARSER_42, FS_SLURM_PARSER_43,
						       FS_SLURM_PARSER_44, FS_SLURM_PARSER_45, FS_SLURM_PARSER_46 };
enum { LATER_PARSERS = sizeof(later_parsers) / sizeof(*later_parsers) };

/* Returns the number of the parser that a release uses by default. */
static int parser_number(unsigned version)
{
	int n = 0;

	while (n < LATER_PARSERS && fs_slurm_has(version, later_parsers[n]))
		n++;
	return FIRST_PARSER + n;
}

/* Returns whether the parser is of the feature's release or later. */
static bool parser_has(int number, enum fs_slurm_feature feature)
{
	return number > FIRST_PARSER &&
	       fs_slurm_has(fs_slurm_difference(later_parsers[number - FIRST_PARSER - 1])->since, feature);
}

/* Writes one of the three fields that were bare numbers once, in which unset was NO_VAL. */
static void write_once_bare(struct writer *w, const char *key, double v)
{
	if (parser_has(w->parser, FS_SLURM_JSON_OBJECTS))
		write_float(&w->d, key, v);
	else
		doc_double(&w->d, key, isnan(v) ? 4294967294.0 : v);
}

static void write_limits(struct writer *w, const struct fs_share_row *r)
{
	const int n = fs_shares_tres(w->r->shares, r->row, FS_SHARE_TRES_LIMIT, w->tres, w->n);

	doc_list(&w->d, "group_minutes", !w->n);
	for (size_t i = 0; i < w->n; i++) {
		const char *name = fs_snapshot_tres_name(w->r->snapshot, i);
		int k = 0;

		while (k < n && strcmp(w->tres[k].name, name) != 0)
			k++;
		doc_map(&w->d, NULL);
		doc_string(&w->d, "name", name);
		write_whole(&w->d, "value", k < n, k >= n, k < n ? w->tres[k].amount : 0);
		doc_end_map(&w->d);
	}
	doc_end_list(&w->d);
}

/* A list of all TRES: running ones as whole seconds that may be not set, used ones as they are. */
static void write_seconds(struct writer *w, const struct fs_share_row *r, const char *key, enum fs_share_tres which)
{
	const bool known = fs_shares_tres_seconds(w->r->shares, r->row, which, w->seconds, w->n) >= 0;

	doc_list(&w->d, key, !w->n);
	for (size_t i = 0; i < w->n; i++) {
		doc_map(&w->d, NULL);
		doc_string(&w->d, "name", fs_snapshot_tres_name(w->r->snapshot, i));
		if (which == FS_SHARE_TRES_RUNNING)
			write_whole(&w->d, "value", known, false, known ? (int64_t)w->seconds[i] : 0);
		else
			doc_double(&w->d, "value", known ? w->seconds[i] : NAN);
		doc_end_map(&w->d);
	}
	doc_end_list(&w->d);
}

static void write_fairshare(struct writer *w, const struct fs_share_row *r)
{
	double level = r->level_fs;

	if (!fs_shares_has_levels(w->r->shares)) /* the classic algorithms never set one */
		level = 0;
	else if (*r->user && r->shares_kind == FS_SHARES_PARENT)
		level = INFINITY; /* which the table leaves blank */
	doc_map(&w->d, "fairshare");
	write_once_bare(w, "factor",
			isnan(r->daemon_factor) ? 0 : fs_slurm_wire(r->daemon_factor));
	write_once_bare(w, "level", level);
	doc_end_map(&w->d);
}

static void write_row(struct writer *w, const struct fs_share_row *r)
{
	struct doc *d = &w->d;
	const bool parent = r->shares_kind == FS_SHARES_PARENT;

	doc_map(d, NULL);
	doc_int(d, "id", r->id);
	doc_string(d, "cluster", fs_snapshot_info(w->r->snapshot)->cluster);
	doc_string(d, "name", *r->user ? r->user : r->account);
	doc_string(d, "parent", r->parent);
	doc_string(d, "partition", r->partition);
	write_float(d, "shares_normalized", fs_slurm_wire(r->norm_shares));
	write_whole(d, "shares", r->shares_kind != FS_SHARES_UNSET, false,
		    parent ? 2147483647 : (int64_t)r->raw_shares);
	doc_map(d, "tres");
	write_seconds(w, r, "run_seconds", FS_SHARE_TRES_RUNNING);
	write_limits(w, r);
	write_seconds(w, r, "usage", FS_SHARE_TRES_USAGE);
	doc_end_map(d);
	write_once_bare(w, "effective_usage", r->effective_usage);
	write_float(d, "usage_normalized", r->norm_usage);
	doc_int(d, "usage", r->raw_usage >= 0 && r->raw_usage < 9e18 ? (int64_t)r->raw_usage : 0);
	write_fairshare(w, r);
	doc_list(d, "type", false);
	doc_string(d, NULL, *r->user ? "USER" : "ASSOCIATION");
	doc_end_list(d);
	doc_end_map(d);
}

/* A release has the data_parsers of the two releases before its own as well, from 25.05 on of three. */
static int oldest_parser(unsigned version)
{
	const int own = parser_number(version);

	return own == FIRST_PARSER ? own - 1 : fs_slurm_has(version, FS_SLURM_PARSER_43) ? own - 3 : own - 2;
}

/* Returns the number of the data_parser called NAME, "v0.0.42", "data_parser/v0.0.42", "latest" or NULL for a release's
 * own; 0 if the release has none of that name, or it is not written here (v0.0.39, and those with flags,
 * "v0.0.42+complex"). */
static int find_parser(unsigned compat, const char *name)
{
	const int own = parser_number(compat), oldest = oldest_parser(compat);
	int n, end = 0;

	if (!name || !strcasecmp(name, "latest"))
		return own;
	if (!strncmp(name, "data_parser/", strlen("data_parser/")))
		name += strlen("data_parser/");
	if (sscanf(name, "v0.0.%d%n", &n, &end) != 1 || name[end])
		return 0;
	return n >= oldest && n >= FIRST_PARSER && n <= own ? n : 0;
}

/* Lists those of a release, as `sshare --json=list` does. */
static void list_parsers(unsigned compat)
{
	emit_to(stderr, "Possible data_parser plugins:\n");
	for (int n = oldest_parser(compat); n <= parser_number(compat); n++)
		emit("data_parser/v0.0.%d\n", n);
}

/* "slurm 26.11.0-0rc1": release 26.11.0-0rc1, its parts 26, 11, 0. */
static void write_version(struct doc *d, const fs_snapshot *s)
{
	const char *release = strchr(fs_snapshot_info(s)->scheduler, ' ');
	char part[3][8] = { "", "", "" };

	release = release ? release + 1 : "";
	sscanf(release, "%7[0-9].%7[0-9].%7[0-9]", part[0], part[1], part[2]);
	doc_map(d, "slurm");
	doc_map(d, "version");
	doc_string(d, "major", part[0]);
	doc_string(d, "micro", part[2]);
	doc_string(d, "minor", part[1]);
	doc_end_map(d);
	doc_string(d, "release", release);
	doc_string(d, "cluster", fs_snapshot_info(s)->cluster);
	doc_end_map(d);
}

/* Returns the primary group of a login name, "" if the machine does not know it, NULL without memory. */
static const char *group_of(const char *user)
{
	const struct passwd *pw;
	const struct group *gr;

	errno = 0;
	pw = getpwnam(user);
	gr = pw ? getgrgid(pw->pw_gid) : NULL;
	return gr ? gr->gr_name : errno == ENOMEM ? NULL : "";
}

static void write_meta(struct writer *w)
{
	const char *storage = fs_snapshot_config_text(w->r->snapshot, "AccountingStorageType");
	const int words = fs_slurm_has(w->compat, FS_SLURM_JSON_LAST_WORD) ? w->r->argc : w->r->argc - 1;
	struct doc *d = &w->d;
	char parser[40];

	snprintf(parser, sizeof(parser), "data_parser/v0.0.%d", w->parser);
	doc_map(d, "meta");
	doc_map(d, "plugin");
	doc_string(d, "type", "");
	doc_string(d, "name", "");
	doc_string(d, "data_parser", parser);
	doc_string(d, "accounting_storage", storage ? storage : "");
	doc_end_map(d);
	doc_map(d, "client");
	doc_string(d, "source", "");
	doc_string(d, "user", input_viewer(&w->r->input));
	doc_string(d, "group", w->group);
	doc_end_map(d);
	doc_list(d, "command", !words);
	for (int i = 0; i < words; i++)
		doc_string(d, NULL, w->r->argv[i]);
	doc_end_list(d);
	write_version(d, w->r->snapshot);
	doc_end_map(d);
}

static void write_document(struct writer *w)
{
	doc_map(&w->d, "shares");
	doc_list(&w->d, "shares", !w->r->rows.n);
	for (size_t i = 0; i < w->r->rows.n; i++)
		write_row(w, w->r->rows.v[i]);
	doc_end_list(&w->d);
	doc_int(&w->d, "total_shares", 0);
	doc_end_map(&w->d);
	write_meta(w);
	doc_list(&w->d, "errors", true);
	doc_end_list(&w->d);
	doc_list(&w->d, "warnings", true);
	doc_end_list(&w->d);
}

static int print(struct writer *w)
{
	int status = -1;

	w->n = fs_snapshot_tres_count(w->r->snapshot);
	w->group = group_of(input_viewer(&w->r->input));
	w->tres = calloc(w->n + 1, sizeof(*w->tres));
	w->seconds = calloc(w->n + 1, sizeof(*w->seconds));
	if (w->tres && w->seconds && w->group) {
		doc_begin(&w->d, stdout, w->r->form == SLURM_YAML ? DOC_YAML : DOC_JSON);
		write_document(w);
		doc_end(&w->d);
		status = ferror(stdout) ? EXIT_FAILED : EXIT_DONE;
	}
	free(w->tres);
	free(w->seconds);
	return status;
}

int share_slurm(const struct share_run *r)
{
	const bool yaml = r->form == SLURM_YAML;
	struct writer w = { .r = r, .compat = r->input.compat };

	if (!w.compat)
		w.compat = fs_snapshot_info(r->snapshot)->version;
	if (r->inv->emulated && !fs_slurm_has(w.compat, FS_SLURM_SSHARE_JSON)) {
		options_unknown(r->inv, r->argv[0], yaml ? "--yaml" : "--json");
		return EXIT_FAILED;
	}
	if (r->parser && !strcasecmp(r->parser, "list")) {
		list_parsers(w.compat);
		return EXIT_DONE;
	}
	w.parser = find_parser(w.compat, r->parser);
	if (!w.parser) {
		complain(r->inv, "application/%s output not supported by %s", yaml ? "x-yaml" : "json", r->parser);
		return usage_status(r->inv);
	}
	return print(&w);
}
