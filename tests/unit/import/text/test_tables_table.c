/* import/text/tables: tables are split into cells at the separators of their columns, and columns with cut cells are
 * found. */
#include "fspaste.h"

static struct fsi_text_table *table_of(struct paste *p, const char *text)
{
	paste_begin(p, text);
	assert_int_equal(p->t.pieces.n, 1);
	assert_int_equal(fsi_text_parse_table(&p->t, &p->t.pieces.v[0]), 0);
	return p->t.pieces.v[0].table;
}

static void columns_separated_by_blanks_are_found(void **state)
{
	const struct fsi_text_table *t;
	struct paste p;

	(void)state;
	t = table_of(&p, "  JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n"
			 "     12     batch  two wds     dana PD       0:00      1 (Priority)\n"
			 "     13     batch long_name_ofadana  R    1:02:03      2 n[1-2]\n"
			 "kind regards\n");
	assert_int_equal(t->columns, 8);
	assert_int_equal(t->rows, 2);
	assert_span(fsi_text_find_cell(t, 0, "NAME"), "two wds");
	assert_span(fsi_text_find_cell(t, 0, "NODELIST(REASON)"), "(Priority)");
	assert_span(fsi_text_find_cell(t, 1, "TIME"), "1:02:03");
	assert_int_equal(t->no[1], 3);
	assert_int_equal(p.t.pieces.v[0].unparsed, 1);
	assert_null(fsi_text_find_cell(t, 0, "QOS").s);
	paste_end(&p);
}

static void a_cell_as_wide_as_its_column_may_be_cut(void **state)
{
	const struct fsi_text_table *t;
	struct paste p;

	(void)state;
	t = table_of(&p, "  JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n"
			 "     12     batch eightlet     dana PD       0:00      1 (Priority)\n");
	assert_int_equal(t->rows, 1);
	assert_true(t->cut[fsi_text_find_column(t, "NAME")]);
	assert_false(t->cut[fsi_text_find_column(t, "USER")]);
	assert_false(t->cut[fsi_text_find_column(t, "NODELIST(REASON)")]);
	paste_end(&p);
}

/* The blanks of sshare's first column are kept, because they show the tree. */
static void columns_between_bars_are_found(void **state)
{
	const struct fsi_text_table *t;
	struct paste p;

	(void)state;
	t = table_of(&p, "Account|User|RawShares|NormShares|RawUsage|EffectvUsage|FairShare|\n"
			 "root|||1.000000|100|1.000000||\n physics|dana|10|0.5|60|0.6|0.25|\n physics|emil|10\n");
	assert_int_equal(t->rows, 2);
	assert_span(fsi_text_find_cell(t, 1, "Account"), " physics");
	assert_span(fsi_text_find_cell(t, 1, "FairShare"), "0.25");
	assert_span(fsi_text_find_cell(t, 0, "User"), "");
	assert_int_equal(p.t.pieces.v[0].unparsed, 1);
	paste_end(&p);
}

static void columns_under_dashes_are_found(void **state)
{
	const struct fsi_text_table *t;
	struct paste p;

	(void)state;
	t = table_of(&p, "      User   Def Acct     Admin \n---------- ---------- --------- \n      dana    physics      None \n"
			 "verylongn+    physics      None \n");
	assert_int_equal(t->columns, 3);
	assert_string_equal(t->name[1], "Def Acct");
	assert_int_equal(t->rows, 2);
	assert_span(fsi_text_find_cell(t, 0, "Def Acct"), "physics");
	assert_false(t->cut[0]);
	assert_true(t->cut[3]);
	paste_end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_separated_by_blanks_are_found),
		cmocka_unit_test(a_cell_as_wide_as_its_column_may_be_cut),
		cmocka_unit_test(columns_between_bars_are_found),
		cmocka_unit_test(columns_under_dashes_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
