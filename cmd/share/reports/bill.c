/* fs-share --bill */
#include "share/reports/columns.h"
#include "share/reports/reports.h"

#include "render/emit.h"
#include "render/json.h"

static void print_bill(const struct bill_row *row)
{
	const struct fs_bill *b = row->bill;
	const char *before = "";
	const struct column_page page = { COLUMNS(bill_columns), .characters = true };
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

static void write_bill(struct fs_json *j, const struct bill_row *row)
{
	columns_object(j, COLUMNS(bill_columns), NULL, row);
	json_row_done(j);
}

static int each_partition(const struct share_report *r, const struct fs_tres *tres, size_t n,
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
		if (j)
			write_bill(j, &row);
		else
			print_bill(&row);
	}
	return EXIT_DONE;
}

int share_bill(const struct share_report *r, const char *text)
{
	struct fs_tres tres[FS_BILL_MAX];
	const struct column_page page = { COLUMNS(bill_columns), .characters = true };
	struct fs_error err;
	struct fs_json j;
	const int n = fs_tres_parse(r->snapshot, text, tres, FS_BILL_MAX, &err);
	int status;

	if (n < 0)
		return report(r->inv, &err);
	if (!fs_snapshot_partition_name(r->snapshot, 0)) {
		complain(r->inv, "the snapshot holds no partitions");
		return EXIT_FAILED;
	}
	if (!r->json) {
		if (!r->no_header) {
			columns_heading(&page);
			putchar('\n');
		}
		return each_partition(r, tres, (size_t)n, NULL);
	}
	json_begin(&j, "fs-usage/2", r->snapshot, r->json);
	json_text(&j, "report", "bill");
	json_rows(&j);
	status = each_partition(r, tres, (size_t)n, &j);
	json_end_rows(&j);
	return json_end(&j) ? EXIT_FAILED : status;
}
