import type { Request } from '../http/request';
import type { Log } from '../logging/log';

/** A log that adds the request id to every line. */
export class RequestLog implements Log {
  readonly #request: Request;
  readonly #log: Log | undefined;

  /** @param log without it, nothing is logged */
  constructor(request: Request, log: Log | undefined) {
    this.#request = request;
    this.#log = log;
  }

  error(details: object, message: string): void {
    this.#log?.error({ request_id: this.#request.id, ...details }, message);
  }

  warn(details: object, message: string): void {
    this.#log?.warn({ request_id: this.#request.id, ...details }, message);
  }

  info(details: object, message: string): void {
    this.#log?.info({ request_id: this.#request.id, ...details }, message);
  }
}
