import { createRequire } from 'node:module';
import { lazily } from '../../../framework';
import type * as Renderers from './markdown-renderer';

const load = createRequire(__filename);

// Pages are the only ones who need it.
const renderer = lazily(() => (load('./markdown-renderer') as typeof Renderers).markdownRenderer);

/**
 * CommonMark to HTML, safe for a page that asks nothing of other hosts: HTML in the text is shown as text,
 * images become their alternative text, and links never hand over the window. Headings become paragraphs,
 * as the page has an outline of its own.
 */
export function markdown(text: string): string {
  return renderer().render(text);
}
