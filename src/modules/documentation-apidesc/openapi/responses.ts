import type { Operation, StatusCodeData } from '../../documentation';
import type { Components } from './components';
import { PROBLEM_REFERENCE } from './problem';
import { streamOf } from './stream';

/** Answers that have no content (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
const WITHOUT_CONTENT: readonly number[] = [204, 205, 304];

/** What is known of header fields by the status alone. */
const HEADERS: Readonly<Record<number, readonly [name: string, description: string]>> = {
  201: ['Location', 'The URI of what was created.'],
  401: ['WWW-Authenticate', 'How to authenticate: one challenge in each field.'],
  405: ['Allow', 'The methods that this address takes.'],
  429: ['Retry-After', 'Seconds to wait before the next attempt.'],
  503: ['Retry-After', 'Seconds to wait before the next attempt.'],
};

/** The Responses Object (OpenAPI 3.1.1, 4.8.16): errors are problems (RFC 9457), everything else the answer. */
export function responsesOf(operation: Operation, components: Components): Readonly<Record<string, unknown>> {
  const codes = operation.getResponseStatusCodes();
  if (codes.length === 0) return { default: problemResponse({ code: 0, message: 'An error' }, operation) };
  return Object.fromEntries(
    codes.map((status) => [
      String(status.code),
      status.code >= 400 ? problemResponse(status, operation) : answer(status, operation, components),
    ]),
  );
}

function answer(status: StatusCodeData, operation: Operation, components: Components): unknown {
  const success = isSuccess(status);
  // What an operation says of its answer is said of the usual one.
  const usual = operation.getResponseStatusCodes().find(isSuccess)?.code === status.code;
  return {
    description: (usual && operation.getResponseDescription()) || status.message || 'The answer',
    ...headersOf(status.code, operation),
    ...(success && !WITHOUT_CONTENT.includes(status.code) ? contentOf(operation, components) : {}),
  };
}

function isSuccess({ code }: StatusCodeData): boolean {
  return code >= 200 && code < 300;
}

function contentOf(operation: Operation, components: Components): Readonly<Record<string, unknown>> {
  if (operation.getHttpMethod() === 'HEAD') return {};
  const example = operation.getResponseExample();
  const schema = operation.getResponseSchema();
  const shown = schema === null ? undefined : components.reference(schema, example);
  const media = {
    ...(shown === undefined ? {} : { schema: shown }),
    ...(example === undefined ? {} : { example }),
  };
  const types = operation.getResponseContentTypes();
  if (types.length === 0) return {};
  return {
    content: Object.fromEntries(types.map((type) => [type, streamOf(type, shown, example) ?? media])),
  };
}

function problemResponse(status: StatusCodeData, operation: Operation): unknown {
  return {
    description: status.message || 'An error',
    ...headersOf(status.code, operation),
    content: { 'application/problem+json': { schema: PROBLEM_REFERENCE } },
  };
}

function headersOf(code: number, operation: Operation): Readonly<Record<string, unknown>> {
  const byStatus = HEADERS[code];
  const headers = [
    ...(byStatus === undefined ? [] : [byStatus]),
    ...operation
      .getResponseHeaders()
      .filter(({ codes }) => codes.includes(code))
      .map(({ name, description }) => [name, description] as const),
  ];
  if (headers.length === 0) return {};
  return {
    headers: Object.fromEntries(
      headers.map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
    ),
  };
}
