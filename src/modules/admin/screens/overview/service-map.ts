import { versionPath } from '../../pages/admin-paths';
import type { DashboardView, MappedService } from '../../actions/dashboard/dashboard';

/** The columns of the map, in order. */
export const MAP_LAYERS = ['api', 'service', 'adapter', 'database'] as const;
export type MapLayer = (typeof MAP_LAYERS)[number];

/** A node of the map; several without room for each are one. */
export interface MapNode {
  readonly id: string;
  readonly layer: MapLayer;
  readonly name: string;
  readonly detail: string;
  readonly requests: number;
  readonly serverErrors: number;
  /** Whether it is not available. */
  readonly isDown: boolean;
  /** Below the admin; undefined for none. */
  readonly path: string | undefined;
  readonly count: number;
}

/** The requests that go from a node to one of the next layers. */
export interface MapEdge {
  readonly from: string;
  readonly to: string;
  readonly requests: number;
}

export interface ServiceMap {
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
}

type Counts = Pick<MapNode, 'requests' | 'serverErrors'>;

/** Builds the map of APIs, services, adapters and databases, with the requests of the time. */
export function serviceMap({
  services,
  databases,
}: Pick<DashboardView, 'services' | 'databases'>): ServiceMap {
  const builder = new MapBuilder();
  for (const one of services) builder.addService(one);
  for (const { name, kind, target, isAvailable } of databases) {
    const counts = builder.countsOf(`database-adapter:${name}`);
    const isDown = isAvailable === false;
    const path = `/databases/${encodeURIComponent(name)}`;
    const common = { ...counts, isDown, path, count: 1 };
    const detail = isDown ? 'not available' : kind.replace(/Adapter$/, '');
    builder.add({ id: `database-adapter:${name}`, layer: 'adapter', name, detail, ...common });
    builder.add({
      id: `database:${name}`,
      layer: 'database',
      name: target ?? 'cannot be opened',
      detail: isDown ? 'not available' : '',
      ...common,
    });
    builder.connect(`database-adapter:${name}`, `database:${name}`, counts.requests);
  }
  return builder.map();
}

class MapBuilder {
  readonly #nodes = new Map<string, MapNode>();
  readonly #edges = new Map<string, MapEdge>();
  readonly #counts = new Map<string, Counts>();

  countsOf(id: string): Counts {
    return this.#counts.get(id) ?? { requests: 0, serverErrors: 0 };
  }

  addService({ api, version, service, adapters, database, traffic }: MappedService): void {
    const counts = { requests: traffic?.requests ?? 0, serverErrors: traffic?.serverErrors ?? 0 };
    const apiId = `api:${JSON.stringify([api, version])}`;
    const id = `service:${JSON.stringify([api, version, service])}`;
    const base = versionPath({ api, version });
    const common = { isDown: false, count: 1 };
    this.#count(apiId, counts);
    this.add({
      id: apiId,
      layer: 'api',
      name: `${api} v${version}`,
      detail: '',
      ...this.countsOf(apiId),
      ...common,
      path: base,
    });
    const path = `${base}/services`;
    this.add({
      id,
      layer: 'service',
      name: service,
      detail: `${api} v${version}`,
      ...counts,
      ...common,
      path,
    });
    this.connect(apiId, id, counts.requests);
    for (const name of adapters) {
      const adapter = `adapter:${name}`;
      this.#count(adapter, counts);
      const own = { ...this.countsOf(adapter), ...common, path: `/adapters/${encodeURIComponent(name)}` };
      this.add({ id: adapter, layer: 'adapter', name, detail: 'authentication', ...own });
      this.connect(id, adapter, counts.requests);
    }
    if (database === undefined) return;
    this.#count(`database-adapter:${database}`, counts);
    this.connect(id, `database-adapter:${database}`, counts.requests);
  }

  add(node: MapNode): void {
    this.#nodes.set(node.id, node);
  }

  connect(from: string, to: string, requests: number): void {
    this.#edges.set(`${from}\n${to}`, { from, to, requests });
  }

  map(): ServiceMap {
    const nodes = [...this.#nodes.values()];
    const edges = [...this.#edges.values()].filter(({ to }) => this.#nodes.has(to));
    return { nodes, edges };
  }

  #count(id: string, { requests, serverErrors }: Counts): void {
    const known = this.countsOf(id);
    this.#counts.set(id, {
      requests: known.requests + requests,
      serverErrors: known.serverErrors + serverErrors,
    });
  }
}

/** Plural names of what is left out. */
const PLURALS: Readonly<Record<MapLayer, string>> = {
  api: 'API versions',
  service: 'services',
  adapter: 'adapters',
  database: 'databases',
};

/** Keeps the nodes of each layer that are down or have the most requests, and joins the others into one. */
export function limitMap({ nodes, edges }: ServiceMap, max: number): ServiceMap {
  const joined = new Map<string, string>();
  const kept = MAP_LAYERS.flatMap((layer) => {
    const own = nodes
      .filter((node) => node.layer === layer)
      .sort((a, b) => Number(b.isDown) - Number(a.isDown) || b.requests - a.requests);
    if (own.length <= max) return own;
    const rest = own.slice(max - 1);
    const id = `more:${layer}`;
    for (const node of rest) joined.set(node.id, id);
    return [...own.slice(0, max - 1), joinNodes(id, layer, rest)];
  });
  const merged = new Map<string, MapEdge>();
  for (const edge of edges) {
    const [from, to] = [joined.get(edge.from) ?? edge.from, joined.get(edge.to) ?? edge.to];
    const key = `${from}\n${to}`;
    merged.set(key, { from, to, requests: (merged.get(key)?.requests ?? 0) + edge.requests });
  }
  return { nodes: kept, edges: [...merged.values()] };
}

function joinNodes(id: string, layer: MapLayer, nodes: readonly MapNode[]): MapNode {
  const sum = (value: (node: MapNode) => number): number =>
    nodes.reduce((total, node) => total + value(node), 0);
  return {
    id,
    layer,
    name: `${nodes.length} more ${PLURALS[layer]}`,
    detail: 'in the table',
    requests: sum(({ requests }) => requests),
    serverErrors: sum(({ serverErrors }) => serverErrors),
    isDown: nodes.some(({ isDown }) => isDown),
    path: undefined,
    count: nodes.length,
  };
}
