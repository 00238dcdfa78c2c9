import { unknownOptions, parsePattern, type Log } from '../framework';
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

/** The options of a test context; all are optional. */
export interface TestContextOptions<Query, Body, Parameters, SortName extends string, Cursor> extends Pick<
  TestRequestOptions,
  'method' | 'path' | 'headers'
> {
  /** Defaults to the guest. */
  readonly identity?: TestUser;
  /** Defaults to `Test`. */
  readonly api?: string;
  /** Defaults to 1. */
  readonly version?: number;
  /** The parameters of the route. */
  readonly parameters?: Parameters;
  readonly query?: Query;
  readonly body?: Body;
  readonly page?: Partial<Pick<PageRequest, 'page' | 'pageSize'>>;
  readonly sort?: readonly SortKey<SortName>[];
  readonly cursor?: Cursor;
  /** Defaults to a signal that is never aborted. */
  readonly signal?: AbortSignal;
  readonly log?: Log;
}

/** The context of any resource method or handler. */
export interface TestContext<Query, Body, Parameters, SortName extends string, Cursor> extends HandlerContext<
  Query,
  Body,
  Parameters
> {
  readonly page: PageRequest;
  readonly sort: readonly SortKey<SortName>[];
  readonly cursor: Cursor | undefined;
  /** Merges without validation against a schema; use `inject` to test that. */
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

/** No query or route parameters are declared. */
type Nothing = Readonly<Record<string, never>>;

/**
 * Creates the context of a request, so that a test can call a resource method, a handler or a validator. The values
 * are not validated.
 *
 * @throws TypeError for an unknown option
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
  const message = unknownOptions(options, OPTIONS);
  if (message !== undefined) throw new TypeError(`testContext(): ${message}`);
  const { api = 'Test', version = 1, log = new MemoryLog(), sort = [], cursor, page } = options;
  // Omitted options have the default type of their parameter.
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
    trace: event.trace,
    signal: options.signal ?? context.signal,
    cookies: context.cookies,
    get precondition() {
      return context.precondition;
    },
  };
}

/** Defaults to the page of a service without pagination. */
function pageOf({ page = 1, pageSize = Number.MAX_SAFE_INTEGER }: Partial<PageRequest> = {}): PageRequest {
  return { page, pageSize, offset: page === 1 ? 0 : (page - 1) * pageSize };
}
