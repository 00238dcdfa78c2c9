import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Responses to pipelined requests (RFC 9112, 9.3.2). A queued response has no socket yet, and Node emits no `close`
 * on it when the connection closes: its observers would wait forever.
 */
export class QueuedResponses {
  readonly #queues = new WeakMap<Socket, Set<ServerResponse>>();

  /** Emits `close` on a queued response when its client disconnects. */
  watch(response: ServerResponse): void {
    if (response.socket !== null) return;
    const { socket } = response.req;
    const queue = this.#queues.get(socket) ?? this.#createQueue(socket);
    queue.add(response);
    response.once('close', () => queue.delete(response));
  }

  #createQueue(socket: Socket): Set<ServerResponse> {
    const queue = new Set<ServerResponse>();
    this.#queues.set(socket, queue);
    socket.once('close', () => {
      for (const response of queue) {
        if (response.socket !== null || response.closed) continue;
        response.destroy();
        response.emit('close');
      }
    });
    return queue;
  }
}
