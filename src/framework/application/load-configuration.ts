import type { TSchema } from '@sinclair/typebox';
import { Configuration, DEFAULTS, type SectionSchemas } from '../config/configuration';
import type { Environment } from '../config/environment';
import { readLayers, type Layer, type LayerOptions } from '../config/layer';
import { StartError } from '../config/start-error';
import type { Module } from './module';
import { frameworkDefaults, frameworkSchemas } from './settings';

/**
 * The effective configuration of a project: the modules' defaults, the files, the environment.
 * @param root the folder that holds `config/`
 * @param options `local` takes the place of the text of `config/autoload/local.json`, to see what would be; null
 *   stands for no such file
 * @throws StartError that tells every error with file and key path
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
 * @throws StartError for a key that two describe
 */
export function schemasOf(modules: readonly Module[]): SectionSchemas {
  const schemas = new Map<string, TSchema>(Object.entries(frameworkSchemas));
  const owners = new Map(Object.keys(frameworkSchemas).map((key) => [key, 'the framework']));
  for (const module of modules) {
    for (const [key, schema] of Object.entries(module.schemas ?? {})) {
      const owner = owners.get(key);
      if (owner !== undefined) {
        throw new StartError(
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
