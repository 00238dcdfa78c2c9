import {
  accessLayers,
  NO_ADAPTER,
  type AccessLayer,
  type AccessMap,
  type AccessNode,
} from '../../actions/access-map/access-map';
import { listFirst } from '../../actions/access-map/access-gaps';
import type { NodeKind, Picture, PictureNode } from '../../pictures/picture';

/** The titles of the columns, in the picture and in the table. */
export const LAYER_TITLES: Readonly<Record<AccessLayer, string>> = {
  version: 'API versions',
  adapter: 'Adapters',
  source: 'User sources',
  group: 'Groups',
};

/** Converts an access map to a picture. @param url returns the URL path of a page below the admin */
export function accessPicture(map: AccessMap, url: (path: string) => string): Picture {
  const names = new Map(map.nodes.map(({ id, name }) => [id, name]));
  const targets = new Map<string, string[]>();
  for (const { from, to } of map.edges)
    targets.set(from, [...(targets.get(from) ?? []), names.get(to) ?? '']);
  return {
    columns: accessLayers.map((layer) => ({
      title: LAYER_TITLES[layer],
      nodes: map.nodes
        .filter((node) => node.layer === layer)
        .map((node) => toPictureNode(node, targets.get(node.id) ?? [], url)),
    })),
    edges: map.edges.map(({ from, to, isGap }) => ({
      from,
      to,
      kind: isGap ? 'gap' : to === NO_ADAPTER ? 'open' : 'plain',
    })),
  };
}

function toPictureNode(
  node: AccessNode,
  targets: readonly string[],
  url: (path: string) => string,
): PictureNode {
  const { id, name, detail, gaps, path, count } = node;
  const [gap] = gaps;
  const more = gaps.length > 1 ? ` and ${gaps.length - 1} more` : '';
  // Several are listed first, each with its own gap.
  const href = count > 1 ? path : (gap?.path ?? path);
  const sentences = [
    detail === '' ? name : `${name}: ${detail}`,
    ...gaps.slice(0, 3).map(({ text }) => `Gap: ${withoutPeriod(text)}`),
    ...(targets.length === 0 ? [] : [`Leads to ${listFirst(targets)}`]),
  ];
  return {
    id,
    title: name,
    detail,
    gap: gap === undefined ? undefined : `Gap: ${gap.name}${more}`,
    kind: kindOf(node),
    label: `${sentences.join('. ')}.`,
    href: href === undefined ? undefined : url(href),
    isPath: node.layer === 'source',
  };
}

function kindOf({ id, gaps, count }: AccessNode): NodeKind {
  if (gaps.length > 0) return 'gap';
  if (id === NO_ADAPTER) return 'open';
  return count > 1 ? 'group' : 'plain';
}

function withoutPeriod(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}
