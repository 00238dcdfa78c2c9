import { createRequire } from 'node:module';
import { lazily } from '../../../framework';
import type * as Renderers from './markdown-renderer';

const load = createRequire(__filename);

// Loaded by the first page.
const renderer = lazily(() => (load('./markdown-renderer') as typeof Renderers).markdownRenderer);

/**
 * Renders CommonMark to safe HTML without external requests: HTML in the text is shown as text,
 * images become their alternative text, and links get `rel="noopener"`. Headings become paragraphs,
 * because the page has its own outline.
 */
export function markdown(text: string): string {
  return renderer().render(text);
}
