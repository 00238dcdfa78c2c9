import type { TSchema } from '@sinclair/typebox';
import { acceptsForms, type BodyLimits } from '../../../content-negotiation';
import type { ValidationPolicy, Validator, Validators } from '../../../content-validation';
import { bodyCheck } from './body-check';
import type { BodyValidator } from './body-validator';
import { compileOrThrow } from '../compile-context';
import type { ServiceDefinition, ServiceReference } from '../../definition/definition';
import { withExactPages, withPageErrors } from '../../rest/page-errors';
import type { RequestBodies } from '../../schema/list-body';
import type { OperationSchemas } from '../../schema/operation-schemas';

/** What to validate in the requests of an operation. */
interface OperationInput {
  readonly reference: ServiceReference;
  readonly method: string;
  /** Operation name, for messages. */
  readonly name: string;
  /** Schemas of the body; null for none. */
  readonly bodies: RequestBodies | null;
  readonly schemas: Pick<OperationSchemas, 'query' | 'paging' | 'isQuery'>;
  readonly contentTypes: readonly string[];
  /** Custom validators. */
  readonly bodyValidators: readonly BodyValidator[];
  /** Timeout of each custom validator, in seconds. */
  readonly timeout: number;
  /** How the service treats undeclared names, and checks bodies before their schema changes them. */
  readonly service: ServiceDefinition;
  /** Of the JSON in a form. */
  readonly limits: BodyLimits;
}

/** Compiles the validation policy of an operation. @throws ConfigurationError for an invalid schema */
export function validationPolicyOf(validators: Validators, input: OperationInput): ValidationPolicy {
  const { reference, method, name, bodies, schemas, contentTypes, service, limits } = input;
  const { query, paging, isQuery = false } = schemas;
  const { unknown_query: unknownQuery } = service;
  const isPatch = method === 'PATCH';
  // Without an undeclared filter, the result would be larger.
  const unknown = isQuery ? undefined : service.unknown_members;
  const request = bodies?.validated ?? null;
  const compileBody = (schema: TSchema): Validator =>
    isPatch ? validators.forPatch(schema, unknown) : validators.forBody(schema, unknown);
  const queryCheck = compileOrThrow(() => validators.forQuery(query, unknownQuery), name);
  const readQuery = validators.queryReader(query, unknownQuery);
  return Object.freeze({
    body:
      request === null
        ? undefined
        : compileOrThrow(() => bodyValidator(compileBody, request, bodies?.list), name),
    form:
      request === null || !acceptsForms(contentTypes)
        ? undefined
        : compileOrThrow(() => validators.forForm(request, unknown, { isPatch, limits }), name),
    sent: request === null || isQuery ? undefined : sentBodyCheckOf(service),
    check:
      request === null
        ? undefined
        : bodyCheck(input.bodyValidators, { reference, name, timeout: input.timeout }),
    parameters: query.properties,
    query: paging === undefined ? queryCheck : withPageErrors(queryCheck, paging),
    readQuery:
      paging === undefined || readQuery === undefined ? readQuery : withExactPages(readQuery, paging),
  });
}

function sentBodyCheckOf(service: ServiceDefinition): ValidationPolicy['sent'] {
  return 'sent_body_check' in service ? service.sent_body_check : undefined;
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
