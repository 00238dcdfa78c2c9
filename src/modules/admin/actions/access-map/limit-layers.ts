import type { AccessEdge, AccessLayer, AccessMap, AccessNode } from './access-map';

/** The names of several, and the page that lists them. */
const OTHERS: Readonly<Record<AccessLayer, { readonly noun: string; readonly path: string }>> = {
  version: { noun: 'API versions', path: '/apis' },
  adapter: { noun: 'adapters', path: '/adapters' },
  source: { noun: 'user sources', path: '/password-files' },
  group: { noun: 'groups', path: '/apis' },
};

/**
 * Merges the nodes of a layer beyond a number into one, "12 more adapters", with their edges. Nodes with gaps are kept
 * first, and gaps of merged ones are counted.
 *
 * @param max at least 2
 */
export function limitLayers({ nodes, edges }: AccessMap, max: number): AccessMap {
  const shown = new Map<string, string>();
  const kept: AccessNode[] = [];
  for (const layer of new Set(nodes.map((node) => node.layer))) {
    const own = nodes.filter((node) => node.layer === layer);
    const sorted = [...own].sort((a, b) => b.gaps.length - a.gaps.length);
    const merged = own.length > max ? sorted.slice(max - 1) : [];
    const isMerged = new Set(merged);
    const rest = `more:${layer}`;
    kept.push(...own.filter((node) => !isMerged.has(node)));
    if (merged.length > 0) kept.push(mergedNode(rest, layer, merged));
    for (const node of own) shown.set(node.id, isMerged.has(node) ? rest : node.id);
  }
  const joined = new Map<string, AccessEdge>();
  for (const edge of edges) {
    const [from, to] = [shown.get(edge.from), shown.get(edge.to)];
    if (from === undefined || to === undefined) continue;
    const key = `${from}\n${to}`;
    joined.set(key, { from, to, isGap: edge.isGap || joined.get(key)?.isGap === true });
  }
  return { nodes: kept, edges: [...joined.values()] };
}

function mergedNode(id: string, layer: AccessLayer, merged: readonly AccessNode[]): AccessNode {
  const { noun, path } = OTHERS[layer];
  const count = merged.reduce((sum, node) => sum + node.count, 0);
  return {
    id,
    layer,
    name: `${count} more ${noun}`,
    detail: merged
      .slice(0, 3)
      .map(({ name }) => name)
      .join(', '),
    gaps: merged.flatMap(({ gaps }) => gaps),
    path,
    count,
  };
}
