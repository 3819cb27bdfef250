/* fs-share --bill */
#include "share/share.h"

#include "render/emit.h"
#include "render/format.h"

/* A partition, and what it bills. */
struct bill_row {
	const char *partition;
	double rate, hour; /* the cost of a second, of an hour */
	const struct fs_bill *bill;
};

#define TERM(m) COLUMN_MEMBER(struct fs_bill_term, m)

static const struct column term_columns[] = {
	{ NULL, "tres", TERM(tres), .help = "name of the TRES" },
	{ NULL, "amount", TERM(amount), .help = "of it" },
	{ NULL, "weight", TERM(weight), .help = "by TRESBillingWeights" },
	{ NULL, "points", TERM(points), .help = "amount * weight" },
	{ NULL, "counts", TERM(counts), .help = "false: a greater one stands for it" },
};

COLUMN_JSON(write_terms, void, struct bill_row,
	    columns_list(j, COLUMNS(term_columns), of, row->bill->term, row->bill->n, sizeof(*row->bill->term)))
COLUMN_CELL(rate_cell, void, struct bill_row, format_text(buf, COLUMN_TEXT, "%.6f", row->rate))

#define BILL(m) COLUMN_MEMBER(struct bill_row, m)

static const struct column columns[] = {
	{ "Partition", "partition", -20, BILL(partition), .help = "where it would run" },
	{ "a second", "rate", 12, BILL(rate), .text = rate_cell,
	  .help = "TRES seconds charged for a second" },
	{ "an hour", NULL, 14, BILL(hour), .help = "TRES seconds charged for an hour" },
	{ " amount * weight", NULL, 0, .help = "what that is the sum of" },
	{ NULL, "terms", .json = write_terms, .help = "what the rate is the sum of" },
};

static void print_bill(const struct bill_row *row)
{
	const struct fs_bill *b = row->bill;
	const char *before = "";
	const struct column_page page = { COLUMNS(columns), .characters = true };
	char name[160], weight[160];

	columns_row(&page, row);
	emit("  ");
	for (size_t i = 0; i < b->n; i++)
		if (b->term[i].amount > 0) {
			const struct fs_bill_term *t = &b->term[i];

			text_visible(name, sizeof(name), t->tres);
			emit(t->counts ? "%s%s %.0f * %s" : "%s(%s %.0f * %s)", before, name,
			       t->amount, text_number(weight, sizeof(weight), t->weight, 30));
			before = " + ";
		}
	emit_line(b->by_cpus ? "  (no weights: CPUs)" : "");
}

static int each_partition(const struct share_run *r, const struct fs_tres *tres, size_t n,
			  struct fs_json *j)
{
	struct fs_error err;
	struct fs_bill bill;
	struct bill_row row;
	const char *name;

	for (size_t i = 0; (name = fs_snapshot_partition_name(r->snapshot, i)); i++) {
		if (fs_bill_tres(r->snapshot, name, tres, n, &bill, &err))
			return report(r->inv, &err);
		row = (struct bill_row){ name, bill.rate, bill.rate * 3600, &bill };
		if (!j) {
			print_bill(&row);
			continue;
		}
		columns_object(j, COLUMNS(columns), NULL, &row);
		json_row_done(j);
	}
	return EXIT_DONE;
}

int share_bill(const struct share_run *r)
{
	struct fs_tres tres[FS_BILL_MAX];
	const struct column_page page = { COLUMNS(columns), .characters = true };
	struct fs_error err;
	struct fs_json j;
	const int n = fs_tres_parse(r->snapshot, r->of, tres, FS_BILL_MAX, &err);
	int status;

	if (n < 0)
		return report(r->inv, &err);
	if (!fs_snapshot_partition_name(r->snapshot, 0)) {
		complain(r->inv, "the snapshot holds no partitions");
		return EXIT_FAILED;
	}
	if (!r->json) {
		if (!r->no_header)
			columns_heading(&page);
		return each_partition(r, tres, (size_t)n, NULL);
	}
	json_begin(&j, "fs-usage/2", r->snapshot, r->json);
	json_text(&j, "report", "bill");
	json_rows(&j);
	status = each_partition(r, tres, (size_t)n, &j);
	json_end_rows(&j);
	return json_end(&j) ? EXIT_FAILED : status;
}
