/* Prints metrics in the text format of Prometheus and OpenMetrics; the functions are declared in render/doc.h. */
#include "render/doc.h"

#include "render/emit.h"
#include "render/text.h"

#include <math.h>
#include <string.h>

static void print_metric_label(const char *before, const char *name, const char *value)
{
	emit("%s%s=\"", before, name);
	while (*value) {
		char step[TEXT_STEP + 1];
		const size_t n = text_escape_next(&value, step);

		step[n] = '\0';
		for (char *p = step; *p; p++) /* a quote or backslash occurs only in a step that is ASCII */
			if (*p == '"' || *p == '\\')
				emit("\\%c", *p);
			else
				emit_raw_text(stdout, (char[]){ *p, '\0' });
	}
	emit("\"");
}

static void print_metric_value(double v)
{
	char text[TEXT_PYTHON];

	emit(" %s\n", text_format_python(text, v));
}

static void print_metric_head(const char *name, const char *help)
{
	emit("# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

void metrics_print_time(const fs_snapshot *s, const char *prefix)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);

	char name[64];

	snprintf(name, sizeof(name), "%s_snapshot_time_seconds", prefix);
	print_metric_head(name, "When the state was captured, in seconds since 1970.");
	emit("%s", name);
	print_metric_label("{", "cluster", info->cluster);
	emit("}");
	print_metric_value((double)info->time);
}

static int compare_labels_of_records(const void *x, const void *y, const void *ctx)
{
	const struct metric_record *a = x, *b = y;
	const struct metric_family *f = ctx;

	for (size_t k = 0; k < METRIC_LABELS && f->label[k]; k++) {
		const int c = strcmp(a->label[k], b->label[k]);

		if (c)
			return c;
	}
	return 0;
}

static double combine_record_values(enum metric_how how, const struct metric_record *v, size_t n)
{
	double min = v[0].value, max = v[0].value, sum = 0;

	if (how == METRIC_COUNT)
		return (double)n;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(v[i].value))
			return (double)NAN;
		min = v[i].value < min ? v[i].value : min;
		max = v[i].value > max ? v[i].value : max;
		sum += v[i].value;
	}
	return how == METRIC_SUM ? sum : how == METRIC_MEAN ? sum / (double)n : how == MIN_METRIC ? min : max;
}

static void print_metric_sample(const fs_snapshot *s, const struct metric_family *f, const struct metric_record *r,
				double v)
{
	emit("%s", f->name);
	print_metric_label("{", "cluster", fs_snapshot_info(s)->cluster);
	for (size_t k = 0; k < METRIC_LABELS && f->label[k]; k++)
		if (*r->label[k])
			print_metric_label(",", f->label[k], r->label[k]);
	emit("}");
	print_metric_value(v);
}

int metrics_print_family(const fs_snapshot *s, const struct metric_family *f, struct metric_record *v, size_t n)
{
	bool begun = false;

	if (fs_sort(v, n, sizeof(*v), compare_labels_of_records, f))
		return EXIT_FAILED;
	for (size_t i = 0, end; i < n; i = end) {
		double value;

		for (end = i + 1; end < n && !compare_labels_of_records(&v[i], &v[end], f); end++)
			;
		value = combine_record_values(f->how, v + i, end - i);
		if (!isfinite(value))
			continue;
		if (!begun)
			print_metric_head(f->name, f->help);
		begun = true;
		print_metric_sample(s, f, &v[i], value);
	}
	return EXIT_DONE;
}

int metrics_print_end(void)
{
	emit("# EOF\n");
	return EXIT_DONE;
}
