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

const cutOff = new WeakSet<ServerResponse>();

/** Notes that the server ends the connection of a response that is not complete, at the end of its shutdown. */
export function noteCutOff(outgoing: ServerResponse): void {
  cutOff.add(outgoing);
}

const STOPPING = Symbol('stopping');

const stopping = new WeakSet<ServerResponse>();

/** Notes that the server has begun to stop: it accepts no connections any more. */
export function noteStopping(outgoing: ServerResponse): void {
  if (stopping.has(outgoing)) return;
  stopping.add(outgoing);
  outgoing.emit(STOPPING);
}

/** Calls a function when the server of a response begins to stop, or immediately if it has. */
export function onStopping(outgoing: ServerResponse, act: () => void): void {
  if (stopping.has(outgoing)) act();
  else outgoing.once(STOPPING, act);
}

/** How a request ended that got no complete response; undefined for all others. */
export function abortOf(outgoing: ServerResponse): 'client' | 'shutdown' | undefined {
  if (refusals.has(outgoing)) return undefined;
  if (cutOff.has(outgoing)) return 'shutdown';
  return isIncomplete(outgoing) ? 'client' : undefined;
}

const incomplete = new WeakSet<ServerResponse>();

/**
 * Notes whether a response that closes was sent completely. Node.js before 24 finishes a response that was ended also when its
 * connection is destroyed; a complete one closes before its connection does.
 */
export function noteClosed(outgoing: ServerResponse): void {
  if (outgoing.req.socket.destroyed) incomplete.add(outgoing);
}

/** Whether a response that has closed was not sent completely. */
export function isIncomplete(outgoing: ServerResponse): boolean {
  return !outgoing.writableFinished || incomplete.has(outgoing);
}

/** The status that the client of a request received; null if none was sent. */
export function sentStatus(outgoing: ServerResponse): number | null {
  const refusal = refusals.get(outgoing);
  if (refusal !== undefined) return refusal.status;
  return outgoing.headersSent ? outgoing.statusCode : null;
}
