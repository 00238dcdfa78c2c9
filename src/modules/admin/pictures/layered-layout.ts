import type {
  Picture,
  PictureColumn,
  PictureEdge,
  PictureNode,
  PictureSize,
  PlacedColumn,
  PlacedEdge,
  PlacedNode,
  PlacedPicture,
} from './picture';
import { ellipsize, ellipsizePath, type TextStyle } from './text-width';

const MARGIN = 12;
const HEADING = 34;
const NODE_GAP = 12;
const ROW_GAP = 36;
const PADDING = 12;
/** Semibold text is wider than its size. */
const TITLE = { size: 14 * 1.1 };
const CODE = { size: 12.5, monospace: true };
const DETAIL = { size: 12 };
const GAP = { size: 12 * 1.1 };
/** The room of the icon of a gap. */
const ICON = 18;
/** The middle of the text of an edge, from its end. */
const EDGE_TEXT = 28;
/** Baselines, from the top of a node or from the line before. */
const LINES = { title: 21, next: 18, bottom: 11 };

/** Places nodes in columns, each near the nodes that lead to it, and connects them with curves. */
export function layoutPicture({ columns, edges }: Picture, size: PictureSize): PlacedPicture {
  const { columnWidth, columnGap, columnsPerRow } = size;
  const nodes = new Map<string, PlacedNode>();
  const placed: PlacedColumn[] = [];
  const sources = sourcesByTarget(edges);
  let top = MARGIN;
  let bottom = MARGIN;
  for (const [at, column] of columns.entries()) {
    if (at > 0 && at % columnsPerRow === 0) top = bottom + ROW_GAP;
    const x = MARGIN + (at % columnsPerRow) * (columnWidth + columnGap);
    const own = placeColumn(column, { x, y: top + HEADING, width: columnWidth }, (id) =>
      (sources.get(id) ?? []).flatMap((from) => nodes.get(from) ?? []),
    );
    for (const node of own) nodes.set(node.id, node);
    const title = ellipsize(column.title, columnWidth, TITLE);
    placed.push({ title: { x, y: top + 16, text: title }, nodes: own });
    bottom = Math.max(bottom, top + HEADING, ...own.map(({ y, height }) => y + height));
  }
  const shown = Math.min(columns.length, columnsPerRow);
  return {
    width: 2 * MARGIN + shown * columnWidth + Math.max(0, shown - 1) * columnGap,
    height: bottom + MARGIN,
    columns: placed,
    edges: edges.flatMap((edge) => placeEdge(edge, nodes, size)),
  };
}

function sourcesByTarget(edges: readonly PictureEdge[]): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const own = sources.get(to);
    if (own === undefined) sources.set(to, [from]);
    else own.push(from);
  }
  return sources;
}

interface ColumnArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Orders the nodes by the mean position of the nodes that lead to them, which keeps crossings rare. */
function placeColumn(
  { nodes }: PictureColumn,
  area: ColumnArea,
  sourcesOf: (id: string) => readonly PlacedNode[],
): readonly PlacedNode[] {
  const wanted = nodes.map((node, at) => ({ node, at, middle: meanMiddle(sourcesOf(node.id), area) }));
  wanted.sort((a, b) => a.middle - b.middle || a.at - b.at);
  const placed: PlacedNode[] = [];
  let next = area.y;
  for (const { node, middle } of wanted) {
    const height = heightOf(node);
    const y = Number.isFinite(middle) ? Math.max(next, Math.round(middle - height / 2)) : next;
    placed.push(placeNode(node, { ...area, y }, height));
    next = y + height + NODE_GAP;
  }
  return placed;
}

/** Nodes that nothing leads to come last. */
function meanMiddle(sources: readonly PlacedNode[], { x }: ColumnArea): number {
  // Only what is to the left: an arrow from the row above says nothing about the height.
  const left = sources.filter((one) => one.x < x);
  if (left.length === 0) return Infinity;
  return left.reduce((sum, { y, height }) => sum + y + height / 2, 0) / left.length;
}

function heightOf({ detail, gap }: PictureNode): number {
  const more = (detail === '' ? 0 : 1) + (gap === undefined ? 0 : 1);
  return LINES.title + more * LINES.next + LINES.bottom;
}

function placeNode(node: PictureNode, { x, y, width }: ColumnArea, height: number): PlacedNode {
  const room = width - 2 * PADDING;
  let baseline = y + LINES.title;
  const shorten = node.isPath === true ? ellipsizePath : ellipsize;
  const text = shorten(node.title, room, node.isCode === true ? CODE : TITLE);
  const title = { x: x + PADDING, y: baseline, text };
  const line = (text: string | undefined, indent: number, style: TextStyle) => {
    if (text === undefined || text === '') return undefined;
    baseline += LINES.next;
    return { x: x + PADDING + indent, y: baseline, text: ellipsize(text, room - indent, style) };
  };
  const detail = line(node.detail, 0, DETAIL);
  const gap = line(node.gap, ICON, GAP);
  return { ...node, x, y, width, height, lines: { title, detail, gap } };
}

function placeEdge(
  edge: PictureEdge,
  nodes: ReadonlyMap<string, PlacedNode>,
  size: PictureSize,
): readonly PlacedEdge[] {
  const from = nodes.get(edge.from);
  const to = nodes.get(edge.to);
  if (from === undefined || to === undefined) return [];
  const isForward = to.x > from.x;
  const path = isForward ? curve(from, to) : detour(from, to, size);
  // Where the curve is almost level.
  const end = { x: to.x - EDGE_TEXT, y: middleOf(to) };
  const label = edge.text === undefined || !isForward ? undefined : { ...end, text: edge.text };
  return [{ ...edge, path, label }];
}

function curve(from: PlacedNode, to: PlacedNode): string {
  const [x, y] = [from.x + from.width, middleOf(from)];
  const bend = (to.x - x) / 2;
  return `M${x} ${y}C${x + bend} ${y} ${to.x - bend} ${middleOf(to)} ${to.x} ${middleOf(to)}`;
}

/** Around the right edge to the next row, above its headings, and in from the left. */
function detour(from: PlacedNode, to: PlacedNode, { columnWidth }: PictureSize): string {
  const right = from.x + columnWidth + MARGIN / 2;
  const above = to.y - HEADING - ROW_GAP / 2;
  return `M${from.x + from.width} ${middleOf(from)}H${right}V${above}H${MARGIN / 2}V${middleOf(to)}H${to.x}`;
}

function middleOf({ y, height }: PlacedNode): number {
  return y + height / 2;
}
