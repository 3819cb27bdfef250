/* The program `flux FILE` measures the CPU seconds for ranking a snapshot with the algorithms flux and flux_range. It
 * runs each algorithm five times and prints the minimum. */
#include "fs.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static ptrdiff_t read_file(void *ctx, void *buf, size_t size)
{
	const size_t n = fread(buf, 1, size, ctx);

	return n || !ferror((FILE *)ctx) ? (ptrdiff_t)n : -1;
}

static double seconds(const fs_snapshot *s, const char *algorithm)
{
	const struct fs_view o = { .algorithm = algorithm };
	double min = 1e9;

	for (int i = 0; i < 5; i++) {
		const clock_t start = clock();
		fs_shares *shares;

		if (fs_shares_compute(&shares, s, &o, NULL))
			exit(1);
		const double t = (double)(clock() - start) / CLOCKS_PER_SEC;
		min = t < min ? t : min;
		fs_shares_free(shares);
	}
	return min;
}

int main(int argc, char **argv)
{
	FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
	fs_snapshot *s = NULL;

	if (!f || fs_snapshot_read(&s, read_file, f, argv[1], NULL))
		return 1;
	printf("%.3f %.3f\n", seconds(s, "flux"), seconds(s, "flux_range"));
	fs_snapshot_free(s);
	fclose(f);
	return 0;
}
