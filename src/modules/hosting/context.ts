import type { Log, MvcEvent } from '../../framework';
import { guest, type Identity } from '../mvc-auth';
import { signalOf } from './timeout';
import { WritePrecondition, type Precondition } from './precondition';

/** What a handler is given of its request. The types of query and body are those of the declared schemas. */
export interface HandlerContext<
  Query = Readonly<Record<string, unknown>>,
  Body = unknown,
  Parameters = Readonly<Record<string, string>>,
> {
  readonly identity: Identity;
  readonly api: string;
  readonly version: number;
  /** The route's parameters, decoded. */
  readonly parameters: Parameters;
  /** The query parameters, in the declared types. */
  readonly query: Query;
  /** The request's body, validated. */
  readonly body: Body;
  /** What the request wants to be true before anything changes: `If-Match`, `If-None-Match`. */
  readonly precondition: Precondition;
  /** Aborted when the client leaves, or the operation's time is over. */
  readonly signal: AbortSignal;
  /** What the request is called in logs and answers: `X-Request-Id`. */
  readonly requestId: string;
  /** The log of the service; its lines carry the request's id. */
  readonly log: Log;
  /** For what is not covered here: request, response, and what modules found out. */
  readonly event: MvcEvent;
}

/** A context over the event: what it tells is looked up when it is asked for. */
export class EventContext implements HandlerContext {
  readonly event: MvcEvent;
  readonly api: string;
  readonly version: number;
  constructor(event: MvcEvent, api: string, version: number) {
    this.event = event;
    this.api = api;
    this.version = version;
  }

  /** Names for messages what the request is about. */
  protected get what(): string {
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

  get precondition(): Precondition {
    return new WritePrecondition(this.event.request, this.what);
  }

  get requestId(): string {
    return this.event.request.id;
  }

  get log(): Log {
    return this.event.log;
  }

  get signal(): AbortSignal {
    return signalOf(this.event);
  }
}
