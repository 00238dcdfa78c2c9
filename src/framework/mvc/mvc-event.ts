import type { ServerResponse } from 'node:http';
import { Event } from '../events/event';
import type { Request } from '../http/request';
import { Response } from '../http/response';
import type { Problem } from '../problem/problem';
import type { RouteMatch } from '../routing/router';
import type { ViewModel } from '../view/view-model';
import type { Log } from '../logging/log';
import { RequestLog } from './request-log';

/**
 * What a route leads to. Usually the operations by method are known from the route alone; where the request
 * says which are meant (an API version), a listener of `route` sets `event.methods`.
 */
export interface RouteTarget {
  readonly methods: MethodTable | undefined;
}

/**
 * A request on its way, shared by the listeners of `route`, `dispatch`, `render` and `response`. Modules add
 * what they find out by declaration merging, e.g. `identity`.
 */
export class MvcEvent extends Event {
  readonly request: Request;
  /** Where the answer goes. */
  readonly outgoing: ServerResponse;
  /** `performance.now()` when the request arrived. */
  readonly startedAt = performance.now();
  /** The answer as it is made; replaced when a listener returns one, or a problem takes its place. */
  response = new Response();
  match: RouteMatch<RouteTarget> | undefined = undefined;
  methods: MethodTable | undefined = undefined;
  endpoint: Endpoint | undefined = undefined;
  /** What the handler returned. */
  result: unknown = undefined;
  viewModel: ViewModel | undefined = undefined;
  /** What went wrong, if anything did. */
  problem: Problem | undefined = undefined;
  /** Whether the response is complete, so that nothing is left to dispatch or render. */
  answered = false;
  /** Does something as the request's own, where a module keeps what that means, such as an `AsyncLocalStorage`. */
  runInContext: (<Result>(act: () => Result) => Result) | undefined = undefined;
  readonly #log: Log | undefined;

  /** @param log nothing is noted without one */
  constructor(request: Request, outgoing: ServerResponse, log?: Log) {
    super();
    this.request = request;
    this.outgoing = outgoing;
    this.#log = log;
  }

  /** Where what happens to this request is noted, with its id. */
  get log(): Log {
    return new RequestLog(this.request, this.#log);
  }

  /** The route's parameters, decoded. */
  get parameters(): Readonly<Record<string, string>> {
    return this.match?.parameters ?? noParameters;
  }
}

const noParameters: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Everything known about one operation, compiled when the application is built, and frozen. The framework
 * needs the name and the handler; modules add what they compile by declaration merging:
 *
 * @example
 * declare module '../../framework' {
 *   interface Endpoint { readonly access?: AccessRule }
 * }
 */
export interface Endpoint {
  /** For logs and messages, e.g. `Atlas-v2/Country entity GET`. */
  readonly name: string;
  /** Makes the result: a Response, a ViewModel, or content to be cast into the negotiated view model. */
  readonly handler: (event: MvcEvent) => unknown;
}

/** The operations at one address, by method. HEAD follows GET (RFC 9110, 9.3.2); OPTIONS is answered for all. */
export class MethodTable {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** The `Allow` field's value. */
  readonly allow: string;

  constructor(endpoints: Readonly<Record<string, Endpoint>>) {
    const table = new Map(Object.entries(endpoints));
    const get = table.get('GET');
    if (get !== undefined && !table.has('HEAD')) table.set('HEAD', get);
    this.endpoints = table;
    this.allow = [...table.keys(), 'OPTIONS'].join(', ');
  }
}
