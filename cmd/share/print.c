/* The forms in which fs-share prints its rows. */
#include "share/share.h"

#include "share/forms/flux.h"
#include "share/forms/json.h"
#include "share/forms/metrics.h"
#include "share/forms/ranges.h"
#include "share/forms/slurm.h"

#include <strings.h>

/* Turns the result of writing a document into an exit status: negative is no memory. */
static int document(const struct share_run *r, int status)
{
	return status < 0 ? no_memory(r->inv) : status;
}

static int print_slurm(const struct share_run *r)
{
	const unsigned version = fs_snapshot_info(r->snapshot)->version;
	struct share_slurm s = { .snapshot = r->snapshot, .shares = r->shares, .rows = &r->rows };

	s.compat = r->input.compat ? r->input.compat : version;
	if (r->inv->emulated && !fs_slurm_has(s.compat, FS_SLURM_SSHARE_JSON)) {
		options_unknown(r->inv, r->argv[0], r->form == SLURM_YAML ? "--yaml" : "--json");
		return EXIT_FAILED;
	}
	if (r->parser && !strcasecmp(r->parser, "list")) {
		share_slurm_parsers(s.compat);
		return EXIT_DONE;
	}
	s.parser = share_slurm_parser(s.compat, r->parser);
	if (!s.parser) {
		complain(r->inv, "application/%s output not supported by %s", r->form == SLURM_YAML ? "x-yaml" : "json",
			 r->parser);
		return usage_status(r->inv);
	}
	s.user = input_viewer(&r->input);
	s.argc = r->argc;
	s.argv = r->argv;
	return document(r, share_slurm_print(&s, r->form == SLURM_YAML ? DOC_YAML : DOC_JSON));
}

static int print_table(struct share_run *r)
{
	const struct share_table t = { r->snapshot,  r->shares, &r->rows,	 &r->format,
				       r->layout, !r->no_header, r->clusters.given };

	if (!share_table_print(&t))
		return EXIT_DONE;
	return no_memory(r->inv);
}

static int print_ranges(const struct share_run *r)
{
	const struct share_ranges s = { r->shares, &r->rows, r->input.position, !r->no_header, 0 };

	if (!fs_shares_has_ranges(r->shares)) {
		complain(r->inv, "--ranges: %s gives nobody a range; flux_range does",
			 fs_shares_algorithm(r->shares));
		return usage_status(r->inv);
	}
	if (r->svg)
		return share_ranges_picture(&s, r->inv, r->svg);
	return share_ranges_print(&s) ? no_memory(r->inv) : EXIT_DONE;
}

static int print_flux(const struct share_run *r)
{
	const struct share_flux s = { r->shares, &r->rows, r->layout != ALIGNED, !r->no_header,
				      r->input.algorithm != NULL, r->concise };

	return share_flux_print(&s) ? no_memory(r->inv) : EXIT_DONE;
}

int share_print(struct share_run *r)
{
	if (r->form == TEXT && r->ranges)
		return print_ranges(r);
	if (r->form == TEXT && r->input.style == STYLE_FLUX)
		return print_flux(r);
	switch (r->form) {
	case OWN_JSON:
		return document(r, share_json(r->snapshot, r->shares, &r->rows, r->json));
	case METRICS:
		return share_metrics(r->snapshot, r->shares, &r->rows) ? no_memory(r->inv) : EXIT_DONE;
	case SLURM_JSON:
	case SLURM_YAML:
		return print_slurm(r);
	default:
		return print_table(r);
	}
}
