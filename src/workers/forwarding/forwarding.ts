import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import {
  percentDecoded,
  problem,
  problemResponse,
  splitTarget,
  type Application,
  type ConnectionLimits,
  type Log,
  type MaybePromise,
  type Refusals,
  type RequestHandler,
} from '../../framework';
import { ADMIN_PATH } from '../../modules/admin';
import { CALLBACK_PATH } from '../../modules/openid';
import { CLIENT_FIELD, describeClient } from './forwarded-client';
import type { ForwardingTarget } from '../messages';

/** Of one connection (RFC 9110, 7.6.1). Node writes its own. */
const CONNECTION_FIELDS: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-connection']);
/** A trailer section is not forwarded: Node throws for a field that announces it, unless the body has chunks. */
const UNFORWARDED_FIELDS: ReadonlySet<string> = new Set([...CONNECTION_FIELDS, 'trailer', CLIENT_FIELD]);
const UNFORWARDED_FIELDS_1_0: ReadonlySet<string> = new Set([...UNFORWARDED_FIELDS, 'expect']);

/** Node sends chunks with other methods, unless a field says how long the body is. */
const METHODS_WITHOUT_BODY: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'TRACE',
]);

/**
 * The application of a worker. Requests of administrators, also those that complete a sign-in, are forwarded to the
 * primary, which has their sessions, and which changes the configuration; all others are handled here.
 */
export class ForwardingHandler implements RequestHandler {
  readonly #application: Application;
  readonly #target: ForwardingTarget;
  readonly limits: ConnectionLimits;
  readonly log: Log;
  readonly refusals: Refusals;

  constructor(application: Application, target: ForwardingTarget) {
    this.#application = application;
    this.#target = target;
    this.limits = application.limits;
    this.log = application.log;
    this.refusals = application.refusals;
  }

  isEssential(message: IncomingMessage): boolean {
    return this.#application.isEssential(message);
  }

  handle(message: IncomingMessage, outgoing: ServerResponse): MaybePromise<void> {
    if (!isForPrimary(message.url ?? '')) return this.#application.handle(message, outgoing);
    return this.#forward(message, outgoing);
  }

  dispose(): Promise<void> {
    return this.#application.dispose();
  }

  #forward(message: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { port, secret } = this.#target;
    const client = describeClient(message, secret);
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method: message.method,
      path: message.url,
      headers: [
        ...without(unforwarded(message), message.rawHeaders),
        ...lengthOf(message),
        // With `close`, the primary would end the connection of a body that it does not read: the response could be lost.
        ...[CLIENT_FIELD, client, 'Connection', 'keep-alive'],
      ],
      agent: false,
    });
    outgoing.once('close', () => request.destroy());
    request.on('continue', () => outgoing.writeContinue());
    return new Promise((resolve) => {
      request.on('error', () => {
        if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
        else problemResponse(problem('overloaded', {})).send(outgoing, message.method ?? 'GET');
        resolve();
      });
      request.on('response', (response) => {
        outgoing.sendDate = false;
        outgoing.writeHead(
          response.statusCode ?? 0,
          response.statusMessage,
          without(CONNECTION_FIELDS, response.rawHeaders),
        );
        // Of either connection: the other one is closed.
        pipeline(response, outgoing).then(resolve, () => resolve());
      });
      pipeline(message, request).catch(() => undefined);
    });
  }
}

/**
 * Whether the primary must handle a request. It may handle others, too: its application is the same. Routes match
 * decoded paths.
 */
function isForPrimary(target: string): boolean {
  const isEncoded = target.includes('%');
  if (!isEncoded && !hasPrimaryPath(target)) return false;
  const { path } = splitTarget(target);
  return hasPrimaryPath(percentDecoded(path) ?? path);
}

function hasPrimaryPath(text: string): boolean {
  return text.includes(ADMIN_PATH) || text.includes(CALLBACK_PATH);
}

/**
 * The fields of a request that are not forwarded as they are: HTTP/1.0 has no expectations (RFC 9110, 10.1.1) and no
 * interim responses (15.2), but the primary receives it as HTTP/1.1.
 */
function unforwarded({ httpVersion }: IncomingMessage): ReadonlySet<string> {
  return httpVersion === '1.0' ? UNFORWARDED_FIELDS_1_0 : UNFORWARDED_FIELDS;
}

/** The fields to add to a request that has no body, and does not say so. */
function lengthOf({ method = '', headers }: IncomingMessage): readonly string[] {
  const isClear =
    METHODS_WITHOUT_BODY.has(method) ||
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined;
  return isClear ? [] : ['Content-Length', '0'];
}

/** @param fields as a flat list. @param names in lower case */
function without(names: ReadonlySet<string>, fields: readonly string[]): string[] {
  return fields.filter((_, at) => !names.has(fields[at - (at % 2)]?.toLowerCase() ?? ''));
}
