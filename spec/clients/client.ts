import { Type, type Static } from '@sinclair/typebox';
import type { Challenge } from './challenges';

/** A request that a client is asked to send. */
export interface ClientRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** A JSON text; only with POST. */
  readonly body?: string;
}

/**
 * What a client made of a request: `status` is 0 when it gave no answer but an error, and `error` is then what it
 * said.
 */
export const clientAnswer = Type.Object({
  status: Type.Integer(),
  body: Type.String(),
  error: Type.Optional(Type.String()),
});
export type ClientAnswer = Readonly<Static<typeof clientAnswer>>;

/** Requests that a client sends one after the other, as one user, keeping what it learns on the way. */
export interface Session {
  readonly challenge: Challenge;
  readonly username: string;
  readonly password: string;
  readonly requests: readonly ClientRequest[];
}

/** An HTTP client that nobody here wrote. */
export interface Client {
  /** As docs/reference/clients.md calls it. */
  readonly name: string;
  version(): Promise<string>;
  /** One answer for each request; it may stop after the first that is no success. */
  send(session: Session): Promise<readonly ClientAnswer[]>;
}

/** Whether an answer is what was asked for. */
export function isSuccess({ status }: ClientAnswer): boolean {
  return status >= 200 && status < 300;
}
