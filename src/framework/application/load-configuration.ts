import type { TSchema } from '@sinclair/typebox';
import { Configuration } from '../config/configuration';
import type { Environment } from '../config/environment';
import { readLayers, type Layer } from '../config/layer';
import { StartError } from '../config/start-error';
import type { Module } from './module';
import { frameworkDefaults, frameworkSchemas } from './settings';

/**
 * The effective configuration of a project: the modules' defaults, the files, the environment.
 * @param root the folder that holds `config/`
 * @throws StartError that tells every error with file and key path
 */
export async function loadConfiguration(
  root: string,
  modules: readonly Module[],
  environment: Environment,
): Promise<Configuration> {
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
  const defaults: Layer[] = [{ source: 'the defaults of the framework', tree: frameworkDefaults }];
  for (const { name, defaults: tree } of modules) {
    if (tree !== undefined) defaults.push({ source: `the defaults of the module "${name}"`, tree });
  }
  return new Configuration(root, [...defaults, ...(await readLayers(root, environment))], schemas);
}
