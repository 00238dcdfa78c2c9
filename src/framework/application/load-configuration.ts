import type { TSchema } from '@sinclair/typebox';
import { Configuration, DEFAULTS } from '../config/configuration';
import type { SectionSchemas } from '../json-schema/schema-tree';
import type { Environment } from '../config/layers/environment';
import { readLayers, type Layer, type LayerOptions } from '../config/layers/layer';
import { runCooperatively } from '../events/cooperative';
import { isThenable } from '../events/maybe-promise';
import { ConfigurationError } from '../errors/configuration-error';
import { errorMessage } from '../errors/error-message';
import { describeValue } from '../text/describe-value';
import { isObject } from '../values/config-object';
import { loadBuiltIn } from './modules/import-module';
import type { Module } from './modules/module';
import type { BuiltInModules } from './modules/module-list';
import { frameworkDefaults, frameworkSchemas } from './settings';

/**
 * Loads the effective configuration of a project: the modules' defaults, the files, the environment.
 * @param root the folder with `config/`
 * @param options `local` replaces the text of `config/autoload/local.json`, to check changes; null means that the
 *   file does not exist. `builtIn`: which modules errors may name
 * @throws ConfigurationError with all errors, by file and key path
 */
export async function loadConfiguration(
  root: string,
  modules: readonly Module[],
  environment: Environment,
  { builtIn = {}, ...options }: LayerOptions & { readonly builtIn?: BuiltInModules } = {},
): Promise<Configuration> {
  const { layers, errors, warnings } = await readLayers(root, environment, options);
  const all = [...defaultsOf(modules), ...layers];
  const schemas = schemasOf(modules);
  const areKnown = layers.every(({ tree }) => Object.keys(tree).every((key) => schemas.has(key)));
  const unloaded = areKnown ? undefined : await unloadedSections(modules, builtIn);
  return await runCooperatively(
    Configuration.inSteps(root, all, schemas, { unread: errors, warnings, unloaded }),
  );
}

/** Returns the built-in modules that are not loaded, by their sections. */
async function unloadedSections(
  modules: readonly Module[],
  builtIn: BuiltInModules,
): Promise<ReadonlyMap<string, string>> {
  const names = Object.keys(builtIn).filter((name) => modules.every((one) => one.name !== name));
  const others = await Promise.all(names.map((name) => loadBuiltIn(name, builtIn)));
  return new Map(
    others.flatMap((one) => Object.keys(sectionsOf(one, modules)).map((key) => [key, one.name])),
  );
}

/**
 * Returns the schemas of all top-level keys of the framework and the modules.
 * @throws ConfigurationError for a key with two schemas
 */
export function schemasOf(modules: readonly Module[]): SectionSchemas {
  const schemas = new Map<string, TSchema>(Object.entries(frameworkSchemas));
  const owners = new Map(Object.keys(frameworkSchemas).map((key) => [key, 'the framework']));
  for (const module of modules) {
    for (const [key, schema] of Object.entries(sectionsOf(module, modules))) {
      const owner = owners.get(key);
      if (owner !== undefined) {
        throw new ConfigurationError(
          `Both ${owner} and the module "${module.name}" define the configuration key "${key}".`,
        );
      }
      owners.set(key, `the module "${module.name}"`);
      schemas.set(key, schema);
    }
  }
  return schemas;
}

/** @throws ConfigurationError that names the module, for a function that fails, and for what is not a schema */
function sectionsOf(module: Module, modules: readonly Module[]): Readonly<Record<string, TSchema>> {
  const { name, schemas = {} } = module;
  let sections: unknown = schemas;
  try {
    if (typeof schemas === 'function') sections = schemas.call(module, modules);
  } catch (cause) {
    throw new ConfigurationError(`The module "${name}": schemas() failed: ${errorMessage(cause)}`, { cause });
  }
  const where = `The module "${name}": schemas`;
  if (!isObject(sections) || isThenable(sections))
    throw new ConfigurationError(
      `${where}() returned ${describeValue(sections)}. Return an object with a schema for each top-level configuration key.`,
    );
  for (const [key, schema] of Object.entries(sections))
    if (!isObject(schema))
      throw new ConfigurationError(
        `${where}.${key} is ${describeValue(schema)}. Write a schema, such as Type.Object({ … }).`,
      );
  return sections as Readonly<Record<string, TSchema>>;
}

function defaultsOf(modules: readonly Module[]): readonly Layer[] {
  const defaults: Layer[] = [{ source: `${DEFAULTS}the framework`, tree: frameworkDefaults }];
  for (const { name, defaults: tree } of modules) {
    if (tree !== undefined) defaults.push({ source: `${DEFAULTS}the module "${name}"`, tree });
  }
  return defaults;
}
