import { objectOf, type Configuration, type ConfigObject, type KeyPath } from '../../../../framework';
import { loneAdapter } from '../../../mvc-auth';
import { type AdapterKind, HTTP_ADAPTER } from './adapter-kinds';
import { isDefinedInLowerLayer } from '../layered-edits';
import { maskSecrets, secretOptions } from './option-secrets';

/** The option of an `HttpAdapter` that names a file. */
export type FileOption = 'htpasswd' | 'htdigest' | 'htgroup';

/** A file named in the options of an adapter. */
interface AdapterFile {
  readonly option: FileOption;
  /** As configured. */
  readonly path: string;
}

/** An adapter for display. */
export interface AdapterView {
  readonly name: string;
  /** The name of its kind in the configuration. */
  readonly kind: string;
  /** The display name: `Basic`, `Digest`, both, or the kind. */
  readonly type: string;
  /** Whether a sign-in with a name and a password can be tested: clients of other adapters send tokens or keys. */
  readonly verifiesPasswords: boolean;
  /** Secrets are masked. */
  readonly options: ConfigObject;
  readonly realm: string | undefined;
  readonly files: readonly AdapterFile[];
  /** The map entries that use it. */
  readonly usedBy: readonly string[];
  /** Whether it guards every API because it is the only adapter and there is no map. */
  readonly isOnlyAdapter: boolean;
  /** Where it is configured. */
  readonly source: string;
  /** Whether a layer below `config/autoload/local.json` defines it, at least in part. */
  readonly isFromLowerLayer: boolean;
  /** The strong validator of its configuration. */
  readonly tag: string;
}

/** The kinds of the platform that verify tokens and keys. */
const WITHOUT_PASSWORDS = ['ApiKeyAdapter', 'IntrospectionAdapter', 'JwtAdapter'];
export const FILES = ['htpasswd', 'htdigest', 'htgroup'] as const;
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
  const { adapter, options } = objectOf(value);
  const kind = typeof adapter === 'string' ? adapter : '';
  const all = objectOf(options);
  const schema = kinds.find((one) => one.name === kind)?.schema;
  return {
    name,
    kind,
    type: typeOf(kind, all),
    verifiesPasswords: !WITHOUT_PASSWORDS.includes(kind),
    options: maskSecrets(schema, all, secretOptions(configuration, kind, name)),
    realm: typeof all.realm === 'string' ? all.realm : undefined,
    files: kind === HTTP_ADAPTER ? filesOf(all) : [],
    usedBy: usersOf(configuration, name),
    isOnlyAdapter: loneAdapter(configuration) === name,
    source: configuration.sourceOf(path),
    isFromLowerLayer: isDefinedInLowerLayer(configuration, path),
    tag,
  };
}

/** Returns the map entries that use an adapter. */
function usersOf(configuration: Configuration, name: string): readonly string[] {
  const map = configuration.valueAt(MAP);
  return Object.entries(objectOf(map))
    .filter(([, names]) => names === name || (Array.isArray(names) && names.includes(name)))
    .map(([key]) => key);
}

function typeOf(kind: string, { accept_schemes: schemes }: ConfigObject): string {
  if (kind !== HTTP_ADAPTER || !Array.isArray(schemes)) return kind;
  return [
    ...(schemes.includes('basic') ? ['Basic'] : []),
    ...(schemes.includes('digest') ? ['Digest'] : []),
  ].join(' and ');
}

/** Whether an adapter reads the file of an option: a password file belongs to a scheme, which it may not accept. */
export function readsFile(
  { accept_schemes: schemes }: { readonly accept_schemes?: unknown },
  option: FileOption,
): boolean {
  if (option === 'htgroup' || !Array.isArray(schemes)) return true;
  return schemes.includes(option === 'htpasswd' ? 'basic' : 'digest');
}

function filesOf(options: ConfigObject): readonly AdapterFile[] {
  return FILES.flatMap((option) => {
    const path = options[option];
    return typeof path === 'string' ? [{ option, path }] : [];
  });
}
