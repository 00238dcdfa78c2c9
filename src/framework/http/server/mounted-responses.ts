import type { IncomingMessage, ServerResponse } from 'node:http';
import { destroyResponse, QueuedResponses } from '../limits/queued-responses';

/** The responses on connections of other servers that are not closed. */
export class MountedResponses implements Iterable<ServerResponse> {
  readonly #open = new Set<ServerResponse>();
  readonly #queued = new QueuedResponses();

  /** @returns false if the client has already disconnected: the response would never emit `close` */
  add({ socket }: IncomingMessage, outgoing: ServerResponse): boolean {
    if (outgoing.closed || socket.destroyed) return false;
    this.#open.add(outgoing);
    outgoing.once('close', () => this.#open.delete(outgoing));
    this.#queued.watch(outgoing, undefined);
    return true;
  }

  [Symbol.iterator](): Iterator<ServerResponse> {
    return this.#open.values();
  }

  destroy(): void {
    for (const one of this.#open) destroyResponse(one);
  }
}
