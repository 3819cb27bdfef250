/* fs-top: any snapshot and any keys give a valid screen. */
#include "screened.h"

/* Hostile names, as contents of JSON strings. Some of them contain bytes that are not UTF-8. */
static const char *const hostile[] = {
	"\\u001b[2J\\u001b]0;title\\u0007", "\\u009b31m\\u0085", "a\\nb\\tc\\rd\\u0008", "\\u202egnp.exe\\u2066\\u200f",
	"\\u200b\\u200d\\ufeff\\u00ad", "e\\u0301e\\u0301\\u0301\\u0301\\u0301", "\\u0301\\u0302first",
	"\\u65e5\\u672c\\u8a9e\\u65e5\\u672c\\u8a9e\\u65e5\\u672c\\u8a9e\\u65e5\\u672c\\u8a9e", "\\ud83d\\ude00\\u200d\\ud83d\\ude00\\ufe0f",
	"%s%n%1000000d", "\xff\xfe\xc3", "\xed\xa0\x80\xf4\x90\x80\x80", "\\ue000\\ufff9\\udb40\\udc41", "", "\\u1100\\u1161\\u11a8",
};
enum { HOSTILE = sizeof(hostile) / sizeof(*hostile) };

/* Returns a snapshot in which jobs, users, accounts and a partition have the name `name`; one job in three has a plain
 * name. */
static char *hostile_text(const char *name, unsigned jobs)
{
	struct fst_sink s = { 0 };

	fst_put(&s, "{'type':'snapshot','format':1,'time':5000,'cluster':'c%s','scheduler':'slurm 26.05.0'}\n", name);
	fst_put(&s, "%s", "{'type':'config','PriorityType':'priority/multifactor','PriorityWeightAge':1000,'PriorityMaxAge':900}\n");
	fst_put(&s, "{'type':'partition','name':'p%s','tier':1}\n", name);
	fst_put(&s, "%s", REC("association", "'id':1,'account':'root','shares':1,'usage_tres_s':0"));
	fst_put(&s, "{'type':'association','id':2,'account':'a%s','parent':'root','shares':1,'usage_tres_s':30}\n", name);
	fst_put(&s, "{'type':'association','id':3,'account':'a%s','user':'u%s','shares':1,'usage_tres_s':30}\n", name, name);
	for (unsigned i = 1; i <= jobs; i++)
		fst_put(&s, "{'type':'job','id':%u,'state':'PENDING','user':'u%s','account':'a%s','name':'%s','reason':'%s',"
			    "'partitions':['p%s'],'priority':%u,'submit_time':1,'eligible_time':1}\n",
			i, i % 3 ? name : "", i % 3 ? name : "", name, i % 2 ? "Priority" : name, name, 10 + i);
	return s.data;
}

/* Returns true if the name can be part of a snapshot. A name of bytes that are not UTF-8 cannot, so it is tested only
 * in cells. */
static bool readable(const char *name)
{
	return (unsigned char)*name < 0x80;
}

static void check_in_all_places(struct model *m)
{
	static const char *const keys[] = { "j", "Enter", "Esc", "Space", "Space", "c", "Esc", "Tab", "j", "j", "Enter", "Esc",
					    "Tab", "j", "Enter", "P", "Esc", "A", "Esc", "u", "Esc", "F6", "Esc", "F2", "Esc",
					    "/", "a", "Esc", "\\", "u", "Enter", "y", "Esc", "Esc", "t", "?", "Esc" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		screened_keys(m, keys[i]);
		screened_check(m);
	}
}

static void names_stay_in_their_cells(void **state)
{
	static const unsigned widths[] = { 20, 33, 80, 161 };

	(void)state;
	for (size_t i = 0; i < HOSTILE; i++)
		for (size_t k = 0; k < 2 * sizeof(widths) / sizeof(*widths); k++) {
			char *text = readable(hostile[i]) ? hostile_text(hostile[i], 5) : NULL;
			struct model m;

			if (!text)
				continue;
			screened_open(&m, text, widths[k / 2], 20);
			m.screen.utf8 = k % 2;
			check_in_all_places(&m);
			model_free_data(&m);
			free(text);
		}
}

