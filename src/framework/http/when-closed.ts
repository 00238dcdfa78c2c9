import type { ServerResponse } from 'node:http';
import { noteClosed } from './refused-requests';

interface Call<Subject> {
  readonly act: (subject: Subject) => void;
  readonly subject: Subject;
}

/**
 * Calls a function once, when a response is complete or its client has disconnected; `abortOf` states which. `once('close')` costs
 * more of each request: Node binds a function for it, and removes the listener when it is called.
 *
 * Idle connections retain their last response, with its listeners: this one then refers to nothing.
 */
export function whenClosed<Subject>(
  outgoing: ServerResponse,
  subject: Subject,
  act: (subject: Subject) => void,
): void {
  let pending: Call<Subject> | undefined = { act, subject };
  outgoing.on('close', () => {
    if (pending === undefined) return;
    const closed = pending;
    pending = undefined;
    noteClosed(outgoing);
    closed.act(closed.subject);
  });
}
