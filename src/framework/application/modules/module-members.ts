import { readFileSync } from 'node:fs';
import { editDistance } from '../../text/closest-match';
import { ConfigurationError } from '../../errors/configuration-error';
import { isObject } from '../../values/config-object';
import { describeValue } from '../../text/describe-value';
import { formatLocation } from '../../errors/stack-frames';
import type { Module } from './module';
import type { LoadedModule } from './module-list';

/** The members that the framework reads, and what each has to be. */
const MEMBERS: Readonly<
  Record<string, { readonly is: (value: unknown) => boolean; readonly write: string }>
> = {
  name: { is: (value) => typeof value === 'string' && value !== '', write: "a text such as name: 'shop'" },
  requires: { is: isListOfNames, write: "a list of module names such as requires: ['hosting']" },
  optionalRequires: {
    is: isListOfNames,
    write: "a list of module names such as optionalRequires: ['mvc-auth']",
  },
  needs: { is: isListOfNames, write: "a list of module names, and call it requires: ['hosting']" },
  moduleMembers: { is: isListOfNames, write: 'a list of names of members' },
  defaults: { is: isObject, write: 'an object of configuration, by its top-level keys' },
  schemas: { is: isObject, write: 'an object that has a schema for each top-level key of configuration' },
  services: {
    is: isContainerModule,
    write:
      "a ContainerModule: services: new ContainerModule(({ bind }) => bind('Clock').toConstantValue(clock))",
  },
  onBootstrap: {
    is: (value) => typeof value === 'function',
    write: 'a function: onBootstrap({ application }) { … }',
  },
};

/**
 * Checks what modules bring before anything of it is used.
 * @param root of the project, for the places in messages
 * @param others all built-in modules, asked for where a member is known to none of those that are loaded
 * @throws ConfigurationError that names every member that is misspelt, of another kind, or read by nobody
 */
export async function assertMembers(
  loaded: readonly LoadedModule[],
  root: string,
  others: () => Promise<readonly Module[]>,
): Promise<void> {
  const known = [...Object.keys(MEMBERS), ...loaded.flatMap(({ module }) => module.moduleMembers ?? [])];
  const messages: string[] = [];
  for (const one of loaded) {
    for (const key of membersOf(one.module)) {
      const fault =
        wrongKind(one.module, key) ??
        misspelled(one.module, key, known) ??
        (await unreadMember(one.module, key, known, others));
      if (fault !== undefined) messages.push(`${placeOf(one, root, key)}${fault}`);
    }
  }
  if (messages.length > 0) throw new ConfigurationError(messages.join('\n'));
}

/** What an operator should know of modules that are written for an older version. */
export function deprecatedMembers(modules: readonly Module[]): readonly string[] {
  return modules
    .filter((module) => Reflect.get(module, 'needs') !== undefined)
    .map(({ name }) => `The module "${name}" has the deprecated member "needs". Rename it to "requires".`);
}

/** The names of an object's members, and of those of the classes that it is made by; a getter is not called. */
function membersOf(module: Module): ReadonlySet<string> {
  const members = new Set<string>();
  for (
    let from: unknown = module;
    typeof from === 'object' && from !== null && from !== Object.prototype;
    from = Object.getPrototypeOf(from)
  ) {
    for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(from))) {
      const isThere = !('value' in descriptor) || descriptor.value !== undefined;
      if (key !== 'constructor' && isThere) members.add(key);
    }
  }
  return members;
}

function wrongKind(module: Module, key: string): string | undefined {
  const member = Object.hasOwn(MEMBERS, key) ? MEMBERS[key] : undefined;
  if (member === undefined) return undefined;
  const value: unknown = Reflect.get(module, key);
  return value === undefined || member.is(value)
    ? undefined
    : `${key} is ${describeValue(value)}. Give ${member.write}.`;
}

/** A module may have members of its own: only what is next to a known name that it does not have is a mistake. */
function misspelled(module: Module, key: string, known: readonly string[]): string | undefined {
  if (known.includes(key)) return undefined;
  const most = Math.max(1, Math.floor(key.length / 4));
  const [meant] = known
    .map((name) => ({ name, steps: editDistance(key.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, steps }) => steps <= most && Reflect.get(module, name) === undefined)
    .sort((one, other) => one.steps - other.steps);
  if (meant === undefined) return undefined;
  const name = meant.name === 'needs' ? 'requires' : meant.name;
  return `unknown member "${key}". Did you mean "${name}"?`;
}

/** A plain object has its members for somebody to read. */
async function unreadMember(
  module: Module,
  key: string,
  known: readonly string[],
  others: () => Promise<readonly Module[]>,
): Promise<string | undefined> {
  if (known.includes(key) || Object.getPrototypeOf(module) !== Object.prototype) return undefined;
  const reader = (await others()).find(({ moduleMembers = [] }) => moduleMembers.includes(key));
  if (reader === undefined) return undefined;
  return `"${key}" is read by the module "${reader.name}", which is not loaded. Add requires: ['${reader.name}'].`;
}

/** `shop.mjs:12:3: the module "shop": ` where the file has a member of that name, and else how it is listed. */
function placeOf({ module, source, file }: LoadedModule, root: string, key: string): string {
  const named = `the module "${module.name}": `;
  if (file === undefined) return `${source}: ${named}`;
  const text = readFileSync(file, 'utf8');
  const at = text.search(new RegExp(`(?<![\\w$.])${key.replace(/[^\w]/g, '\\$&')}\\s*[:(=,}]`));
  if (at < 0) return `${source}: ${named}`;
  const before = text.slice(0, at).split('\n');
  return `${formatLocation({ file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }, root)}: ${named}`;
}

function isListOfNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

/** One of another copy of inversify is one, too. */
function isContainerModule(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'load' in value && typeof value.load === 'function';
}
