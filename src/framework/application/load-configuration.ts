import type { TSchema } from '@sinclair/typebox';
import { Configuration, DEFAULTS } from '../config/configuration';
import type { SectionSchemas } from '../json-schema/schema-tree';
import type { Environment } from '../config/layers/environment';
import { readLayers, type Layer, type LayerOptions } from '../config/layers/layer';
import { ConfigurationError } from '../errors/configuration-error';
import type { Module } from './modules/module';
import { frameworkDefaults, frameworkSchemas } from './settings';

/**
 * The effective configuration of a project: the modules' defaults, the files, the environment.
 * @param root the folder that holds `config/`
 * @param options `local` takes the place of the text of `config/autoload/local.json`, to see what would be; null
 *   stands for no such file
 * @throws ConfigurationError that tells every error with file and key path
 */
export async function loadConfiguration(
  root: string,
  modules: readonly Module[],
  environment: Environment,
  options: LayerOptions = {},
): Promise<Configuration> {
  const { layers, errors, warnings } = await readLayers(root, environment, options);
  const all = [...defaultsOf(modules), ...layers];
  return new Configuration(root, all, schemasOf(modules), { unread: errors, warnings });
}

/**
 * The schemas of all top-level keys: the framework's and the modules'.
 * @throws ConfigurationError for a key that two describe
 */
export function schemasOf(modules: readonly Module[]): SectionSchemas {
  const schemas = new Map<string, TSchema>(Object.entries(frameworkSchemas));
  const owners = new Map(Object.keys(frameworkSchemas).map((key) => [key, 'the framework']));
  for (const module of modules) {
    for (const [key, schema] of Object.entries(module.schemas ?? {})) {
      const owner = owners.get(key);
      if (owner !== undefined) {
        throw new ConfigurationError(
          `Both ${owner} and the module "${module.name}" describe the configuration key "${key}".`,
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
