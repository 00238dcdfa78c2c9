import { isAnnotation, isPlainObject, isSchema, mapSubschemas, type SchemaNode } from '../../../../framework';
import type { ApiDefinition, VersionDefinition } from '../../definition/definition';
import { mapServiceSchemas } from '../service-schemas';

/**
 * Replaces schema objects that a version names in `schemas` by references: authors write `price: Money` and keep
 * its type.
 */
export function replaceNamedSchemas(api: ApiDefinition): ApiDefinition {
  const versions: Readonly<Record<string, VersionDefinition>> = api.versions;
  if (
    !isPlainObject(versions) ||
    !Object.values(versions).some((version) => isPlainObject(version) && version.schemas)
  )
    return api;
  const replaceIn = Object.entries(versions).map(([key, version]) => {
    const named = new SchemaNames(schemasOf(versions, key, []));
    return [key, isPlainObject(version) ? named.replaceIn(version) : version] as const;
  });
  return { ...api, versions: Object.fromEntries(replaceIn) };
}

/**
 * Returns the schemas of a version by name, including inherited ones. Circular inheritance is reported elsewhere.
 */
function schemasOf(
  versions: Readonly<Record<string, VersionDefinition>>,
  key: string,
  descendants: readonly string[],
): Readonly<Record<string, unknown>> {
  const { inherits, schemas } = versions[key] ?? {};
  const from = String(inherits);
  const inherited =
    inherits === undefined || descendants.includes(from)
      ? {}
      : schemasOf(versions, from, [...descendants, key]);
  return { ...inherited, ...(isPlainObject(schemas) ? schemas : {}) };
}

class SchemaNames {
  readonly #names = new Map<unknown, string>();
  /** By a part of each schema: `Type.Optional(Money)` is another object with the same parts. */
  readonly #byPart = new Map<unknown, { readonly name: string; readonly schema: SchemaNode }>();

  constructor(schemas: Readonly<Record<string, unknown>>) {
    for (const [name, schema] of Object.entries(schemas)) {
      if (!isSchema(schema) || this.#names.has(schema)) continue;
      this.#names.set(schema, name);
      for (const part of Object.values(schema))
        if (typeof part === 'object' && part !== null) this.#byPart.set(part, { name, schema });
    }
  }

  replaceIn(version: VersionDefinition): VersionDefinition {
    const refer = (schema: unknown): unknown => (isSchema(schema) ? this.#replace(schema) : schema);
    const services = Object.entries(version.services ?? {}).map(
      ([name, service]) => [name, mapServiceSchemas(service, refer, refer, '')] as const,
    );
    // A schema is not replaced by a reference to itself.
    const schemas = Object.entries(version.schemas ?? {}).map(
      ([name, schema]) => [name, isSchema(schema) ? this.#replaceWithin(schema) : schema] as const,
    );
    // Only schemas were replaced.
    return {
      ...version,
      ...(version.schemas === undefined ? {} : { schemas: Object.fromEntries(schemas) }),
      ...(version.services === undefined ? {} : { services: Object.fromEntries(services) }),
    } as VersionDefinition;
  }

  #replace(schema: SchemaNode): SchemaNode {
    const name = this.#names.get(schema);
    if (name !== undefined) return { $ref: `#/schemas/${name}` };
    return this.#matchAnnotated(schema) ?? this.#replaceWithin(schema);
  }

  /** Recognizes a named schema with other annotations. */
  #matchAnnotated(schema: SchemaNode): SchemaNode | undefined {
    const [known] = Object.values(schema).flatMap((part) => this.#byPart.get(part) ?? []);
    if (known === undefined) return undefined;
    const isEqual = (keyword: string): boolean => schema[keyword] === known.schema[keyword];
    const keywords = new Set([...Object.keys(schema), ...Object.keys(known.schema)]);
    const differences = [...keywords].filter((keyword) => !isEqual(keyword));
    if (!differences.every((keyword) => isAnnotation(keyword) && keyword in schema)) return undefined;
    const annotations: SchemaNode = Object.fromEntries(
      differences.map((keyword) => [keyword, schema[keyword]]),
    );
    return { $ref: `#/schemas/${known.name}`, ...annotations };
  }

  /** Returns the same object if nothing is replaced. */
  #replaceWithin(schema: SchemaNode): SchemaNode {
    const differences: SchemaNode[] = [];
    const inner: SchemaNode = mapSubschemas(schema, (one) => {
      const made = this.#replace(one);
      if (made !== one) differences.push(made);
      return made;
    });
    return differences.length === 0 ? schema : { ...schema, ...inner };
  }
}
