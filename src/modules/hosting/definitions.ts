import { StartError, type Configuration, type Module } from '../../framework';
import type { ApiDefinition } from './definition';
import { overlay } from './overlay';
import { HOSTING_KEY, hostingSettings } from './settings';

declare module '../../framework' {
  interface Module {
    /** APIs that the module declares. */
    readonly apis?: readonly ApiDefinition[];
  }
}

/**
 * The APIs that modules declare, with what configuration says of them, and those that configuration alone
 * declares.
 * @throws StartError for a name that cannot be, or that two modules declare
 */
export function collectDefinitions(
  modules: readonly Module[],
  configuration: Configuration,
): readonly ApiDefinition[] {
  const declared = new Map<string, { readonly definition: ApiDefinition; readonly module: string }>();
  for (const { name: module, apis = [] } of modules) {
    for (const definition of apis) {
      const other = declared.get(definition.name);
      if (other !== undefined) {
        throw new StartError(
          `The modules "${other.module}" and "${module}" both declare the API "${definition.name}".`,
        );
      }
      declared.set(definition.name, { definition, module });
    }
  }
  const { apis: configured } = configuration.section(HOSTING_KEY, hostingSettings);
  const names = new Set([...declared.keys(), ...Object.keys(configured)]);
  return [...names].map((name) => {
    const own: ApiDefinition = declared.get(name)?.definition ?? { name, versions: {} };
    // The schema of the section has checked the configured half, and the compiler what the types do not tell.
    return overlay(own, configured[name] ?? {}) as ApiDefinition;
  });
}
