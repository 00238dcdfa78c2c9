import { createServer } from 'node:http';
import type { RequestHandler } from '../server/current-handler';
import { inject } from './inject';
import type { InjectedRequest } from './injected-request';

/** More than the header sections that the server accepts: a request may be part of another one, and have its fields. */
const MAX_HEADER_BYTES = 65_536;

/**
 * Sends a request to a handler, such as an application, without the limits of the server's connections. The handler
 * stays active.
 *
 * @returns a `fetch` response, whose body can be streamed
 * @throws Error if the signal is aborted; TypeError for an invalid request
 */
export function injectInto(
  handler: Pick<RequestHandler, 'handle'>,
  request: InjectedRequest,
): Promise<globalThis.Response> {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES },
    (message, outgoing) => void handler.handle(message, outgoing),
  );
  return inject(request, (socket) => server.emit('connection', socket));
}
