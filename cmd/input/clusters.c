/* The clusters that -M and $SLURM_CLUSTERS select, and the snapshots of several clusters. */
#include "input/input.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* The cluster of one snapshot. */
struct cluster {
	char *name;
	const char *file; /* the snapshot file; NULL: the snapshot is open already */
	int64_t time;	  /* time of the snapshot, seconds since the epoch */
	bool selected;
};

/* ---- the files that -f or $FS_SNAPSHOT names */

static bool is_snapshot_name(const char *name)
{
	const char *end = strstr(name, ".jsonl");

	return *name != '.' && end && (!strcmp(end, ".jsonl") || !strcmp(end, ".jsonl.zst"));
}

static int add_folder_entry(struct names *files, const char *folder, const char *name)
{
	const size_t size = strlen(folder) + strlen(name) + 2;
	char *file = malloc(size);

	if (file)
		snprintf(file, size, "%s/%s", folder, name);
	return names_add_owned_text(files, file);
}

/* Adds the snapshots in a folder to `files`. Returns 0, or the exit status; errors are reported. */
static int list_folder(const struct invocation *inv, const char *folder, struct names *files)
{
	DIR *dir = opendir(folder);
	const struct dirent *e = NULL;
	int rc = 0;

	if (!dir) {
		cmd_print_message(inv, "%s: %s", folder, strerror(errno));
		return EXIT_FAILED;
	}
	while (!rc && (e = readdir(dir)))
		if (is_snapshot_name(e->d_name))
			rc = add_folder_entry(files, folder, e->d_name);
	closedir(dir);
	if (rc)
		return cmd_report_no_memory(inv);
	if (!files->n) {
		cmd_print_message(inv, "%s: the folder has no files *.jsonl or *.jsonl.zst", folder);
		return EXIT_FAILED;
	}
	names_sort_by_bytes(files);
	return 0;
}

/* Lists the snapshots that -f or $FS_SNAPSHOT names in `files`. The list stays empty if the snapshot has another
 * source, or if the text names one file. Sets *folder to true if the text names a folder. Returns 0, or the exit
 * status; errors are reported. */
static int list_snapshots(const struct invocation *inv, const struct input *in, struct names *files, bool *folder)
{
	const char *text = in->file ? in->file : getenv("FS_SNAPSHOT");
	struct stat st;

	*folder = false;
	if (in->demo || in->text || !text || !*text || !strcmp(text, "-"))
		return 0;
	if (!stat(text, &st)) {
		*folder = S_ISDIR(st.st_mode);
		return *folder ? list_folder(inv, text, files) : 0;
	}
	return strchr(text, ',') && names_add_comma_list(files, text, false) ? cmd_report_no_memory(inv) : 0;
}

/* ---- the clusters of the files */

static int compare_clusters(const void *a, const void *b)
{
	const struct cluster *x = a, *y = b;
	const int order = strcasecmp(x->name, y->name);

	return order ? order : (x->time < y->time) - (x->time > y->time);
}

/* Reads the cluster of one snapshot file. Returns 0, or the exit status; errors are reported. */
static int read_cluster(const struct invocation *inv, const char *file, struct cluster *c, unsigned *version)
{
	fs_snapshot *s = NULL;
	const int status = input_read_header(inv, file, &s);

	if (!status) {
		*c = (struct cluster){ strdup(fs_snapshot_info(s)->cluster), file, fs_snapshot_info(s)->time, false };
		*version = fs_snapshot_info(s)->version;
	}
	fs_snapshot_free(s);
	return status || c->name ? status : cmd_report_no_memory(inv);
}

/* Sorts the clusters by name, as the accounting database does, and keeps the newest snapshot of each. */
static void sort_clusters(struct clusters *c)
{
	size_t count = 0;

	qsort(c->v, c->n, sizeof(*c->v), compare_clusters);
	for (size_t i = 0; i < c->n; i++) {
		if (count && !strcasecmp(c->v[count - 1].name, c->v[i].name))
			free(c->v[i].name);
		else
			c->v[count++] = c->v[i];
	}
	c->n = count;
}

static int read_clusters(const struct invocation *inv, struct clusters *c, unsigned *version)
{
	int status = 0;

	c->v = calloc(c->files.n, sizeof(*c->v));
	if (!c->v)
		return cmd_report_no_memory(inv);
	for (size_t i = 0; i < c->files.n && !status; i++) {
		status = read_cluster(inv, c->files.v[i], &c->v[i], version);
		c->n += !status;
	}
	if (!status)
		sort_clusters(c);
	return status;
}

/* ---- the selection by name */

static bool select_cluster(struct cluster *v, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcasecmp(v[i].name, name)) {
			v[i].selected = true;
			return true;
		}
	return false;
}

/* Reports a cluster that has no snapshot. Under the name of Slurm's tool, prints the message of
 * src/common/slurmdb_defs.c:slurmdb_get_info_cluster. */
static void report_unknown_cluster(const struct invocation *inv, const struct cluster *v, size_t n, const char *name)
{
	if (inv->emulated)
		cmd_print_message(inv, "No cluster '%s' known by database.", name);
	else if (n == 1)
		cmd_print_message(inv, "-M: the snapshot is of cluster \"%s\", not \"%s\"", v->name, name);
	else
		cmd_print_message(inv, "-M: no snapshot of cluster \"%s\"", name);
}

