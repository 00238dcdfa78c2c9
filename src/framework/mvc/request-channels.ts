import { channel } from 'node:diagnostics_channel';
import type { MvcEvent } from './mvc-event';

/** The message of `apidesc:request:start`. */
export interface RequestStartMessage {
  readonly event: MvcEvent;
}

/** The message of `apidesc:request:end`. */
export interface RequestEndMessage {
  readonly event: MvcEvent;
  /** In milliseconds, until the response was complete or the client disconnected. */
  readonly duration: number;
}

/** A request has arrived; nothing has been done for it. */
export const requestStart = channel('apidesc:request:start');

/** The response is complete, or the client has disconnected. */
export const requestEnd = channel('apidesc:request:end');
