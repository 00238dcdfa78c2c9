import { pluralize } from '../../../../framework';
import { requiresUser } from '../../../mvc-auth';
import { versionPath } from '../../pages/admin-paths';
import {
  adapterGaps,
  groupGaps,
  listFirst,
  requiredGroups,
  sourceGaps,
  versionGaps,
  type Gap,
} from './access-gaps';
import { ACCESS_MAP_PATH, NO_ADAPTER, type AccessEdge, type AccessMap, type AccessNode } from './access-map';
import {
  adaptersOf,
  versionKey,
  type AccessState,
  type AdapterState,
  type SourceState,
  type VersionState,
} from './access-state';
import type { VersionGroup } from './version-groups';

/**
 * Builds the map of some versions.
 * @param groups the versions to show
 * @param isWhole whether to show the adapters that guard none of them, too
 */
export function buildAccessMap(
  state: AccessState,
  groups: readonly VersionGroup[],
  isWhole = true,
): AccessMap {
  const map = new MapBuilder(state);
  for (const group of groups) map.addVersions(group);
  const used = new Set(groups.flatMap(({ versions }) => versions.flatMap(adaptersOf)));
  const adapters = state.adapters.filter(({ name }) => isWhole || used.has(name));
  for (const adapter of adapters) map.addAdapter(adapter);
  map.addGroups(
    groups.flatMap(({ versions }) => versions),
    adapters,
  );
  return map;
}

class MapBuilder implements AccessMap {
  readonly #state: AccessState;
  readonly #nodes = new Map<string, AccessNode>();
  readonly #edges = new Map<string, AccessEdge>();

  constructor(state: AccessState) {
    this.#state = state;
  }

  get nodes(): readonly AccessNode[] {
    return [...this.#nodes.values()];
  }

  get edges(): readonly AccessEdge[] {
    return [...this.#edges.values()];
  }

  addVersions({ key, versions }: VersionGroup): void {
    const [first] = versions;
    if (first === undefined) return;
    const id = `version:${key}`;
    const isGroup = versions.length > 1;
    this.#add({
      id,
      layer: 'version',
      name: isGroup ? `${versions.length} API versions` : `${first.api} v${first.version}`,
      detail: isGroup ? listFirst(versions.map((one) => `${one.api} v${one.version}`)) : countServices(first),
      gaps: versionGaps(first, this.#state),
      path: isGroup ? `${ACCESS_MAP_PATH}?like=${encodeURIComponent(key)}` : versionPath(first),
      count: versions.length,
    });
    for (const name of adaptersOf(first)) this.#connect(id, `adapter:${name}`);
    const open = first.services.filter(({ adapters }) => adapters.length === 0);
    if (open.length === 0) return;
    this.#add({
      id: NO_ADAPTER,
      layer: 'adapter',
      name: 'No adapter',
      detail: 'Open to guests only',
      gaps: [],
      path: undefined,
      count: 1,
    });
    const isGap = !this.#state.hasCustomAuthentication && open.some(({ rules }) => rules.some(requiresUser));
    this.#connect(id, NO_ADAPTER, isGap);
  }

  addAdapter(adapter: AdapterState): void {
    const { name, type, sources, ownUsers } = adapter;
    const id = `adapter:${name}`;
    const path = `/adapters/${encodeURIComponent(name)}`;
    const gaps = adapterGaps(adapter, this.#state);
    this.#add({ id, layer: 'adapter', name, detail: type, gaps, path, count: 1 });
    for (const source of sources) {
      this.#add(sourceNode(source));
      this.#connect(id, sourceId(source));
    }
    if (sources.length > 0) return;
    const own = `source:${JSON.stringify([name])}`;
    this.#add({ id: own, layer: 'source', ...ownUsers, gaps: [], count: 1 });
    this.#connect(id, own);
  }

  addGroups(versions: readonly VersionState[], adapters: readonly AdapterState[]): void {
    const required = requiredGroups(versions, this.#state);
    for (const group of required) {
      const { name, adapter, operations, version } = group;
      const file = adapter.groups?.path ?? '';
      const members = adapter.groups?.members?.get(name);
      const id = `group:${JSON.stringify([file, name, members === undefined ? adapter.name : ''])}`;
      const users = members === undefined ? '' : `${pluralize(members, 'user')}, `;
      this.#add({
        id,
        layer: 'group',
        name: `@${name}`,
        detail: `${users}${pluralize(operations, 'operation')}`,
        gaps: groupGaps(group, this.#state),
        path: `${versionPath(version)}/authorization`,
        count: 1,
      });
      this.#connectSources(adapter, id);
    }
    for (const adapter of adapters) this.#addOtherGroups(adapter, required);
  }

  /** The groups of a file that no rule requires, as one node. */
  #addOtherGroups(
    adapter: AdapterState,
    required: readonly { readonly name: string; readonly adapter: AdapterState }[],
  ): void {
    const { groups } = adapter;
    const names = new Set(
      required.filter((one) => one.adapter.groups?.path === groups?.path).map(({ name }) => name),
    );
    const others = [...(groups?.members?.keys() ?? [])].filter((name) => !names.has(name));
    if (groups === undefined || others.length === 0) return;
    const id = `group:${JSON.stringify([groups.path])}`;
    this.#add({
      id,
      layer: 'group',
      name: pluralize(others.length, 'other group'),
      detail: listFirst(others.map((name) => `@${name}`)),
      gaps: [],
      path: `/adapters/${encodeURIComponent(adapter.name)}`,
      count: others.length,
    });
    this.#connectSources(adapter, id);
  }

  #connectSources({ name, sources }: AdapterState, to: string): void {
    const ids = sources.length > 0 ? sources.map(sourceId) : [`source:${JSON.stringify([name])}`];
    for (const id of ids) this.#connect(id, to);
  }

  #add(node: AccessNode): void {
    if (!this.#nodes.has(node.id)) this.#nodes.set(node.id, node);
  }

  #connect(from: string, to: string, isGap = false): void {
    this.#edges.set(`${from}\n${to}`, { from, to, isGap });
  }
}

function sourceId({ path, realm }: SourceState): string {
  return `source:${JSON.stringify([path, realm ?? null])}`;
}

function sourceNode(source: SourceState): AccessNode {
  const { path, kind, realm, users, refusal } = source;
  const size = pluralize(users?.size ?? 0, 'user');
  const query = new URLSearchParams({ file: path, kind, ...(realm === undefined ? {} : { realm }) });
  return {
    id: sourceId(source),
    layer: 'source',
    name: path,
    detail: [
      ...(refusal === undefined && users !== undefined ? [size] : []),
      ...(realm === undefined ? [] : [`realm ${realm}`]),
      ...(refusal === undefined ? [] : [refusal.replace(/^is /, '')]),
    ].join(', '),
    gaps: sourceGaps(source),
    // A missing file has no users to show: it can be created.
    path:
      refusal === undefined
        ? `/password-files${users === undefined ? '' : '/users'}?${query.toString()}`
        : '/password-files',
    count: 1,
  };
}

function countServices({ services }: VersionState): string {
  return pluralize(services.length, 'service');
}

/** A gap with the name of its node. */
export type NamedGap = Gap & { readonly of: string };

/** Every gap, whatever of the map is shown. */
export function gapsOf(state: AccessState): readonly NamedGap[] {
  const groups = state.versions.map((version) => ({ key: versionKey(version), versions: [version] }));
  return buildAccessMap(state, groups).nodes.flatMap(({ name, gaps }) =>
    gaps.map((gap) => ({ ...gap, of: name })),
  );
}
