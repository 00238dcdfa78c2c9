import {
  objectOf,
  isPlainObject,
  isObject,
  ConfigurationError,
  errorMessage,
  type ConfigObject,
  type Configuration,
  type Module,
} from '../../../framework';
import { assertDeclarations } from './checks/declarations';
import type { ApiDefinition, ResolvedApi } from './definition';
import { withServices } from './deferred-services';
import { serviceKindsOf } from './service-kind';
import { resolveInheritance } from './inherit';
import { assertNoMisspeltNames } from './checks/misspelt-names';
import { replaceNamedSchemas } from '../schema/shared/named-schemas';
import { overlay, withoutNulls } from './overlay';
import { HOSTING_KEY } from '../hosting-key';

/** APIs declared in code; a function if they depend on configuration. */
export type DeclaredApis =
  readonly ApiDefinition[] | ((configuration: Configuration) => readonly ApiDefinition[]);

declare module '../../../framework' {
  interface Module {
    /** APIs that the module declares. */
    readonly apis?: DeclaredApis;
  }
}

/**
 * Collects the APIs that modules and configuration declare, merged, with inherited services resolved. The services of
 * some may be deferred (see `deferServices`).
 * @throws ConfigurationError for an invalid declaration, an API that is declared twice, or a misspelt name in configuration
 */
export function definitionsToCompile(
  modules: readonly Module[],
  configuration: Configuration,
): readonly ResolvedApi[] {
  const kinds = serviceKindsOf(modules);
  const layers = configuration.layers.map(({ tree }) => configuredIn(tree));
  const declared = new Map<string, { readonly definition: ApiDefinition; readonly module: string }>();
  for (const one of modules) {
    const { name: module } = one;
    const list: unknown = declaredApis(one, configuration);
    assertDeclarations(list, module, kinds);
    for (const declaration of list) {
      const isChanged = layers.some((apis) => Object.hasOwn(apis, declaration.name));
      const definition = isChanged ? withServices(declaration) : declaration;
      const other = declared.get(definition.name);
      if (other !== undefined) {
        throw new ConfigurationError(
          other.module === module
            ? `The module "${module}" declares the API "${definition.name}" twice. Merge the two declarations, or rename one API.`
            : `The modules "${other.module}" and "${module}" both declare the API "${definition.name}".`,
        );
      }
      declared.set(definition.name, { definition: replaceNamedSchemas(definition), module });
    }
  }
  const apis = layers.reduce<unknown>(
    (merged, configured) => overlay(merged, configured, 'definitions'),
    Object.fromEntries([...declared].map(([name, { definition }]) => [name, definition])),
  );
  const resolved = Object.entries(isPlainObject(apis) ? apis : {}).flatMap(([name, definition]) =>
    // The section schema has validated the configured part; the compiler validates the rest.
    isPlainObject(definition)
      ? [
          {
            versions: {},
            ...(withoutNulls(resolveInheritance({ name, ...definition })) as object),
          } as ResolvedApi,
        ]
      : [],
  );
  assertNoMisspeltNames(resolved, declared, configuration);
  return resolved;
}

/** Merged layer by layer: null removes what code declares, and a higher layer may add it again. */
function configuredIn(tree: ConfigObject): ConfigObject {
  const section = tree[HOSTING_KEY];
  const apis = isObject(section) ? section.apis : undefined;
  return objectOf(apis);
}

/** Does the same, with all services. */
export function collectDefinitions(
  modules: readonly Module[],
  configuration: Configuration,
): readonly ResolvedApi[] {
  return definitionsToCompile(modules, configuration).map(withServices);
}

/**
 * Returns the APIs that a module declares for a configuration, with all services.
 * @throws ConfigurationError that names the module whose function fails
 */
export function resolveDeclaredApis(module: Module, configuration: Configuration): readonly ApiDefinition[] {
  return declaredApis(module, configuration).map(withServices);
}

function declaredApis(module: Module, configuration: Configuration): readonly ApiDefinition[] {
  const { name, apis = [] } = module;
  if (typeof apis !== 'function') return apis;
  try {
    return apis.call(module, configuration);
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    throw new ConfigurationError(`The module "${name}": apis() failed: ${errorMessage(cause)}`, { cause });
  }
}
