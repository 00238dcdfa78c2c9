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
  /** The schemas of operations that are searched; those of route parameters always are. */
  readonly roles: readonly SchemaRole[];
  /** Keywords without which a schema has no findings. */
  readonly keywords: readonly TrackedKeyword[];
  /** Returns the findings in one subschema, without looking inside. */
  readonly find: (schema: SchemaNode) => readonly string[];
}

const ROLES: readonly SchemaRole[] = ['body', 'query', 'answer'];

/**
 * Searches the schemas of all operations and route parameters, in steps. All searches look at a schema before the next one,
 * which walks through most of them once: see `hasKeyword`.
 * @returns the findings of each search
 */
export function* schemaLocations(
  services: readonly HostedService[],
  searches: readonly SchemaSearch[],
): Generator<undefined, readonly SchemaLocations[], void> {
  const all = searches.map((search) => new Findings(search));
  for (const { api, version, name: service, parameters, operations, entityOperations } of services) {
    for (const [name, schema] of Object.entries(parameters))
      for (const one of all) one.note(schema, `the parameter ${name} of`, `${api}-v${version}/${service}`);
    for (const endpoint of [...operations, ...entityOperations])
      for (const role of ROLES) {
        const schema = schemaOf(endpoint, role);
        if (schema === null) continue;
        for (const one of all) if (one.has(role)) one.note(schema, `the ${role} of`, endpoint.name);
      }
    yield;
  }
  return all.map(({ locations }) => locations);
}

/** The findings of one search. */
class Findings {
  readonly locations = new Map<string, Set<string>>();
  readonly #roles: readonly SchemaRole[];
  readonly #look: (schema: SchemaNode) => readonly string[];

  constructor(search: SchemaSearch) {
    this.#roles = search.roles;
    this.#look = finder(search);
  }

  has(role: SchemaRole): boolean {
    return this.#roles.includes(role);
  }

  note(schema: SchemaNode, what: string, owner: string): void {
    for (const found of this.#look(schema)) {
      const known = this.locations.get(found) ?? new Set();
      this.locations.set(found, known.add(`${what} ${owner}`));
    }
  }
}

function schemaOf(
  { requestSchema, querySchema, responseSchema }: HostedEndpoint,
  role: SchemaRole,
): SchemaNode | null {
  return role === 'body' ? requestSchema : role === 'query' ? querySchema : responseSchema;
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