/* Reports that no requested cluster is known, as Slurm's tools do (src/common/proc_args.c:print_db_notok). */
static void report_no_cluster(const struct invocation *inv, const char *requested, unsigned version)
{
	const bool is_option_named = fs_slurm_has(version, FS_SLURM_CLUSTERS_LATER);
	const bool by_variable = !is_option_named && requested == getenv("SLURM_CLUSTERS");

	cmd_print_message(inv,
			  "'%s' can't be reached now, or it is an invalid entry for %s.  Use 'sacctmgr list clusters' "
			  "to see available clusters.",
			  requested, by_variable ? "SLURM_CLUSTERS" : "--cluster");
	if (is_option_named)
		cmd_print_message(inv, "fatal: Could not get cluster information");
}

/* Selects each cluster whose name is in `names`, and returns the number of unknown names, which are reported. */
static size_t select_named_clusters(const struct invocation *inv, const struct names *names, struct cluster *v,
				    size_t n)
{
	size_t unknown = 0;

	for (size_t i = 0; i < names->n; i++)
		if (!select_cluster(v, n, names->v[i])) {
			report_unknown_cluster(inv, v, n, names->v[i]);
			unknown++;
		}
	return unknown;
}

/* Selects the clusters that the list `requested` names; "all" selects each cluster. An unknown cluster is an error, but
 * Slurm's tools fail only if no requested cluster is known. Returns 0, or the exit status; errors are reported. */
static int select_clusters(const struct invocation *inv, const char *requested, struct cluster *v, size_t n,
			   unsigned version)
{
	struct names names = { 0 };
	size_t unknown = 0;
	int status = names_add_comma_list(&names, requested, false) ? cmd_report_no_memory(inv) : 0;

	if (!status && !names.n) {
		cmd_print_message(inv, "-M: the list of clusters is empty");
		status = EXIT_FAILED;
	} else if (!status && names.n == 1 && !strcasecmp(names.v[0], "all")) {
		for (size_t i = 0; i < n; i++)
			v[i].selected = true;
	} else if (!status) {
		unknown = select_named_clusters(inv, &names, v, n);
	}
	if (unknown && unknown == names.n && inv->emulated)
		report_no_cluster(inv, requested, version);
	if (unknown && (unknown == names.n || !inv->emulated))
		status = EXIT_FAILED;
	names_free_all(&names);
	return status;
}

int clusters_check_snapshot(const struct invocation *inv, const struct input *in, const fs_snapshot *s)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	struct cluster one = { .name = (char *)(uintptr_t)info->cluster };

	if (!in->clusters || in->cluster_selected)
		return 0;
	return select_clusters(inv, in->clusters, &one, 1, in->compat ? in->compat : info->version);
}

/* ---- the selected clusters, one after the other */

/* Without a requested cluster, the first file of a list is read. The order of a folder has no meaning, so a folder
 * requires a requested cluster. */
static int choose_first_file(const struct invocation *inv, const struct clusters *c, bool folder, const char **file)
{
	if (folder && c->files.n > 1) {
		cmd_print_message(inv, "a folder of several snapshots requires -M CLUSTER or SLURM_CLUSTERS");
		return EXIT_FAILED;
	}
	*file = c->files.v[0];
	return 0;
}

/* Reads the clusters of all files, and keeps the requested ones. */
static int find_requested_clusters(const struct invocation *inv, const struct input *in, struct clusters *c)
{
	unsigned version = 0;
	size_t count = 0;
	int status = read_clusters(inv, c, &version);

	if (!status)
		status = select_clusters(inv, in->clusters, c->v, c->n, in->compat ? in->compat : version);
	for (size_t i = 0; i < c->n; i++) {
		if (c->v[i].selected)
			c->v[count++] = c->v[i];
		else
			free(c->v[i].name);
	}
	c->n = count;
	return status;
}

static int set_input_file(const struct invocation *inv, struct input *in, const char *file)
{
	free(in->cluster_file);
	in->file = in->cluster_file = strdup(file);
	return in->file ? 0 : cmd_report_no_memory(inv);
}

int clusters_choose_next(const struct invocation *inv, struct input *in, struct clusters *c)
{
	const char *file = NULL;
	bool folder = false;
	int status = c->next ? 0 : list_snapshots(inv, in, &c->files, &folder);

	if (status || !c->files.n)
		return status;
	if (!in->clusters && !inv->emulated)
		in->clusters = getenv("SLURM_CLUSTERS");
	if (!in->clusters)
		status = choose_first_file(inv, c, folder, &file);
	else if (!c->next)
		status = find_requested_clusters(inv, in, c);
	if (!status && in->clusters) {
		in->cluster_selected = true;
		file = c->v[c->next++].file;
	}
	return status ? status : set_input_file(inv, in, file);
}

static bool has_next_cluster(const struct clusters *c)
{
	return c->next && c->next < c->n;
}

void clusters_stop(struct clusters *c)
{
	c->next = c->n;
}

const char *clusters_get_name(const struct clusters *c)
{
	return c->v[c->next - 1].name;
}

static void free_clusters(struct clusters *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->v[i].name);
	free(c->v);
	names_free_all(&c->files);
}

int clusters_choose_one(const struct invocation *inv, struct input *in)
{
	struct clusters c = { .next = 0 };
	const int status = clusters_choose_next(inv, in, &c);

	free_clusters(&c);
	return status;
}

int clusters_run_command(const struct invocation *inv, int argc, char **argv, clusters_run_fn run)
{
	struct clusters c = { .next = 0 };
	int status = run(inv, argc, argv, &c);

	while (has_next_cluster(&c)) {
		const int next = run(inv, argc, argv, &c);

		status = status ? status : next;
	}
	free_clusters(&c);
	return status;
}

int clusters_open_snapshot(const struct invocation *inv, struct input *in, fs_snapshot **out)
{
	const int status = clusters_choose_one(inv, in);

	return status ? status : input_open_snapshot(inv, in, out);
}
