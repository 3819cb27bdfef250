/* every_job SNAPSHOT: what fs-explain says of every job that waits, in all three forms, one behind the other: its JSON,
 * and its page as text and as Markdown between lines that name the form. For tests/cases/explain.sh. */
#include "explain/json.h"
#include "explained.h"

static ptrdiff_t read_some(void *ctx, void *buf, size_t n)
{
	return (ptrdiff_t)fread(buf, 1, n, ctx);
}

static void print_form(const struct explained *e, const struct fs_explain_job *job, enum page_form form, const char *name)
{
	struct page p;

	page_init(&p, form, 80, true);
	explain_job_text(&p, &e->view, job, false);
	printf("@%s\n", name);
	page_print(&p, stdout, false);
	page_free(&p);
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
	for (size_t i = 0; i < fs_snapshot_info(s)->jobs; i++) {
		struct fs_job j;

		fs_snapshot_job(s, i, &j);
		if (strcmp(j.state, "PENDING") != 0)
			continue;
		if (fs_explain_job(e.view.x, (uint32_t)i, &job, &err) || explain_job_json(&e.view, &job))
			return 1;
		print_form(&e, &job, PAGE_TEXT, "text");
		print_form(&e, &job, PAGE_MARKDOWN, "markdown");
		puts("@end");
		fs_explain_free(e.view.x); /* with all it keeps of this job */
		e.view.x = NULL;
		if (fs_explain_new(&e.view.x, &e.from, &err))
			return 1;
	}
	explained_close(&e);
	return 0;
}
