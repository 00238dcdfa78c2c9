import MarkdownIt from 'markdown-it';
import { percentDecoded } from '../../../framework';

/** A Markdown guide of the operator. */
export interface Guide {
  /** The name in its URL: the file name without number and extension. */
  readonly name: string;
  readonly title: string;
  /** The first paragraph, as text. */
  readonly summary: string;
  readonly html: string;
  /** Its headings, for search and navigation. */
  readonly headings: readonly GuideHeading[];
}

export interface GuideHeading {
  /** Its fragment, without `#`. */
  readonly id: string;
  readonly text: string;
  /** From 1 to 6, as in the file. */
  readonly level: number;
}

/** Returns the URL of an image, relative to the page; undefined to show its alternative text. */
export type ImageUrl = (source: string) => string | undefined;

/**
 * Parses a Markdown file to a guide. The HTML is safe: HTML in the file is shown as text, images without a URL become their
 * alternative text. The first heading of level one is the title; links to other files of the folder become links to
 * their guides.
 *
 * @param file without folder, e.g. `10-first-steps.md`
 */
export function guideOf(file: string, text: string, imageUrl?: ImageUrl): Guide {
  const name = guideName(file);
  const tokens = parser.parse(text, {});
  const titleAt = tokens.findIndex((token) => token.type === 'heading_open' && token.tag === 'h1');
  const title = titleAt < 0 ? name : textOf(tokens[titleAt + 1]);
  // The page renders the title itself.
  if (titleAt >= 0) tokens.splice(titleAt, 3);
  const headings: GuideHeading[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const heading = textOf(tokens[at + 1]);
    const id = uniqueId(heading, headings);
    token.attrSet('id', id);
    headings.push({ id, text: heading, level: Number(token.tag.slice(1)) });
  }
  resolveImages(tokens, imageUrl);
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
  // A wide table scrolls, with the keyboard too.
  rules.table_open = () => '<table tabindex="0">\n';
  rules.link_open = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    const target = /^(?:\.\/)?([^/:?#]+\.md)(#.*)?$/i.exec(String(token?.attrGet('href') ?? ''));
    if (target !== null) {
      const [, file = '', fragment = ''] = target;
      const name = guideName(percentDecoded(file) ?? file);
      token?.attrSet('href', `${encodeURIComponent(name)}${fragment}`);
    }
    token?.attrSet('rel', 'noopener');
    return self.renderToken(tokens, index, options);
  };
  return created;
}

type Token = ReturnType<typeof parser.parse>[number];

/** Replaces the source of images by their URL, and images without one by their alternative text. */
function resolveImages(tokens: readonly Token[], imageUrl?: ImageUrl): void {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type !== 'image') continue;
    const url = imageUrl?.(String(token.attrGet('src') ?? ''));
    if (url === undefined) token.type = 'text';
    else token.attrSet('src', url);
  }
}

function textOf(inline: Token | undefined): string {
  const parts = (inline?.children ?? []).map(({ type, content }) =>
    type === 'softbreak' || type === 'hardbreak' ? ' ' : content,
  );
  return parts.join('').trim();
}

function uniqueId(text: string, taken: readonly { readonly id: string }[]): string {
  const id =
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu)
      ?.join('-') ?? 'section';
  // The page itself has elements of these names.
  const free = (candidate: string): boolean =>
    !['content', 'contents-of-page'].includes(candidate) && !taken.some((one) => one.id === candidate);
  if (free(id)) return id;
  let number = 2;
  while (!free(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
}
