/* The columns of fs-prio where the terms are Flux's. */
#include "prio/dialect.h"

static const struct prio_letter letters[] = {
	{ 'a', "BANKNAME", OF_ROW(ACCOUNT) },
	{ 'b', "BANK", OF_TERM(VALUE, BANK), .form = FORM_DECIMAL },
	{ 'B', "BANK", OF_TERM(POINTS, BANK) },
	{ 'f', "FAIRSHARE", OF_TERM(VALUE, FAIRSHARE), .form = FORM_DECIMAL },
	{ 'F', "FAIRSHARE", OF_TERM(POINTS, FAIRSHARE) },
	{ 'g', NULL, OF_ROW(URGENCY) },
	{ 'i', NULL, OF_ROW(F58), .form = FORM_F58 },
	{ 'I', "ID", OF_ROW(JOBID) },
	{ 'q', "QUEUE", OF_TERM(VALUE, QUEUE), .form = FORM_DECIMAL },
	{ 'Q', "QUEUE", OF_TERM(POINTS, QUEUE) },
	{ 'r', "QUEUENAME", OF_ROW(PARTITION) },
	{ 'u', NULL, OF_ROW(USER) },
	{ 'U', "URGENCY", OF_TERM(POINTS, URGENCY) },
	{ 'x', NULL, OF_ROW(REASONS), .form = FORM_REASONS, .unsortable = true },
	{ 'Y', NULL, OF_ROW(PRIORITY) },
};

static const char *format_of(bool wide, bool norm)
{
	if (wide)
		return "%.12i %.16I %8u %10a %9r %.10Y %.9f %.10F %.6q %.10Q %.6b %.8B %.7g %.8U  %x";
	return norm ? "%.12i %8u %10a %9r %.10Y %.9f %.6q %.6b %.7g  %x"
		    : "%.12i %8u %10a %9r %.10Y %.10F %.10Q %.8B %.8U  %x";
}

const struct prio_layout prio_flux_layout = { COLUMNS(letters), format_of };

const struct prio_dialect prio_of_flux = { .style = STYLE_FLUX, .layout = &prio_flux_layout, .holds = true };
