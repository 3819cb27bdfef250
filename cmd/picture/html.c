#include "picture/html.h"

#include "picture/svg.h"

#include <string.h>

static void put_style(struct markup *v)
{
	markup_own(
		v,
		":root{color-scheme:light dark}"
		"body{margin:0;background:#fff;color:#1a1a1a;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}"
		"main{max-width:62rem;margin:0 auto;padding:1rem;overflow-wrap:break-word}"
		"h1{font-size:1.3rem;margin:.5rem 0 1rem}h2{font-size:1rem;margin:1.6rem 0 .4rem;border-bottom:1px solid #ddd}"
		"p{margin:.5rem 0}.labelled{display:grid;grid-template-columns:10rem 1fr;gap:.2rem 1rem}"
		"@media(max-width:40rem){.labelled{display:block}.labelled b{display:block}}"
		".wide{overflow-x:auto;max-width:100%}.wide svg{display:block;max-width:100%;min-width:36rem;height:auto}"
		"table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}"
		"th,td{padding:.15rem .8rem .15rem 0;text-align:left;vertical-align:top;white-space:nowrap}"
		"td:last-child:not(.number){white-space:normal;min-width:14rem}"
		"th{font-weight:600;border-bottom:1px solid #bbb}.number{text-align:right}.ruled td{border-top:1px solid #bbb}"
		".total td{font-weight:600}footer{margin-top:2rem;color:#5f5f5f;font-size:.85rem}"
		"@media(max-width:40rem){table{font-size:.75rem}th,td{padding-right:.4rem}.wide svg{min-width:26rem}}"
		"@media(prefers-color-scheme:dark){body{background:#16181c;color:#ececec}h2{border-color:#333}"
		"th,.ruled td{border-color:#555}footer{color:#a8a8a8}}\n");
	svg_style(v);
}

void html_begin(struct markup *v, const char *title)
{
	markup_own(
		v,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
	markup_what_if(v);
	markup_escaped(v, title);
	markup_own(v, "</title>\n<style>");
	put_style(v);
	markup_own(v, "</style>\n</head>\n<body>\n<main>\n");
}

size_t html_page(struct markup *v, const struct page *p, size_t from)
{
	v->failed = v->failed || p->failed;
	for (size_t i = from; i < p->n; i++) {
		markup_own(v, p->line[i].text);
		markup_own(v, "\n");
	}
	return p->n;
}

void html_figure(struct markup *v, const char *caption)
{
	markup_own(v, "<h2>");
	markup_escaped(v, caption);
	markup_own(v, "</h2>\n<div class=\"wide\">\n");
}

void html_end_figure(struct markup *v)
{
	markup_own(v, "</div>\n");
}

void html_end(struct markup *v)
{
	markup_own(v, "</main>\n</body>\n</html>\n");
}