/* Cells outside the given width are unchanged. */
static void any_bytes_stay_in_their_cells(void **state)
{
	struct grid g = { .utf8 = true };
	unsigned seed = 3;
	char text[64];

	(void)state;
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	for (unsigned i = 0; i < 20000; i++) {
		size_t n = 0;

		assert_int_equal(grid_set_size(&g, 40, 1), 0);
		while (n < 30) {
			seed = seed * 1103515245u + 12345u;
			text[n++] = seed >> 30 ? (char)(seed >> 16 | 1) : (char)(0xc0 | seed >> 17);
		}
		text[n] = '\0';
		if (i % 4 == 0)
			snprintf(text, sizeof(text), "%s", hostile[i / 4 % HOSTILE]);
		const unsigned x = seed >> 8 & 31, width = seed >> 13 & 15,
			       used = grid_write_text(&g, x, 0, width, text, ATTR_PLAIN);

		assert_true(used <= width && x + used <= g.cols);
		for (unsigned k = 0; k < g.cols; k++) {
			const struct cell *c = &g.cell[k];

			assert_false(c->ch && screened_steers(c->ch));
			assert_true(c->ch || (k && wcwidth((wchar_t)c[-1].ch) == 2));
			if (k < x || k >= x + used)
				assert_true(c->ch == ' ' && !c->mark);
		}
	}
	grid_free_cells(&g);
}

static const int special[] = { CODE_UP,        CODE_DOWN,  CODE_LEFT,    CODE_RIGHT, CODE_PAGE_UP,
			       CODE_PAGE_DOWN, CODE_HOME,  CODE_END_KEY, CODE_TAB,   CODE_BACKTAB,
			       CODE_ENTER,     CODE_ENTER, CODE_ESC,     CODE_ESC,   CODE_BACKSPACE,
			       CODE_F1,        CODE_F2,    CODE_F3,      CODE_F4,    CODE_F5,
			       CODE_F6,        CODE_F10,   0x65e5,       0x301,      0x202e,
			       0x1f600,        0x85 };

static int random_key(unsigned seed)
{
	const unsigned n = seed >> 16;

	return n % 3 ? (int)(' ' + n / 3 % 95) : n % 5 == 0 ? (int)(1 + n / 15 % 31) :
	       special[n / 15 % (sizeof(special) / sizeof(*special))];
}

static void random_event(struct model *m, unsigned seed, char *const *texts)
{
	const unsigned what = seed >> 8 & 63;
	struct event e = { .kind = EV_KEY, .key = random_key(seed) };

	if (what < 4)
		e = (struct event){ .kind = EV_RESIZE, .x = 1 + (seed >> 14) % 130, .y = 1 + (seed >> 22) % 45 };
	else if (what < 7)
		e = (struct event){ .kind = EV_MOUSE, .x = (seed >> 14) % 140, .y = (seed >> 22) % 50,
				    .key = what == 4 ? CODE_ENTER : what == 5 ? CODE_UP : CODE_DOWN };
	else if (what == 7)
		e = (struct event){ .kind = EV_FAILED, .text = "broken\033[2J \xe6\x97\xa5" };
	else if (what == 8)
		e = (struct event){ .kind = EV_CLOCK, .time = 5000 + (seed >> 14) };
	else if (what == 9)
		e = (struct event){ .kind = EV_LOADING };
	if (what == 10)
		screened_reload(m, texts[seed >> 20 & 3]);
	else
		screened_event(m, &e);
}

static void random_events_leave_a_valid_screen(void **state)
{
	char *texts[4];
	struct model m;
	unsigned seed = 11;

	(void)state;
	texts[0] = hostile_text(hostile[7], 40);
	texts[1] = hostile_text(hostile[0], 3);
	texts[2] = screened_jobs(1, 30, 9);
	texts[3] = screened_jobs(20, 40, 30);
	for (unsigned round = 0; round < 60; round++) {
		screened_open(&m, texts[round & 3], 1 + round * 37 % 120, 1 + round * 11 % 40);
		m.screen.utf8 = round % 3;
		for (unsigned i = 0; i < 150; i++) {
			seed = seed * 1664525u + 1013904223u;
			random_event(&m, seed, texts);
			screened_check(&m);
			assert_true(m.list[m.view].sel < list_count_rows(&m.list[m.view]) || !m.list[m.view].sel);
		}
		model_free_data(&m);
	}
	for (size_t i = 0; i < 4; i++)
		free(texts[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_stay_in_their_cells),
		cmocka_unit_test(any_bytes_stay_in_their_cells),
		cmocka_unit_test(random_events_leave_a_valid_screen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
