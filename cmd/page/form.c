/* The forms that a page can have. */
#include "page/parts.h"

void page_init(struct page *p, enum page_form form, int width, bool utf8)
{
	static const struct page_ops *const forms[] = { [PAGE_TEXT] = &page_text_ops,
							[PAGE_MARKDOWN] = &page_markdown_ops,
							[PAGE_HTML] = &page_html_ops };

	*p = (struct page){ .ops = forms[form], .width = width < 40 ? 40 : width, .utf8 = utf8 };
}
