import { truncate } from '../../../framework';
import { acceptsForms, MULTIPART } from '../../content-negotiation';
import { fileTypesOf, type Api, type JsonSchema, type Operation, type Service } from '../../documentation';
import type { Components } from './components/components';
import { parametersOf } from './parameters';
import { responsesOf } from './responses';
import { securityOf } from './security';

/** One operation on one of its paths, with its names in the document. */
interface OperationContext {
  readonly api: Api;
  readonly service: Service;
  readonly operation: Operation;
  readonly path: string;
  readonly tags: readonly string[];
  readonly id: string;
}

/** Characters of a summary. */
const MAX_SUMMARY_LENGTH = 120;
/** Characters of a description in which the first sentence is searched. */
const MAX_SENTENCE_LENGTH = 2_000;

/** The Operation Object (OpenAPI 3.1.1, 4.8.10). */
export function operationObject(
  described: OperationContext,
  components: Components,
): Readonly<Record<string, unknown>> {
  const { api, service, operation, path, tags, id } = described;
  const parameters = parametersOf(service, operation, path);
  const body = requestBodyOf(operation, components);
  const description = operation.getDescription();
  return {
    operationId: id,
    tags,
    summary:
      operation.getSummary() ||
      (firstSentence(description) ?? `${operation.getHttpMethod()} ${service.getName()}`),
    ...(description === '' ? {} : { description }),
    ...(operation.isDeprecated() ? { deprecated: true } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(operation, components),
    security: securityOf(api, operation),
  };
}

/** Code, which stays, or a tag of HTML: `<https://example.com>` and `a <b and c> d` are none. */
const CODE_OR_TAG = /(`[^`]*`)|<\/?([a-z][a-z\d-]*)(?:\s+[\w:-]+\s*=[^<>]*|\s*\/?)>/gi;
/** Elements that end a sentence. */
const BLOCK = /^(?:br|hr|p|div|pre|blockquote|[uod]l|li|d[td]|h[1-6]|table|t[rdh])$/i;

/** Returns the first sentence without markup of Markdown and HTML. */
function firstSentence(description: string): string | undefined {
  const text = description
    .trim()
    .slice(0, MAX_SENTENCE_LENGTH)
    .replace(CODE_OR_TAG, (_, code?: string, tag = '') => code ?? (BLOCK.test(tag as string) ? '\n' : ''))
    .trim();
  const sentence = /^[^\n]*?(?=[.!?](?:\s|$)|\n|$)/.exec(text)?.[0] ?? '';
  const plain = sentence
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*#]/g, '')
    .trim();
  if (plain === '') return undefined;
  return plain.length > MAX_SUMMARY_LENGTH ? truncate(plain, MAX_SUMMARY_LENGTH - 1) : plain;
}

function requestBodyOf(operation: Operation, components: Components): unknown {
  const schema = operation.getRequestSchema();
  // RFC 9110, 9.3.1 and 9.3.2: content of a GET or HEAD has no defined meaning.
  if (schema === null || ['GET', 'HEAD'].includes(operation.getHttpMethod())) return undefined;
  const example = operation.getRequestExample();
  const types = operation.getRequestContentTypes();
  const mediaOf = (described: JsonSchema): JsonSchema => ({
    schema: components.reference(described, example),
    ...(example === undefined ? {} : { example }),
  });
  const media = mediaOf(schema);
  const form = operation.getFormSchema() ?? schema;
  // An example that is a list is none of a form.
  const formMedia =
    form === schema ? media : Array.isArray(example) ? { schema: components.reference(form) } : mediaOf(form);
  const contentOf = (type: string): JsonSchema => {
    if (!acceptsForms([type])) return media;
    return type === MULTIPART ? { ...formMedia, ...encodingOf(operation) } : formMedia;
  };
  const description = operation.getRequestDescription();
  return {
    ...(description === '' ? {} : { description }),
    required: true,
    content: Object.fromEntries(
      (types.length === 0 ? ['application/json'] : types).map((type) => [type, contentOf(type)]),
    ),
  };
}

/** The media types of the files of a form: by default, each is sent as `text/plain` (OpenAPI 3.1.1, 4.8.15.1.1). */
function encodingOf(operation: Operation): JsonSchema {
  const files = operation.getFields().flatMap((field): [string, JsonSchema][] => {
    const types = fileTypesOf(field.getSchema()) ?? [];
    return types.length === 0 ? [] : [[field.getName(), { contentType: types.join(', ') }]];
  });
  return files.length === 0 ? {} : { encoding: Object.fromEntries(files) };
}
