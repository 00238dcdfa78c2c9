import { printable } from '../../text/printable';

/** What a file is to be written in. */
interface Language {
  readonly name: string;
  readonly ending: string;
  /** Whether it is written in that already. */
  readonly isRead: boolean;
}

/** By the endings of what people write configuration in; what has another is there for something else. */
const WRITTEN_IN: ReadonlyMap<string, Language> = new Map([
  ['json', { name: 'JSON', ending: 'json', isRead: true }],
  ...['jsonc', 'json5', 'yaml', 'yml', 'toml', 'php'].map(
    (ending) => [ending, { name: 'JSON', ending: 'json', isRead: false }] as const,
  ),
  ...['js', 'cjs', 'mjs'].map(
    (ending) => [ending, { name: 'JavaScript', ending: 'js', isRead: true }] as const,
  ),
  ['ts', { name: 'JavaScript', ending: 'js', isRead: false }],
]);

const READ = 'only global.json, local.json, *.global.json, *.global.js, *.local.json and *.local.js are';

/** Hidden files, what is copied to begin with, backups, declarations. */
const ELSE = /^[.#]|\.(dist|bak)\.|\.d\.ts$/i;

/**
 * Files of `config/autoload` that look like configuration, and have a name that is not read: a sentence for each, with
 * the name that it could have.
 *
 * @param present the names in the folder
 * @param read those of them that layers are made of
 */
export function ignoredFiles(present: readonly string[], read: readonly string[]): readonly string[] {
  const known = new Set(read);
  return present
    .filter((name) => !known.has(name) && !ELSE.test(name))
    .sort()
    .flatMap((name) => sentence(name, known) ?? []);
}

/** @returns undefined for a file that is no configuration, or is the source of one that is read */
function sentence(name: string, read: ReadonlySet<string>): string | undefined {
  const [, stem = '', ending = ''] = /^(.+)\.(\w+)$/s.exec(name) ?? [];
  const language = WRITTEN_IN.get(ending.toLowerCase());
  if (language === undefined || (ending === 'ts' && read.has(`${stem}.js`))) return undefined;
  const names = namesFor(stem, language.ending).map((one) =>
    read.has(one) ? `${one} (there is one: add to it)` : one,
  );
  const isScript = language.isRead && language.ending === 'js';
  const start = `config/autoload/${name} is not read${isScript ? ' as configuration' : ''}: ${READ}.`;
  const verb = language.isRead ? 'Call it' : `Write it in ${language.name}, as`;
  const end = isScript ? ' What only a script requires belongs in another folder.' : '';
  return printable(
    `${start} ${verb} ${names.join(', or ')}${names.length > 1 ? ' for this machine alone' : ''}.${end}`,
  );
}

/** The names for a file: for all machines and for this one, or the one that its own name speaks of. */
function namesFor(stem: string, ending: string): readonly string[] {
  const [, before, after] = /^(?:(.+)[._-])?(global|local)$/i.exec(stem) ?? [];
  const [, ahead, behind] = /^(global|local)[._-](.+)$/i.exec(stem) ?? [];
  const kind = (after ?? ahead)?.toLowerCase();
  const base = before ?? behind;
  if (kind === undefined) return ['global', 'local'].map((one) => `${stem}.${one}.${ending}`);
  if (base !== undefined) return [`${base}.${kind}.${ending}`];
  return [ending === 'json' ? `${kind}.json` : `settings.${kind}.${ending}`];
}
