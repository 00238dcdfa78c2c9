import type { Attributes } from '@opentelemetry/api';
import { refusalOf, sentStatus, type MvcEvent } from '../../../framework';
import type { StatementMessage } from '../../database';
import { isHosted, operationId } from '../../hosting';
import { routeTemplate } from './route-template';

/** Other methods are reported as `_OTHER`: clients can invent any (Semantic Conventions for HTTP spans). */
const METHODS = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
  'QUERY',
]);

const DATABASES = { sqlite: 'sqlite', postgres: 'postgresql' } as const;

/** `SELECT`, `INSERT`, `WITH` */
const FIRST_WORD = /^\s*([A-Za-z]{1,20})/;

/** The method as span names and attributes have it. */
export function methodName(method: string): string {
  return METHODS.has(method) ? method : '_OTHER';
}

/** The attributes of a server span at its start, which samplers decide by. The query may have secrets. */
export function requestAttributes({ request }: MvcEvent): Attributes {
  const { method, path, host, message, scheme } = request;
  const { hostname, port } = splitHost(host ?? '');
  const agent = request.header('user-agent');
  return {
    'http.request.method': methodName(method),
    ...(METHODS.has(method) ? {} : { 'http.request.method_original': method }),
    'url.path': path,
    'url.scheme': scheme,
    'network.protocol.version': message.httpVersion,
    'client.address': request.address,
    ...(hostname === '' ? {} : { 'server.address': hostname }),
    ...(port === undefined ? {} : { 'server.port': port }),
    ...(agent === undefined ? {} : { 'user_agent.original': agent }),
  };
}

/** The attributes of a server span at its end. @param base the path prefix of every route */
export function responseAttributes(event: MvcEvent, base: string): Attributes {
  const { endpoint, match, outgoing, problem, request, response } = event;
  const status = sentStatus(outgoing) ?? undefined;
  const route = match && base + routeTemplate(match);
  return {
    'apidesc.request_id': request.id,
    'http.response.body.size': refusalOf(outgoing)?.bytes ?? response.sentBytes,
    ...(route === undefined ? {} : { 'http.route': route }),
    ...(status === undefined ? {} : { 'http.response.status_code': status }),
    ...(status === undefined || status >= 500
      ? { 'error.type': problem?.code ?? (status === undefined ? 'client_disconnected' : String(status)) }
      : {}),
    ...(isHosted(endpoint)
      ? {
          'apidesc.api': endpoint.api,
          'apidesc.version': endpoint.version,
          'apidesc.service': endpoint.service,
          'apidesc.operation': operationId(endpoint),
        }
      : {}),
  };
}

/** The attributes of a client span of a database. Statements have placeholders, no values. */
export function statementAttributes({ adapter, dialect, text, rows, error }: StatementMessage): Attributes {
  return {
    'db.system.name': DATABASES[dialect],
    'db.namespace': adapter,
    'db.operation.name': operationOf(text),
    'db.query.text': text,
    ...(rows === undefined ? {} : { 'db.response.returned_rows': rows }),
    ...(error === undefined ? {} : { 'error.type': error.kind }),
  };
}

/** The name of a client span of a database. */
export function statementName({ adapter, text }: StatementMessage): string {
  return `${operationOf(text)} ${adapter}`;
}

function operationOf(text: string): string {
  return FIRST_WORD.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
}

/** `localhost:8080`, `[::1]:8080` */
function splitHost(host: string): { readonly hostname: string; readonly port: number | undefined } {
  const [, hostname = '', port] = /^(\[[0-9a-fA-F:.]+\]|[^:]*)(?::(\d{1,5}))?$/.exec(host) ?? [];
  return { hostname, port: port === undefined ? undefined : Number(port) };
}
