import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Destroys a response. One without a socket emits no `close` itself. */
export function destroyResponse(response: ServerResponse): void {
  response.destroy();
  if (response.socket === null && !response.closed) response.emit('close');
}

/**
 * Responses to pipelined requests (RFC 9112, 9.3.2). A queued response has no socket yet, and Node emits no `close`
 * on it when the connection closes: its observers would wait forever.
 */
export class QueuedResponses {
  readonly #queues = new WeakMap<Duplex, Set<ServerResponse>>();

  /** Emits `close` on a queued response when its client disconnects. @param previous that of the connection before it */
  watch(response: ServerResponse, previous: ServerResponse | undefined): void {
    if (response.socket !== null) return;
    const { socket } = response.req;
    const queue = this.#queues.get(socket) ?? this.#createQueue(socket);
    // The first one has a socket, and is not watched before another one waits for it.
    for (const one of previous === undefined ? [response] : [previous, response]) {
      if (queue.has(one) || one.closed) continue;
      queue.add(one);
      one.once('close', () => queue.delete(one));
    }
  }

  /** The responses of a connection with pipelined requests that are not closed: those that wait, and the one they wait for. */
  of(socket: Duplex): Iterable<ServerResponse> {
    return this.#queues.get(socket) ?? [];
  }

  #createQueue(socket: Socket): Set<ServerResponse> {
    const queue = new Set<ServerResponse>();
    this.#queues.set(socket, queue);
    socket.once('close', () => {
      for (const response of queue) if (response.socket === null) destroyResponse(response);
    });
    return queue;
  }
}
