import type { Socket } from 'node:net';

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
