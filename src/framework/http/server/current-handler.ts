import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MaybePromise } from '../../events/maybe-promise';
import type { Log } from '../../logging/log';
import { DEFAULT_LIMITS, type ConnectionLimits } from '../limits/connection-limits';
import { Refusals, type RefusalCause } from '../limits/refusals';

/** Handles requests: an application. */
export interface RequestHandler {
  /** @returns when the work is done, if that is later than the response may be */
  handle(message: IncomingMessage, outgoing: ServerResponse): MaybePromise<void>;
  /** Disposes of the handler after its last response. Idempotent; never rejects. */
  dispose(): Promise<void>;
  /** The limits of connections and requests while it is the current handler. */
  readonly limits?: ConnectionLimits;
  /** Logs refused connections and requests. */
  readonly log?: Log;
  /** Counts them. */
  readonly refusals?: Refusals;
  /** Whether a request is handled even when others are refused because of overload. */
  isEssential?(message: IncomingMessage): boolean;
}

/** The handler of a server's requests, which can be replaced, and the defaults of what it leaves out. */
export class CurrentHandler {
  readonly #ownRefusals = new Refusals();
  handler: RequestHandler;

  constructor(handler: RequestHandler) {
    this.handler = handler;
  }

  get limits(): ConnectionLimits {
    return this.handler.limits ?? DEFAULT_LIMITS;
  }

  get log(): Log | undefined {
    return this.handler.log;
  }

  get refusals(): Refusals {
    return this.handler.refusals ?? this.#ownRefusals;
  }

  countRefusal(cause: RefusalCause, isLogged = false): void {
    this.refusals.add(cause, isLogged ? this.log : undefined);
  }
}
