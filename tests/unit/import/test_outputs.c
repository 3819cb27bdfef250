/* import/outputs: the table of outputs, and the list of files in man/fs-snap.1. */
#include "fsimport.h"

#include "import/outputs.h"

#include <stdio.h>

/* Returns the text of the section "import SCHEDULER DIR" of the manual page. */
static const char *read_manual_section(const char *heading)
{
	static char text[1 << 17];
	FILE *f = fopen("man/fs-snap.1", "r");
	char *begin, *end;

	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	begin = strstr(text, heading);
	assert_non_null(begin);
	end = strstr(begin, ".El\n");
	assert_non_null(end);
	*end = '\0';
	return begin;
}

/* Returns the beginning of a command as the manual prints it: the words before the first argument that is a list. */
static void format_command(const char *const *argv, char *text, size_t size)
{
	size_t n = 0;

	for (; *argv && !strchr(*argv, ',') && !strchr(*argv, '%') && strcmp(*argv, "-O") != 0; argv++)
		n += (size_t)snprintf(text + n, size - n, "%s%s", n ? " " : "", *argv);
}

static void the_manual_lists_every_file_with_its_command(void **state)
{
	const char *manual = read_manual_section(".Ss import slurm DIR");
	const struct fs_output *o;
	char item[60], command[100];

	(void)state;
	for (size_t i = 0; (o = fs_output_get("slurm", i)); i++) {
		const char *entry;

		snprintf(item, sizeof(item), ".It Pa %s\n", o->file);
		entry = strstr(manual, item);
		if (!entry)
			fail_msg("man/fs-snap.1 lacks %s", o->file);
		if (!o->argv[0][0])
			continue;
		format_command(o->argv[0], command, sizeof(command));
		if (strncmp(entry + strlen(item), ".Ql ", 4) != 0 ||
		    strncmp(entry + strlen(item) + 4, command, strlen(command)) != 0)
			fail_msg("man/fs-snap.1: %s: expected the command \"%s\"", o->file, command);
	}
}

static void every_file_of_the_manual_is_in_the_table(void **state)
{
	const char *p = read_manual_section(".Ss import slurm DIR");

	(void)state;
	while ((p = strstr(p, ".It Pa "))) {
		char file[60];

		assert_int_equal(sscanf(p, ".It Pa %59s", file), 1);
		if (!fsi_output_find(&fsi_slurm_outputs, file, NULL))
			fail_msg("the table of outputs lacks %s", file);
		p++;
	}
}

static void columns_are_found_by_name_and_heading(void **state)
{
	const struct fsi_output *o = fsi_output_find(&fsi_slurm_outputs, "scontrol_job_o.txt", "job");
	const struct fsi_column *c = fsi_output_find_heading(o, fsi_string_to_span("USER"));

	(void)state;
	assert_string_equal(c->name, "UserId");
	assert_int_equal(fsi_column_role(o, c), FSI_ROLE_USER);
	assert_string_equal(fsi_output_find_column(o, fsi_string_to_span("TRES"))->name, "ReqTRES");
	assert_null(fsi_output_find_column(o, fsi_string_to_span("USER")));
	assert_null(fsi_output_find_heading(o, fsi_string_to_span("UserId")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_manual_lists_every_file_with_its_command),
		cmocka_unit_test(every_file_of_the_manual_is_in_the_table),
		cmocka_unit_test(columns_are_found_by_name_and_heading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
