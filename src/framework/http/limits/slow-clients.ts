import type { Socket } from 'node:net';
import type { ConnectionLimits } from './connection-limits';
import { DataRates, unsentBytes } from './data-rate';

/** How often transfers are measured, in milliseconds. */
export const SWEEP_MS = 1_000;

/** The shortest measurement of a request body, in milliseconds. */
const BODY_WINDOW_MS = 10_000;

/** The shortest measurement of a response: the buffers of the system empty in bursts. */
const RESPONSE_WINDOW_MS = 30_000;

export type RateLimits = Pick<ConnectionLimits, 'minDataRate' | 'inactivityTimeout'>;

/** Finds connections whose client sends a body, or reads a response, more slowly than the minimum rate. */
export class SlowClients {
  readonly #bodies = new DataRates();
  readonly #responses = new DataRates();

  /**
   * Measures all connections. Called about every second.
   * @param isReceiving whether the server waits for the client to send a body
   */
  *find(
    connections: Iterable<Socket>,
    { minDataRate: rate, inactivityTimeout }: RateLimits,
    isReceiving: (socket: Socket) => boolean,
    at = performance.now(),
  ): Generator<readonly [socket: Socket, slow: 'body' | 'response']> {
    const responseWindow = Math.max(RESPONSE_WINDOW_MS, inactivityTimeout * 1_000);
    for (const socket of connections) {
      // Another limit has ended it in the same check: one connection counts for one limit.
      if (socket.destroyed) continue;
      const unsent = unsentBytes(socket);
      const sent = unsent > 0 ? socket.bytesWritten - unsent : undefined;
      const received = isReceiving(socket) ? socket.bytesRead : undefined;
      if (this.#responses.isSlow(socket, sent, { at, rate, window: responseWindow }))
        yield [socket, 'response'];
      else if (this.#bodies.isSlow(socket, received, { at, rate, window: BODY_WINDOW_MS }))
        yield [socket, 'body'];
    }
  }
}
