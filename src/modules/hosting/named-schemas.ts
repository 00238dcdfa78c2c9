import { isSchema, mapSubschemas, type SchemaNode } from '../../framework';
import type { ApiDefinition, VersionDefinition } from './definition';
import { isPlain } from './overlay';
import { mapServiceSchemas } from './service-schemas';
import { isAnnotation } from './shared-references';

/**
 * An API in whose code schemas stand as the objects that they are, with references instead of those to which a version
 * gives a name in `schemas`: their author writes `price: Money` and keeps its type.
 */
export function withReferences(api: ApiDefinition): ApiDefinition {
  const versions: Readonly<Record<string, VersionDefinition>> = api.versions;
  if (!isPlain(versions) || !Object.values(versions).some((version) => isPlain(version) && version.schemas))
    return api;
  const referring = Object.entries(versions).map(([key, version]) => {
    const named = new NamedObjects(namedIn(versions, key, []));
    return [key, isPlain(version) ? named.referring(version) : version] as const;
  });
  return { ...api, versions: Object.fromEntries(referring) };
}

/** The schemas of a version by name, those that it inherits too; circles are told of elsewhere. */
function namedIn(
  versions: Readonly<Record<string, VersionDefinition>>,
  key: string,
  heirs: readonly string[],
): Readonly<Record<string, unknown>> {
  const { inherits, schemas } = versions[key] ?? {};
  const from = String(inherits);
  const former =
    inherits === undefined || heirs.includes(from) ? {} : namedIn(versions, from, [...heirs, key]);
  return { ...former, ...(isPlain(schemas) ? schemas : {}) };
}

class NamedObjects {
  readonly #names = new Map<unknown, string>();
  /** By a part of each, as `Type.Optional(Money)` is another object with the same parts. */
  readonly #byPart = new Map<unknown, { readonly name: string; readonly schema: SchemaNode }>();

  constructor(schemas: Readonly<Record<string, unknown>>) {
    for (const [name, schema] of Object.entries(schemas)) {
      if (!isSchema(schema) || this.#names.has(schema)) continue;
      this.#names.set(schema, name);
      for (const part of Object.values(schema)) if (isObject(part)) this.#byPart.set(part, { name, schema });
    }
  }

  referring(version: VersionDefinition): VersionDefinition {
    const refer = (schema: unknown): unknown => (isSchema(schema) ? this.#referring(schema) : schema);
    const services = Object.entries(version.services ?? {}).map(
      ([name, service]) => [name, mapServiceSchemas(service, refer, refer, '')] as const,
    );
    // A schema is not a reference to itself.
    const schemas = Object.entries(version.schemas ?? {}).map(
      ([name, schema]) => [name, isSchema(schema) ? this.#inside(schema) : schema] as const,
    );
    // Only schemas in it became others.
    return {
      ...version,
      ...(version.schemas === undefined ? {} : { schemas: Object.fromEntries(schemas) }),
      ...(version.services === undefined ? {} : { services: Object.fromEntries(services) }),
    } as VersionDefinition;
  }

  #referring(schema: SchemaNode): SchemaNode {
    const name = this.#names.get(schema);
    if (name !== undefined) return { $ref: `#/schemas/${name}` };
    return this.#varied(schema) ?? this.#inside(schema);
  }

  /** The same parts, and perhaps other texts. */
  #varied(schema: SchemaNode): SchemaNode | undefined {
    const [known] = Object.values(schema).flatMap((part) => this.#byPart.get(part) ?? []);
    if (known === undefined) return undefined;
    const isSaid = (keyword: string): boolean => schema[keyword] === known.schema[keyword];
    const keywords = new Set([...Object.keys(schema), ...Object.keys(known.schema)]);
    const others = [...keywords].filter((keyword) => !isSaid(keyword));
    if (!others.every((keyword) => isAnnotation(keyword) && keyword in schema)) return undefined;
    const beside: SchemaNode = Object.fromEntries(others.map((keyword) => [keyword, schema[keyword]]));
    return { $ref: `#/schemas/${known.name}`, ...beside };
  }

  /** The same object where nothing in it is named. */
  #inside(schema: SchemaNode): SchemaNode {
    const others: SchemaNode[] = [];
    const inner: SchemaNode = mapSubschemas(schema, (one) => {
      const made = this.#referring(one);
      if (made !== one) others.push(made);
      return made;
    });
    return others.length === 0 ? schema : { ...schema, ...inner };
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
