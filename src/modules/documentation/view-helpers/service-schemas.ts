import { isDeepStrictEqual } from 'node:util';
import { allSubschemas, definitionPath, isSchema, ownValue } from '../../../framework';
import type { JsonSchema } from '../model/data';
import { describeSchema, type SchemaReference } from '../model/schema/describe-schema';
import type { SchemaDescription } from '../model/schema/description';
import type { Facets } from '../model/schema/facets';
import type { Service } from '../model/service';
import { fragmentOf } from './addresses';

/** A schema that the page of a service describes once, for all operations that use it. */
export interface SharedDescription {
  readonly name: string;
  /** Its fragment, without `#`. */
  readonly id: string;
  readonly schema: SchemaDescription;
}

/** A named schema, with the definitions that its references mean. */
interface Definition {
  readonly schema: JsonSchema;
  readonly definitions: JsonSchema;
}

/** Maximum number of schemas that a page describes once; further ones are described inline. */
const MAX_SHARED = 200;

/** Describes the schemas of a service's page; those that are used several times are described once. */
export class ServiceSchemas {
  readonly #service: Service;
  readonly #shared: ReadonlyMap<string, Definition>;

  constructor(service: Service) {
    this.#service = service;
    this.#shared = sharedSchemas(rootsOf(service));
  }

  /** The names of the shared schemas. */
  get names(): readonly string[] {
    return [...this.#shared.keys()];
  }

  describe(schema: JsonSchema): SchemaDescription {
    return describeSchema(schema, { refer: (facets) => this.#refer(facets) });
  }

  /** Describes the fields of the service; undefined for none. */
  fields(): SchemaDescription | undefined {
    const schema = this.#service.getSchema();
    return schema === null
      ? undefined
      : describeSchema(schema, { refer: (facets) => this.#reference(facets.name) });
  }

  /** Describes a shared schema. */
  shared(name: string): SharedDescription {
    const { schema = {}, definitions = {} } = this.#shared.get(name) ?? {};
    return { name, id: schemaId(name), schema: this.describe({ ...schema, $defs: definitions }) };
  }

  /** Whether a shared schema is the same in both services, with every schema that it refers to. */
  sharesWith(other: ServiceSchemas, name: string): boolean {
    const [own, others] = [this.#shared.get(name), other.#shared.get(name)];
    return own !== undefined && others !== undefined && isSameDefinition(own, others);
  }

  #refer(facets: Pick<Facets, 'name' | 'parts'>): SchemaReference | undefined {
    return this.#reference(facets.name) ?? this.#fieldsReference(facets.parts);
  }

  #reference(name: string): SchemaReference | undefined {
    return this.#shared.has(name) ? { name, link: `#${schemaId(name)}` } : undefined;
  }

  /**
   * Returns a reference to the fields of the service for a schema that equals theirs, such as the items of its list.
   */
  #fieldsReference(parts: readonly JsonSchema[]): SchemaReference | undefined {
    const [own, part, ...others] = [this.#service.getSchema(), ...parts];
    if (!isSchema(own) || !isSchema(part) || others.length > 0 || !isSchema(part.properties))
      return undefined;
    return own === part || isDeepStrictEqual(bare(part), bare(own))
      ? { name: this.#service.getName(), link: '#fields' }
      : undefined;
  }
}

/** Returns a schema without annotations. */
function bare({
  $defs: _defs,
  description: _text,
  title: _title,
  examples: _examples,
  ...schema
}: JsonSchema): JsonSchema {
  return schema;
}

function schemaId(name: string): string {
  return `schema-${fragmentOf(name)}`;
}

/** Returns the schemas of a service's bodies. */
function rootsOf(service: Service): readonly JsonSchema[] {
  const operations = [...service.getOperations(), ...service.getEntityOperations()];
  const schemas = operations.flatMap((operation) => [
    operation.getRequestSchema(),
    operation.getResponseSchema(),
    operation.getItemSchema() ?? null,
    ...operation.getOtherResponseStatuses().map((code) => operation.getResponseSchema(code)),
  ]);
  return [service.getSchema(), ...schemas].filter((schema) => schema !== null);
}

/**
 * Returns the named schemas that are referred to several times, with their definitions, by name. Names that mean
 * different schemas in different operations are left out.
 */
function sharedSchemas(roots: readonly JsonSchema[]): ReadonlyMap<string, Definition> {
  const uses = new Map<string, number>();
  const found = new Map<string, Definition>();
  const ambiguous = new Set<string>();
  const visit = (schema: JsonSchema, definitions: JsonSchema): void => {
    for (const name of namesIn(schema)) {
      uses.set(name, (uses.get(name) ?? 0) + 1);
      const definition = ownValue(definitions, name);
      const known = found.get(name)?.schema;
      if (!isSchema(definition)) ambiguous.add(name);
      else if (known === undefined) found.set(name, { schema: definition, definitions });
      else if (known !== definition && !isDeepStrictEqual(known, definition)) ambiguous.add(name);
    }
  };
  for (const { $defs: definitions, ...root } of roots) visit(root, isSchema(definitions) ? definitions : {});
  // The loop visits appended schemas as well.
  for (const { schema, definitions } of found.values()) visit(schema, definitions);
  const shared = [...found].filter(
    ([name, { schema }]) => (uses.get(name) ?? 0) > 1 && !ambiguous.has(name) && isStructured(schema),
  );
  return new Map(shared.slice(0, MAX_SHARED));
}

function isSameDefinition(one: Definition, other: Definition, seen = new Set<string>()): boolean {
  if (!isDeepStrictEqual(one.schema, other.schema)) return false;
  return namesIn(one.schema).every((name) => {
    if (seen.has(name)) return true;
    seen.add(name);
    const [schema, others] = [one.definitions[name], other.definitions[name]];
    return isSchema(schema) && isSchema(others)
      ? isSameDefinition({ ...one, schema }, { ...other, schema: others }, seen)
      : schema === others;
  });
}

/** The names in definitions, which several services of an API may have in common. */
const namesOfDefinitions = new WeakMap<JsonSchema, readonly string[]>();

/** Returns the names of the definitions that a schema refers to. */
function namesIn(schema: JsonSchema): readonly string[] {
  const known = namesOfDefinitions.get(schema);
  if (known !== undefined) return known;
  const names = allSubschemas(schema).flatMap(({ $ref: reference }) => {
    const [name, ...below] = typeof reference === 'string' ? definitionPath(reference) : [];
    return name === undefined || below.length > 0 ? [] : [name];
  });
  namesOfDefinitions.set(schema, names);
  return names;
}

/** Whether a schema is too complex to be described inline. */
function isStructured(schema: JsonSchema): boolean {
  return ['properties', 'allOf', 'anyOf', 'oneOf', 'items', 'patternProperties'].some(
    (keyword) => keyword in schema,
  );
}

const known = new WeakMap<Service, ServiceSchemas>();

/** Returns the schemas of a service's page. */
export function docSchemas(service: Service): ServiceSchemas {
  const schemas = known.get(service) ?? new ServiceSchemas(service);
  known.set(service, schemas);
  return schemas;
}
