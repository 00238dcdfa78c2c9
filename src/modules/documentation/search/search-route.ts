import {
  andThen,
  concatChunks,
  MethodTable,
  runCooperativelyOnce,
  EncodedContent,
  Response,
  type MaybePromise,
  type MvcEvent,
  type RenderSteps,
} from '../../../framework';
import { guest, requiresUser, type AccessRule } from '../../mvc-auth';
import type { Documentation } from '../documentation';
import { ReadersRoute } from '../routes/readers-route';
import { searchIndexOf, type SearchEntry } from './search-index';

/** The URL path of the search index. */
export const SEARCH_PATTERN = '/platform/search.json';

/**
 * Serves the search index of pages. Guests get an index of what is visible to them. Built on first request and
 * cached.
 */
export class SearchRoute extends ReadersRoute {
  readonly methods: MethodTable;
  readonly #home: string;
  readonly #guides: readonly SearchEntry[];
  readonly #ofGuests = runCooperativelyOnce(() => this.#build(true));
  readonly #ofUsers = runCooperativelyOnce(() => this.#build(false));

  /**
   * @param access who may read the list of APIs
   * @param home the URL path of that list
   * @param entries of guides
   */
  constructor(
    documentation: Documentation,
    access: AccessRule,
    home: string,
    guides: readonly SearchEntry[] = [],
  ) {
    super(documentation, access);
    this.#home = home;
    this.#guides = guides;
    this.methods = new MethodTable({
      GET: Object.freeze({
        name: 'documentation search',
        handler: ({ identity = guest }: MvcEvent) => this.#answer(identity.isGuest),
      }),
    });
  }

  #answer(isGuest: boolean): MaybePromise<Response> {
    return andThen(isGuest ? this.#ofGuests() : this.#ofUsers(), (representation) => {
      const response = new Response(200, representation.bytes, [
        ['Content-Type', 'application/json'],
        ['Cache-Control', isGuest && !requiresUser(this.access) ? 'no-cache' : 'private, no-cache'],
        ...(this.documentation.guard === undefined ? [] : ([['Vary', 'Authorization']] as const)),
      ]);
      response.encodedContent = representation;
      return response;
    });
  }

  *#build(isGuest: boolean): RenderSteps<EncodedContent> {
    const apis = this.documentation.listFor({ isGuest }).getApis();
    return new EncodedContent(yield* concatChunks(chunksOf(this.#guides, searchIndexOf(apis, this.#home))));
  }
}

/** Serializes the entries to JSON in chunks. */
function* chunksOf(...parts: readonly Iterable<SearchEntry>[]): Generator<string, void> {
  let before = '{"entries":[';
  for (const part of parts) {
    for (const entry of part) {
      yield before + JSON.stringify(entry);
      before = ',';
    }
  }
  yield before === ',' ? ']}' : `${before}]}`;
}
