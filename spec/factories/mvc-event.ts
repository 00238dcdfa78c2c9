import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { MvcEvent, Request } from '../../src/framework';

/** The event of a request that came over no connection: for tests of what happens before bytes are written. */
export function makeMvcEvent(url = '/', method = 'GET'): MvcEvent {
  const message = new IncomingMessage(new Socket());
  message.url = url;
  message.method = method;
  const outgoing = new ServerResponse(message);
  return new MvcEvent(new Request(message, outgoing), outgoing);
}
