import {
  objectOf,
  allSubschemas,
  hasKeyword,
  isSchema,
  type SchemaNode,
  type TrackedKeyword,
} from '../../../framework';
import type { HostedEndpoint, HostedService } from '../hosted-endpoint';

/** The role of a schema in an operation. */
type SchemaRole = 'body' | 'query' | 'answer';

/** Findings in schemas, with their locations. */
export type SchemaLocations = ReadonlyMap<string, ReadonlySet<string>>;

/** What is searched in schemas. */
export interface SchemaSearch {
  /** Keywords without which a schema has no findings. */
  readonly keywords: readonly TrackedKeyword[];
  /** Returns the findings in one subschema, without looking inside. */
  readonly find: (schema: SchemaNode) => readonly string[];
}

/** Searches the schemas of all operations and route parameters, in steps. */
export function* schemaLocations(
  services: readonly HostedService[],
  parts: readonly SchemaRole[],
  search: SchemaSearch,
): Generator<undefined, SchemaLocations, void> {
  const locations = new Map<string, Set<string>>();
  const look = finder(search);
  const note = (schema: SchemaNode | null, location: string): void => {
    if (schema === null) return;
    for (const found of look(schema)) {
      const known = locations.get(found) ?? new Set();
      locations.set(found, known.add(location));
    }
  };
  for (const { api, version, name: service, parameters, operations, entityOperations } of services) {
    for (const [name, schema] of Object.entries(parameters))
      note(schema, `the parameter ${name} of ${api}-v${version}/${service}`);
    for (const endpoint of [...operations, ...entityOperations])
      for (const part of parts) note(schemaOf(endpoint, part), `the ${part} of ${endpoint.name}`);
    yield;
  }
  return locations;
}

function schemaOf(
  { requestSchema, querySchema, responseSchema }: HostedEndpoint,
  part: SchemaRole,
): SchemaNode | null {
  return part === 'body' ? requestSchema : part === 'query' ? querySchema : responseSchema;
}

const NONE: readonly string[] = [];

/** Shared definitions, and schemas that several operations share, are searched once. */
function finder({ keywords, find }: SchemaSearch): (schema: SchemaNode) => readonly string[] {
  const known = new Map<SchemaNode, readonly string[]>();
  const once = (schema: SchemaNode, search: (schema: SchemaNode) => readonly string[]): readonly string[] => {
    const found = known.get(schema) ?? search(schema);
    known.set(schema, found);
    return found;
  };
  const findIn = (schema: SchemaNode): readonly string[] => {
    const found: string[] = [];
    for (const subschema of allSubschemas(schema)) for (const one of find(subschema)) found.push(one);
    return found;
  };
  const findInWhole = (whole: SchemaNode): readonly string[] => {
    // Most schemas have no definitions, and are searched without a copy.
    if (whole.$defs === undefined) return findIn(whole);
    const { $defs: definitions, ...schema } = whole;
    return [
      ...findIn(schema),
      ...Object.values(objectOf(definitions))
        .filter(isSchema)
        .flatMap((definition) => once(definition, findIn)),
    ];
  };
  return (schema) => (hasKeyword(schema, ...keywords) ? once(schema, findInWhole) : NONE);
}
