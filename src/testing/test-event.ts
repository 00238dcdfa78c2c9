import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { MvcEvent, Request, requestOptions, sentRequest, type InjectedRequest, type Log } from '../framework';

/** What a request says; `GET /` unless told. */
export type TestRequestOptions = Partial<Omit<InjectedRequest, 'signal'>>;

const OPTIONS = requestOptions.filter((name) => name !== 'signal');

/**
 * A request that came over no connection, for tests of what reads one.
 *
 * @throws TypeError for an option that there is not, and one that is of no use
 * @example
 * testRequest({ path: '/notes?page=2', headers: { 'Accept-Language': 'de' } }).query.get('page') // '2'
 */
export function testRequest(options: TestRequestOptions = {}): Request {
  return eventOf(options, 'testRequest()').request;
}

/**
 * The event of such a request, for tests of listeners.
 * @param log nothing is noted without one
 * @throws TypeError for an option that there is not, and one that is of no use
 */
export function testEvent(options: TestRequestOptions = {}, log?: Log): MvcEvent {
  return eventOf(options, 'testEvent()', log);
}

/** @param where what was called, for messages */
export function eventOf(options: TestRequestOptions, where: string, log?: Log): MvcEvent {
  const { lines, content } = sentRequest(options, where, OPTIONS);
  const { method = 'GET', path = '/' } = options;
  const message = new IncomingMessage(new Socket());
  message.httpVersion = '1.1';
  message.method = method;
  message.url = path;
  message.rawHeaders = lines.flat();
  message.headers = Object.fromEntries(
    new Headers(lines.map(([name, value]): [string, string] => [name, value])),
  );
  if (content !== undefined) message.push(content);
  message.push(null);
  message.complete = true;
  const outgoing = new ServerResponse(message);
  return new MvcEvent(new Request(message, outgoing), outgoing, log);
}
