/* fs-share --bill */
#include "share/reports.h"

#include "render/emit.h"
#include "render/json.h"

static void print_bill(const char *partition, const struct fs_bill *b)
{
	const char *before = "";
	char text[160], name[160], weight[160];

	emit("%-20s %12.6f %14.2f  ", text_visible(text, sizeof(text), partition), b->rate,
	       b->rate * 3600);
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

static void write_bill(struct fs_json *j, const char *partition, const struct fs_bill *b)
{
	fs_json_object(j);
	json_text(j, "partition", partition);
	json_number(j, "rate", b->rate);
	fs_json_key(j, "terms");
	fs_json_array(j);
	for (size_t i = 0; i < b->n; i++) {
		fs_json_object(j);
		json_text(j, "tres", b->term[i].tres);
		json_number(j, "amount", b->term[i].amount);
		json_number(j, "weight", b->term[i].weight);
		json_number(j, "points", b->term[i].points);
		json_flag(j, "counts", b->term[i].counts);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
	fs_json_end_object(j);
	json_row_done(j);
}

static int each_partition(const struct share_report *r, const struct fs_tres *tres, size_t n,
			  struct fs_json *j)
{
	struct fs_error err;
	struct fs_bill bill;
	const char *name;

	for (size_t i = 0; (name = fs_snapshot_partition_name(r->snapshot, i)); i++) {
		if (fs_bill_tres(&bill, r->snapshot, name, tres, n, &err))
			return report(r->inv, &err);
		if (j)
			write_bill(j, name, &bill);
		else
			print_bill(name, &bill);
	}
	return EXIT_DONE;
}

int share_bill(const struct share_report *r, const char *text)
{
	struct fs_tres tres[FS_BILL_MAX];
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
		if (!r->no_header)
			emit("%-20s %12s %14s  %s\n", "Partition", "a second", "an hour",
			       "amount * weight");
		return each_partition(r, tres, (size_t)n, NULL);
	}
	json_begin(&j, "fs-usage/2", r->snapshot, r->json);
	json_text(&j, "report", "bill");
	json_rows(&j);
	status = each_partition(r, tres, (size_t)n, &j);
	json_end_rows(&j);
	return json_end(&j) ? EXIT_FAILED : status;
}
