/* limit_use SNAPSHOT ASSOC_MGR: computes the use of every limit in the same way as fs_explain, even for limits that are
 * not set. Compares the use with the number in parentheses in the output of `scontrol -o show assoc_mgr`. A second pass
 * computes the run minutes of running jobs from the jobs, as if no run minutes were recorded. In this pass, run minutes
 * may be unknown only in Slurm versions for which they cannot be computed. Prints the differences, and "N figures, N
 * differ". */
#include "base/num.h"
#include "limits/limits.h"
#include "import/outputs.h"
#include "model/find.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	/* computed: run minutes are computed, because main has removed the recorded ones; fractions: the usage factor
	 * of at least one QOS is not a whole number */
	bool computed, fractions;
	struct fsi_limit_counter c;
	struct fsi_job whose; /* user and account whose jobs are counted against a limit */
	const char *title;
	unsigned figures, differ;
	/* readers of associations, of QOS, and of the limits of a QOS for one user or account */
	struct fsi_output_reader associations, qos, part;
} t;

static struct fsi_span in_parens(struct fsi_span v)
{
	const char *open = memchr(v.s, '(', v.len);

	if (!open || v.s[v.len - 1] != ')')
		return (struct fsi_span){ v.s, 0 };
	return (struct fsi_span){ open + 1, (size_t)(v.s + v.len - open - 2) };
}

static void compare(const struct fsi_limit_kind *k, const struct fsi_limit_owner *at, uint32_t tres,
		    struct fsi_span shown)
{
	const double decimals = 0.005000001, minute_s = 60;
	struct fs_explain_limit l = { .used = NAN };
	double want;

	if (!shown.len || fsi_parse_double(shown.s, shown.len, &want))
		return;
	if (fsi_limits_count_use(&t.c, k, at, tres, false, &l))
		exit(1);
	if (k->measure == FSI_USED_WALL)
		l.used /= minute_s;
	t.figures++;
	if (isnan(l.used) && t.computed && k->measure == FSI_RUN_MINUTES &&
	    fs_slurm_has(t.c.x->m->info.version, FS_SLURM_PROMISES_AGAIN))
		return;
	/* At each run of its decay thread, a controller drops the fraction of a second of run minutes; how often it
	 * ran is unknown. */
	if (t.computed && t.fractions && k->measure == FSI_RUN_MINUTES && fabs(l.used - want) <= 1 + 0.001 * want)
		return;
	if (k->measure == FSI_USED_WALL ? fabs(l.used - want) <= decimals : l.used == want)
		return;
	t.differ++;
	printf("%s: %s %s %s %s: %.12g in use, scontrol says %.*s\n", t.title, fsi_name_text(t.c.x->m, t.whose.account),
	       fsi_name_text(t.c.x->m, t.whose.user), k->name, fsi_name_text(t.c.x->m, tres), l.used, (int)shown.len,
	       shown.s);
}

static void compare_limit(const struct fsi_limit_kind *k, const struct fsi_limit_owner *at, struct fsi_span v)
{
	struct fsi_span item, name;

	if (!v.len)
		return;
	if (k->type != FSI_TRES) {
		compare(k, at, 0, in_parens(v));
		return;
	}
	while (fsi_span_cut_part(&v, ',', &item)) {
		fsi_span_cut_part(&item, '=', &name);
		compare(k, at, fsi_intern_find_id(&t.c.x->m->names, name.s, name.len), in_parens(item));
	}
}

static void compare_all(const struct fsi_limit_kind *k, size_t n, enum fsi_limit_counted counted,
			const struct fsi_limit_owner *at, struct fsi_output_reader *r)
{
	for (size_t i = 0; i < n; i++)
		if (k[i].counted == counted && !fsi_limits_is_per_job(&k[i]))
			compare_limit(&k[i], at, fsi_output_get_value(r, k[i].name));
}

static void association(struct fsi_output_reader *r)
{
	const fs_snapshot *m = t.c.x->m;
	const struct fsi_span id = fsi_output_get_value(r, "ID");
	uint64_t n;
	uint32_t row;

	if (fsi_parse_u64(id.s, id.len, &n) || (row = fsi_assoc_find_by_id(m, (uint32_t)n)) == FSI_NO_INDEX)
		return;
	const struct fsi_association *a = &m->association.v[row];
	const struct fsi_limit_owner at = { a->user ? FS_LIMIT_ASSOC : FS_LIMIT_ACCOUNT, row, 0 };

	t.whose = (struct fsi_job){ .user = a->user, .account = a->account };
	compare_all(fsi_assoc_limits, fsi_assoc_limit_count, FSI_ALL_USERS, &at, r);
}

/* Compares the limits of a QOS for one user or account. A user has the form `alice(7001)={...}`, in older versions
 * `7001={...}`; an account has the form `physics={...}`. */
