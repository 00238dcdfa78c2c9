import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  EncodedContent,
  MethodTable,
  Negotiator,
  notAcceptable,
  Response,
  ViewModel,
  type MvcEvent,
  type RouteTarget,
} from '../../../framework';
import type * as Guides from '../guides/guide';

/** The error reference: the `type` of a problem is the URL of its entry. */
export const ERRORS_PATTERN = '/platform/errors';

const ERRORS_FILE = path.join(__dirname, '..', '..', '..', '..', 'docs', 'errors.md');

const HTML = 'text/html';
const MARKDOWN = 'text/markdown';

/** A link to another file of `docs/`, which is not served. */
const RELATIVE_LINK = /\[([^\]]+)\]\((?![a-z][a-z+.-]*:|#)[^)]*\)/gi;

/** A status that begins a paragraph, which would be a numbered list. */
const STATUS = /^(\d{3})\. /gm;

const load = require;

/** Serves the error reference to everyone, including clients that may not read the documentation. */
export class ErrorsRoute implements RouteTarget {
  readonly methods: MethodTable;
  readonly #formats = new Negotiator([HTML, MARKDOWN]);
  readonly #path: string;
  #page: ViewModel | undefined;
  #markdown: EncodedContent | undefined;

  /** @param path its URL path */
  constructor(path: string) {
    this.#path = path;
    this.methods = new MethodTable({
      GET: Object.freeze({ name: 'errors', handler: (event: MvcEvent) => this.#answer(event) }),
    });
  }

  #answer({ request, response }: MvcEvent): Response | ViewModel {
    const format = this.#formats.choose(request.header('accept'));
    if (format === undefined) throw notAcceptable(this.#formats.offers);
    if (format === MARKDOWN) return this.#asMarkdown();
    response.fields.addToList('Vary', 'Accept');
    response.fields.set('Cache-Control', 'no-cache');
    return (this.#page ??= pageOf(readErrorReference(), this.#path));
  }

  #asMarkdown(): Response {
    const content = (this.#markdown ??= new EncodedContent(readErrorReference()));
    const response = new Response(200, content.bytes, [
      ['Content-Type', `${MARKDOWN}; charset=utf-8`],
      ['Vary', 'Accept'],
      ['Cache-Control', 'no-cache'],
    ]);
    response.encodedContent = content;
    return response;
  }
}

/** Reads the reference as Markdown. */
export function readErrorReference(): string {
  return readFileSync(ERRORS_FILE, 'utf8').replaceAll(RELATIVE_LINK, '$1');
}

function pageOf(text: string, path: string): ViewModel {
  const { guideOf } = load('../guides/guide') as typeof Guides;
  const guide = guideOf('errors.md', text.replaceAll(STATUS, String.raw`$1\. `));
  return new ViewModel(
    { guide, path, isEnglish: true },
    { template: 'platform-documentation/guide', cacheScope: guide },
  );
}
