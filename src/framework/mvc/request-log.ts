import type { Request } from '../http/request';
import type { Log } from '../logging/log';

/** A log whose lines say which request they are about. */
export class RequestLog implements Log {
  readonly #request: Request;
  readonly #log: Log | undefined;

  /** @param log where nothing is noted when there is none */
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
