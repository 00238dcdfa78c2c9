import type { ServerResponse } from 'node:http';

/** What the client of a request received from the server, in place of a response of the application. */
export interface RequestRefusal {
  readonly status: number;
  /** The code of the problem. */
  readonly code: string | undefined;
  /** Of the body. */
  readonly bytes: number;
}

const refusals = new WeakMap<ServerResponse, RequestRefusal>();

/** Notes that the server responded to a request that an application handles, such as 408 to one without its body. */
export function noteRefusal(outgoing: ServerResponse, refusal: RequestRefusal): void {
  refusals.set(outgoing, refusal);
}

/** What the server responded to a request that an application handles; undefined if it left that to the application. */
export function refusalOf(outgoing: ServerResponse): RequestRefusal | undefined {
  return refusals.get(outgoing);
}

/** The status that the client of a request received; null if none was sent. */
export function sentStatus(outgoing: ServerResponse): number | null {
  const refusal = refusals.get(outgoing);
  if (refusal !== undefined) return refusal.status;
  return outgoing.headersSent ? outgoing.statusCode : null;
}
