import type { Static, TSchema } from '@sinclair/typebox';
import { pathsWhere, type SectionSchemas } from '../json-schema/schema-tree';
import type { SchemaNode } from '../json-schema/subschemas';
import { isSecretPath } from './annotations';
import { check } from './check';
import { effectiveTree } from './effective-tree';
import type { WrittenValue } from './layers/environment';
import { countLeaves, explainedValues, type ExplainedValue } from './effective-values';
import type { Layer } from './layers/layer';
import type { Additive } from './layers/merge';
import { originOf, showOrigin, type Origin } from './layers/origin';
import { escapeReferences, mayHaveReferences } from './layers/references';
import { ConfigurationError } from '../errors/configuration-error';
import { runSync, type Steps } from '../values/steps';
import {
  isObject,
  valueAt,
  type ConfigObject,
  type ConfigValue,
  type KeyPath,
} from '../values/config-object';

/** The prefix of the sources of modules' default layers. */
export const DEFAULTS = 'the defaults of ';

/** What was found while the layers were read. */
export interface FoundIssues {
  /** The errors of layers that could not be read completely. */
  readonly unread?: readonly string[];
  readonly warnings?: readonly string[];
  /** The modules that errors name for their sections, because they are not loaded. */
  readonly unloaded?: ReadonlyMap<string, string> | undefined;
}

/** The effective configuration: merged, validated, frozen. */
export class Configuration {
  /** The folder of `config/`; relative paths in the configuration are resolved from it. */
  readonly root: string;
  readonly layers: readonly Layer[];
  /** The schemas that it was validated against. */
  readonly schemas: SectionSchemas;
  /** Warnings for the operator. */
  readonly warnings: readonly string[];
  readonly #tree: ConfigObject;
  readonly #isAdditive: Additive;
  readonly #marking = new Set<SchemaNode>();

  /**
   * @param effective the merged layers, where they were merged in steps
   * @throws ConfigurationError with every error: of each layer, of the merged configuration, and of unread layers
   */
  constructor(
    root: string,
    layers: readonly Layer[],
    schemas: SectionSchemas,
    { unread = [], warnings = [], unloaded }: FoundIssues = {},
    effective = runSync(effectiveTree(layers, schemas, additivePaths(schemas), unread, unloaded)),
  ) {
    this.root = root;
    this.layers = layers;
    this.schemas = schemas;
    this.warnings = warnings;
    this.#isAdditive = additivePaths(schemas);
    const { tree, errors } = effective;
    this.#tree = tree;
    if (errors.length > 0) throw new ConfigurationError(errors.join('\n'));
  }

  /** Merges and checks the layers in steps, which takes long for megabytes. @throws the errors of the constructor */
  static *inSteps(
    root: string,
    layers: readonly Layer[],
    schemas: SectionSchemas,
    found: FoundIssues,
  ): Steps<Configuration> {
    const { unread = [], unloaded } = found;
    const effective = yield* effectiveTree(layers, schemas, additivePaths(schemas), unread, unloaded);
    return new Configuration(root, layers, schemas, found, effective);
  }

