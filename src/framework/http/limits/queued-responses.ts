import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Answers to requests that a client has sent without waiting for those before (RFC 9112, 9.3.2). Until it is their
 * turn they have no connection, and Node does not tell them when it ends: whoever waits for their end would wait for
 * ever.
 */
export class QueuedResponses {
  readonly #waiting = new WeakMap<Socket, Set<ServerResponse>>();

  /** Tells an answer that has to wait when its client has left. */
  watch(answer: ServerResponse): void {
    if (answer.socket !== null) return;
    const { socket } = answer.req;
    const waiting = this.#waiting.get(socket) ?? this.#onConnection(socket);
    waiting.add(answer);
    answer.once('close', () => waiting.delete(answer));
  }

  #onConnection(socket: Socket): Set<ServerResponse> {
    const waiting = new Set<ServerResponse>();
    this.#waiting.set(socket, waiting);
    socket.once('close', () => {
      for (const answer of waiting) {
        if (answer.socket !== null || answer.closed) continue;
        answer.destroy();
        answer.emit('close');
      }
    });
    return waiting;
  }
}
