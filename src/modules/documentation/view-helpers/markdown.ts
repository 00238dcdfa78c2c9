import MarkdownIt from 'markdown-it';
import { escapeHtml } from './escape';

/**
 * CommonMark to HTML, safe for a page that asks nothing of other hosts: HTML in the text is shown as text,
 * images become their alternative text, and links never hand over the window. Headings become paragraphs,
 * as the page has an outline of its own.
 */
export function markdown(text: string): string {
  return renderer.render(text);
}

const renderer = createRenderer();

function createRenderer(): MarkdownIt.MarkdownIt {
  const created = new MarkdownIt({ html: false, linkify: false, typographer: false });
  const { rules } = created.renderer;
  rules.image = (tokens, index) => escapeHtml(tokens[index]?.content ?? '');
  rules.heading_open = () => '<p><strong>';
  rules.heading_close = () => '</strong></p>\n';
  rules.link_open = (tokens, index, options, _env, self) => {
    tokens[index]?.attrSet('rel', 'noopener');
    return self.renderToken(tokens, index, options);
  };
  return created;
}
