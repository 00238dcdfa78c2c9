import type { Socket } from 'node:net';

/** What a connection has transferred in one direction. */
export interface Transfer {
  /** Bytes since the connection opened. */
  readonly bytes: number;
  /** `performance.now()` */
  readonly at: number;
}

/**
 * Decides whether a transfer was too slow since a measurement began.
 * @param rate bytes per second
 * @param window milliseconds of a measurement
 * @returns `'measuring'` while the window lasts
 */
export function rateVerdict(
  began: Transfer,
  now: Transfer,
  rate: number,
  window: number,
): 'measuring' | 'enough' | 'slow' {
  const elapsed = now.at - began.at;
  if (elapsed < window) return 'measuring';
  return ((now.bytes - began.bytes) * 1_000) / elapsed < rate ? 'slow' : 'enough';
}

/** Measures one direction of many connections. */
export class DataRates {
  readonly #began = new WeakMap<Socket, Transfer>();

  /**
   * @param bytes transferred so far; undefined if the connection has nothing to transfer, which ends the measurement
   * @returns whether the connection was slow during a whole window
   */
  isSlow(
    socket: Socket,
    bytes: number | undefined,
    { at, rate, window }: { readonly at: number; readonly rate: number; readonly window: number },
  ): boolean {
    const began = this.#began.get(socket);
    if (bytes === undefined) {
      if (began !== undefined) this.#began.delete(socket);
      return false;
    }
    const now = { bytes, at };
    if (began === undefined) {
      this.#began.set(socket, now);
      return false;
    }
    const verdict = rateVerdict(began, now, rate, window);
    if (verdict !== 'measuring') this.#began.set(socket, now);
    return verdict === 'slow';
  }
}

/** Bytes that were written, but that the system has not taken yet, as its buffer is full. */
export function unsentBytes(socket: Socket): number {
  // `writableLength` has a pending write in full; the handle knows how much of it is left, as Node's timeouts do.
  const { writableLength } = socket;
  if (writableLength === 0) return 0;
  const handle: unknown = Reflect.get(socket, '_handle');
  const left: unknown =
    typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0;
  return typeof left === 'number' && left > 0 ? left : writableLength;
}
