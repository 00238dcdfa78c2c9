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

/** Where the scripts of pages find what they search in. */
export const SEARCH_PATTERN = '/platform/search.json';

/**
 * What the pages are searched in, for guests and for users: as with the list of APIs, guests are told of what is
 * public. Made when it is first asked for, and kept.
 */
export class SearchRoute extends ReadersRoute {
  readonly methods: MethodTable;
  readonly #home: string;
  readonly #guides: readonly SearchEntry[];
  readonly #ofGuests = runCooperativelyOnce(() => this.#make(true));
  readonly #ofUsers = runCooperativelyOnce(() => this.#make(false));

  /**
   * @param access who may read the list of APIs
   * @param home the address of that list
   * @param guides beside the APIs
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

  *#make(isGuest: boolean): RenderSteps<EncodedContent> {
    const apis = this.documentation.listFor({ isGuest }).getApis();
    return new EncodedContent(yield* concatChunks(piecesOf(this.#guides, searchIndexOf(apis, this.#home))));
  }
}

/** The entries as JSON, each a piece. */
function* piecesOf(...parts: readonly Iterable<SearchEntry>[]): Generator<string, void> {
  let before = '{"entries":[';
  for (const part of parts) {
    for (const entry of part) {
      yield before + JSON.stringify(entry);
      before = ',';
    }
  }
  yield before === ',' ? ']}' : `${before}]}`;
}
