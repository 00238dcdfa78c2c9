// A raw connection on which requests are written, until the server closes it.
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds without a byte after which the client closes its side, as most clients do. */
const IDLE_MS = 400;

/** Milliseconds after which a connection that is still open hangs, on a busy machine too. */
const MAX_MS = 90_000;

/**
 * Writes bytes in parts, and reads until the connection ends.
 * @param {{ port: number, from: string, closes: boolean }} options `from`: the local address; `closes`: whether the
 *   client closes its side when nothing arrives
 * @returns {Promise<{ text: string, hangs: boolean }>} everything received, one character per byte
 */
export function exchange(parts, { port, from, closes }) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true });
    const chunks = [];
    const timer = setTimeout(() => finish(true), MAX_MS);
    const finish = (hangs) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text: Buffer.concat(chunks).toString('latin1'), hangs });
    };
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => finish(false));
    socket.on('end', () => finish(false));
    socket.on('close', () => finish(false));
    if (closes) socket.setTimeout(IDLE_MS, () => socket.end());
    socket.on('connect', () => {
      void (async () => {
        for (const part of parts) {
          if (socket.destroyed || !socket.writable) return;
          socket.write(part, 'latin1');
          if (parts.length > 1) await turn();
        }
      })();
    });
  });
}
