import { closestMatch } from '../../text/closest-match';
import { ConfigurationError } from '../../errors/configuration-error';
import { loadBuiltIn } from './import-module';
import type { Module } from './module';
import { MODULE_LIST, type BuiltInModules, type LoadedModule } from './module-list';

/** Returns the names of required modules, also from the deprecated member. */
function requirementsOf(module: Module): readonly string[] {
  return namesIn(module, ['requires', 'needs']);
}

function namesIn(module: Module, members: readonly string[]): readonly string[] {
  // Invalid lists are reported later, with the other members.
  return members.flatMap((member) => {
    const names: unknown = Reflect.get(module, member);
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  });
}

/**
 * Adds the built-in modules that the modules require, transitively.
 * @param passedTo the function that a program passed all modules to, if there is no list
 * @throws ConfigurationError with all required modules that are neither built in nor listed, or a duplicate module
 */
export async function withRequired(
  loaded: readonly LoadedModule[],
  builtIn: BuiltInModules,
  passedTo?: string,
): Promise<readonly LoadedModule[]> {
  const all = new Map<string, LoadedModule>();
  for (const one of loaded) {
    const first = all.get(one.module.name);
    if (first !== undefined) {
      const advice =
        first.file === one.file ? 'Remove one of the two' : 'Rename one of the two modules, or remove it';
      throw new ConfigurationError(
        `${one.source}: the module "${one.module.name}" is listed twice, first at ${first.source}. ${advice}.`,
      );
    }
    all.set(one.module.name, one);
  }
  const missing = new Map<string, string[]>();
  // The iteration includes the modules that are added to the map.
  for (const { module } of all.values()) {
    for (const name of requirementsOf(module)) {
      if (all.has(name)) continue;
      if (Object.hasOwn(builtIn, name)) {
        const added = await loadBuiltIn(name, builtIn);
        all.set(name, { module: added, source: `required by the module "${module.name}"` });
      } else missing.set(name, [...(missing.get(name) ?? []), module.name]);
    }
  }
  if (missing.size > 0) throw new ConfigurationError(missingMessage(missing, Object.keys(builtIn), passedTo));
  return [...all.values()];
}

function missingMessage(
  missing: ReadonlyMap<string, readonly string[]>,
  builtIn: readonly string[],
  passedTo: string | undefined,
): string {
  const named = [...missing].map(([name, by]) => {
    const suggestion = closestMatch(name, builtIn);
    const hint = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
    return `"${name}" (required by ${by.map((one) => `"${one}"`).join(' and ')}${hint})`;
  });
  const [subject, object] =
    named.length === 1 ? ['a required module is', 'it'] : ['required modules are', 'each of them'];
  return (
    `${passedTo ?? MODULE_LIST}: ${subject} neither ${passedTo === undefined ? 'listed' : 'passed'} nor built in: ${named.join(', ')}. ` +
    `Add ${object} to "modules", by the name of an installed package or as a file such as "./shop.mjs".`
  );
}

/**
 * Sorts modules after those they require (also optionally), otherwise in the order of the list.
 * @throws ConfigurationError for circular requirements
 */
export function inDependencyOrder(loaded: readonly LoadedModule[]): readonly LoadedModule[] {
  const byName = new Map(loaded.map((one) => [one.module.name, one]));
  const ordered = new Set<LoadedModule>();
  const visit = (one: LoadedModule, dependents: readonly string[]): void => {
    if (ordered.has(one)) return;
    const { name } = one.module;
    const start = dependents.indexOf(name);
    if (dependents.at(-1) === name)
      throw new ConfigurationError(
        `The module "${name}" requires itself. If it means the built-in module of that name, rename this one.`,
      );
    if (start >= 0)
      throw new ConfigurationError(
        `The modules ${[...dependents.slice(start), name].join(' → ')} require each other.`,
      );
    for (const requirement of namesIn(one.module, ['requires', 'needs', 'optionalRequires'])) {
      const required = byName.get(requirement);
      if (required !== undefined) visit(required, [...dependents, name]);
    }
    ordered.add(one);
  };
  for (const one of loaded) visit(one, []);
  return [...ordered];
}
