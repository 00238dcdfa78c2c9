import type { TSchema } from '@sinclair/typebox';
import type { ServiceDefinition } from '../definition/definition';
import { closedSchema } from '../schema/closed-schema';
import { requestSchemas, type RequestSchemas } from './schema-variants';

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
