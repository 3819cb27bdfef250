/* every_job SNAPSHOT: prints the explanation of every pending job for tests/cases/explain.sh. It has three forms: JSON,
 * text and Markdown, separated by lines that name the form. The text of the pane in fs-top follows. */
#include "explain/text.h"
#include "explained.h"
#include "top/data.h"
#include "top/words.h"

static ptrdiff_t read_some(void *ctx, void *buf, size_t n)
{
	return (ptrdiff_t)fread(buf, 1, n, ctx);
}

static void print_form(const struct explained *e, const struct fs_explain_job *job, enum page_form form,
		       const char *name)
{
	struct page p;

	page_init_form(&p, form, 80, true);
	explain_add_job(&p, &e->view, job, false);
	printf("@%s\n", name);
	page_print_lines(&p, stdout, false);
	page_free_text(&p);
}

/* Prints the pane of the job's first eligible row, or else of its last row. */
static void print_pane(const struct data *d, uint32_t job_row)
{
	uint32_t found = UINT32_MAX;
	struct fs_queue_place row = { .eligible = false };
	struct lines l = { 0 };

	for (uint32_t i = 0; d->eval.queue && i < fs_queue_count(d->eval.queue) && !row.eligible; i++) {
		struct fs_queue_place at;

		fs_queue_place(d->eval.queue, i, &at);
		if (at.job_row != job_row)
			continue;
		row = at;
		found = i;
	}
	if (found != UINT32_MAX)
		explain_append_job_pane(&l, d, found, 500);
	puts("@top");
	for (size_t i = 0; i < l.n; i++)
		puts(l.v[i].text);
	assert_false(l.failed);
	lines_free_all(&l);
}

int main(int argc, char **argv)
{
	struct fs_explain_job job;
	struct fs_error err;
	struct explained e;
	fs_snapshot *s;

	FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;

	if (!in || fs_snapshot_read(&s, read_some, in, argv[1], &err))
		return 1;
	fclose(in);
	explained_of(&e, s, NULL);
	const struct data_options o = { .view.viewer = "root", .sorted_by = SIZE_MAX, .borrow = true };
	struct data *top;

	fst_no_error(data_make_from_snapshot(&top, s, NULL, &o, NULL, &err), &err);
	for (size_t i = 0; i < fs_snapshot_info(s)->jobs; i++) {
		struct fs_job j;

		fs_snapshot_job(s, i, &j);
		if (strcmp(j.state, "PENDING") != 0)
			continue;
		if (fs_explain_job(e.view.explain, (uint32_t)i, &job, &err) || explain_write_job(&e.view, &job))
			return 1;
		print_form(&e, &job, PAGE_TEXT, "text");
		print_form(&e, &job, PAGE_MARKDOWN, "markdown");
		print_pane(top, (uint32_t)i);
		puts("@end");
		fs_explain_free(e.view.explain); /* frees all results of the job along with the explanation */
		e.view.explain = NULL;
		if (fs_explain_new(&e.view.explain, &e.from, &err))
			return 1;
	}
	data_free_results(top);
	explained_close(&e);
	return 0;
}
