import { errors, objectOf, type ErrorCode } from '../../../framework';
import { MULTIPART } from '../../content-negotiation';
import type { HeaderData } from '../model/data';
import { exampleOfSchema } from '../model/example-of-schema';
import { mayBeNull } from '../model/may-be-null';
import type { SchemaDescription } from '../model/schema/description';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { docSchemas } from './service-schemas';

/** The responses of an operation with one status. */
export interface ResponseDescription {
  readonly code: number;
  readonly message: string;
  /** Undefined for a response without a body or a schema. */
  readonly schema: SchemaDescription | undefined;
  readonly mayBeNull: boolean;
  readonly mediaTypes: readonly string[];
  readonly headers: readonly HeaderData[];
  readonly example?: unknown;
  /** The error codes of the platform with this status, which are entries of the error reference. */
  readonly problems: readonly ErrorCode[];
}

/** Statuses that have no body (RFC 9110, 15.3.5 and 15.4.5). */
const WITHOUT_BODY = [204, 205, 304];

const PROBLEM_TYPES = ['application/problem+json'];

/** Describes the responses of an operation by status. */
export function docResponses(service: Service, operation: Operation): readonly ResponseDescription[] {
  const statuses = operation.getResponseStatusCodes();
  const others = operation.getOtherResponseStatuses();
  const usual = operation.getUsualStatus();
  return statuses.map(({ code, message }) => {
    const hasBody = !WITHOUT_BODY.includes(code) && operation.getHttpMethod() !== 'HEAD';
    const schema =
      hasBody && (code === usual || others.includes(code)) ? operation.getResponseSchema(code) : null;
    const example =
      code === usual ? operation.getResponseExample() : schema === null ? undefined : exampleOfSchema(schema);
    const types = code >= 400 ? PROBLEM_TYPES : isSuccess(code) ? operation.getResponseContentTypes() : [];
    return {
      code,
      message,
      schema: schema === null ? undefined : docSchemas(service).describe(schema),
      mayBeNull: schema !== null && mayBeNull(schema),
      mediaTypes: hasBody ? types : [],
      headers: operation.getResponseHeaders().filter(({ codes }) => codes.includes(code)),
      ...(example === undefined || !hasBody ? {} : { example }),
      problems: code < 400 ? [] : problemsOf(service, operation, code),
    };
  });
}

function isSuccess(code: number): boolean {
  return code >= 200 && code < 300;
}

/** Conditions for errors of an operation, in addition to documented statuses. */
const PROBLEMS: readonly (readonly [ErrorCode, (operation: Operation, service: Service) => boolean])[] = [
  ['bad_target', () => true],
  ['versions_disagree', () => true],
  ['bad_query', () => true],
  ['page_size_exceeded', (operation) => hasQuery(operation, 'page_size')],
  ['bad_page_number', (operation) => hasQuery(operation, 'page')],
  ['bad_json', hasBody],
  ['nested_too_deeply', hasBody],
  ['too_many_members', hasBody],
  ['bad_body', hasBody],
  ['unauthorized', () => true],
  ['forbidden', (operation) => operation.getAdapters().length > 0],
  ['forbidden_by_policy', (operation) => operation.getAuthorizationPolicy() !== null],
  ['forbidden_to_guests', (operation) => operation.getAdapters().length === 0],
  ['entity_not_found', (_, service) => service.getKind() === 'rest'],
  [
    'route_not_found',
    (_, service) => service.getRouteParameters().length > service.getRouteIdentifierNames().length,
  ],
  ['not_acceptable', () => true],
  ['page_not_found', (operation) => hasQuery(operation, 'page') || hasMember(operation, 'page')],
  ['precondition_failed', () => true],
  ['changed_meanwhile', () => true],
  ['content_too_large', () => true],
  ['unsupported_media_type', () => true],
  ['unsupported_coding', () => true],
  ['failed_validation', hasBody],
  [
    'not_deleted',
    (operation, service) => operation.getHttpMethod() === 'DELETE' && service.getKind() === 'rest',
  ],
  ['precondition_required', () => true],
  ['too_many_failures', (operation) => operation.getAdapters().length > 0],
  ['too_many_sign_ins', (operation) => operation.getAdapters().length > 0],
  ['rate_limited', (operation) => operation.getRateLimits().length > 0],
  ['timed_out', () => true],
  ['overloaded', (operation) => operation.getAdapters().length > 0],
  ['body_memory_exhausted', hasBody],
  ['too_many_open_files', acceptsFiles],
  ['cannot_write', () => true],
];

function problemsOf(service: Service, operation: Operation, status: number): readonly ErrorCode[] {
  return PROBLEMS.flatMap(([code, isPossible]) =>
    errors[code].status === status && isPossible(operation, service) ? [code] : [],
  );
}

function hasBody(operation: Operation): boolean {
  return operation.getRequestSchema() !== null;
}

function acceptsFiles(operation: Operation): boolean {
  return operation.getRequestContentTypes().includes(MULTIPART);
}

/** Whether the body of a QUERY, which is documented as a POST, has a member as other lists have a query parameter. */
function hasMember(operation: Operation, name: string): boolean {
  const { properties } = operation.getRequestSchema() ?? {};
  return operation.getSubpath() !== '' && Object.hasOwn(objectOf(properties), name);
}

function hasQuery(operation: Operation, name: string): boolean {
  return operation.getQueryParameters().some((parameter) => parameter.name === name);
}
