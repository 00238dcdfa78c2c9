import type { TSchema } from '@sinclair/typebox';
import { isSchema } from '../../framework';
import type { ServiceDefinition } from './definition';
import type { SharedSchemas } from './shared-schemas';

/** Makes another value of one; the same where it would be no other. @param where names it, for messages */
type Make = (value: unknown, where: string) => unknown;

/**
 * A service whose schemas hold all that they refer to of those that the version shares.
 * @param where names the service, for messages
 * @throws StartError for a reference to what is not there
 */
export function withShared(
  definition: ServiceDefinition,
  shared: SharedSchemas,
  where: string,
): ServiceDefinition {
  return mapServiceSchemas(
    definition,
    (value, place) => (isTyped(value) ? shared.complete(value, place) : value),
    (value, place) => (isTyped(value) ? shared.flat(value, place) : value),
    where,
  );
}

/**
 * A service with other schemas of the same kinds.
 * @param body of bodies, answers, entities and cursors
 * @param parameter of queries, and of parameters of the route
 */
export function mapServiceSchemas<S>(service: S, body: Make, parameter: Make, where: string): S {
  const operations = each(members({ query: parameter, fields: body, response: body }, ': '), ' ');
  const map = members(
    {
      fields: body,
      input: body,
      cursor: body,
      parameters: each(parameter, '.'),
      collection: operations,
      entity: operations,
      methods: operations,
    },
    ': ',
  );
  // All but its schemas is the same.
  return map(service, where) as S;
}

/** A record of which these members are made anew. */
function members(parts: Readonly<Record<string, Make>>, separator: string): Make {
  return changed((key) => (Object.hasOwn(parts, key) ? parts[key] : undefined), separator);
}

function each(part: Make, separator: string): Make {
  return changed(() => part, separator);
}

/** The same object where none of its members is another. */
function changed(partOf: (key: string) => Make | undefined, separator: string): Make {
  return (value, where) => {
    if (!isSchema(value)) return value;
    const made = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      const other = partOf(key)?.(member, where + separator + key) ?? member;
      return other === member ? [] : [[key, other]];
    });
    return made.length === 0 ? value : { ...value, ...Object.fromEntries(made) };
  };
}

function isTyped(value: unknown): value is TSchema {
  return isSchema(value);
}
