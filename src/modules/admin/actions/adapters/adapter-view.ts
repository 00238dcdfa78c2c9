import { isTree, type Configuration, type ConfigTree, type KeyPath } from '../../../../framework';
import type { AdapterKind } from './adapter-kinds';
import { HTTP_ADAPTER } from './adapter-kinds';
import { standsBelow } from '../layered-edits';
import { maskSecrets, secretOptions } from './option-secrets';

/** A file that the options of an adapter name. */
interface AdapterFile {
  readonly option: 'htpasswd' | 'htdigest' | 'htgroup';
  /** As it is written. */
  readonly path: string;
}

/** An adapter as people look at it. */
export interface AdapterView {
  readonly name: string;
  /** What configuration calls its kind. */
  readonly kind: string;
  /** What people call it: `Basic`, `Digest`, both, or the kind. */
  readonly type: string;
  /** Secrets are masked. */
  readonly options: ConfigTree;
  readonly realm: string | undefined;
  readonly files: readonly AdapterFile[];
  /** The entries of the map that name it. */
  readonly usedBy: readonly string[];
  /** Where it is configured. */
  readonly source: string;
  /** Whether a file below `config/autoload/local.json`, or a module, brings it or a part of it. */
  readonly isFromBelow: boolean;
  /** The strong validator of its configuration. */
  readonly tag: string;
}

const FILES = ['htpasswd', 'htdigest', 'htgroup'] as const;
const MAP: KeyPath = ['platform-mvc-auth', 'authentication', 'map'];

/** @param path of an adapter that is configured */
export function describeAdapter(
  configuration: Configuration,
  path: KeyPath,
  kinds: readonly AdapterKind[],
  tag: string,
): AdapterView {
  const name = String(path.at(-1));
  const value = configuration.valueAt(path);
  const { adapter, options } = isTree(value) ? value : {};
  const kind = typeof adapter === 'string' ? adapter : '';
  const all = isTree(options) ? options : {};
  const schema = kinds.find((one) => one.name === kind)?.schema;
  return {
    name,
    kind,
    type: typeOf(kind, all),
    options: maskSecrets(schema, all, secretOptions(configuration, kind, name)),
    realm: typeof all.realm === 'string' ? all.realm : undefined,
    files: kind === HTTP_ADAPTER ? filesOf(all) : [],
    usedBy: usersOf(configuration, name),
    source: configuration.sourceOf(path),
    isFromBelow: standsBelow(configuration, path),
    tag,
  };
}

/** The entries of the map that name an adapter. */
function usersOf(configuration: Configuration, name: string): readonly string[] {
  const map = configuration.valueAt(MAP);
  return Object.entries(isTree(map) ? map : {})
    .filter(([, names]) => names === name || (Array.isArray(names) && names.includes(name)))
    .map(([key]) => key);
}

function typeOf(kind: string, { accept_schemes: schemes }: ConfigTree): string {
  if (kind !== HTTP_ADAPTER || !Array.isArray(schemes)) return kind;
  return [
    ...(schemes.includes('basic') ? ['Basic'] : []),
    ...(schemes.includes('digest') ? ['Digest'] : []),
  ].join(' and ');
}

function filesOf(options: ConfigTree): readonly AdapterFile[] {
  return FILES.flatMap((option) => {
    const path = options[option];
    return typeof path === 'string' ? [{ option, path }] : [];
  });
}
