/* What stands in the last line until the next key. */
#include "top/model/model.h"
#include "render/format.h"

#include <stdarg.h>

void model_say(struct model *m, bool warns, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	format_args(m->message, sizeof(m->message), fmt, ap);
	va_end(ap);
	m->warns = warns;
}

void model_starve(struct model *m)
{
	m->starved = true;
	model_say(m, true, "out of memory");
}
