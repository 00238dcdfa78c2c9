import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject, parseJson } from '../../values/config-object';

/** The conditions of `import` (https://nodejs.org/api/packages.html#conditional-exports). */
const CONDITIONS: readonly string[] = ['node', 'import', 'module-sync', 'default'];

/**
 * Returns the file that a package exports to `import`, which `require.resolve` does not find if there is none for
 * `require`; undefined without one.
 * @param name of the package, with the path of an entry
 * @param folders in which packages are installed, the nearest first
 */
export function importedEntry(name: string, folders: readonly string[]): string | undefined {
  const [, packageName = '', rest = ''] = /^((?:@[^/]+\/)?[^/]+)(.*)$/s.exec(name) ?? [];
  const manifests = folders.map((folder) => path.join(folder, packageName, 'package.json'));
  const manifest = manifests.find((file) => existsSync(file));
  if (manifest === undefined) return undefined;
  const content = parseJson(readFileSync(manifest, 'utf8'));
  const exported = isObject(content) ? content.exports : undefined;
  const hasPaths = isObject(exported) && Object.keys(exported).some((key) => key.startsWith('.'));
  const entry = hasPaths ? entryOf(exported, `.${rest}`) : rest === '' ? targetOf(exported) : undefined;
  return entry === undefined ? undefined : path.join(path.dirname(manifest), entry);
}

/** Returns the target of a path: its own, or that of the pattern with the longest text before the asterisk. */
function entryOf(exported: Readonly<Record<string, unknown>>, name: string): string | undefined {
  if (Object.hasOwn(exported, name)) return targetOf(exported[name]);
  const [pattern] = Object.keys(exported)
    .filter((key) => {
      const [before = '', after] = key.split('*');
      const isLonger = name.length >= key.length;
      return after !== undefined && isLonger && name.startsWith(before) && name.endsWith(after);
    })
    .sort((one, other) => other.indexOf('*') - one.indexOf('*') || other.length - one.length);
  if (pattern === undefined) return undefined;
  const [before = '', after = ''] = pattern.split('*');
  const text = name.slice(before.length, name.length - after.length);
  return targetOf(exported[pattern])?.replaceAll('*', () => text);
}

/** Returns the target of the first condition that matches, or the first of a list. */
function targetOf(exported: unknown): string | undefined {
  if (typeof exported === 'string') return exported;
  if (Array.isArray(exported)) return exported.map(targetOf).find((one) => one !== undefined);
  if (!isObject(exported)) return undefined;
  for (const [condition, target] of Object.entries(exported)) {
    const found = CONDITIONS.includes(condition) ? targetOf(target) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
