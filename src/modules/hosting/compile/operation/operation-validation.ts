import type { TObject, TSchema } from '@sinclair/typebox';
import { acceptsForms, type BodyLimits } from '../../../content-negotiation';
import type { SentBodyCheck, ValidationPolicy, Validator, Validators } from '../../../content-validation';
import { bodyCheck } from './body-check';
import type { BodyValidator } from './body-validator';
import { compileOrThrow } from '../compile-context';
import type { ServiceDefinition, ServiceReference } from '../../definition/definition';
import { withExactPages, withPageErrors } from '../../rest/page-errors';
import type { Paging } from '../../rest/paging';

/** What to validate in the requests of an operation. */
export interface OperationInput {
  readonly reference: ServiceReference;
  readonly method: string;
  /** Operation name, for messages. */
  readonly name: string;
  /** Schema of the body; null for none. */
  readonly request: TSchema | null;
  /** Schema of a body that is a list; undefined if the same schema describes it. */
  readonly list?: TSchema | undefined;
  readonly query: TObject;
  /** Pagination of the collection; undefined for none. */
  readonly paging: Paging | undefined;
  /** Whether the body is a query. */
  readonly isQuery: boolean;
  readonly contentTypes: readonly string[];
  /** Custom validators. */
  readonly bodyValidators: readonly BodyValidator[];
  /** Timeout of each custom validator, in seconds. */
  readonly timeout: number;
  /** Checks bodies before their schema changes them. */
  readonly sentBodyCheck: SentBodyCheck | undefined;
  /** How the service treats undeclared names. */
  readonly service: Pick<ServiceDefinition, 'unknown_members' | 'unknown_query'>;
  /** Of the JSON in a form. */
  readonly limits: BodyLimits;
}

/** Compiles the validation policy of an operation. @throws ConfigurationError for an invalid schema */
export function validationPolicyOf(validators: Validators, input: OperationInput): ValidationPolicy {
  const {
    reference,
    name,
    request,
    list,
    query,
    paging,
    isQuery,
    method,
    contentTypes,
    bodyValidators,
    timeout,
    sentBodyCheck,
    service,
    limits,
  } = input;
  const { unknown_query: unknownQuery } = service;
  const isPatch = method === 'PATCH';
  // Without an undeclared filter, the result would be larger.
  const unknown = isQuery ? undefined : service.unknown_members;
  const compileBody = (schema: TSchema): Validator =>
    isPatch ? validators.forPatch(schema, unknown) : validators.forBody(schema, unknown);
  const queryCheck = compileOrThrow(() => validators.forQuery(query, unknownQuery), name);
  const readQuery = validators.queryReader(query, unknownQuery);
  return Object.freeze({
    body:
      request === null ? undefined : compileOrThrow(() => bodyValidator(compileBody, request, list), name),
    form:
      request === null || !acceptsForms(contentTypes)
        ? undefined
        : compileOrThrow(() => validators.forForm(request, unknown, { isPatch, limits }), name),
    sent: request === null || isQuery ? undefined : sentBodyCheck,
    check: request === null ? undefined : bodyCheck(bodyValidators, { reference, name, timeout }),
    query: paging === undefined ? queryCheck : withPageErrors(queryCheck, paging),
    readQuery:
      paging === undefined || readQuery === undefined ? readQuery : withExactPages(readQuery, paging),
  });
}

function bodyValidator(
  compile: (schema: TSchema) => Validator,
  request: TSchema,
  list: TSchema | undefined,
): Validator {
  const one = compile(request);
  if (list === undefined) return one;
  const several = compile(list);
  return (body) => (Array.isArray(body) ? several(body) : one(body));
}