static void part_of_qos(const struct fsi_limit_owner *at, struct fsi_span name, struct fsi_span inside)
{
	const fs_snapshot *m = t.c.x->m;
	const bool of_user = inside.len > 9 && !memcmp(inside.s, "MaxJobsPU", 9);
	const struct fsi_span uid = in_parens(name);
	struct fsi_output_reader *part = &t.part;
	uint64_t n;

	t.whose = (struct fsi_job){ 0 };
	if (!of_user) {
		t.whose.account = fsi_intern_find_id(&m->names, name.s, name.len);
	} else if (!fsi_parse_u64(uid.len ? uid.s : name.s, uid.len ? uid.len : name.len, &n)) {
		const char *user = fs_snapshot_user_name(m, (uint32_t)n);

		t.whose.user = user ? fsi_name_find(m, user) : 0;
	}
	if (!t.whose.account && !t.whose.user)
		return;
	fsi_output_split_line(part, inside);
	compare_all(fsi_qos_limits, fsi_qos_limit_count, of_user ? FSI_USER : FSI_ACCOUNT, at, part);
}

static void qos(char *line, struct fsi_output_reader *r)
{
	struct fsi_span name = fsi_output_get_value(r, "QOS");

	name.len -= in_parens(name).len + 2;
	const struct fsi_limit_owner at = { FS_LIMIT_QOS, FSI_NO_INDEX,
					    fsi_intern_find_id(&t.c.x->m->names, name.s, name.len) };

	t.whose = (struct fsi_job){ .account = at.qos };
	compare_all(fsi_qos_limits, fsi_qos_limit_count, FSI_ALL_USERS, &at, r);
	for (char *open = line; (open = strstr(open, "={")); open++) {
		const char *begin = open, *end = strchr(open, '}');

		while (begin > line && begin[-1] != ' ')
			begin--;
		if (end)
			part_of_qos(&at, (struct fsi_span){ begin, (size_t)(open - begin) },
				    (struct fsi_span){ open + 2, (size_t)(end - open - 2) });
	}
}

static void compare_file(const char *title, FILE *f)
{
	static char line[1 << 20];

	t.title = title;
	rewind(f);
	while (fgets(line, sizeof(line), f)) {
		const bool is_qos = !strncmp(line, "QOS=", 4);
		struct fsi_output_reader *r = is_qos ? &t.qos : &t.associations;

		fsi_output_split_line(r, (struct fsi_span){ line, strcspn(line, "\n") });
		if (!strncmp(line, "ClusterName=", 12))
			association(r);
		else if (is_qos)
			qos(line, r);
	}
}

static ptrdiff_t read_file(void *ctx, void *buf, size_t size)
{
	return (ptrdiff_t)fread(buf, 1, size, ctx);
}

int main(int argc, char **argv)
{
	FILE *snapshot = argc == 3 ? fopen(argv[1], "r") : NULL, *f = snapshot ? fopen(argv[2], "r") : NULL;
	static struct fsi_viewer viewer;
	static struct fsi_arena arena;
	static const char assoc_mgr[] = "scontrol_assoc_mgr_o.txt";
	struct fsi_import imp = { .outputs = &fsi_slurm_outputs };
	static struct fsi_limits_context from = { .viewer = &viewer, .arena = &arena };
	struct fs_error err;
	fs_snapshot *m;

	if (!f)
		return 2;
	if (fs_snapshot_read(&m, read_file, snapshot, argv[1], &err)) {
		fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	from.m = m;
	fsi_viewer_init(&viewer, m, NULL);
	t.c.job = &t.whose;
	t.c.x = &from;
	fsi_output_init_reader(&t.associations, &imp, fsi_output_find(imp.outputs, assoc_mgr, "association"));
	fsi_output_init_reader(&t.qos, &imp, fsi_output_find(imp.outputs, assoc_mgr, "qos"));
	fsi_output_init_reader(&t.part, &imp, t.qos.output);
	compare_file("recorded", f);
	for (size_t i = 0; i < m->association.n; i++)
		FSI_UNSET(&m->association.v[i], ASSOCIATION, run_by_tres_min);
	for (size_t i = 0; i < m->qos.n; i++)
		FSI_UNSET(&m->qos.v[i], QOS, run_by_tres_min);
	t.computed = true;
	for (size_t i = 0; i < m->qos.n; i++)
		t.fractions |= floor(m->qos.v[i].usage_factor) != m->qos.v[i].usage_factor;
	/* Computed run minutes decrease until the last priority calculation. They can be compared only if the time of
	 * this calculation is known. */
	if (m->info.priority_time_known)
		compare_file("computed", f);
	printf("%u figures, %u differ\n", t.figures, t.differ);
	fsi_limits_release_counter(&t.c);
	fsi_arena_release(&arena);
	fs_snapshot_free(m);
	fclose(f);
	fclose(snapshot);
	return t.differ != 0;
}
