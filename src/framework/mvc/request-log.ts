import { detailsWith, messageOf } from '../logging/line-arguments';
import type { Log } from '../logging/log';

/** What identifies a request in logs: an `MvcEvent`. */
interface RequestIdentity {
  readonly request: { readonly id: string };
  readonly traceId: string;
}

/** A log that adds the request id and the trace id to every line. */
export class RequestLog implements Log {
  readonly #event: RequestIdentity;
  readonly #log: Log | undefined;

  /** @param log without it, nothing is logged */
  constructor(event: RequestIdentity, log: Log | undefined) {
    this.#event = event;
    this.#log = log;
  }

  error(details: object, message: string): void {
    this.#log?.error(detailsWith(this.#ids, details), messageOf(details, message));
  }

  warn(details: object, message: string): void {
    this.#log?.warn(detailsWith(this.#ids, details), messageOf(details, message));
  }

  info(details: object, message: string): void {
    this.#log?.info(detailsWith(this.#ids, details), messageOf(details, message));
  }

  debug(details: object, message: string): void {
    this.#log?.debug?.(detailsWith(this.#ids, details), messageOf(details, message));
  }

  get #ids(): object {
    return { request_id: this.#event.request.id, trace_id: this.#event.traceId };
  }
}
