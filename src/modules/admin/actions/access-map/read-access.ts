import type { Application, Configuration } from '../../../../framework';
import { Catalogue, type HostedVersion } from '../../../hosting';
import {
  hasCustomAuthentication,
  readDigestTable,
  readGroupTable,
  readPasswordTable,
} from '../../../mvc-auth';
import { ADMINISTRATORS_ADAPTER } from '../../accounts/administrators-adapter';
import { DOCUMENTATION } from '../access/adapter-map';
import { readsFile, type AdapterView } from '../adapters/adapter-view';
import { PathError, projectFile, type ProjectFile } from '../password-files/project-file';
import { usedFile } from '../password-files/resolve-password-file';
import { readTextFile } from '../password-files/read-text-file';
import type { AccessState, AdapterState, GroupFileState, SourceState, VersionState } from './access-state';

/** Reads who may call what in an application: from its compiled APIs, its adapters and their files. */
export async function readAccess(
  { services, events, configuration }: Application,
  adapters: readonly AdapterView[],
): Promise<AccessState> {
  const { apis } = services.has(Catalogue) ? await services.get(Catalogue) : { apis: [] };
  return {
    versions: apis.flatMap(({ name, versions }) => versions.map((version) => toVersion(name, version))),
    adapters: await Promise.all(adapters.map((adapter) => toAdapter(configuration, adapter))),
    hasCustomAuthentication: hasCustomAuthentication(events),
  };
}

function toVersion(api: string, { version, services }: HostedVersion): VersionState {
  return {
    api,
    version,
    services: services.map(({ name, guard, operations, entityOperations }) => ({
      name,
      adapters: (guard?.adapters ?? []).map((adapter) => adapter.name),
      rules: [...operations, ...entityOperations].map(({ access }) => access),
    })),
  };
}

async function toAdapter(configuration: Configuration, view: AdapterView): Promise<AdapterState> {
  const { name, kind, type, realm, files, options, usedBy } = view;
  const isOfAdministrators = kind === ADMINISTRATORS_ADAPTER;
  const sources: SourceState[] = [];
  let groups: GroupFileState | undefined;
  for (const { option, path } of files) {
    if (!readsFile(options, option)) continue;
    if (option === 'htgroup') groups = await readGroups(configuration, path);
    else sources.push(await readSource(configuration, option, path, realm ?? ''));
  }
  return {
    name,
    type,
    isUsedElsewhere: isOfAdministrators || usedBy.includes(DOCUMENTATION),
    sources,
    ownUsers: isOfAdministrators
      ? { name: 'Administrators', detail: 'Admin accounts', path: '/administrators' }
      : {
          name: `Users of ${name}`,
          detail: 'No password file',
          path: `/adapters/${encodeURIComponent(name)}`,
        },
    groups,
  };
}

async function readSource(
  configuration: Configuration,
  kind: SourceState['kind'],
  file: string,
  ofAdapter: string,
): Promise<SourceState> {
  const realm = kind === 'htdigest' ? ofAdapter : undefined;
  const { path, text, refusal } = await readProjectFile(file, () => usedFile(configuration, file));
  const own = { path, kind, realm, refusal };
  if (refusal !== undefined) return { ...own, users: new Set() };
  if (text === undefined) return { ...own, users: undefined };
  // Users with weak hashes are listed too, as on the page of the file.
  const { users } =
    realm === undefined ? readPasswordTable(text, ['des', 'plain']) : readDigestTable(text, realm);
  return { ...own, users: new Set(users.keys()) };
}

async function readGroups(configuration: Configuration, file: string): Promise<GroupFileState> {
  const { path, text } = await readProjectFile(file, () => projectFile(configuration.root, file));
  if (text === undefined) return { path, members: undefined };
  const members = new Map<string, number>();
  for (const groups of readGroupTable(text).groups.values())
    for (const group of groups) members.set(group, (members.get(group) ?? 0) + 1);
  return { path, members };
}

/** Reads a file of the project; the text is undefined if it does not exist, or must not be read. */
async function readProjectFile(
  name: string,
  resolve: () => Promise<ProjectFile>,
): Promise<{
  readonly path: string;
  readonly text: string | undefined;
  readonly refusal: string | undefined;
}> {
  try {
    const file = await resolve();
    return { path: file.path, text: await readTextFile(file), refusal: undefined };
  } catch (error) {
    if (error instanceof PathError) return { path: name, text: undefined, refusal: error.message };
    throw error;
  }
}
