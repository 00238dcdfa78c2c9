import type { Operation, StatusCodeData } from '../../documentation';
import type { Components } from './components/components';
import { PROBLEM_REFERENCE } from './problem-schema';
import { streamMediaType } from './stream';

/** Responses without content (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
const WITHOUT_CONTENT: readonly number[] = [204, 205, 304];

/** Headers that depend on the status only. */
const HEADERS: Readonly<Record<number, readonly [name: string, description: string]>> = {
  401: ['WWW-Authenticate', 'Authentication challenges, one per field.'],
  405: ['Allow', 'Methods of this URL.'],
  429: ['Retry-After', 'Seconds to wait before the next attempt.'],
  503: ['Retry-After', 'Seconds to wait before the next attempt.'],
};

const PROBLEM_CONTENT = { 'application/problem+json': { schema: PROBLEM_REFERENCE } } as const;

/** Errors are HTML for clients that prefer it in `Accept`, except 401. */
const PROBLEM_OR_PAGE = { ...PROBLEM_CONTENT, 'text/html': { schema: { type: 'string' } } } as const;

/** Returns the Responses Object (OpenAPI 3.1.1, 4.8.16): errors are problem details (RFC 9457). */
export function responsesOf(operation: Operation, components: Components): Readonly<Record<string, unknown>> {
  const codes = operation.getResponseStatusCodes();
  if (codes.length === 0) return { default: problemResponse({ code: 0, message: 'An error' }, operation) };
  return Object.fromEntries(
    codes.map((status) => [
      String(status.code),
      status.code >= 400
        ? problemResponse(status, operation)
        : successResponse(status, operation, components),
    ]),
  );
}

function successResponse(status: StatusCodeData, operation: Operation, components: Components): unknown {
  const isUsual = operation.getUsualStatus() === status.code;
  return {
    description: (isUsual && operation.getResponseDescription()) || status.message || 'The response',
    ...headersOf(status.code, operation),
    ...(isSuccess(status) && !WITHOUT_CONTENT.includes(status.code)
      ? contentOf(operation, status.code, components)
      : {}),
  };
}

function isSuccess({ code }: StatusCodeData): boolean {
  return code >= 200 && code < 300;
}

function contentOf(
  operation: Operation,
  code: number,
  components: Components,
): Readonly<Record<string, unknown>> {
  if (operation.getHttpMethod() === 'HEAD') return {};
  // The example is that of the usual success.
  const isOther = operation.getOtherResponseStatuses().includes(code);
  const example = isOther ? undefined : operation.getResponseExample();
  const schema = operation.getResponseSchema(code);
  const reference = schema === null ? undefined : components.reference(schema, example);
  const media = {
    ...(reference === undefined ? {} : { schema: reference }),
    ...(example === undefined ? {} : { example }),
  };
  const types = operation.getResponseContentTypes();
  if (types.length === 0) return {};
  const item = operation.getItemSchema();
  const streamed =
    item === undefined
      ? ([reference, example] as const)
      : ([components.reference(item, operation.getItemExample()), operation.getItemExample()] as const);
  // Responses of handlers (`response_type`) may have the type of a stream, without its items.
  const mediaOf = (type: string): unknown =>
    (operation.isStreamed() ? streamMediaType(type, ...streamed) : undefined) ?? media;
  return { content: Object.fromEntries(types.map((type) => [type, mediaOf(type)])) };
}

function problemResponse(status: StatusCodeData, operation: Operation): unknown {
  return {
    description: status.message || 'An error',
    ...headersOf(status.code, operation),
    content: status.code === 401 ? PROBLEM_CONTENT : PROBLEM_OR_PAGE,
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
