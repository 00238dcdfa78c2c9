import type { Socket } from 'node:net';
import { parseProxyHeader, type ProxyHeader } from './proxy-protocol';

/** What to do with the first bytes of a connection. */
export type OpeningDecision<T> =
  /** Wait for more. */
  | { readonly kind: 'wait' }
  /** Continue after the first `length` bytes. */
  | { readonly kind: 'continue'; readonly length: number; readonly found: T };

/**
 * Reads the first bytes of a connection, and returns what was not consumed.
 * @param timeout in milliseconds, for all of them
 * @param decide called with the bytes received so far, of which there is at least one
 * @param done called with the result, or with undefined if the connection ended or the time is over
 */
export function readOpening<T>(
  socket: Socket,
  timeout: number,
  decide: (bytes: Buffer) => OpeningDecision<T>,
  done: (found: T | undefined) => void,
): void {
  let bytes: Buffer = Buffer.alloc(0);
  const finish = (found: T | undefined): void => {
    clearTimeout(timer);
    socket.off('readable', read);
    socket.off('end', abort);
    socket.off('close', abort);
    socket.off('error', abort);
    done(found);
  };
  const abort = (): void => finish(undefined);
  const timer = setTimeout(abort, timeout);
  const read = (): void => {
    // A `Socket` without encoding reads buffers.
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    const next = decide(bytes);
    if (next.kind === 'wait') return;
    // Before the listener is removed, so that the socket does not start to flow.
    if (next.length < bytes.length) socket.unshift(bytes.subarray(next.length));
    finish(next.found);
  };
  socket.on('readable', read);
  socket.on('end', abort);
  socket.on('close', abort);
  socket.on('error', abort);
  read();
}

/** The first byte of every TLS connection: a record of type handshake (RFC 8446, 5.1). */
const TLS_HANDSHAKE = 0x16;

/** Finds whether a connection begins with TLS, and consumes nothing. */
export function detectTls(bytes: Buffer): OpeningDecision<boolean> {
  return { kind: 'continue', length: 0, found: bytes[0] === TLS_HANDSHAKE };
}

/** Consumes the header of the PROXY protocol. */
export function consumeProxyHeader(
  bytes: Buffer,
): OpeningDecision<Exclude<ProxyHeader, { readonly kind: 'incomplete' }>> {
  const header = parseProxyHeader(bytes);
  if (header.kind === 'incomplete') return { kind: 'wait' };
  return { kind: 'continue', length: header.kind === 'header' ? header.length : 0, found: header };
}

/** The bytes in front of the first request, by connection. */
const headers = new WeakMap<Socket, number>();

/** Notes the header of the PROXY protocol, which a proxy sends when its client connects. */
export function noteHeader(socket: Socket, bytes: number): void {
  headers.set(socket, bytes);
}

/** Whether the client of a connection has sent anything of a request. */
export function hasSent(socket: Socket): boolean {
  return socket.bytesRead > (headers.get(socket) ?? 0);
}
