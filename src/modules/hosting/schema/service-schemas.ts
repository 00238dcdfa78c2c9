import type { TSchema } from '@sinclair/typebox';
import { isSchema } from '../../../framework';
import type { ServiceDefinition } from '../definition/definition';
import { withEnums } from '../members/enumerations';
import type { GroupedWarnings } from '../grouped-warnings';
import { assertSchema } from './assert-schema';
import { warnAboutMisspeltKeywords } from './schema-warnings';
import type { SharedSchemas } from './shared/shared-schemas';

/** Maps a value; returns the same value if nothing changes. @param where location of the value, for messages */
type Mapper = (value: unknown, where: string) => unknown;

/** A service with complete schemas. */
export interface PreparedService {
  readonly definition: ServiceDefinition;
  /** The schemas of its bodies and entities. */
  readonly bodies: readonly TSchema[];
}

/**
 * Checks the schemas of a service, rewrites their unions of literals, and adds the shared schemas that they reference.
 * Each is prepared in one go, so that what was found about it is known in the next step.
 * @param where service name, for messages
 * @param warnings gets those about misspelt keywords
 * @throws ConfigurationError for a schema without keywords, or a circular or unknown reference
 */
export function prepareServiceSchemas(
  definition: ServiceDefinition,
  shared: SharedSchemas,
  where: string,
  warnings: GroupedWarnings,
): PreparedService {
  const bodies: TSchema[] = [];
  const prepared =
    (finish: (schema: TSchema, location: string) => TSchema): Mapper =>
    (value, location) => {
      if (!isTyped(value)) return value;
      assertSchema(value, location);
      warnAboutMisspeltKeywords(value, location, warnings);
      return finish(withEnums(value), location);
    };
  const complete = prepared((schema, location) => {
    const body = shared.complete(schema, location);
    bodies.push(body);
    return body;
  });
  const inline = prepared((schema, location) => shared.inline(schema, location));
  return { definition: mapServiceSchemas(definition, complete, inline, where), bodies };
}

/**
 * Maps all schemas of a service.
 * @param body maps the schemas of bodies, entities and cursors
 * @param parameter maps the schemas of queries and route parameters
 */
export function mapServiceSchemas<S>(service: S, body: Mapper, parameter: Mapper, where: string): S {
  const operations = mapAll(
    mapMembers(
      {
        query: parameter,
        fields: body,
        response: body,
        status_codes: mapItems(mapMembers({ response: body }, ': ')),
      },
      ': ',
    ),
    ' ',
  );
  const map = mapMembers(
    {
      fields: body,
      input: body,
      cursor: body,
      parameters: mapAll(parameter, '.'),
      collection: operations,
      entity: operations,
      methods: operations,
    },
    ': ',
  );
  // Only its schemas change.
  return map(service, where) as S;
}

/** Maps some members of an object; returns the same object if none changes. */
function mapMembers(parts: Readonly<Record<string, Mapper>>, separator: string): Mapper {
  const namesOf = (value: object): readonly string[] =>
    Object.keys(value).filter((name) => Object.hasOwn(parts, name));
  return mapObject(namesOf, (name) => parts[name], separator);
}

/** Maps all members of an object; returns the same object if none changes. */
function mapAll(part: Mapper, separator: string): Mapper {
  return mapObject(Object.keys, () => part, separator);
}

/** Maps the items of a list; returns the same list if none changes. */
function mapItems(part: Mapper): Mapper {
  return (value, where) => {
    if (!Array.isArray(value)) return value;
    const list: readonly unknown[] = value;
    const mapped = list.map((item, at) => part(item, `${where}[${at}]`));
    return mapped.some((item, at) => item !== list[at]) ? mapped : list;
  };
}

function mapObject(
  namesOf: (value: object) => readonly string[],
  partOf: (name: string) => Mapper | undefined,
  separator: string,
): Mapper {
  return (value, where) => {
    if (!isSchema(value)) return value;
    let mapped: Record<string, unknown> | undefined;
    for (const name of namesOf(value)) {
      const member = value[name];
      const other = partOf(name)?.(member, where + separator + name) ?? member;
      if (other !== member) (mapped ??= { ...value })[name] = other;
    }
    return mapped ?? value;
  };
}

function isTyped(value: unknown): value is TSchema {
  return isSchema(value);
}
