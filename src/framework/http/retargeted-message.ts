import { IncomingMessage, ServerResponse } from 'node:http';
import { FORWARDING_FIELDS } from './proxies/forwarding';

/** What tells the client and the host of a request, besides its connection. */
const ORIGIN_FIELDS: readonly string[] = ['host', 'via', ...FORWARDING_FIELDS];

/** Returns a message of the same client for another target, which is never read from or written to the connection. */
export function retargetedMessage(
  { socket, rawHeaders, headers }: IncomingMessage,
  method: string,
  target: string,
): { readonly message: IncomingMessage; readonly outgoing: ServerResponse } {
  const message = new IncomingMessage(socket);
  message.httpVersion = '1.1';
  message.method = method;
  message.url = target;
  message.rawHeaders = rawHeaders.filter((_, at) =>
    ORIGIN_FIELDS.includes((rawHeaders[at - (at % 2)] ?? '').toLowerCase()),
  );
  message.headers = Object.fromEntries(
    Object.entries(headers).filter(([name]) => ORIGIN_FIELDS.includes(name)),
  );
  message.push(null);
  message.complete = true;
  return { message, outgoing: new ServerResponse(message) };
}
