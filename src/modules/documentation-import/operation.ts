import { type JsonObject, listOf, objectOf, isObject } from '../../framework';
import { NOT_IMPLEMENTED } from '../hosting';
import { childPointer, textOf } from './document/json';
import type { ImportWarnings } from './import-warnings';
import { parametersOf, type Parameter, type ImportContext } from './parameters';
import { requestMembers } from './request-body';
import { responsesMembers } from './responses';

/** The configuration of an operation, and the parameters of its path. */
export interface ImportedOperation {
  readonly operation: JsonObject;
  readonly pathParameters: readonly Parameter[];
}

/**
 * @param at JSON Pointer of its path
 * @param security of the document, for operations without one
 */
export function importOperation(
  method: string,
  item: JsonObject,
  operation: JsonObject,
  at: string,
  security: unknown,
  context: ImportContext,
): ImportedOperation {
  const pointer = childPointer(at, method.toLowerCase());
  const parameters = parametersOf(item, operation, pointer, at, context);
  const { warnings } = context;
  const securityAt = childPointer(isPresent(operation.security) ? pointer : '#', 'security');
  const query = parameters.filter(({ place }) => place === 'query');
  const required = query.flatMap((one) => (one.required ? [one.name] : []));
  const properties = Object.fromEntries(query.map(({ name, schema }) => [name, schema]));
  return {
    pathParameters: parameters.filter(({ place }) => place === 'path'),
    operation: {
      ...operationIdOf(operation, pointer, context),
      ...summaryOf(operation),
      description: textOf(operation.description).trim(),
      ...(query.length === 0 ? {} : { query: { type: 'object', properties, required } }),
      ...requestMembers(method, operation, pointer, context),
      ...responsesMembers(operation, pointer, context),
      ...(operation.deprecated === true ? { deprecated: true } : {}),
      ...authorizationOf(operation.security ?? security, securityAt, warnings),
      handler: NOT_IMPLEMENTED,
    },
  };
}

const OPERATION_ID = /^[!-~]{1,200}$/;

/** Returns the operation id, which is unique in a document (OpenAPI 3.1.1, 4.8.10.1). */
function operationIdOf(
  { operationId }: JsonObject,
  at: string,
  { operationIds, warnings }: ImportContext,
): JsonObject {
  if (typeof operationId !== 'string') return {};
  const pointer = childPointer(at, 'operationId');
  if (!OPERATION_ID.test(operationId)) warnings.add('operationId that is not visible ASCII', pointer);
  else if (operationIds.has(operationId)) warnings.add('duplicate operationId', pointer);
  else {
    operationIds.add(operationId);
    return { operation_id: operationId };
  }
  return {};
}

/** Returns the summary in one line, if there is one. */
function summaryOf({ summary }: JsonObject): JsonObject {
  const line = textOf(summary).replace(/\s+/g, ' ').trim();
  return line === '' ? {} : { summary: line };
}

/**
 * Returns the rule of a list of requirements, one of which is enough (OpenAPI 3.1.1, 4.8.30). It is never more open than
 * they are: those that it cannot express permit nobody, and are reported. An empty requirement allows guests; a malformed
 * one requires authentication.
 */
function authorizationOf(security: unknown, pointer: string, warnings: ImportWarnings): JsonObject {
  if (!isPresent(security)) return {};
  if (!Array.isArray(security)) return { authorization: 'authenticated' };
  const requirements: readonly unknown[] = security;
  if (requirements.length === 0 || requirements.some(isEmpty)) return {};
  const alternatives = requirements.map((one, at) => ({
    pointer: childPointer(pointer, at),
    schemes: Object.keys(objectOf(one)).length,
    scopes: scopesOf(one),
  }));
  for (const { schemes, pointer: own } of alternatives)
    if (schemes > 1) warnings.add('security requirement of several schemes (one of them is enough)', own);
  if (alternatives.every(({ scopes }) => scopes.length === 0)) return { authorization: 'authenticated' };
  const single = alternatives.flatMap(({ scopes }) => (scopes.length === 1 ? scopes : []));
  for (const { scopes, pointer: own } of alternatives) {
    if (scopes.some((one) => single.includes(one))) continue;
    warnings.add(
      scopes.length === 0
        ? 'security requirement without scopes next to one with scopes (it permits nobody: name users or groups)'
        : 'security requirement of several scopes (it permits nobody: write a policy)',
      own,
    );
  }
  return { authorization: [...new Set(single)].map((scope) => `scope:${scope}`) };
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isEmpty(requirement: unknown): boolean {
  return isObject(requirement) && Object.keys(requirement).length === 0;
}

/** Returns all scopes that a requirement needs. */
function scopesOf(requirement: unknown): readonly string[] {
  const all = Object.values(objectOf(requirement))
    .filter(isPresent)
    .flatMap((own) => (Array.isArray(own) ? listOf(own) : [own]));
  return [...new Set(all.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))))];
}
