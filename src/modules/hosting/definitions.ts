import { isTree, StartError, type ConfigTree, type Configuration, type Module } from '../../framework';
import { assertDeclarations } from './declarations';
import type { ApiDefinition, ResolvedApi } from './definition';
import { withInherited } from './inherit';
import { withReferences } from './named-schemas';
import { isPlain, overlay, withoutNulls } from './overlay';
import { HOSTING_KEY } from './settings';

/** APIs in code; a function where configuration decides which there are. */
export type DeclaredApis =
  readonly ApiDefinition[] | ((configuration: Configuration) => readonly ApiDefinition[]);

declare module '../../framework' {
  interface Module {
    /** APIs that the module declares, perhaps as its settings have it. */
    readonly apis?: DeclaredApis;
  }
}

/**
 * The APIs that modules declare, with what configuration says of them, and those that configuration alone
 * declares; each version with the services that it inherits.
 * @throws StartError for a declaration that cannot be, or an API that two modules declare
 */
export function collectDefinitions(
  modules: readonly Module[],
  configuration: Configuration,
): readonly ResolvedApi[] {
  const declared = new Map<string, { readonly definition: ApiDefinition; readonly module: string }>();
  for (const { name: module, apis = [] } of modules) {
    const list: unknown = toList(apis, configuration);
    assertDeclarations(list, module);
    for (const definition of list) {
      const other = declared.get(definition.name);
      if (other !== undefined) {
        throw new StartError(
          `The modules "${other.module}" and "${module}" both declare the API "${definition.name}".`,
        );
      }
      declared.set(definition.name, { definition: withReferences(definition), module });
    }
  }
  const apis = configuration.layers.reduce<unknown>(
    (laid, { tree }) => overlay(laid, configuredIn(tree)),
    Object.fromEntries([...declared].map(([name, { definition }]) => [name, definition])),
  );
  return Object.entries(isPlain(apis) ? apis : {}).flatMap(([name, definition]) =>
    // The schema of the section has checked the configured half, and the compiler what the types do not tell.
    isPlain(definition)
      ? [withoutNulls(withInherited({ name, versions: {}, ...definition })) as ResolvedApi]
      : [],
  );
}

/** Layer by layer, as null takes away what code declares and a layer above may bring it again. */
function configuredIn(tree: ConfigTree): ConfigTree {
  const section = tree[HOSTING_KEY];
  const apis = isTree(section) ? section.apis : undefined;
  return isTree(apis) ? apis : {};
}

/** The APIs that a module declares under a configuration. */
export function toList(apis: DeclaredApis, configuration: Configuration): readonly ApiDefinition[] {
  return typeof apis === 'function' ? apis(configuration) : apis;
}
