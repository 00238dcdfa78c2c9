import { count, perSecond, percent } from '../../pictures/charts/units';
import type { Picture, PictureEdge, PictureNode } from '../../pictures/picture';
import { MAP_LAYERS, type MapEdge, type MapLayer, type MapNode, type ServiceMap } from './service-map';

const TITLES: Readonly<Record<MapLayer, string>> = {
  api: 'APIs',
  service: 'Services',
  adapter: 'Adapters',
  database: 'Databases',
};

/**
 * Converts a map to a picture with the rates of requests.
 * @param seconds the time that the requests are of
 * @param url returns the URL of a page
 */
export function servicePicture(
  { nodes, edges }: ServiceMap,
  seconds: number,
  url: (path: string) => string,
): Picture {
  const most = Math.max(0, ...edges.map(({ requests }) => requests));
  const arriving = new Map<string, number>();
  for (const { to } of edges) arriving.set(to, (arriving.get(to) ?? 0) + 1);
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const own = targets.get(from) ?? [];
    own.push(names.get(to) ?? '');
    targets.set(from, own);
  }
  return {
    columns: MAP_LAYERS.map((layer) => ({
      title: TITLES[layer],
      nodes: nodes
        .filter((node) => node.layer === layer)
        .map((node) => toNode(node, seconds, targets.get(node.id) ?? [], url)),
    })).filter(({ nodes: own }) => own.length > 0),
    edges: edges.map((edge) => toEdge(edge, most, seconds, arriving.get(edge.to) === 1)),
  };
}

function toNode(
  node: MapNode,
  seconds: number,
  targets: readonly string[],
  url: (path: string) => string,
): PictureNode {
  const { id, layer, name, requests, serverErrors, isDown, path, count: joined } = node;
  const rate = requests === 0 || seconds === 0 ? 'no requests' : perSecond(requests / seconds);
  const errors = serverErrors === 0 ? '' : `${percent(serverErrors / requests)} errors`;
  const detail = [node.detail, rate].filter((text) => text !== '').join(' · ');
  const leads = targets.length === 0 ? '' : `; leads to ${targets.join(', ')}`;
  return {
    id,
    title: name,
    detail,
    gap: isDown ? 'Not available' : errors === '' ? undefined : errors,
    kind: isDown || errors !== '' ? 'gap' : joined > 1 ? 'group' : requests === 0 ? 'open' : 'plain',
    label:
      [name, detail, `${count(requests)} requests`, ...(errors === '' ? [] : [errors])].join(', ') + leads,
    href: path === undefined ? (joined > 1 ? '#service-table' : undefined) : url(path),
    isPath: layer === 'database',
  };
}

/** @param isOnly whether no other edge arrives there, whose text would cover its own */
function toEdge(
  { from, to, requests }: MapEdge,
  most: number,
  seconds: number,
  isOnly: boolean,
): PictureEdge {
  if (requests === 0) return { from, to, kind: 'open' };
  const text = isOnly && seconds > 0 ? { text: perSecond(requests / seconds) } : {};
  return { from, to, kind: 'plain', weight: weightOf(requests / most), ...text };
}

/** Each step is a third of the one above. */
function weightOf(share: number): 1 | 2 | 3 | 4 | 5 {
  if (share > 1 / 3) return 5;
  if (share > 1 / 9) return 4;
  if (share > 1 / 27) return 3;
  return share > 1 / 81 ? 2 : 1;
}
