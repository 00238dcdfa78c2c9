import type { Log } from '../../logging/log';

/** Why a connection was closed before its first request. */
export type OpeningFailure = 'accept' | 'proxy_protocol' | 'plain_http' | 'tls_handshake';

/** How often each kind of failure is logged, in milliseconds: anyone can cause them. */
const LOG_INTERVAL_MS = 10_000;

const MESSAGES: Readonly<Record<OpeningFailure, string>> = {
  accept: 'The system could not accept a connection.',
  proxy_protocol:
    'A connection from a proxy in server.proxy_protocol was closed: it has no valid header of the PROXY protocol. Configure the proxy to send one.',
  plain_http: 'A client sent something other than TLS to this HTTPS port, and received status 400.',
  tls_handshake: 'A TLS handshake failed.',
};

/** Counts connections that were closed before their first request, and logs some of them. */
export class OpeningFailures {
  readonly #counts = new Map<OpeningFailure, number>([
    ['accept', 0],
    ['proxy_protocol', 0],
    ['plain_http', 0],
    ['tls_handshake', 0],
  ]);
  readonly #loggedAt = new Map<OpeningFailure, number>();
  readonly #log: () => Log | undefined;

  constructor(log: () => Log | undefined) {
    this.#log = log;
  }

  get counts(): ReadonlyMap<OpeningFailure, number> {
    return this.#counts;
  }

  /** @param reason for operators */
  add(failure: OpeningFailure, peer: string | undefined, reason: string): void {
    const count = (this.#counts.get(failure) ?? 0) + 1;
    this.#counts.set(failure, count);
    const now = performance.now();
    if (now - (this.#loggedAt.get(failure) ?? -Infinity) < LOG_INTERVAL_MS) return;
    this.#loggedAt.set(failure, now);
    this.#log()?.warn({ peer, reason, count }, MESSAGES[failure]);
  }
}
