import MarkdownIt from 'markdown-it';
import { escapeHtml } from '../view-helpers/escape';

/** A Markdown guide of the operator. */
export interface Guide {
  /** The name in its URL: the file name without number and extension. */
  readonly name: string;
  readonly title: string;
  /** The first paragraph, as text. */
  readonly summary: string;
  readonly html: string;
  /** Its headings, for search and navigation. */
  readonly headings: readonly { readonly id: string; readonly text: string }[];
}

/**
 * Parses a Markdown file to a guide. The HTML is safe: HTML in the file is shown as text, images become their
 * alternative text. The first heading of level one is the title; links to other files of the folder become links to
 * their guides.
 *
 * @param file without folder, e.g. `10-first-steps.md`
 */
export function guideOf(file: string, text: string): Guide {
  const name = guideName(file);
  const tokens = parser.parse(text, {});
  const titleAt = tokens.findIndex((token) => token.type === 'heading_open' && token.tag === 'h1');
  const title = titleAt < 0 ? name : textOf(tokens[titleAt + 1]);
  // The page renders the title itself.
  if (titleAt >= 0) tokens.splice(titleAt, 3);
  const headings: { id: string; text: string }[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const heading = textOf(tokens[at + 1]);
    const id = uniqueId(heading, headings);
    token.attrSet('id', id);
    headings.push({ id, text: heading });
  }
  const firstAt = tokens.findIndex((token) => token.type === 'paragraph_open');
  return Object.freeze({
    name,
    title,
    summary: firstAt < 0 ? '' : textOf(tokens[firstAt + 1]),
    html: parser.renderer.render(tokens, parser.options, {}),
    headings,
  });
}

function guideName(file: string): string {
  return file.replace(/\.md$/i, '').replace(/^\d+[-_. ]+/, '');
}

const parser = createParser();

function createParser(): MarkdownIt.MarkdownIt {
  const created = new MarkdownIt({ html: false, linkify: false, typographer: false });
  const { rules } = created.renderer;
  rules.image = (tokens, index) => escapeHtml(tokens[index]?.content ?? '');
  rules.link_open = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    const target = /^(?:\.\/)?([^/:?#]+\.md)(#.*)?$/i.exec(String(token?.attrGet('href') ?? ''));
    if (target !== null) {
      const [, file = '', fragment = ''] = target;
      token?.attrSet('href', `${encodeURIComponent(guideName(decodeURIComponent(file)))}${fragment}`);
    }
    token?.attrSet('rel', 'noopener');
    return self.renderToken(tokens, index, options);
  };
  return created;
}

type Token = ReturnType<typeof parser.parse>[number];

function textOf(inline: Token | undefined): string {
  const parts = (inline?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content));
  return parts.join('').trim();
}

function uniqueId(text: string, taken: readonly { readonly id: string }[]): string {
  const id =
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu)
      ?.join('-') ?? 'section';
  // The page itself has an element of this name.
  const free = (candidate: string): boolean =>
    candidate !== 'content' && !taken.some((one) => one.id === candidate);
  if (free(id)) return id;
  let number = 2;
  while (!free(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
}
