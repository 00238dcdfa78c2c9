import { printable } from '../../text/printable';

/** The supported language that a file should use. */
interface Language {
  readonly name: string;
  readonly extension: string;
  /** Whether the file already uses it. */
  readonly isUsed: boolean;
}

/** By the extensions of common configuration languages; other files are not configuration. */
const LANGUAGES: ReadonlyMap<string, Language> = new Map([
  ['json', { name: 'JSON', extension: 'json', isUsed: true }],
  ...['jsonc', 'json5', 'yaml', 'yml', 'toml', 'php'].map(
    (extension) => [extension, { name: 'JSON', extension: 'json', isUsed: false }] as const,
  ),
  ...['js', 'cjs', 'mjs'].map(
    (extension) => [extension, { name: 'JavaScript', extension: 'js', isUsed: true }] as const,
  ),
  ['ts', { name: 'JavaScript', extension: 'js', isUsed: false }],
]);

const READ = 'only global.json, local.json, *.global.json, *.global.js, *.local.json and *.local.js are';

/** Hidden files, templates of files, backups, and type declarations. */
const OTHER_FILES = /^[.#]|\.(dist|bak)\.|\.d\.ts$/i;

/**
 * Returns a warning for each file in `config/autoload` that looks like configuration but is ignored because of its
 * name, with the names that it could have.
 *
 * @param present the names in the folder
 * @param read the names of the files that are read
 */
export function ignoredFiles(present: readonly string[], read: readonly string[]): readonly string[] {
  const known = new Set(read);
  return present
    .filter((name) => !known.has(name) && !OTHER_FILES.test(name))
    .sort()
    .flatMap((name) => warningFor(name, known) ?? []);
}

/**
 * Returns a warning for each file that is in `config` instead of `config/autoload`.
 *
 * @param present the names in `config`
 */
export function misplacedFiles(present: readonly string[]): readonly string[] {
  return ['global.json', 'local.json']
    .filter((name) => present.includes(name))
    .map((name) => `config/${name} is not read: configuration is read from config/autoload. Move it there.`);
}

/** Returns undefined for a file that is not configuration, or is the source of one that is read. */
function warningFor(name: string, read: ReadonlySet<string>): string | undefined {
  const [, stem = '', extension = ''] = /^(.+)\.(\w+)$/s.exec(name) ?? [];
  const language = LANGUAGES.get(extension.toLowerCase());
  if (language === undefined || (extension === 'ts' && read.has(`${stem}.js`))) return undefined;
  const names = namesFor(stem, language.extension).map((one) =>
    read.has(one) ? `${one} (which exists: add to it)` : one,
  );
  const isScript = language.isUsed && language.extension === 'js';
  const start = `config/autoload/${name} is not read${isScript ? ' as configuration' : ''}: ${READ}.`;
  const verb = language.isUsed ? 'Rename it to' : `Convert it to ${language.name}, as`;
  const end = isScript ? ' Move files that scripts require to another folder.' : '';
  return printable(
    `${start} ${verb} ${names.join(', or ')}${names.length > 1 ? ' for this machine only' : ''}.${end}`,
  );
}

/** Returns the possible names of a file: for all machines and for this one, or only the one that its name suggests. */
function namesFor(stem: string, extension: string): readonly string[] {
  const [, before, after] = /^(?:(.+)[._-])?(global|local)$/i.exec(stem) ?? [];
  const [, ahead, behind] = /^(global|local)[._-](.+)$/i.exec(stem) ?? [];
  const kind = (after ?? ahead)?.toLowerCase();
  const base = before ?? behind;
  if (kind === undefined) return ['global', 'local'].map((one) => `${stem}.${one}.${extension}`);
  if (base !== undefined) return [`${base}.${kind}.${extension}`];
  return [extension === 'json' ? `${kind}.json` : `settings.${kind}.${extension}`];
}
