import type { Static, TSchema } from '@sinclair/typebox';
import { pathsWhere, type SectionSchemas } from '../json-schema/schema-tree';
import { isSecretPath } from './annotations';
import { check } from './check';
import { configurationIssues } from './configuration-issues';
import type { WrittenValue } from './layers/environment';
import { countLeaves, explainedValues, type ExplainedValue } from './effective-values';
import type { Layer } from './layers/layer';
import { merge, type Additive } from './layers/merge';
import { originOf, showOrigin, type Origin } from './layers/origin';
import { ConfigurationError } from '../errors/configuration-error';
import {
  deepFreeze,
  valueAt,
  type ConfigObject,
  type ConfigValue,
  type KeyPath,
} from '../values/config-object';

/** The prefix of the sources of modules' default layers. */
export const DEFAULTS = 'the defaults of ';

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

  /**
   * @param found `unread`: the errors of layers that could not be read, or only in part
   * @throws ConfigurationError with every error: of each layer, of the merged configuration, and of unread layers
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
      layers.reduce<ConfigObject>((lower, { tree }) => merge(lower, tree, this.#isAdditive), {}),
    );
    const errors = [...unread, ...configurationIssues(this.#tree, schemas, layers, unread.length === 0)];
    if (errors.length > 0) throw new ConfigurationError(errors.join('\n'));
  }

  /**
   * The settings under a top-level key, typed by their schema.
   * @throws TypeError when the key was registered with another schema: a bug in the module
   */
  section<S extends TSchema>(key: string, schema: S): Static<S> {
    if (this.schemas.get(key) !== schema) throw new TypeError(`"${key}" is not described by that schema.`);
    return this.#tree[key] ?? {};
  }

  /**
   * Validates the value at a path against a schema that only its reader knows, e.g. the options of a contributed
   * adapter.
   * @throws ConfigurationError with every error
   */
  assertAt(path: KeyPath, schema: TSchema): void {
    const faults = check(this.valueAt(path) ?? {}, schema, this.layers, path);
    if (faults.length > 0) throw new ConfigurationError(faults.map(({ message }) => message).join('\n'));
  }

  /** The value at a path; undefined where nothing is set. */
  valueAt(path: KeyPath): ConfigValue | undefined {
    return valueAt(this.#tree, path);
  }

  /** The source of the value at a path: the file, with line and column where available. */
  sourceOf(path: KeyPath): string {
    return showOrigin(this.#originOf(path));
  }

  /** Whether the value at a path comes from a module's defaults. */
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

  /** Lists every leaf of the effective configuration, in the order of the layers that set the keys. */
  explain(): readonly ExplainedValue[] {
    return [...this.explained()].filter((one) => one !== undefined);
  }

  /** The same at and below a path, one by one; yields undefined while sources are located. */
  explained(path?: KeyPath): Generator<ExplainedValue | undefined, void, void> {
    const { schemas, layers } = this;
    return explainedValues({ tree: this.#tree, schemas, layers, isAdditive: this.#isListAdding }, path);
  }

  /** Counts the leaves at and below a path, in steps. */
  *countAt(path: KeyPath): Generator<undefined, number, void> {
    const value = this.valueAt(path);
    return value === undefined ? 0 : yield* countLeaves(value, path, this.#isListAdding);
  }

  /**
   * Locates the values of all files, in steps that let other work run. `sourceOf` does the same at once when it is
   * first called: for megabytes of configuration, that takes longer than other requests should wait.
   */
  *locateSources(): Generator<undefined, void, void> {
    for (const { positions } of this.layers) if (positions !== undefined) yield* positions();
  }

  /** The values with environment variables at or below a path. */
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

/** Matches the paths whose schema says `mergeLists: 'add'`. */
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
