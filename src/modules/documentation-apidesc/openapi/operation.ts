import type { Api, Operation, Service } from '../../documentation';
import type { Components } from './components';
import { parametersOf } from './parameters';
import { responsesOf } from './responses';
import { securityOf } from './security';

/** One operation on one of its paths, with its names in the document. */
interface Described {
  readonly api: Api;
  readonly service: Service;
  readonly operation: Operation;
  readonly path: string;
  readonly tag: string;
  readonly id: string;
}

/** What a summary may hold and still be one. */
const LONGEST_SUMMARY = 120;
/** What of a sentence is looked at: marks and addresses go. */
const LONGEST_SENTENCE = 2_000;

/** The Operation Object (OpenAPI 3.1.1, 4.8.10). */
export function operationObject(
  described: Described,
  components: Components,
): Readonly<Record<string, unknown>> {
  const { api, service, operation, path, tag, id } = described;
  const parameters = parametersOf(service, operation, path);
  const body = requestBodyOf(operation, components);
  const description = operation.getDescription();
  return {
    operationId: id,
    tags: [tag],
    summary: summaryOf(description) ?? `${operation.getHttpMethod()} ${service.getName()}`,
    ...(description === '' ? {} : { description }),
    ...(operation.isDeprecated() ? { deprecated: true } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(operation, components),
    security: securityOf(api, operation),
  };
}

/** The first sentence, without the marks of Markdown. */
function summaryOf(description: string): string | undefined {
  const sentence = /^[^\n]*?(?=[.!?](?:\s|$)|\n|$)/.exec(description.trim())?.[0] ?? '';
  const plain = sentence
    .slice(0, LONGEST_SENTENCE)
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*#]/g, '')
    .trim();
  if (plain === '') return undefined;
  return plain.length > LONGEST_SUMMARY ? `${plain.slice(0, LONGEST_SUMMARY - 1)}…` : plain;
}

function requestBodyOf(operation: Operation, components: Components): unknown {
  const schema = operation.getRequestSchema();
  // RFC 9110, 9.3.1 and 9.3.2: content of a GET or HEAD has no defined meaning.
  if (schema === null || ['GET', 'HEAD'].includes(operation.getHttpMethod())) return undefined;
  const example = operation.getRequestExample();
  const types = operation.getRequestContentTypes();
  const media = {
    schema: components.reference(schema, example),
    ...(example === undefined ? {} : { example }),
  };
  const description = operation.getRequestDescription();
  return {
    ...(description === '' ? {} : { description }),
    required: true,
    content: Object.fromEntries(
      (types.length === 0 ? ['application/json'] : types).map((type) => [type, media]),
    ),
  };
}
