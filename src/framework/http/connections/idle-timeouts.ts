import { Socket } from 'node:net';
import { unsentBytes } from '../limits/data-rate';

/** Timeouts from here on are measured by sweeps, in milliseconds: they may be two seconds late. */
const MIN_SWEPT_MS = 10_000;

/** What a connection had transferred when a sweep first saw it so, at `performance.now()`. */
interface Standstill {
  readonly timeout: number;
  readonly read: number;
  readonly written: number;
  readonly unsent: number;
  readonly at: number;
}

/**
 * Measures the timeouts of connections by a check of all of them each second. Node's server sets two for each request, for
 * which Node creates two timers and restarts them at each transfer: 7% of the processor time of a small request.
 */
export class IdleTimeouts {
  readonly #standstills = new WeakMap<Socket, Standstill>();

  /** Measures the timeouts that are set for a connection from now on. */
  watch(socket: Socket): void {
    socket.setTimeout = setTimeoutWithoutTimer;
  }

  /**
   * Emits `timeout` on connections that have transferred nothing for the duration of their timeout, as Node's timers do, but each
   * time that it has passed. Called about every second.
   */
  sweep(connections: Iterable<Socket>, at = performance.now()): void {
    for (const socket of connections) {
      const { timeout = 0, bytesRead: read, bytesWritten: written } = socket;
      if (timeout < MIN_SWEPT_MS) continue;
      const now = { timeout, read, written, unsent: unsentBytes(socket), at };
      const before = this.#standstills.get(socket);
      const isStill = before !== undefined && isEqual(before, now);
      if (isStill && at - before.at < timeout) continue;
      this.#standstills.set(socket, now);
      if (isStill) socket.emit('timeout');
    }
  }
}

function isEqual(one: Standstill, other: Standstill): boolean {
  return (
    one.timeout === other.timeout &&
    one.read === other.read &&
    one.written === other.written &&
    one.unsent === other.unsent
  );
}

/** Node's method sets the timeout in the same way. */
type MutableSocket = Omit<Socket, 'timeout'> & { timeout?: number };

/** `socket.setTimeout`: leaves long timeouts to the sweeps. */
function setTimeoutWithoutTimer(this: Socket, milliseconds: number, onTimeout?: () => void): Socket {
  if (!(milliseconds >= MIN_SWEPT_MS)) return Socket.prototype.setTimeout.call(this, milliseconds, onTimeout);
  const { timeout = 0 } = this;
  if (timeout > 0 && timeout < MIN_SWEPT_MS) Socket.prototype.setTimeout.call(this, 0);
  if (onTimeout !== undefined) this.once('timeout', onTimeout);
  (this as MutableSocket).timeout = milliseconds;
  return this;
}
