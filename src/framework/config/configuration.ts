import { Type, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { check } from './check';
import type { Layer } from './layer';
import { merge, type Additive } from './merge';
import { StartError } from './start-error';
import { deepFreeze, isTree, valueAt, type ConfigTree, type ConfigValue, type KeyPath } from './tree';

/** The schema of each top-level key, by key. */
export type SectionSchemas = ReadonlyMap<string, TSchema>;

/** The effective configuration: merged, checked, frozen. */
export class Configuration {
  /** The folder that holds `config/`; relative files in configuration start from it. */
  readonly root: string;
  readonly layers: readonly Layer[];
  readonly #tree: ConfigTree;
  readonly #schemas: SectionSchemas;

  constructor(root: string, layers: readonly Layer[], schemas: SectionSchemas) {
    this.root = root;
    this.layers = layers;
    this.#schemas = schemas;
    const additive = additivePaths(schemas);
    this.#tree = deepFreeze(layers.reduce<ConfigTree>((lower, { tree }) => merge(lower, tree, additive), {}));
    const errors = check(this.#tree, schemaOf(schemas), layers);
    if (errors.length > 0) throw new StartError(errors.join('\n'));
  }

  /**
   * The settings under a top-level key, typed by the schema they were checked against.
   * @throws TypeError when that key was registered with another schema: a fault of the module
   */
  section<S extends TSchema>(key: string, schema: S): Static<S> {
    if (this.#schemas.get(key) !== schema) throw new TypeError(`"${key}" is not described by that schema.`);
    return this.#tree[key] ?? {};
  }

  /**
   * Checks the value at a path against a schema that only its reader knows, e.g. the options of a contributed
   * adapter.
   * @throws StartError that tells every error
   */
  assertAt(path: KeyPath, schema: TSchema): void {
    const errors = check(this.valueAt(path) ?? {}, schema, this.layers, path);
    if (errors.length > 0) throw new StartError(errors.join('\n'));
  }

  /** The value at a path; undefined where nothing is set. */
  valueAt(path: KeyPath): ConfigValue | undefined {
    return valueAt(this.#tree, path);
  }

  /** Where the value at a path comes from: the file, with line and column where it has them. */
  sourceOf(path: KeyPath): string {
    const layer = [...this.layers].reverse().find(({ tree }) => valueAt(tree, path) !== undefined);
    if (layer === undefined) return 'the configuration';
    return layer.locate === undefined ? layer.source : `${layer.source}:${layer.locate(path)}`;
  }
}

/** One schema over all sections: what is not described is an error. */
function schemaOf(schemas: SectionSchemas): TObject {
  const properties = Object.fromEntries([...schemas].map(([key, schema]) => [key, Type.Optional(schema)]));
  return Type.Object(properties, { additionalProperties: false });
}

/** The paths whose schema says `mergeLists: 'add'`; `*` stands for any key of a map. */
function additivePaths(schemas: SectionSchemas): Additive {
  const patterns: string[][] = [];
  const visit = (schema: unknown, path: string[]): void => {
    if (!isTree(schema)) return;
    if (schema.mergeLists === 'add') patterns.push(path);
    for (const [key, member] of Object.entries(isTree(schema.properties) ? schema.properties : {})) {
      visit(member, [...path, key]);
    }
    visit(schema.additionalProperties, [...path, '*']);
    for (const member of Object.values(isTree(schema.patternProperties) ? schema.patternProperties : {})) {
      visit(member, [...path, '*']);
    }
  };
  for (const [key, schema] of schemas) visit(schema, [key]);
  return (path) =>
    patterns.some(
      (pattern) =>
        pattern.length === path.length && pattern.every((key, at) => key === '*' || key === path[at]),
    );
}
