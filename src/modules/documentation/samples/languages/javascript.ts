import { FORM, type FormField } from '../form-fields';
import { multipartParts, type MultipartPart, type SamplePart } from '../request-parts';
import { addressOf, type SampleBody, type SampleCall, type SampleCredentials } from '../sample-call';

/**
 * Returns a script for `fetch`, an ES module. The fetch of Node.js does not support Digest, so the sample includes an
 * implementation of RFC 7616; in a browser, `credentials` would do.
 */
export function javascriptSample(call: SampleCall, origin: string): readonly SamplePart[] {
  const isDigest = call.credentials === 'digest';
  const lines = [...formLines(call.body), ...(isDigest ? [USER, ''] : [])];
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
  const code = lines.join('\n');
  return isDigest ? [{ code: `${code}\n` }, { code: DIGEST, helper: 'digest' }] : [{ code }];
}

function optionsOf({
  method,
  accept,
  credentials,
  body,
  headers: required = [],
}: SampleCall): readonly string[] {
  const headers = [
    ...(accept === undefined ? [] : [`    Accept: ${scriptText(accept)},`]),
    // fetch sets the type of a form itself.
    ...(body === undefined || body.form !== undefined
      ? []
      : [`    'Content-Type': ${scriptText(body.type)},`]),
    ...required.map(([name, value]) => `    ${scriptText(name)}: ${scriptText(value)},`),
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

/** Code that creates a form before it is sent; files are read with Node.js. */
function formLines(body: SampleBody | undefined): readonly string[] {
  if (body?.form === undefined) return [];
  const { form, type } = body;
  const hasFiles = form.some((field) => 'file' in field);
  const hasJson = type !== FORM && form.some((field) => 'json' in field);
  return [
    ...(hasFiles ? ["import { openAsBlob } from 'node:fs';", ''] : []),
    ...(hasJson ? encodedForm(multipartParts(body) ?? []) : appendedForm(form, type)),
    '',
  ];
}

function appendedForm(form: readonly FormField[], type: string): readonly string[] {
  return [
    `const form = new ${type === FORM ? 'URLSearchParams' : 'FormData'}();`,
    ...form.map((field) => {
      const name = scriptText(field.name);
      if (!('file' in field))
        return `form.append(${name}, ${scriptText('text' in field ? field.text : field.json)});`;
      const file = scriptText(field.file);
      return `form.append(${name}, await openAsBlob(${file}, { type: ${scriptText(field.type)} }), ${file});`;
    }),
  ];
}

/** FormData cannot set the type of a field that is not a file. */
function encodedForm(parts: readonly MultipartPart[]): readonly string[] {
  return [
    'const parts = [',
    ...parts.map(({ head, text = '', file }) => {
      const content = file === undefined ? scriptText(text) : `await openAsBlob(${scriptText(file)})`;
      return `  [${scriptText(head)}, ${content}],`;
    }),
    '];',
    'const boundary = crypto.randomUUID();',
    'const encoded = parts.flatMap(([head, content]) => [',
    '  `--${boundary}\\r\\nContent-Disposition: form-data; ${head}\\r\\n\\r\\n`, content, `\\r\\n`,',
    ']);',
    'const form = new Blob([...encoded, `--${boundary}--\\r\\n`], {',
    '  type: `multipart/form-data; boundary=${boundary}`,',
    '});',
  ];
}

function authorizationOf(credentials: SampleCredentials | undefined): readonly string[] {
  if (credentials === 'basic') return [`    Authorization: 'Basic ' + btoa('USER:PASSWORD'),`];
  if (typeof credentials === 'object') {
    const { header, value } = credentials;
    return [`    ${/^[A-Za-z]+$/.test(header) ? header : scriptText(header)}: ${scriptText(value)},`];
  }
  return [];
}

/** A JavaScript literal of a JSON value. In an object literal, `__proto__` would set the prototype. */
function scriptValue(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^( *)"__proto__":/gm, '$1["__proto__"]:');
}

/** A JavaScript string literal. */
function scriptText(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

const USER = "const [user, password] = ['USER', 'PASSWORD'];";

/** Sends a request, and repeats it with the response to the first challenge for Digest (RFC 7616, 3.4). */
const DIGEST = String.raw`import { createHash, randomBytes } from 'node:crypto';

async function fetchWithDigest(url, { method = 'GET', headers = {}, body } = {}) {
  const first = await fetch(url, { method, headers, body });
  // fetch shows and accepts each octet of a field as one character.
  const field = Buffer.from(first.headers.get('www-authenticate') ?? '', 'latin1').toString();
  const [challenge] = field.match(/(?<=^|, )Digest (\w+=("[^"]*"|[^\s,]+)(, )?)+/) ?? [];
  if (first.status !== 401 || challenge === undefined) return first;
  const parameters = Object.fromEntries(
    [...challenge.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)].map(([, name, a, b]) => [name, a ?? b]),
  );
  const { realm, nonce, opaque, algorithm = 'MD5' } = parameters;
  const hash = (text) => createHash(algorithm.replace('-', '')).update(text).digest('hex');
  const { pathname, search } = new URL(url);
  const [uri, nc, cnonce] = [pathname + search, '00000001', randomBytes(8).toString('hex')];
  const [ha1, ha2] = [hash([user, realm, password].join(':')), hash(method + ':' + uri)];
  const fields = {
    username: user, realm, uri, nonce, opaque, cnonce,
    response: hash([ha1, nonce, nc, cnonce, 'auth', ha2].join(':')),
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  const quoted = known.map(([name, value]) => name + '="' + value + '"');
  const answer = 'Digest ' + [...quoted, 'algorithm=' + algorithm, 'nc=' + nc, 'qop=auth'].join(', ');
  const Authorization = Buffer.from(answer).toString('latin1');
  return fetch(url, { method, headers: { ...headers, Authorization }, body });
}`;
