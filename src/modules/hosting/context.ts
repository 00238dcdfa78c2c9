import { Cookies, type Log, type MvcEvent, type TraceContext } from '../../framework';
import { guest, type Identity } from '../mvc-auth';
import { isAborted, signalOf } from './timeout';
import { WritePrecondition, type Precondition } from './conditional/precondition';

/** Route parameters where the route is unknown: any of them may be missing. */
export type UnknownParameters = Readonly<Partial<Record<string, string>>>;

/** The request as a handler sees it. `Query` and `Body` are the types of the declared schemas. */
export interface HandlerContext<
  Query = Readonly<Record<string, unknown>>,
  Body = unknown,
  Parameters = UnknownParameters,
> {
  readonly identity: Identity;
  readonly api: string;
  readonly version: number;
  /** Decoded route parameters. */
  readonly parameters: Parameters;
  /** Query parameters, converted to their declared types. */
  readonly query: Query;
  /** The validated request body. */
  readonly body: Body;
  /** The cookies of the request, and those that the response sets. */
  readonly cookies: Cookies;
  /** The preconditions of the request: `If-Match`, `If-None-Match`. */
  readonly precondition: Precondition;
  /** Aborted when the client disconnects or the operation times out. */
  readonly signal: AbortSignal;
  /** The request ID used in logs and responses (`X-Request-Id`). */
  readonly requestId: string;
  /** The place of the request in a distributed trace; `trace.headers` continue it in other services. */
  readonly trace: TraceContext;
  /** The log of the service; its entries carry the request ID. */
  readonly log: Log;
  /** The underlying event: request, response, and what modules add to it. */
  readonly event: MvcEvent;
}

/** A handler context that reads everything lazily from the event. */
export class EventContext implements HandlerContext {
  readonly event: MvcEvent;
  readonly api: string;
  readonly version: number;
  constructor(event: MvcEvent, api: string, version: number) {
    this.event = event;
    this.api = api;
    this.version = version;
  }

  /** The subject of the request, for messages. */
  protected get subject(): string {
    return `${this.api}-v${this.version}`;
  }

  get identity(): Identity {
    return this.event.identity ?? guest;
  }

  get parameters(): Readonly<Record<string, string>> {
    return this.event.parameters;
  }

  get query(): Readonly<Record<string, unknown>> {
    return this.event.query ?? {};
  }

  get body(): unknown {
    return this.event.body;
  }

  get cookies(): Cookies {
    return new Cookies(this.event);
  }

  get precondition(): Precondition {
    return new WritePrecondition(this.event.request, this.subject);
  }

  get requestId(): string {
    return this.event.request.id;
  }

  get trace(): TraceContext {
    return this.event.trace;
  }

  get log(): Log {
    return this.event.log;
  }

  get signal(): AbortSignal {
    return signalOf(this.event);
  }

  /** For what reads a signal only after some time: reading it creates it. */
  get isAborted(): boolean {
    return isAborted(this.event);
  }
}
