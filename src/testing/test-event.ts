import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { MvcEvent, Request, type InjectedRequest, type Log } from '../framework';

/** What a request says; `GET /` unless told. */
export type TestRequestOptions = Partial<Omit<InjectedRequest, 'signal'>>;

/**
 * A request that came over no connection, for tests of what reads one.
 *
 * @example
 * testRequest({ path: '/notes?page=2', headers: { 'Accept-Language': 'de' } }).query.get('page') // '2'
 */
export function testRequest(options: TestRequestOptions = {}): Request {
  return testEvent(options).request;
}

/** The event of such a request, for tests of listeners. @param log nothing is noted without one */
export function testEvent(options: TestRequestOptions = {}, log?: Log): MvcEvent {
  const { method = 'GET', path = '/', body, json } = options;
  const message = new IncomingMessage(new Socket());
  message.httpVersion = '1.1';
  message.method = method;
  message.url = path;
  const content = json === undefined ? body : JSON.stringify(json);
  const lines = fieldLines(options, content);
  message.rawHeaders = lines.flat();
  message.headers = Object.fromEntries(new Headers(lines));
  if (content !== undefined) message.push(content);
  message.push(null);
  message.complete = true;
  const outgoing = new ServerResponse(message);
  return new MvcEvent(new Request(message, outgoing), outgoing, log);
}

/** The lines of the fields: one that says nothing of its content is told of as it would be by a client. */
function fieldLines(
  { headers = {}, json }: TestRequestOptions,
  content: string | Uint8Array | undefined,
): [name: string, line: string][] {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((line): [string, string] => [name, line]),
  );
  const has = (field: string): boolean => lines.some(([name]) => name.toLowerCase() === field);
  if (json !== undefined && !has('content-type')) lines.push(['Content-Type', 'application/json']);
  if (content !== undefined) lines.push(['Content-Length', String(Buffer.byteLength(content))]);
  return lines;
}
