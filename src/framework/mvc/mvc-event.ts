import type { ServerResponse } from 'node:http';
import { Event } from '../events/event';
import type { MaybePromise } from '../events/maybe-promise';
import { arrivalOf } from '../http/limits/request-gate';
import type { Request } from '../http/request';
import { Response } from '../http/response';
import { traceContextOf, type TraceContext } from '../http/trace-context/trace-context';
import type { Problem } from '../problem/problem';
import type { RouteMatch } from '../routing/router';
import type { ViewModel } from '../view/view-model';
import type { Log } from '../logging/log';
import { RequestLog } from './request-log';

/**
 * The target of a route. Usually the operations by method are known from the route alone; where the request selects
 * them (an API version), `select` sets `event.methods`.
 */
export interface RouteTarget {
  readonly methods: MethodTable | undefined;
  /** Resolves what the request addresses, and who authenticates it. @throws Problem, before authentication */
  select?(event: MvcEvent): MaybePromise<void>;
  /** Whether it has what a path names, for one that does not know its paths. @param path percent-encoded */
  hasPath?(path: string): MaybePromise<boolean>;
}

/**
 * What modules outside of this package store on the event of a request, by declaration merging. Those of the package declare
 * members of `MvcEvent`, which TypeScript merges once only.
 *
 * @example
 * declare module 'apidesc-platform' {
 *   interface RequestState { tenant?: string }
 * }
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- modules add its members by declaration merging, which only interfaces have
export interface RequestState {}

/* eslint-disable @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type -- the members
   that modules add are optional, so that no constructor has to set them */
export interface MvcEvent extends RequestState {}

/**
 * The state of a request, shared by the listeners of `route`, `dispatch`, `render` and `response`. Modules add
 * members such as `identity` by declaration merging.
 */
export class MvcEvent extends Event {
  /* eslint-enable */
  readonly request: Request;
  readonly outgoing: ServerResponse;
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number;
  /** Replaced when a listener returns a Response, and by problems. */
  response = new Response();
  match: RouteMatch<RouteTarget> | undefined = undefined;
  methods: MethodTable | undefined = undefined;
  endpoint: Endpoint | undefined = undefined;
  /** The result of the handler. */
  result: unknown = undefined;
  viewModel: ViewModel | undefined = undefined;
  /** The problem that the request failed with. */
  problem: Problem | undefined = undefined;
  /** Whether the response is complete: dispatch and render are skipped. */
  answered = false;
  /** Runs a function in the context of the request, such as an `AsyncLocalStorage` of a module. */
  runInContext: (<Result>(act: () => Result) => Result) | undefined = undefined;
  readonly #log: Log | undefined;
  #trace: TraceContext | undefined = undefined;

  /** @param log without it, nothing is logged */
  constructor(request: Request, outgoing: ServerResponse, log?: Log) {
    super();
    this.request = request;
    this.outgoing = outgoing;
    this.startedAt = arrivalOf(outgoing);
    this.#log = log;
  }

  /** A log that adds the request id and the trace id to every line. */
  get log(): Log {
    return new RequestLog(this, this.#log);
  }

  /** The place of the request in a distributed trace, created on first use. Set by tracing before any other listener. */
  get trace(): TraceContext {
    return (this.#trace ??= traceContextOf(
      this.request.header('traceparent'),
      this.request.header('tracestate'),
    ));
  }

  set trace(trace: TraceContext) {
    this.#trace = trace;
  }

  /** The trace id for logs: 32 hexadecimal digits. */
  get traceId(): string {
    return this.trace.traceId;
  }

  /** The span id of the request for logs: 16 hexadecimal digits. */
  get spanId(): string {
    return this.trace.spanId;
  }

  /** The decoded route parameters. */
  get parameters(): Readonly<Record<string, string>> {
    return this.match?.parameters ?? noParameters;
  }
}

const noParameters: Readonly<Record<string, string>> = Object.freeze({});

/**
 * An operation, compiled and frozen when the application is built. The framework needs the name and the handler;
 * modules add members by declaration merging:
 *
 * @example
 * declare module '../../framework' {
 *   interface Endpoint { readonly access?: AccessRule }
 * }
 */
export interface Endpoint {
  /** For logs and messages, e.g. `Atlas-v2/Country entity GET`. */
  readonly name: string;
  /** Returns a Response, a ViewModel, or content that is wrapped in the negotiated view model. */
  readonly handler: (event: MvcEvent) => unknown;
}

type ResponseFields = readonly (readonly [name: string, value: string])[];

/** The operations of a path, by method. GET implies HEAD (RFC 9110, 9.3.2); OPTIONS is always supported. */
export class MethodTable {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** The value of the `Allow` field. */
  readonly allow: string;
  /** The fields of responses to OPTIONS. */
  readonly optionFields: ResponseFields;
  readonly #get: Endpoint | undefined;

  /** @param fields of responses to OPTIONS, in addition to `Allow` */
  constructor(endpoints: Readonly<Record<string, Endpoint>>, fields: ResponseFields = []) {
    const table = new Map(Object.entries(endpoints));
    const get = table.get('GET');
    if (get !== undefined && !table.has('HEAD')) table.set('HEAD', get);
    this.endpoints = table;
    this.#get = get;
    this.allow = [...new Set([...table.keys(), 'OPTIONS'])].join(', ');
    this.optionFields = Object.freeze([['Allow', this.allow], ...fields]);
  }

  /** The operation of a method. */
  find(method: string): Endpoint | undefined {
    // Most requests, which need not wait for the memory of the map.
    return method === 'GET' ? this.#get : this.endpoints.get(method);
  }
}
