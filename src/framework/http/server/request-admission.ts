import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody } from '../body';
import type { ConnectionLimits } from '../limits/connection-limits';
import type { RefusalCause } from '../limits/refusals';
import { RequestFraming } from '../limits/request-framing';
import { RequestGate } from '../limits/request-gate';
import { isUnsupported } from './connection-responses';
import type { CurrentHandler } from './current-handler';
import { problemResponse, refuse, refuseOverload } from './problem-response';
import type { Problem } from '../../problem/problem';

/** By the code of the problem. */
const FRAMING_CAUSES: Readonly<Record<string, RefusalCause>> = {
  request_line_too_long: 'max_request_line',
  header_section_too_large: 'max_header_size',
  too_many_header_fields: 'max_header_fields',
};

/** Passes requests to the current handler, except those that are malformed or exceed a limit, which it refuses. */
export class RequestAdmission {
  readonly #current: CurrentHandler;
  readonly #framing: RequestFraming;
  readonly #gate: RequestGate;

  constructor(current: CurrentHandler) {
    this.#current = current;
    // Those of the first handler: the limits of the parser cannot change.
    this.#framing = new RequestFraming(current.limits);
    this.#gate = new RequestGate(current.limits, (outgoing, cause) => {
      current.countRefusal(cause, true);
      refuseOverload(outgoing);
    });
  }

  set limits(limits: ConnectionLimits) {
    this.#gate.limits = limits;
  }

  /** @param unmet the problem with what the request expects; ambiguous framing takes precedence */
  admit(message: IncomingMessage, outgoing: ServerResponse, unmet?: Problem): void {
    const refusal = this.#framing.check(message);
    if (refusal !== undefined) {
      const other = isUnsupported(refusal.status) ? 'unsupported' : 'malformed';
      this.#current.countRefusal(FRAMING_CAUSES[refusal.code ?? ''] ?? other);
      refuse(message, outgoing, refusal);
    } else if (unmet !== undefined) problemResponse(unmet).send(outgoing, message.method ?? 'GET');
    else if (!this.#gate.isActive) this.#pass(message, outgoing);
    else {
      const isEssential = (): boolean => this.#current.handler.isEssential?.(message) === true;
      // The handler may be another one when the request has waited.
      this.#gate.enter(outgoing, isEssential, () => this.#current.handler.handle(message, outgoing));
    }
  }

  /**
   * The parser passes a body on after this call. Most arrive in the segment of the head: a request that is handled then
   * reads its body without waiting.
   */
  #pass(message: IncomingMessage, outgoing: ServerResponse): void {
    if (hasBody(message)) process.nextTick(handleNow, this.#current, message, outgoing);
    else void this.#current.handler.handle(message, outgoing);
  }

  /** Stops timers. */
  stop(): void {
    this.#gate.stop();
  }
}

/** With the handler of that time, which may be another one than before. */
function handleNow(current: CurrentHandler, message: IncomingMessage, outgoing: ServerResponse): void {
  void current.handler.handle(message, outgoing);
}
