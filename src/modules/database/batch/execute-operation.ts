import type { Socket } from 'node:net';
import {
  injectInto,
  isObject,
  setClientCertificate,
  type Application,
  type Request,
} from '../../../framework';
import type { HandlerContext } from '../../hosting';
import type { SentCredential } from '../../mvc-auth';
import type { Operation, Result } from './batch-schemas';
import { runInScope, type TransactionScope } from './transaction-scope';

/** Fields of a response that belong to its connection and message (RFC 9110, 7.6.1), which a result is not. */
const CONNECTION_FIELD =
  /^(connection|content-length|date|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** The result of an operation, whose body is still text, and its path with the prefix that a proxy removes. */
export type Answer = Omit<Result, 'body'> & { readonly text: string; readonly path: string };

/** Executes one operation in the transaction of a batch, as if its client had sent it. */
export async function executeOperation(
  application: Application,
  scope: TransactionScope,
  { method, path, headers = {}, body }: Operation,
  { event: { request: outer, guard }, signal }: HandlerContext<unknown>,
): Promise<Answer> {
  const authorization = outer.header('authorization');
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const fields = ['authorization', ...(guard?.locations?.headers ?? [])].map((name) => name.toLowerCase());
  const hasOwn = names.some((name) => fields.includes(name));
  // Digest credentials are valid for one method and URI only (RFC 7616, 3.4).
  const isInherited = authorization !== undefined && !hasOwn && !/^digest /i.test(authorization);
  // Tokens and keys of the batch that are not in `Authorization`.
  const [credential] = hasOwn ? [] : (guard?.locations?.credentialsIn(outer) ?? []);
  const inherited = credential?.in === 'header' ? { [credential.name]: credential.value } : {};
  const defaults = {
    Accept: 'application/json',
    ...(method === 'PATCH' && isObject(body) ? { 'Content-Type': 'application/merge-patch+json' } : {}),
  };
  const target = credential?.in === 'query' ? withParameter(path, credential) : path;
  let prefix = '';
  const handler: Pick<Application, 'handle'> = {
    handle: (message, outgoing) => {
      assumeClient(message.socket, outer);
      runInScope(scope, () => application.handle(message, outgoing));
      prefix = message.url?.slice(0, -target.length) ?? '';
    },
  };
  const answered = await injectInto(handler, {
    method,
    path: target,
    headers: {
      Host: outer.header('host') ?? 'localhost',
      ...(isInherited ? { Authorization: authorization } : {}),
      ...inherited,
      // Names of fields have any case.
      ...Object.fromEntries(Object.entries(defaults).filter(([name]) => !names.includes(name.toLowerCase()))),
      ...headers,
      // As behind the proxy of the batch, which says no address.
      ...(outer.isAddressUnknown ? { 'X-Forwarded-For': 'unknown' } : {}),
    },
    ...(body === undefined ? {} : { json: body }),
    signal,
  });
  return {
    status: answered.status,
    headers: Object.fromEntries([...answered.headers].filter(([name]) => !CONNECTION_FIELD.test(name))),
    text: await answered.text(),
    path: prefix + path,
  };
}

/** The client of the batch, not this process, makes the request. */
function assumeClient(
  socket: Socket,
  { address, scheme, clientCertificate }: Pick<Request, 'address' | 'scheme' | 'clientCertificate'>,
): void {
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  if (scheme === 'https') Object.defineProperty(socket, 'encrypted', { value: true });
  if (clientCertificate !== undefined) setClientCertificate(socket, clientCertificate);
}

function withParameter(path: string, { name, value }: SentCredential): string {
  const separator = path.includes('?') ? '&' : '?';
  return `${path}${separator}${new URLSearchParams({ [name]: value }).toString()}`;
}
