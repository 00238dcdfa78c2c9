import type { MvcEvent } from '../../framework';
import { guest, type Identity } from '../mvc-auth';

/** What a handler is given of its request. The types of query and body are those of the declared schemas. */
export interface HandlerContext<Query = Readonly<Record<string, unknown>>, Body = unknown> {
  readonly identity: Identity;
  readonly api: string;
  readonly version: number;
  /** The route's parameters, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The query parameters, in the declared types. */
  readonly query: Query;
  /** The request's body, validated. */
  readonly body: Body;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
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

  get signal(): AbortSignal {
    return this.event.request.signal;
  }
}