  /**
   * Returns the settings under a top-level key, typed by their schema.
   * @throws TypeError if the key was registered with another schema, which is a bug in the module
   * @throws ConfigurationError for a section that is not set at all, and has required keys: a module may work without it
   */
  section<S extends TSchema>(key: string, schema: S): Static<S> {
    if (this.schemas.get(key) !== schema) throw new TypeError(`"${key}" is not described by that schema.`);
    if (this.#tree[key] === undefined) this.assertAt([key], schema);
    return this.#tree[key] ?? {};
  }

  /**
   * Validates the value at a path against a schema that only its reader knows, such as the options of an external
   * adapter.
   * @throws ConfigurationError with every error
   */
  assertAt(path: KeyPath, schema: TSchema): void {
    const issues = check(this.valueAt(path) ?? {}, schema, this.layers, path);
    if (issues.length > 0) throw new ConfigurationError(issues.map(({ message }) => message).join('\n'));
  }

  /** Returns the value at a path, if it is set. */
  valueAt(path: KeyPath): ConfigValue | undefined {
    return valueAt(this.#tree, path);
  }

  /**
   * Returns the value at a path as a file has to contain it: with references instead of the values of environment variables,
   * which may be secret.
   */
  writtenAt(path: KeyPath): ConfigValue | undefined {
    const value = this.valueAt(path);
    if (value === undefined) return undefined;
    const key = JSON.stringify(path);
    const hasReferences = this.layers.some((layer) => referencesOf(layer).has(key));
    return hasReferences || mayHaveReferences(value) ? this.#written(path, value) : value;
  }

  /** Returns the source of the value at a path: the file, with line and column if available. */
  sourceOf(path: KeyPath): string {
    return showOrigin(this.#originOf(path));
  }

  /** Returns whether the value at a path comes from a module's defaults. */
  isDefault(path: KeyPath): boolean {
    return this.#originOf(path)?.layer.source.startsWith(DEFAULTS) === true;
  }

  /**
   * Returns whether the value at a path must not be displayed: its schema marks it as secret, its key is named like a
   * secret, or it contains an environment variable.
   */
  isSecret(path: KeyPath): boolean {
    return isSecretPath(this.schemas, path, [...this.#marking]) || this.#hasReferences(path);
  }

  /**
   * Masks what a schema marks as secret: of values whose schemas are known when their services are, such as
   * the options of adapters.
   * @param schema of the whole configuration
   */
  markSecrets(schema: SchemaNode): void {
    this.#marking.add(schema);
  }

  /** Lists every leaf of the effective configuration, in the order of the layers that set the keys. */
  explain(): readonly ExplainedValue[] {
    return [...this.explained()].filter((one) => one !== undefined);
  }

  /** Yields the leaves at and below a path; yields undefined while sources are located. */
  explained(path?: KeyPath): Generator<ExplainedValue | undefined, void, void> {
    const { schemas, layers } = this;
    const marking = [...this.#marking];
    return explainedValues(
      { tree: this.#tree, schemas, marking, layers, isAdditive: this.isListAdding },
      path,
    );
  }

  /** Counts the leaves at and below a path, in steps. */
  *countAt(path: KeyPath): Generator<undefined, number, void> {
    const value = this.valueAt(path);
    return value === undefined ? 0 : yield* countLeaves(value, path, this.isListAdding);
  }

  /**
   * Locates the values of all files cooperatively. `sourceOf` does it synchronously on its first call, which blocks
   * other requests too long for megabytes of configuration.
   */
  *locateSources(): Generator<undefined, void, void> {
    for (const { positions } of this.layers) if (positions !== undefined) yield* positions();
  }

  #written(path: KeyPath, value: ConfigValue): ConfigValue {
    if (typeof value === 'string') return this.#referenceAt(path) ?? escapeReferences(value);
    if (isObject(value)) {
      const members = Object.entries(value);
      return Object.fromEntries(members.map(([key, member]) => [key, this.#written([...path, key], member)]));
    }
    if (typeof value !== 'object' || value === null) return value;
    return value.map((member, at) => this.#written([...path, at], member));
  }

  /** Whether there are values with environment variables at or below a path. */
  #hasReferences(path: KeyPath): boolean {
    const origin = this.#originOf(path);
    return origin !== undefined && referencesOf(origin.layer).has(JSON.stringify(origin.path));
  }

  /** Returns the text of the value with environment variables at a path. */
  #referenceAt(path: KeyPath): string | undefined {
    const origin = this.#originOf(path);
    return origin === undefined ? undefined : referencesOf(origin.layer).get(JSON.stringify(origin.path));
  }

  #originOf(path: KeyPath): Origin | undefined {
    return originOf(this.layers, path, this.valueAt(path), this.isListAdding);
  }

  /** Whether the list at a path has the members of all layers. */
  readonly isListAdding = (path: KeyPath): boolean => this.#isAdditive(path.map(String));
}

/** The texts with environment variables by their paths as JSON, and the paths above them. */
type References = ReadonlyMap<string, string | undefined>;

const NO_REFERENCES: References = new Map();
const referencesByLayer = new WeakMap<readonly WrittenValue[], References>();

/** A layer may have thousands of them: they are indexed on first use. */
function referencesOf({ written }: Layer): References {
  if (written === undefined || written.length === 0) return NO_REFERENCES;
  const known = referencesByLayer.get(written);
  if (known !== undefined) return known;
  const references = new Map<string, string | undefined>();
  for (const { path, text } of written) {
    references.set(JSON.stringify(path), text);
    for (let length = path.length - 1; length >= 0; length--) {
      const above = JSON.stringify(path.slice(0, length));
      if (references.has(above)) break;
      references.set(above, undefined);
    }
  }
  referencesByLayer.set(written, references);
  return references;
}

/** Matches the paths whose schema sets `mergeLists: 'add'`. */
function additivePaths(schemas: SectionSchemas): Additive {
  const patterns = [...schemas].flatMap(([key, schema]) =>
    pathsWhere(schema, [key], ({ mergeLists }) => mergeLists === 'add'),
  );
  return (path) =>
    patterns.some(
      (pattern) =>
        pattern.length === path.length && pattern.every((key, at) => key === '*' || key === path[at]),
    );
}
