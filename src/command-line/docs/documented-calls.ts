import { listOf, objectOf, isObject, type JsonObject } from '../../framework';
import { fieldTexts } from '../../modules/content-negotiation';
import { bodyOf, type CallBody } from './call-body';

/** An operation of an OpenAPI document. */
export interface DocumentedOperation {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly operation: JsonObject;
  readonly document: JsonObject;
}

/** The request built from the examples of an operation, or the example that is missing. */
export type Call =
  | {
      readonly target: string;
      readonly body: CallBody | undefined;
      /** Whether the documentation says that guests are refused. */
      readonly closed: boolean;
      /** Whether only the schema of an identifier has an example: such an entity may not exist. */
      readonly guessed: boolean;
    }
  | { readonly missing: string };

/** Returns the operations of a document, in its order. */
export function operationsOf(document: JsonObject): readonly DocumentedOperation[] {
  return Object.entries(objectOf(document.paths)).flatMap(([path, item]) =>
    Object.entries(objectOf(item))
      // Path items also have members that are not operations, such as `description`.
      .filter(([, operation]) => isObject(operation))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation: objectOf(operation),
        document,
      })),
  );
}

/** The operation that executes others, which its example names. */
const BATCH = '/platform/v1/batch';

/** Whether an operation deletes the entities of a collection that optional filters select, such as those of a table. */
function isFilteredDelete({ method, path, operation }: DocumentedOperation): boolean {
  if (method !== 'DELETE' || path.endsWith('}')) return false;
  const query = listOf(operation.parameters)
    .map(objectOf)
    .filter((parameter) => parameter.in === 'query');
  return query.length > 0 && query.every(({ required }) => required !== true);
}

/** Builds a request from the examples of an operation. */
export function callOf(documented: DocumentedOperation): Call {
  const { path, operation, document } = documented;
  if (path === BATCH) return { missing: 'an example with services of the project' };
  if (isFilteredDelete(documented)) return { missing: 'an example of a filter' };
  const parameters = listOf(operation.parameters).map(objectOf);
  const inPath = new Map<string, string>();
  const query: string[] = [];
  let guessed = false;
  for (const parameter of parameters) {
    const { name, in: place, required } = parameter;
    if (typeof name !== 'string' || (place !== 'path' && place !== 'query') || required !== true) continue;
    const { example = exampleOf(parameter.schema, document) } = parameter;
    if (example === undefined) return { missing: `an example of the parameter "${name}"` };
    const texts = fieldTexts(example).map(encodeURIComponent);
    guessed ||=
      place === 'path' && parameter.example === undefined && 'examples' in objectOf(parameter.schema);
    if (place === 'path') inPath.set(name, texts.join(','));
    else query.push(...texts.map((text) => `${encodeURIComponent(name)}=${text}`));
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => inPath.get(name) ?? '');
  const body = bodyOf(operation, document);
  if (body !== undefined && 'missing' in body) return body;
  const security = listOf(operation.security).map(objectOf);
  const closed = security.length > 0 && security.every((one) => Object.keys(one).length > 0);
  if (!closed && requiresEntityTag(operation)) return { missing: 'an example of the header If-Match' };
  return { target: filled + (query.length === 0 ? '' : `?${query.join('&')}`), body, closed, guessed };
}

/** Whether requests without an entity tag, of which documents have no examples, are rejected: also of a PUT. */
function requiresEntityTag({ parameters, responses }: JsonObject): boolean {
  const isTag = (one: JsonObject): boolean => one.in === 'header' && one.name === 'If-Match';
  return '428' in objectOf(responses) && listOf(parameters).map(objectOf).some(isTag);
}

function exampleOf(schema: unknown, document: JsonObject): unknown {
  const { $ref: reference, examples, enum: values, default: usual, const: only } = objectOf(schema);
  if (typeof reference === 'string') {
    const { schemas } = objectOf(document.components);
    return exampleOf(objectOf(schemas)[reference.replace('#/components/schemas/', '')], document);
  }
  for (const list of [examples, values])
    if (Array.isArray(list) && list.length > 0) return list[0] as unknown;
  return usual ?? only;
}
