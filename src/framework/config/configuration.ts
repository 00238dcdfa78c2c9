import type { Static, TSchema } from '@sinclair/typebox';
import { isSecretPath, needsRestart } from './annotations';
import { check } from './check';
import { faultsOf } from './faults';
import type { WrittenValue } from './environment';
import { leavesOf, type ExplainedValue } from './explain';
import type { Layer } from './layer';
import { merge, type Additive } from './merge';
import { originOf, showOrigin, type Origin } from './origin';
import { StartError } from './start-error';
import { deepFreeze, isTree, valueAt, type ConfigTree, type ConfigValue, type KeyPath } from './tree';

/** The schema of each top-level key, by key. */
export type SectionSchemas = ReadonlyMap<string, TSchema>;

/** What the names of layers begin with that modules bring. */
export const DEFAULTS = 'the defaults of ';

/** The effective configuration: merged, checked, frozen. */
export class Configuration {
  /** The folder that holds `config/`; relative files in configuration start from it. */
  readonly root: string;
  readonly layers: readonly Layer[];
  /** The schemas that it was checked against. */
  readonly schemas: SectionSchemas;
  /** What an operator should know though nothing is wrong. */
  readonly warnings: readonly string[];
  readonly #tree: ConfigTree;

  readonly #isAdditive: Additive;

  /**
   * @param found `unread`: what is wrong with layers that could not be read, or not wholly
   * @throws StartError that tells every error: of each layer by itself, of all together, and of what was not read
   */
  constructor(
    root: string,
    layers: readonly Layer[],
    schemas: SectionSchemas,
    found: { readonly unread?: readonly string[]; readonly warnings?: readonly string[] } = {},
  ) {
    const { unread = [], warnings = [] } = found;
    this.root = root;
    this.layers = layers;
    this.schemas = schemas;
    this.warnings = warnings;
    this.#isAdditive = additivePaths(schemas);
    this.#tree = deepFreeze(
      layers.reduce<ConfigTree>((lower, { tree }) => merge(lower, tree, this.#isAdditive), {}),
    );
    const errors = [...unread, ...faultsOf(this.#tree, schemas, layers, unread.length === 0)];
    if (errors.length > 0) throw new StartError(errors.join('\n'));
  }

  /**
   * The settings under a top-level key, typed by the schema they were checked against.
   * @throws TypeError when that key was registered with another schema: a fault of the module
   */
  section<S extends TSchema>(key: string, schema: S): Static<S> {
    if (this.schemas.get(key) !== schema) throw new TypeError(`"${key}" is not described by that schema.`);
    return this.#tree[key] ?? {};
  }

  /**
   * Checks the value at a path against a schema that only its reader knows, e.g. the options of a contributed
   * adapter.
   * @throws StartError that tells every error
   */
  assertAt(path: KeyPath, schema: TSchema): void {
    const faults = check(this.valueAt(path) ?? {}, schema, this.layers, path);
    if (faults.length > 0) throw new StartError(faults.map(({ message }) => message).join('\n'));
  }

  /** The value at a path; undefined where nothing is set. */
  valueAt(path: KeyPath): ConfigValue | undefined {
    return valueAt(this.#tree, path);
  }

  /** Where the value at a path comes from: the file, with line and column where it has them. */
  sourceOf(path: KeyPath): string {
    return showOrigin(this.#originOf(path));
  }

  /** Whether a module's defaults alone say the value at a path. */
  isDefault(path: KeyPath): boolean {
    return this.#originOf(path)?.layer.source.startsWith(DEFAULTS) === true;
  }

  /**
   * Whether the value at a path must not be shown: its schema says `secret: true`, its key is named like a
   * secret, or it came from an environment variable.
   */
  isSecret(path: KeyPath): boolean {
    return isSecretPath(this.schemas, path) || this.#writtenAt(path).length > 0;
  }

  /** Every leaf of the effective configuration, in the order of the layers that brought the keys. */
  explain(): readonly ExplainedValue[] {
    return leavesOf(this.#tree, this.#isListAdding).map(({ path, value }) => {
      const written = this.#writtenAt(path).find((one) => one.path.length === path.length)?.text;
      const isBare = written !== undefined && /^(\$\{\w+\})+$/.test(written);
      return {
        path,
        value,
        source: this.sourceOf(path),
        secret: this.isSecret(path),
        restart: needsRestart(this.schemas, path),
        ...(isBare || (written !== undefined && !isSecretPath(this.schemas, path)) ? { written } : {}),
      };
    });
  }

  /** The values that name variables, at a path or within what stands there. */
  #writtenAt(path: KeyPath): readonly WrittenValue[] {
    const origin = this.#originOf(path);
    if (origin === undefined) return [];
    return (origin.layer.written ?? []).filter((one) => origin.path.every((key, at) => key === one.path[at]));
  }

  #originOf(path: KeyPath): Origin | undefined {
    return originOf(this.layers, path, this.valueAt(path), this.#isListAdding);
  }

  readonly #isListAdding = (path: KeyPath): boolean => this.#isAdditive(path.map(String));
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
