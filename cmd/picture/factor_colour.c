#include "picture/factor_colour.h"

#include <string.h>

/* One for each of: time waited, shares, size, place, service, resources, accounts, what a site adds. */
static const struct {
	const char *kind;
	unsigned char colour;
} roles[] = {
	{ "age", 0 },	    { "service", 0 }, { "target", 0 }, { "fairshare", 1 }, { "fs", 1 },	   { "jobsize", 2 },
	{ "res", 2 },	    { "queue", 3 },   { "qos", 4 },    { "cred", 4 },	   { "urgency", 4 }, { "tres", 5 },
	{ "partition", 3 }, { "usage", 5 },   { "assoc", 6 },  { "bank", 6 },	   { "site", 7 },  { "nice", 7 },
};

size_t factor_colour(const char *term)
{
	const size_t n = strcspn(term, "/");

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (strlen(roles[i].kind) == n && !strncmp(roles[i].kind, term, n))
			return roles[i].colour;
	return FACTOR_COLOURS;
}
