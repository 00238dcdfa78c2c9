import { listNames } from '../../../../framework';
import { requiresUser } from '../../../mvc-auth';
import { versionPath } from '../../pages/admin-paths';
import {
  adaptersOf,
  groupsIn,
  namesIn,
  type AccessState,
  type AdapterState,
  type ServiceState,
  type SourceState,
  type VersionState,
} from './access-state';

/** Something without which users cannot get where the rules let them. */
export interface Gap {
  /** In two or three words. */
  readonly name: string;
  /** In a sentence. */
  readonly text: string;
  /** The page that fixes it, below the admin, and what to do there. */
  readonly path: string;
  readonly advice: string;
}

/** How many names a sentence lists. */
const MAX_NAMES = 3;

/** The gaps of a version: operations without an adapter, and rules for users that do not exist. */
export function versionGaps(version: VersionState, state: AccessState): readonly Gap[] {
  if (state.hasCustomAuthentication) return [];
  return [...withoutAdapter(version), ...withUnknownUsers(version, state)];
}

function withoutAdapter(version: VersionState): readonly Gap[] {
  const open = version.services.filter(
    ({ adapters, rules }) => adapters.length === 0 && rules.some(requiresUser),
  );
  if (open.length === 0) return [];
  const operations = open.flatMap(({ rules }) => rules.filter(requiresUser)).length;
  const who = operations === 1 ? '1 operation requires' : `${operations} operations require`;
  const where = listFirst(open.map(({ name }) => name));
  return [
    {
      name: 'no adapter',
      text: `${who} a user, but no adapter is mapped: everyone receives 403 (${where}).`,
      path: versionPath(version),
      advice: 'Choose an adapter',
    },
  ];
}

function withUnknownUsers(version: VersionState, state: AccessState): readonly Gap[] {
  const unknown = version.services.flatMap((service) => {
    const sources = knownSources(service, state);
    if (sources === undefined) return [];
    return namesIn(service.rules).filter(
      (name) =>
        !name.startsWith('@') && !name.startsWith('scope:') && !sources.some(({ users }) => users?.has(name)),
    );
  });
  if (unknown.length === 0) return [];
  const names = [...new Set(unknown)];
  return [
    {
      name: names.length === 1 ? 'unknown user' : 'unknown users',
      text: `The rules name users that no password file has: ${listFirst(names)}.`,
      path: `${versionPath(version)}/authorization`,
      advice: 'Change the rules',
    },
  ];
}

/** The password files of the adapters of a service; undefined if there are none, or not all users are known. */
function knownSources(
  { adapters: names }: ServiceState,
  { adapters }: AccessState,
): readonly SourceState[] | undefined {
  const own = names.flatMap((name) => adapters.find((one) => one.name === name) ?? []);
  const sources = own.flatMap((adapter) => adapter.sources);
  const areKnown = own.length > 0 && own.every((one) => one.sources.length > 0);
  return areKnown && sources.every(({ refusal }) => refusal === undefined) ? sources : undefined;
}

/** The gap of an adapter that guards nothing. */
export function adapterGaps(adapter: AdapterState, { versions }: AccessState): readonly Gap[] {
  const { name, isUsedElsewhere } = adapter;
  if (isUsedElsewhere || versions.some((version) => adaptersOf(version).includes(name))) return [];
  return [
    {
      name: 'guards nothing',
      text: `The adapter "${name}" guards nothing: no service is mapped to it.`,
      path: '/apis',
      advice: 'Choose it for an API',
    },
  ];
}

/** The gap of a password file that is missing or has no users. */
export function sourceGaps({ path, kind, realm, users, refusal }: SourceState): readonly Gap[] {
  const query = new URLSearchParams({ file: path, kind, ...(realm === undefined ? {} : { realm }) });
  // Adapters also read files outside the project, which the admin does not.
  if (refusal !== undefined) return [];
  if (users === undefined)
    return [
      {
        name: 'missing file',
        text: `The password file ${path} does not exist: nobody can sign in.`,
        path: `/password-files?${query.toString()}`,
        advice: 'Create the file',
      },
    ];
  if (users.size > 0) return [];
  const where = realm === undefined ? path : `${path} in the realm "${realm}"`;
  return [
    {
      name: 'no users',
      text: `Nobody can sign in: there are no users in ${where}.`,
      path: `/password-files/users?${query.toString()}`,
      advice: 'Add a user',
    },
  ];
}

/** A group that rules require of the users of an adapter. */
export interface RequiredGroup {
  readonly name: string;
  readonly adapter: AdapterState;
  /** How many operations require it. */
  readonly operations: number;
  /** The first version with such a rule. */
  readonly version: VersionState;
}

/** The gap of a group that no user of its adapter can be in. */
export function groupGaps({ name, adapter, version }: RequiredGroup, state: AccessState): readonly Gap[] {
  if (state.hasCustomAuthentication || adapter.sources.length === 0) return [];
  const { groups } = adapter;
  if (groups?.members?.has(name) === true) return [];
  const reason =
    groups === undefined
      ? `the adapter "${adapter.name}" has no group file`
      : groups.members === undefined
        ? `the group file ${groups.path} cannot be read`
        : `the group file ${groups.path} does not contain it`;
  const isRule = groups?.members !== undefined;
  return [
    {
      name: 'no members',
      text: `Rules require the group @${name}, but ${reason}.`,
      path: isRule
        ? `${versionPath(version)}/authorization`
        : `/adapters/${encodeURIComponent(adapter.name)}/edit`,
      advice: isRule ? 'Change the rules' : 'Set a group file',
    },
  ];
}

/**
 * The groups that the rules of versions require. A group that one of several adapters of a service has is required of
 * that one only.
 */
export function requiredGroups(
  versions: readonly VersionState[],
  { adapters }: AccessState,
): readonly RequiredGroup[] {
  const byName = new Map(adapters.map((adapter) => [adapter.name, adapter]));
  const found = new Map<string, RequiredGroup>();
  for (const version of versions) {
    for (const service of version.services) {
      const own = service.adapters.flatMap((name) => byName.get(name) ?? []);
      for (const name of groupsIn(service.rules)) {
        const having = own.filter(({ groups }) => groups?.members?.has(name) === true);
        for (const adapter of having.length > 0 ? having : own) {
          const key = JSON.stringify([adapter.name, name]);
          const known = found.get(key) ?? { name, adapter, operations: 0, version };
          found.set(key, { ...known, operations: known.operations + 1 });
        }
      }
    }
  }
  return [...found.values()];
}

/** Lists the first names, and the number of the others. */
export function listFirst(names: readonly string[]): string {
  return listNames(names, MAX_NAMES);
}
