#include "render/maui_text.h"

#include <stdio.h>

char *maui_duration(char *buf, size_t size, int64_t seconds)
{
	const char *sign = seconds < 0 ? "-" : "";
	const long long s = seconds < 0 ? -seconds : seconds, days = s / 86400,
			hours = s / 3600 % 24;
	const int minutes = (int)(s / 60 % 60), rest = (int)(s % 60);

	if (seconds >= 8640000 || seconds <= -864000)
		snprintf(buf, size, "%sINFINITY", sign);
	else if (days)
		snprintf(buf, size, "%s%lld:%02lld:%02d:%02d", sign, days, hours, minutes, rest);
	else
		snprintf(buf, size, hours ? "%s%lld:%02d:%02d" : "%s%02lld:%02d:%02d", sign, hours,
			 minutes, rest);
	return buf;
}
