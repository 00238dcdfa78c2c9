import type { Socket } from 'node:net';
import { problem } from '../../problem/errors';
import type { Log } from '../../logging/log';
import { writeProblem } from '../server/problem-response';
import { addressKey } from './address-key';
import type { ConnectionLimits } from './connection-limits';
import type { Refusals } from './refusals';

/** Concurrent connections beyond the limit that receive a 503; further ones are closed without a response. */
export const MAX_REFUSALS = 32;

/** Counts connections, and refuses those beyond the limits with 503. */
export class ConnectionGate {
  readonly #perAddress = new Map<string, number>();
  readonly #open = new Set<Socket>();
  readonly #refused = { max_connections: 0, max_connections_per_address: 0 };
  /** Those that are refused, and still open. */
  readonly #refusals = new Set<Socket>();

  /** The connections that are served. */
  get connections(): ReadonlySet<Socket> {
    return this.#open;
  }

  /** How many connections were refused, by the setting of `server` that was the cause. */
  get refused(): Readonly<Record<string, number>> {
    return this.#refused;
  }

  /** Returns whether the connection may be served. If not, responds with 503 and closes it. */
  admit(socket: Socket, limits: ConnectionLimits, refusals: Refusals, log: Log | undefined): boolean {
    const { remoteAddress = '' } = socket;
    const isLimited = limits.maxConnectionsPerAddress !== Infinity && !limits.isProxy(remoteAddress);
    const address = isLimited ? addressKey(remoteAddress) : '';
    const fromAddress = isLimited ? (this.#perAddress.get(address) ?? 0) : 0;
    if (this.#open.size >= limits.maxConnections || fromAddress >= limits.maxConnectionsPerAddress) {
      const cause =
        this.#open.size >= limits.maxConnections ? 'max_connections' : 'max_connections_per_address';
      this.#refused[cause]++;
      this.#refuse(socket);
      refusals.add(cause, log, { open: this.#open.size });
      return false;
    }
    this.#open.add(socket);
    if (isLimited) this.#perAddress.set(address, fromAddress + 1);
    socket.once('close', () => {
      this.#open.delete(socket);
      if (isLimited) this.#release(address);
    });
    return true;
  }

  /** Counts a connection that the system's server closed without a response, as the gate had too many to refuse. */
  drop(refusals: Refusals, log: Log | undefined): void {
    this.#refused.max_connections++;
    refusals.add('max_connections', log, { open: this.#open.size });
  }

  /** Destroys all connections. */
  destroy(): void {
    for (const socket of [...this.#open, ...this.#refusals]) socket.destroy();
  }

  #release(address: string): void {
    const left = (this.#perAddress.get(address) ?? 0) - 1;
    if (left > 0) this.#perAddress.set(address, left);
    else this.#perAddress.delete(address);
  }

  #refuse(socket: Socket): void {
    socket.on('error', () => undefined);
    if (this.#refusals.size >= MAX_REFUSALS) {
      socket.destroy();
      return;
    }
    this.#refusals.add(socket);
    socket.once('close', () => this.#refusals.delete(socket));
    // Unread input would reset the connection before the client has the response.
    socket.resume();
    writeProblem(socket, problem('too_many_connections', {}, { fields: [['Retry-After', '1']] }));
  }
}
