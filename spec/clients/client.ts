import { Type, type Static } from '@sinclair/typebox';
import type { Challenge } from './challenges';

/** A request that a client sends. */
export interface ClientRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** A JSON text; only with POST. */
  readonly body?: string;
}

/** The result of a request: `status` is 0 when the client failed, and `error` is then its message. */
export const clientAnswer = Type.Object({
  status: Type.Integer(),
  body: Type.String(),
  error: Type.Optional(Type.String()),
});
export type ClientAnswer = Readonly<Static<typeof clientAnswer>>;

/** Requests that a client sends in sequence, as one user, keeping its authentication state. */
export interface Session {
  readonly challenge: Challenge;
  readonly username: string;
  readonly password: string;
  readonly requests: readonly ClientRequest[];
}

/** A third-party HTTP client. */
export interface Client {
  /** Its name in docs/reference/clients.md. */
  readonly name: string;
  version(): Promise<string>;
  /** One response per request; it may stop after the first error. */
  send(session: Session): Promise<readonly ClientAnswer[]>;
}

/** Whether a response was successful. */
export function isSuccess({ status }: ClientAnswer): boolean {
  return status >= 200 && status < 300;
}
