import { TOKEN } from '../../../../framework';
import { invalid } from '../../changes/field-errors';
import type { OperationReference } from '../access/access-origin';
import type { VersionReference } from '../access/access-view';

/** Who would send a request. */
export type Who =
  | { readonly kind: 'guest' }
  | {
      readonly kind: 'identity';
      readonly name: string;
      readonly groups: readonly string[];
      readonly scopes: readonly string[];
      /** Whose credentials the request has; undefined for any adapter that guards what it addresses. */
      readonly adapter: string | undefined;
    }
  /** A user that an adapter knows, with the groups and scopes that it has there. */
  | { readonly kind: 'user'; readonly adapter: string; readonly name: string };

/** What the request would address. */
export type What =
  | ({ readonly kind: 'operation' } & VersionReference & OperationReference)
  | { readonly kind: 'path'; readonly method: string; readonly path: string };

/** What the rule tester is asked. */
export interface RuleQuestion {
  readonly who: Who;
  readonly what: What;
}

/** The fields of a question, in a form or in a query. */
export type QuestionFields = Partial<
  Readonly<
    Record<
      | 'who'
      | 'name'
      | 'groups'
      | 'scopes'
      | 'adapter'
      | 'what'
      | 'api_version'
      | 'operation'
      | 'method'
      | 'path',
      string
    >
  >
>;

/**
 * Parses the fields of a question. It is about a path if `what` is `path`, or if it has a path and no `what`; otherwise
 * about an operation.
 * @throws Problem 422
 */
export function parseQuestion(fields: QuestionFields): RuleQuestion {
  return { who: parseWho(fields), what: parseWhat(fields) };
}

function parseWho({ who = 'guest', name = '', groups, scopes, adapter = '' }: QuestionFields): Who {
  switch (who) {
    case 'guest':
      return { kind: 'guest' };
    case 'user':
      return { kind: 'user', adapter, name };
    case 'identity':
      return {
        kind: 'identity',
        name,
        groups: namesIn(groups),
        scopes: wordsIn(scopes),
        adapter: adapter === '' ? undefined : adapter,
      };
    default:
      throw invalid([{ pointer: '/who', message: 'Choose "guest", "identity" or "user".' }]);
  }
}

/** Names separated by commas; those of groups may have spaces. */
function namesIn(text = ''): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Scopes, which have no spaces, separated by commas or white space. */
function wordsIn(text = ''): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function parseWhat({
  api_version: key = '',
  operation = '',
  method = 'GET',
  path = '',
  what = path === '' ? 'operation' : 'path',
}: QuestionFields): What {
  if (what === 'path') return parsePath(method, path);
  const [, api, version] = /^(.+)-v(\d+)$/.exec(key) ?? [];
  if (api === undefined || version === undefined)
    throw invalid([{ pointer: '/api_version', message: 'Choose an API version, such as "Atlas-v1".' }]);
  const found = parseOperation(operation);
  if (found === undefined) {
    const message =
      'Choose an operation: a service, its part and a method, such as "Country collection GET".';
    throw invalid([{ pointer: '/operation', message }]);
  }
  return { kind: 'operation', api, version: Number(version), ...found };
}

function parsePath(method: string, path: string): What {
  if (!TOKEN.test(method)) throw invalid([{ pointer: '/method', message: 'Enter a method, such as GET.' }]);
  // The characters of a request target (RFC 9112, 3.2).
  if (!/^\/[\x21-\x7e]*$/.test(path) || path.includes('#')) {
    const message = 'Enter a path that begins with "/", percent-encoded, without white space and "#".';
    throw invalid([{ pointer: '/path', message }]);
  }
  return { kind: 'path', method, path };
}

/** `Note collection GET` as entered: a service, its part unless it is an RPC service, and a method. */
function parseOperation(text: string): OperationReference | undefined {
  const [, service, part = 'rpc', method] =
    /^(\S+) (?:(collection|entity) )?([A-Z]+)$/.exec(text.trim()) ?? [];
  if (service === undefined || method === undefined) return undefined;
  return { service, part: part === 'collection' || part === 'entity' ? part : 'rpc', method };
}

/** The inverse of {@link parseOperation}. */
export function formatOperation({ service, part, method }: OperationReference): string {
  return part === 'rpc' ? `${service} ${method}` : `${service} ${part} ${method}`;
}
