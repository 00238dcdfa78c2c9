import type { TSchema } from '@sinclair/typebox';
import type { ReadOnlyMembers, ServiceDefinition } from '../definition/definition';
import { closedSchema } from '../schema/closed-schema';
import type { MemberChange } from './member-changes';
import { rewriteMembers } from './rewrite-members';

/** The schemas of a request body. */
export interface RequestSchemas {
  /** For the documentation: without `readOnly` members. */
  readonly documented: TSchema;
  /** For validation: rejects or removes `readOnly` members. */
  readonly validated: TSchema;
}

/**
 * Derives the schemas of a request body: members with a default are optional, `readOnly` members are removed.
 * @param fillsDefaults whether the validator fills in defaults, which it does not for a patch
 */
export function requestSchemas(
  schema: TSchema,
  { fillsDefaults, readOnlyMembers }: { fillsDefaults: boolean; readOnlyMembers: ReadOnlyMembers },
): RequestSchemas {
  const withReadOnly = (change: MemberChange): TSchema =>
    rewriteMembers(schema, { suffix: 'Request', fillsDefaults, annotation: 'readOnly', change });
  return { documented: withReadOnly('remove'), validated: withReadOnly({ 'x-read-only': readOnlyMembers }) };
}

/** Returns the schemas of a request body by which a service documents and validates it. */
export function requestVariants(
  schema: TSchema,
  { read_only_members: readOnlyMembers = 'ignore', unknown_members: unknown }: ServiceDefinition,
  fillsDefaults: boolean,
): RequestSchemas {
  const { documented, validated } = requestSchemas(schema, { fillsDefaults, readOnlyMembers });
  if (unknown === undefined) return { documented, validated };
  // Clients should not send what is dropped.
  const closed = closedSchema(documented);
  if (unknown === 'drop') return { documented: closed, validated };
  return { documented: closed, validated: validated === documented ? closed : closedSchema(validated) };
}

/** Derives the schema of a response: without `writeOnly` members. */
export function responseSchema(schema: TSchema): TSchema {
  return rewriteMembers(schema, {
    suffix: 'Response',
    fillsDefaults: false,
    annotation: 'writeOnly',
    change: 'remove',
  });
}

/** Derives the schema of query parameters: those with a default are optional. */
export function optionalDefaults<S extends TSchema>(schema: S): S {
  return rewriteMembers(schema, { suffix: 'Query', fillsDefaults: true, change: 'keep' });
}

/**
 * Derives the fields of a service for the documentation of requests and responses: required is what clients must
 * send.
 */
export function documentedFields(schema: TSchema): TSchema {
  return rewriteMembers(schema, {
    suffix: 'Fields',
    fillsDefaults: true,
    annotation: 'readOnly',
    change: 'optional',
  });
}

/** Derives the schema of a stored entity: `writeOnly` members are optional. */
export function storedSchema(schema: TSchema): TSchema {
  return rewriteMembers(schema, {
    suffix: 'Stored',
    fillsDefaults: false,
    annotation: 'writeOnly',
    change: 'optional',
  });
}
