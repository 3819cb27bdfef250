/* The layout of fs-prio where the terms are Flux's. */
#include "prio/prio.h"

static const char *format_of(bool wide, bool norm)
{
	if (wide)
		return "%.12i %.16I %8u %10a %9r %.10Y %.9f %.10F %.6q %.10Q %.6b %.8B %.7g %.8U  %x";
	return norm ? "%.12i %8u %10a %9r %.10Y %.9f %.6q %.6b %.7g  %x"
		    : "%.12i %8u %10a %9r %.10Y %.10F %.10Q %.8B %.8U  %x";
}

const struct prio_layout prio_flux_layout = { PRIO_FLUX, "abBfFgiIqQruUxY", format_of };

const struct prio_dialect prio_of_flux = { .style = STYLE_FLUX, .layout = &prio_flux_layout, .holds = true };
