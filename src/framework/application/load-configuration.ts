import type { TSchema } from '@sinclair/typebox';
import { Configuration, DEFAULTS } from '../config/configuration';
import type { SectionSchemas } from '../json-schema/schema-tree';
import type { Environment } from '../config/layers/environment';
import { readLayers, type Layer, type LayerOptions } from '../config/layers/layer';
import { runCooperatively } from '../events/cooperative';
import { ConfigurationError } from '../errors/configuration-error';
import type { Module } from './modules/module';
import { frameworkDefaults, frameworkSchemas } from './settings';

/**
 * Loads the effective configuration of a project: the modules' defaults, the files, the environment.
 * @param root the folder with `config/`
 * @param options `local` replaces the text of `config/autoload/local.json`, to check changes; null means that the
 * file does
 *   not exist
 * @throws ConfigurationError with all errors, by file and key path
 */
export async function loadConfiguration(
  root: string,
  modules: readonly Module[],
  environment: Environment,
  options: LayerOptions = {},
): Promise<Configuration> {
  const { layers, errors, warnings } = await readLayers(root, environment, options);
  const all = [...defaultsOf(modules), ...layers];
  return await runCooperatively(
    Configuration.inSteps(root, all, schemasOf(modules), { unread: errors, warnings }),
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
    const { schemas: own = {} } = module;
    for (const [key, schema] of Object.entries(typeof own === 'function' ? own.call(module, modules) : own)) {
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

function defaultsOf(modules: readonly Module[]): readonly Layer[] {
  const defaults: Layer[] = [{ source: `${DEFAULTS}the framework`, tree: frameworkDefaults }];
  for (const { name, defaults: tree } of modules) {
    if (tree !== undefined) defaults.push({ source: `${DEFAULTS}the module "${name}"`, tree });
  }
  return defaults;
}
