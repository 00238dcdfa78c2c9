import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import {
  MvcEvent,
  Request,
  requestOptionNames,
  serializeRequest,
  type InjectedRequest,
  type Log,
} from '../framework';

/** The options of a request; defaults to `GET /`. */
export type TestRequestOptions = Partial<Omit<InjectedRequest, 'signal'>>;

const OPTIONS = requestOptionNames.filter((name) => name !== 'signal');

/**
 * Creates a request without a connection, for tests of code that reads requests.
 *
 * @throws TypeError for an unknown or invalid option
 * @example
 * testRequest({ path: '/notes?page=2', headers: { 'Accept-Language': 'de' } }).query.get('page') // '2'
 */
export function testRequest(options: TestRequestOptions = {}): Request {
  return eventOf(options, 'testRequest()').request;
}

/**
 * Creates the event of such a request, for tests of listeners.
 * @param log defaults to discarding all lines
 * @throws TypeError for an unknown or invalid option
 */
export function testEvent(options: TestRequestOptions = {}, log?: Log): MvcEvent {
  return eventOf(options, 'testEvent()', log);
}

/** @param where the function that was called, for messages */
export function eventOf(options: TestRequestOptions, where: string, log?: Log): MvcEvent {
  const { lines, content } = serializeRequest(options, where, OPTIONS);
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
