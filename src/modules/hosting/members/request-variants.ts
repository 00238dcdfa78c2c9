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
  const options = { fillsDefaults, readOnlyMembers };
  const { documented, validated } = requestSchemas(schema, options);
  if (unknown === undefined) return { documented, validated };
  // Clients should not send what is dropped.
  const closed = closedSchema(documented);
  if (unknown === 'drop') return { documented: closed, validated };
  // Closed first: the branches of its unions may be composed of two schemas.
  const isSame = validated === documented;
  return {
    documented: closed,
    validated: isSame ? closed : requestSchemas(closedSchema(schema), options).validated,
  };
}
