import {
  andThen,
  BoundedCache,
  EncodedContent,
  MethodTable,
  Negotiator,
  notAcceptable,
  runCooperativelyOnce,
  ViewModel,
  type MaybePromise,
  type MvcEvent,
  type Steps,
  type Response,
} from '../../../framework';
import { guest, requiresUser, type AccessRule } from '../../mvc-auth';
import type { Documentation } from '../documentation';
import { readErrorReference } from '../routes/errors-route';
import { ReadersRoute } from '../routes/readers-route';
import { errorEntries } from './error-entries';
import { MAX_QUERY_LENGTH, SEARCH_TEMPLATE, type IndexedEntry } from './search-entry';
import type * as Engines from './search-engine';
import type { SearchEngine, SearchResults } from './search-engine';
import { searchIndexOf } from './search-index';

/** The URL path of the search. */
export const SEARCH_PATTERN = '/platform/search';

const JSON_TYPE = 'application/json';
const HTML = 'text/html';

/** Results of a response: readers refine the query instead of paging. */
const MAX_RESULTS = 50;

/** An API version in a URL, such as `Atlas-v2`. */
const VERSION = /^[^/]{1,200}-v\d{1,16}$/;

const load = require;

/** The engine of guests or users, with the JSON of recent queries. */
interface Audience {
  readonly engine: SearchEngine;
  readonly answers: BoundedCache<EncodedContent>;
}

interface SearchQuery {
  readonly query: string;
  /** The API version whose entries rank higher; may be empty. */
  readonly api: string;
}

/** URL paths of what is searched. */
interface SearchAddresses {
  /** The list of APIs. */
  readonly home: string;
  /** The error reference. */
  readonly errors: string;
}

/**
 * Searches the documentation, as JSON and as a page: `?q=create issue&api=Atlas-v2`. Guests search what is visible to
 * them. The indexes are built with the first search of their audience.
 */
export class SearchRoute extends ReadersRoute {
  readonly methods: MethodTable;
  readonly #addresses: SearchAddresses;
  readonly #guides: readonly IndexedEntry[];
  readonly #formats = new Negotiator([JSON_TYPE, HTML]);
  readonly #ofGuests = runCooperativelyOnce(() => this.#build(true));
  readonly #ofUsers = runCooperativelyOnce(() => this.#build(false));

  /**
   * @param access who may read the list of APIs
   * @param guides entries of guides
   */
  constructor(
    documentation: Documentation,
    access: AccessRule,
    addresses: SearchAddresses,
    guides: readonly IndexedEntry[] = [],
  ) {
    super(documentation, access);
    this.#addresses = addresses;
    this.#guides = guides;
    this.methods = new MethodTable({
      GET: Object.freeze({
        name: 'documentation search',
        handler: (event: MvcEvent) => this.#answer(event),
      }),
    });
  }

  #answer(event: MvcEvent): MaybePromise<Response | ViewModel> {
    const { request, response, identity = guest } = event;
    const format = this.#formats.choose(request.header('accept'));
    response.fields.addToList('Vary', 'Accept');
    if (format === undefined) throw notAcceptable(this.#formats.offers);
    const { isGuest } = identity;
    const isShared = isGuest && !requiresUser(this.access);
    response.fields.set('Cache-Control', isShared ? 'no-cache' : 'private, no-cache');
    for (const name of this.documentation.guard?.vary ?? []) response.fields.addToList('Vary', name);
    const query = queryOf(request.query);
    return andThen(this.#audience(isGuest), (audience) =>
      format === JSON_TYPE
        ? jsonOf(response, audience.answers.get(JSON.stringify([query.query, query.api])))
        : pageOf(query, this.#find(audience.engine, query)),
    );
  }

  #find(engine: SearchEngine, { query, api }: SearchQuery): SearchResults {
    const near = api === '' ? '' : `${this.#addresses.home}/${encodeURIComponent(api)}`;
    return engine.find(query, { near, limit: MAX_RESULTS });
  }

  #audience(isGuest: boolean): MaybePromise<Audience> {
    return isGuest && this.#isAnythingHidden() ? this.#ofGuests() : this.#ofUsers();
  }

  /** Whether users see more than guests; otherwise, both share an index. */
  #isAnythingHidden(): boolean {
    const [guests, users] = [true, false].map((isGuest) => this.documentation.listFor({ isGuest }).getApis());
    return guests?.length !== users?.length || guests?.some((api, at) => api !== users?.[at]) === true;
  }

  *#build(isGuest: boolean): Steps<Audience> {
    // Services that are not searched do not load the engine.
    const { SearchEngine } = load('./search-engine') as typeof Engines;
    const engine = yield* SearchEngine.build(this.#entries(isGuest));
    const answers = new BoundedCache((key) => {
      const [query, api] = JSON.parse(key) as [string, string];
      return new EncodedContent(JSON.stringify({ query, ...this.#find(engine, { query, api }) }));
    });
    return { engine, answers };
  }

  *#entries(isGuest: boolean): Generator<IndexedEntry> {
    const { home, errors } = this.#addresses;
    yield* this.#guides;
    yield* searchIndexOf(this.documentation.listFor({ isGuest }).getApis(), home);
    yield* errorEntries(readErrorReference(), errors);
  }
}

function queryOf(parameters: URLSearchParams): SearchQuery {
  const api = parameters.get('api') ?? '';
  const query = (parameters.get('q') ?? '').replace(/\s+/g, ' ').trim();
  return { query: query.slice(0, MAX_QUERY_LENGTH), api: VERSION.test(api) ? api : '' };
}

function jsonOf(response: Response, content: EncodedContent): Response {
  response.fields.set('Content-Type', JSON_TYPE);
  response.body = content.bytes;
  response.encodedContent = content;
  return response;
}

function pageOf({ query, api }: SearchQuery, found: SearchResults): ViewModel {
  return new ViewModel({ query, api, ...found }, { template: SEARCH_TEMPLATE });
}
