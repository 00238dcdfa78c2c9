import { allSubschemas, isSchema, type SchemaNode } from '../../framework';
import type { HostedEndpoint, HostedService } from './hosted-endpoint';

/** A schema of an operation, by what it is of. */
type Part = 'body' | 'query' | 'answer';

/** Operations that one warning names; the rest are counted. */
const NAMED = 3;

/** What is found in schemas, and the places that have it. */
export type SchemaPlaces = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Looks through the schemas of all operations, and of the parameters of routes.
 * @param find what a subschema has of it, without looking inside
 */
export function schemaPlaces(
  services: readonly HostedService[],
  parts: readonly Part[],
  find: (schema: SchemaNode) => readonly string[],
): SchemaPlaces {
  const places = new Map<string, Set<string>>();
  const look = finder(find);
  const note = (schema: SchemaNode | null, place: string): void => {
    for (const found of schema === null ? [] : look(schema)) {
      const known = places.get(found) ?? new Set();
      places.set(found, known.add(place));
    }
  };
  for (const { api, version, name: service, parameters, operations, entityOperations } of services) {
    for (const [name, schema] of Object.entries(parameters))
      note(schema, `the parameter ${name} of ${api}-v${version}/${service}`);
    for (const endpoint of [...operations, ...entityOperations])
      for (const part of parts) note(schemaOf(endpoint, part), `the ${part} of ${endpoint.name}`);
  }
  return places;
}

/** The places in words: the first few, and how many more. */
export function placesInWords(places: ReadonlySet<string>): string {
  const named = [...places].slice(0, NAMED).join(', ');
  return named + (places.size > NAMED ? ` and ${places.size - NAMED} more` : '');
}

function schemaOf(
  { requestSchema, querySchema, responseSchema }: HostedEndpoint,
  part: Part,
): SchemaNode | null {
  return part === 'body' ? requestSchema : part === 'query' ? querySchema : responseSchema;
}

/** Definitions that many schemas have in common are looked through once. */
function finder(find: (schema: SchemaNode) => readonly string[]): (schema: SchemaNode) => Iterable<string> {
  const known = new Map<SchemaNode, readonly string[]>();
  const within = (schema: SchemaNode): readonly string[] => allSubschemas(schema).flatMap(find);
  const remembered = (definition: SchemaNode): readonly string[] => {
    const found = known.get(definition) ?? within(definition);
    known.set(definition, found);
    return found;
  };
  return ({ $defs: definitions, ...schema }) => [
    ...within(schema),
    ...Object.values(isSchema(definitions) ? definitions : {})
      .filter(isSchema)
      .flatMap(remembered),
  ];
}
