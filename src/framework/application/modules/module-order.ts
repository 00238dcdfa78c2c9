import { closestMatch } from '../../text/closest-match';
import { ConfigurationError } from '../../errors/configuration-error';
import { loadBuiltIn } from './import-module';
import type { Module } from './module';
import { MODULE_LIST, type BuiltInModules, type LoadedModule } from './module-list';

/** The names of the modules that a module requires, also under the member's old name. */
function requirementsOf(module: Module): readonly string[] {
  return namesIn(module, ['requires', 'needs']);
}

function namesIn(module: Module, members: readonly string[]): readonly string[] {
  // What is no list of names is refused with the other members, when all modules are there.
  return members.flatMap((member) => {
    const names: unknown = Reflect.get(module, member);
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  });
}

/**
 * The modules with the built-in ones that they require, however far.
 * @throws ConfigurationError that names all that are required, not built in and not listed; and a module that is listed twice
 */
export async function withRequired(
  loaded: readonly LoadedModule[],
  builtIn: BuiltInModules,
): Promise<readonly LoadedModule[]> {
  const all = new Map<string, LoadedModule>();
  for (const one of loaded) {
    if (all.has(one.module.name))
      throw new ConfigurationError(`${MODULE_LIST}: the module "${one.module.name}" is listed twice.`);
    all.set(one.module.name, one);
  }
  const missing = new Map<string, string[]>();
  // What is added meanwhile is looked at, too.
  for (const { module } of all.values()) {
    for (const name of requirementsOf(module)) {
      if (all.has(name)) continue;
      if (Object.hasOwn(builtIn, name)) {
        const added = await loadBuiltIn(name, builtIn);
        all.set(name, { module: added, source: `required by the module "${module.name}"` });
      } else missing.set(name, [...(missing.get(name) ?? []), module.name]);
    }
  }
  if (missing.size > 0) throw new ConfigurationError(missingMessage(missing, Object.keys(builtIn)));
  return [...all.values()];
}

function missingMessage(missing: ReadonlyMap<string, readonly string[]>, builtIn: readonly string[]): string {
  const named = [...missing].map(([name, by]) => {
    const meant = closestMatch(name, builtIn);
    const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
    return `"${name}" (required by ${by.map((one) => `"${one}"`).join(' and ')}${hint})`;
  });
  const [subject, object] =
    named.length === 1 ? ['a required module is', 'it'] : ['required modules are', 'each of them'];
  return (
    `${MODULE_LIST}: ${subject} neither listed nor built in: ${named.join(', ')}. ` +
    `Add ${object} to "modules", by the name of an installed package or as a file such as "./shop.mjs".`
  );
}

/**
 * Each module after those it requires (also optionally), otherwise in the order of the list.
 * @throws ConfigurationError for modules that require each other
 */
export function inDependencyOrder(loaded: readonly LoadedModule[]): readonly LoadedModule[] {
  const byName = new Map(loaded.map((one) => [one.module.name, one]));
  const ordered = new Set<LoadedModule>();
  const visit = (one: LoadedModule, above: readonly string[]): void => {
    if (ordered.has(one)) return;
    const { name } = one.module;
    const begun = above.indexOf(name);
    if (begun >= 0)
      throw new ConfigurationError(
        `The modules ${[...above.slice(begun), name].join(' → ')} require each other.`,
      );
    for (const requirement of namesIn(one.module, ['requires', 'needs', 'optionalRequires'])) {
      const required = byName.get(requirement);
      if (required !== undefined) visit(required, [...above, name]);
    }
    ordered.add(one);
  };
  for (const one of loaded) visit(one, []);
  return [...ordered];
}
