import {
  accessLayers,
  type AccessLayer,
  type AccessMap,
  type AccessNode,
} from '../../actions/access-map/access-map';

/** A row of the table: a version, or an adapter that guards none of them, with everything that it leads to. */
export type AccessRow = Readonly<Record<AccessLayer, readonly AccessNode[]>>;

/** Converts an access map to the rows of a table. */
export function accessRows({ nodes, edges }: AccessMap): readonly AccessRow[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const targets = new Map<string, AccessNode[]>();
  const isTarget = new Set<string>();
  for (const { from, to } of edges) {
    const node = byId.get(to);
    if (node === undefined) continue;
    targets.set(from, [...(targets.get(from) ?? []), node]);
    isTarget.add(to);
  }
  return nodes.filter(({ id }) => !isTarget.has(id)).map((node) => rowOf(node, targets));
}

function rowOf(first: AccessNode, targets: ReadonlyMap<string, readonly AccessNode[]>): AccessRow {
  const row: Record<AccessLayer, readonly AccessNode[]> = { version: [], adapter: [], source: [], group: [] };
  let current: readonly AccessNode[] = [first];
  for (const layer of accessLayers.slice(accessLayers.indexOf(first.layer))) {
    row[layer] = current;
    current = [...new Set(current.flatMap(({ id }) => targets.get(id) ?? []))];
  }
  return row;
}
