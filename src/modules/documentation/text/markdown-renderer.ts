import MarkdownIt from 'markdown-it';
import { escapeHtml } from './escape';

/** Renders CommonMark to HTML without external requests; see `markdown`. */
export const markdownRenderer = createRenderer();

function createRenderer(): MarkdownIt.MarkdownIt {
  const created = new MarkdownIt({ html: false, linkify: false, typographer: false });
  const { rules } = created.renderer;
  rules.image = (tokens, index) => escapeHtml(tokens[index]?.content ?? '');
  rules.heading_open = () => '<p><strong>';
  rules.heading_close = () => '</strong></p>\n';
  // A wide table scrolls, with the keyboard too.
  rules.table_open = () => '<table tabindex="0">\n';
  rules.link_open = (tokens, index, options, _env, self) => {
    tokens[index]?.attrSet('rel', 'noopener');
    return self.renderToken(tokens, index, options);
  };
  return created;
}
