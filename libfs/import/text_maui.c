/* Maui's pieces as the files of a capture. */
#include "import/text.h"

int fsi_text_maui(struct fsi_text *t)
{
	(void)t;
	return 0;
}
