import { optionsFault, parsePattern, type Log } from '../framework';
import {
  EventContext,
  mergePatch,
  type HandlerContext,
  type PageRequest,
  type SortKey,
} from '../modules/hosting';
import { MemoryLog } from './memory-log';
import { eventOf, type TestRequestOptions } from './test-event';
import { toIdentity, type TestUser } from './test-identity';

/** What a context tells; all of it may be left out. */
export interface TestContextOptions<Query, Body, Parameters, SortName extends string, Cursor> extends Pick<
  TestRequestOptions,
  'method' | 'path' | 'headers'
> {
  /** Who asks: the guest, unless told. */
  readonly identity?: TestUser;
  /** `Test` unless told. */
  readonly api?: string;
  /** 1 unless told. */
  readonly version?: number;
  /** The route's parameters. */
  readonly parameters?: Parameters;
  readonly query?: Query;
  readonly body?: Body;
  readonly page?: Partial<Pick<PageRequest, 'page' | 'pageSize'>>;
  readonly sort?: readonly SortKey<SortName>[];
  readonly cursor?: Cursor;
  /** Never aborted, unless told. */
  readonly signal?: AbortSignal;
  readonly log?: Log;
}

/** What any method of a resource, and any handler, may be given. */
export interface TestContext<Query, Body, Parameters, SortName extends string, Cursor> extends HandlerContext<
  Query,
  Body,
  Parameters
> {
  readonly page: PageRequest;
  readonly sort: readonly SortKey<SortName>[];
  readonly cursor: Cursor | undefined;
  /** Merges, and compares with no schema: whether an entity comes of it is for `inject` to tell. */
  readonly merge: typeof mergePatch;
}

const OPTIONS: readonly (keyof TestContextOptions<never, never, never, never, never>)[] = [
  'identity',
  'api',
  'version',
  'parameters',
  'query',
  'body',
  'page',
  'sort',
  'cursor',
  'signal',
  'log',
  'method',
  'path',
  'headers',
];

/** Nothing was declared. */
type Nothing = Readonly<Record<string, never>>;

/**
 * The context of a request that nobody has sent, so that a method of a resource, a handler or a validator is called
 * by a test. What it is given is not validated.
 *
 * @throws TypeError for an option that there is not
 * @example
 * const notes = new Notes();
 * await notes.create({ text: 'Milk' }, testContext({ identity: 'amy' }));
 * const found = await notes.fetchAll(testContext({ query: { containing: 'il' } }));
 */
export function testContext<
  Query extends Readonly<Record<string, unknown>> = Nothing,
  Body = undefined,
  Parameters extends Readonly<Record<string, string>> = Nothing,
  SortName extends string = never,
  Cursor = undefined,
>(
  options: TestContextOptions<Query, Body, Parameters, SortName, Cursor> = {},
): TestContext<Query, Body, Parameters, SortName, Cursor> {
  const fault = optionsFault(options, OPTIONS);
  if (fault !== undefined) throw new TypeError(`testContext(): ${fault}`);
  const { api = 'Test', version = 1, log = new MemoryLog(), sort = [], cursor, page } = options;
  // What is left out has the type of nothing.
  const { query = {} as Query, parameters = {} as Parameters } = options;
  const body = options.body as Body;
  const { method = 'GET', path = '/', headers = {} } = options;
  const event = eventOf({ method, path, headers }, 'testContext()', log);
  event.identity = toIdentity(options.identity, 'testContext()');
  event.query = query;
  event.body = body;
  event.match = {
    route: { name: 'test', pattern: parsePattern('/'), target: { methods: undefined } },
    parameters,
  };
  const context = new EventContext(event, api, version);
  return {
    event,
    api,
    version,
    identity: event.identity,
    parameters,
    query,
    body,
    page: pageOf(page),
    sort,
    cursor,
    merge: mergePatch,
    log: event.log,
    requestId: event.request.id,
    signal: options.signal ?? context.signal,
    get precondition() {
      return context.precondition;
    },
  };
}

/** As a service without pages has it, unless told. */
function pageOf({ page = 1, pageSize = Number.MAX_SAFE_INTEGER }: Partial<PageRequest> = {}): PageRequest {
  return { page, pageSize, offset: page === 1 ? 0 : (page - 1) * pageSize };
}
