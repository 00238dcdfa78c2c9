import type { TObject, TSchema } from '@sinclair/typebox';
import { takesForms } from '../content-negotiation';
import type { ValidationPolicy, Validator, Validators } from '../content-validation';
import { bodyCheck } from './body-checks';
import type { BodyValidator } from './body-validator';
import { compiled } from './compiled';
import type { ServiceDefinition } from './definition';
import { withPageErrors } from './page-errors';
import type { Paging } from './paging';
import type { Place } from './place';

/** What is checked of the requests of one operation. */
interface OperationInput {
  readonly place: Place;
  readonly method: string;
  /** Of the operation, for messages. */
  readonly name: string;
  /** Of the body; null where there is none. */
  readonly request: TSchema | null;
  readonly query: TObject;
  /** Which pages the query asks for; undefined for none. */
  readonly paging: Paging | undefined;
  readonly contentTypes: readonly string[];
  /** What authors check beyond the schema. */
  readonly bodyValidators: readonly BodyValidator[];
  /** Seconds that each of those may take. */
  readonly timeout: number;
  /** What the service says of names that nobody declared. */
  readonly service: Pick<ServiceDefinition, 'unknown_members' | 'unknown_query'>;
}

/** How the requests of an operation are checked before its handler runs. @throws StartError for a schema that is none */
export function validationOf(validators: Validators, input: OperationInput): ValidationPolicy {
  const { place, name, request, query, paging, method, contentTypes, bodyValidators, timeout, service } =
    input;
  const { unknown_members: unknown, unknown_query: unknownQuery } = service;
  const isPatch = method === 'PATCH';
  const bodyOf = (schema: TSchema): Validator =>
    isPatch ? validators.forPatch(schema, unknown) : validators.forBody(schema, unknown);
  const queryCheck = compiled(() => validators.forQuery(query, unknownQuery), name);
  return Object.freeze({
    body: request === null ? undefined : compiled(() => bodyOf(request), name),
    form:
      request === null || isPatch || !takesForms(contentTypes)
        ? undefined
        : compiled(() => validators.forForm(request, unknown), name),
    check: request === null ? undefined : bodyCheck(bodyValidators, { place, name, timeout }),
    query: paging === undefined ? queryCheck : withPageErrors(queryCheck, paging),
  });
}
