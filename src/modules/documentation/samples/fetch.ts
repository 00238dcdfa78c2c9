import { FORM } from './form-fields';
import { addressOf, type SampleBody, type SampleCall, type SampleCredentials } from './sample-call';

/**
 * A script for `fetch`, as an ES module. Node's fetch has no Digest of its own, so that sample brings what RFC 7616
 * asks for; in a browser the page's own `credentials` would do.
 */
export function fetchSample(call: SampleCall, origin: string): string {
  const isDigest = call.credentials === 'digest';
  const lines = [...formLines(call.body), ...(isDigest ? [...DIGEST, ''] : [])];
  const address = scriptText(addressOf(call, origin));
  const options = optionsOf(call);
  const callee = isDigest ? 'fetchWithDigest' : 'fetch';
  lines.push(
    options.length === 0
      ? `const response = await ${callee}(${address});`
      : `const response = await ${callee}(${address}, {\n${options.join('\n')}\n});`,
    call.answersJson
      ? 'console.log(response.status, await response.json());'
      : 'console.log(response.status, await response.text());',
  );
  return lines.join('\n');
}

function optionsOf({ method, accept, credentials, body }: SampleCall): readonly string[] {
  const headers = [
    ...(accept === undefined ? [] : [`    Accept: ${scriptText(accept)},`]),
    // Of a form, fetch writes the type by itself.
    ...(body === undefined || body.form !== undefined
      ? []
      : [`    'Content-Type': ${scriptText(body.type)},`]),
    ...authorizationOf(credentials),
  ];
  return [
    ...(method === 'GET' ? [] : [`  method: ${scriptText(method)},`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body?.form === undefined ? [] : ['  body: form,']),
    ...(body === undefined || body.form !== undefined
      ? []
      : [`  body: JSON.stringify(${scriptValue(body.value).replaceAll('\n', '\n  ')}),`]),
  ];
}

/** A form, made before it is sent; files are read as Node does it. */
function formLines(body: SampleBody | undefined): readonly string[] {
  if (body?.form === undefined) return [];
  const hasFiles = body.form.some((field) => 'file' in field);
  return [
    ...(hasFiles ? ["import { openAsBlob } from 'node:fs';", ''] : []),
    `const form = new ${body.type === FORM ? 'URLSearchParams' : 'FormData'}();`,
    ...body.form.map((field) => {
      const name = scriptText(field.name);
      if ('text' in field) return `form.append(${name}, ${scriptText(field.text)});`;
      const file = scriptText(field.file);
      return `form.append(${name}, await openAsBlob(${file}, { type: ${scriptText(field.type)} }), ${file});`;
    }),
    '',
  ];
}

function authorizationOf(credentials: SampleCredentials | undefined): readonly string[] {
  if (credentials === 'basic') return [`    Authorization: 'Basic ' + btoa('USER:PASSWORD'),`];
  if (typeof credentials === 'object') {
    return [`    Authorization: ${scriptText(`${credentials.scheme} CREDENTIALS`)},`];
  }
  return [];
}

/** JSON as a literal of JavaScript, where a member that is called `__proto__` would be none. */
function scriptValue(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^( *)"__proto__":/gm, '$1["__proto__"]:');
}

/** A text as a literal of JavaScript. */
function scriptText(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Asks, reads the first challenge, and asks again with the answer to it (RFC 7616, 3.4). */
const DIGEST = String.raw`import { createHash, randomBytes } from 'node:crypto';

const [user, password] = ['USER', 'PASSWORD'];

async function fetchWithDigest(url, { method = 'GET', headers = {}, body } = {}) {
  const asked = await fetch(url, { method, headers, body });
  const [challenge] = (asked.headers.get('www-authenticate') ?? '').split(/, (?=Digest )/);
  if (asked.status !== 401 || !challenge.startsWith('Digest ')) return asked;
  const given = Object.fromEntries(
    [...challenge.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)].map(([, name, a, b]) => [name, a ?? b]),
  );
  const { realm, nonce, opaque, algorithm = 'MD5' } = given;
  const hash = (text) => createHash(algorithm.replace('-', '')).update(text).digest('hex');
  const { pathname, search } = new URL(url);
  const [uri, nc, cnonce] = [pathname + search, '00000001', randomBytes(8).toString('hex')];
  const [who, what] = [hash([user, realm, password].join(':')), hash(method + ':' + uri)];
  const fields = {
    username: user, realm, uri, nonce, opaque, cnonce,
    response: hash([who, nonce, nc, cnonce, 'auth', what].join(':')),
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  const quoted = known.map(([name, value]) => name + '="' + value + '"');
  const Authorization = 'Digest ' + [...quoted, 'algorithm=' + algorithm, 'nc=' + nc, 'qop=auth'].join(', ');
  return fetch(url, { method, headers: { ...headers, Authorization }, body });
}`.split('\n');
