// Requests derived from a document: each operation as it should be called, and with every error that its documented
// statuses describe and that a caller can provoke alone.

/** Collections are filled before they are read, and emptied last. */
const ORDER = ['post', 'get', 'put', 'patch', 'delete'];

/** Statuses that only other clients, the operator, high load or a full disk provoke. */
const NOT_BROUGHT_ABOUT = ['403', '429', '503', '507'];

/** The operations of a document, ordered so that each finds what it needs. */
export function operationsOf(document) {
  return Object.entries(document.paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation, document })),
    )
    .sort((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method));
}

/**
 * @param {Map<string, string>} known values of path parameters from earlier responses
 * @returns {{ status: string, target: string, headers: object, body?: string, guest?: boolean }[]}
 */
export function requestsOf({ path, method, operation, document }, known) {
  const parameters = operation.parameters ?? [];
  const valueOf = (parameter) =>
    known.get(`${path} ${parameter.name}`) ?? parameter.example ?? exampleOf(parameter.schema, document);
  const fill = (value) =>
    path.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(value(parameters.find((one) => one.in === 'path' && one.name === name))),
    );
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map((one) => `${one.name}=${encodeURIComponent(valueOf(one))}`)
    .join('&');
  const target = `${fill(valueOf)}${query === '' ? '' : `?${query}`}`;
  const media = Object.entries(operation.requestBody?.content ?? {})[0];
  const written = (value) => writtenAs(media[0], value, media[1].schema, document);
  const example =
    media === undefined ? undefined : (media[1].example ?? exampleOf(media[1].schema, document));
  const identifiers = parameters.filter((one) => one.in === 'path').map((one) => [one.name, valueOf(one)]);
  const body = media === undefined ? undefined : written(withIdentifiers(example, identifiers));
  const headers = {
    accept: '*/*',
    ...(media === undefined ? {} : { 'content-type': isForm(media[0]) ? FORM : media[0] }),
    ...(operation.responses['428'] === undefined ? {} : { 'if-match': '*' }),
  };
  const right = { target, headers, ...(body === undefined ? {} : { body }) };
  const closed =
    (operation.security ?? []).length > 0 && operation.security.every((one) => Object.keys(one).length);
  const last = parameters.filter((one) => one.in === 'path').at(-1);
  const wrong = {
    304: { ...right, headers: { ...headers, 'if-none-match': '*' } },
    400: { ...right, target: `${target}${query === '' ? '?' : '&'}undeclared=1` },
    401: closed
      ? { ...right, guest: true }
      : { ...right, guest: true, headers: { ...headers, authorization: 'Basic !' } },
    404: {
      ...right,
      target: fill((one) => (one === last ? 'none-such' : valueOf(one))),
      // "If-Match: *" is already false for a missing resource (RFC 9110, 13.1.1).
      ...(method === 'put' ? { headers: { ...headers, 'if-match': undefined, 'if-none-match': '*' } } : {}),
    },
    406: { ...right, headers: { ...headers, accept: 'image/png' } },
    // Of the reading operations, only a page after the last.
    409: { ...right, target: `${target}${query === '' ? '?' : '&'}page=99999` },
    412: { ...right, headers: { ...headers, 'if-match': '"another"' } },
    413: { ...right, body: media === undefined ? undefined : tooLarge(media[0]) },
    415: { ...right, headers: { ...headers, 'content-type': 'text/plain' } },
    422: { ...right, body: media === undefined ? undefined : written(wrongBody(media[1].schema, document)) },
    428: { ...right, headers: { ...headers, 'if-match': undefined } },
  };
  const statuses = Object.keys(operation.responses);
  const failing = statuses
    .filter((status) => !status.startsWith('2') && !NOT_BROUGHT_ABOUT.includes(status))
    .filter((status) => status !== '409' || method === 'get')
    // Without a body, it is a rule of the database.
    .filter((status) => status !== '422' || media !== undefined)
    .map((status) => ({ status, ...wrong[status] }));
  // Deletions come last.
  return method === 'delete'
    ? [...failing, { status: '2xx', ...right }]
    : [{ status: '2xx', ...right }, ...failing];
}

/** A body may have the identifier of its URL, and no other one. */
function withIdentifiers(value, identifiers) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const own = identifiers.filter(([name]) => Object.hasOwn(value, name));
  const typed = ([name, text]) => [name, typeof value[name] === 'number' ? Number(text) : text];
  return { ...value, ...Object.fromEntries(own.map(typed)) };
}

const BOUNDARY = 'part-of-the-contract';
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;

const isForm = (type) => type === 'multipart/form-data';

/** Encodes a value as a body of a media type; what the schema calls binary is a file (RFC 7578). */
function writtenAs(type, value, schema, document) {
  if (!isForm(type)) return JSON.stringify(value);
  const { properties = {} } = resolve(schema, document) ?? {};
  const parts = Object.entries(value).map(([name, one]) => {
    const isFile = properties[name]?.format === 'binary' && typeof one === 'string';
    const file = isFile ? `; filename="${name}.txt"\r\nContent-Type: text/plain` : '';
    const text = typeof one === 'object' ? JSON.stringify(one) : one;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`;
  });
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

function tooLarge(type) {
  const text = 'x'.repeat(2_000_000);
  const schema = { properties: { picture: { format: 'binary' } } };
  return writtenAs(type, isForm(type) ? { picture: text } : text, schema, {});
}

/** A value of the right type with an invalid first member. */
function wrongBody(schema, document) {
  const { type, items, properties, anyOf } = resolve(schema, document) ?? {};
  if (anyOf !== undefined) return wrongBody(anyOf[0], document);
  if (type === 'array') return [wrongBody(items, document)];
  return { [Object.keys(properties ?? {})[0] ?? 'undeclared']: { of: ['the', 'wrong', 'type'] } };
}

function resolve(schema, document) {
  if (schema?.$ref === undefined) return schema;
  return document.components.schemas[schema.$ref.replace('#/components/schemas/', '')];
}

/** An example of a schema: its own, or one composed of those of its members. */
function exampleOf(schema, document) {
  if (schema === undefined) return undefined;
  if (schema.$ref !== undefined) return exampleOf(resolve(schema, document), document);
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0], document);
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.type === 'object') {
    const members = Object.entries(schema.properties ?? {});
    return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member, document)]));
  }
  if (schema.type === 'array') return [exampleOf(schema.items, document)];
  return { string: 'a', integer: 1, number: 1, boolean: true }[schema.type];
}
