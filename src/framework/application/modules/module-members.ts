import { readFileSync } from 'node:fs';
import type { ContainerModule } from 'inversify';
import { editDistance } from '../../text/closest-match';
import { ConfigurationError } from '../../errors/configuration-error';
import { isObject } from '../../values/config-object';
import { describeValue } from '../../text/describe-value';
import { positionAt } from '../../text/text-position';
import { formatLocation } from '../../errors/stack-frames';
import { areTasks } from '../background/background-task';
import type { Module } from './module';
import type { LoadedModule } from './module-list';
import { ownValue } from '../../values/own-members';

/** The members that the framework reads: their validation, and the expected value for messages. */
const MEMBERS: Readonly<
  Record<string, { readonly isValid: (value: unknown) => boolean; readonly expected: string }>
> = {
  name: {
    isValid: (value) => typeof value === 'string' && value !== '',
    expected: "a string such as name: 'shop'",
  },
  requires: { isValid: isListOfNames, expected: "a list of module names such as requires: ['hosting']" },
  optionalRequires: {
    isValid: isListOfNames,
    expected: "a list of module names such as optionalRequires: ['mvc-auth']",
  },
  needs: {
    isValid: isListOfNames,
    expected: "a list of module names, and rename it to requires: ['hosting']",
  },
  moduleMembers: { isValid: isListOfNames, expected: 'a list of member names' },
  defaults: { isValid: isObject, expected: 'an object of configuration, by top-level key' },
  schemas: {
    isValid: (value) => isObject(value) || typeof value === 'function',
    expected: 'an object with a schema for each top-level configuration key, or a function that returns one',
  },
  services: {
    isValid: (value) => isContainerModule(value) || typeof value === 'function',
    expected:
      "a ContainerModule: services: new ContainerModule(({ bind }) => bind('Clock').toConstantValue(clock))",
  },
  tasks: {
    isValid: areTasks,
    expected:
      "a list of tasks with different names, such as tasks: [{ name: 'clean', every: '5m', run() { … } }]; \"every\" is seconds, or a number with s, m, h or d, from 0.1 seconds to 24 days",
  },
  onBootstrap: {
    isValid: (value) => typeof value === 'function',
    expected: 'a function: onBootstrap({ application }) { … }',
  },
};

/**
 * Checks the members of modules.
 * @param root of the project, for the locations in messages
 * @param others returns all built-in modules, to find the one that reads an unknown member
 * @throws ConfigurationError with every member that is misspelled, invalid, or read by a module that is not loaded
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
      const message =
        invalidMember(one.module, key) ??
        misspelledMember(one.module, key, known) ??
        (await unreadMember(one.module, key, known, others));
      if (message !== undefined) messages.push(`${locate(one, root, key)}${message}`);
    }
  }
  if (messages.length > 0) throw new ConfigurationError(messages.join('\n'));
}

/** Returns warnings about deprecated members. */
export function deprecatedMembers(modules: readonly Module[]): readonly string[] {
  return modules
    .filter((module) => Reflect.get(module, 'needs') !== undefined)
    .map(({ name }) => `The module "${name}" has the deprecated member "needs". Rename it to "requires".`);
}

/** Returns the member names of an object and its classes, without calling getters. */
function membersOf(module: Module): ReadonlySet<string> {
  const members = new Set<string>();
  for (
    let from: unknown = module;
    typeof from === 'object' && from !== null && from !== Object.prototype;
    from = Object.getPrototypeOf(from)
  ) {
    for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(from))) {
      const isDefined = !('value' in descriptor) || descriptor.value !== undefined;
      if (key !== 'constructor' && isDefined) members.add(key);
    }
  }
  return members;
}

function invalidMember(module: Module, key: string): string | undefined {
  const member = ownValue(MEMBERS, key);
  if (member === undefined) return undefined;
  const value: unknown = Reflect.get(module, key);
  return value === undefined || member.isValid(value)
    ? undefined
    : `${key} is ${describeValue(value)}. Use ${member.expected}.`;
}

/** Modules may have members of their own: only a name similar to a known, missing member is an error. */
function misspelledMember(module: Module, key: string, known: readonly string[]): string | undefined {
  if (known.includes(key)) return undefined;
  const maxDistance = Math.max(1, Math.floor(key.length / 4));
  const [closest] = known
    .map((name) => ({ name, distance: editDistance(key.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= maxDistance && Reflect.get(module, name) === undefined)
    .sort((one, other) => one.distance - other.distance);
  if (closest === undefined) return undefined;
  const name = closest.name === 'needs' ? 'requires' : closest.name;
  return `unknown member "${key}". Did you mean "${name}"?`;
}

/** Finds members of plain objects that only a module reads that is not loaded. */
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

/**
 * Returns `shop.mjs:12:3: the module "shop": ` if the member is found in the file, otherwise the location in the list.
 */
function locate({ module, source, file }: LoadedModule, root: string, key: string): string {
  const named = `the module "${module.name}": `;
  if (file === undefined) return `${source}: ${named}`;
  const text = readFileSync(file, 'utf8');
  const at = text.search(new RegExp(`(?<![\\w$.])${key.replace(/[^\w]/g, '\\$&')}\\s*[:(=,}]`));
  if (at < 0) return `${source}: ${named}`;
  return `${formatLocation({ file, ...positionAt(text, at) }, root)}: ${named}`;
}

function isListOfNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

/** Also accepts container modules of another copy of inversify. */
export function isContainerModule(value: unknown): value is ContainerModule {
  return typeof value === 'object' && value !== null && 'load' in value && typeof value.load === 'function';
}
