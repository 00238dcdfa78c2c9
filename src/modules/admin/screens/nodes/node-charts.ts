import type { Values } from '../../actions/dashboard/points';
import type { NodePoints, NodeSeries } from '../../actions/nodes/node-points';
import {
  chartCards,
  sumOf,
  totalOf,
  type ChartCard,
  type ChartPlan,
} from '../../pictures/charts/chart-cards';
import type { ChartSeries } from '../../pictures/charts/time-chart';
import { bytes, perSecond, percent, type Unit } from '../../pictures/charts/units';

/** The colours of the nodes with series of their own; the others share the last one. */
const TONES = [1, 2, 4, 5];
const OTHERS_TONE = 3;

/** What a chart shows of each node. */
interface Measure {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly of: (node: NodeSeries) => Values;
  readonly unit: Unit;
  readonly least: number;
  /** Whether the values of nodes add up; otherwise their mean is shown. */
  readonly adds: boolean;
}

const MEASURES: readonly Measure[] = [
  {
    id: 'node-requests',
    title: 'Requests',
    hint: 'Per second, and of all nodes',
    of: ({ requests }) => requests,
    unit: perSecond,
    least: 1,
    adds: true,
  },
  {
    id: 'node-errors',
    title: 'Server errors',
    hint: 'Responses with 5xx per second, and of all nodes',
    of: ({ serverErrors }) => serverErrors,
    unit: perSecond,
    least: 0.1,
    adds: true,
  },
  {
    id: 'node-load',
    title: 'Load',
    hint: 'Busy share of the event loop, and the mean of all nodes',
    of: ({ load }) => load,
    unit: percent,
    least: 0.1,
    adds: false,
  },
  {
    id: 'node-memory',
    title: 'Memory',
    hint: 'Resident, and of all nodes',
    of: ({ memory }) => memory,
    unit: bytes,
    least: 1e6,
    adds: true,
  },
];

/** Draws the charts of the nodes: each has those with the most requests, and the others together. @param range in minutes */
export function nodeCharts({ ages, nodes }: NodePoints, range: number): readonly ChartCard[] {
  const busiest = [...nodes].sort((a, b) => totalOf(b.requests) - totalOf(a.requests));
  // By id: a node keeps its colour.
  const shown = busiest.slice(0, TONES.length).sort((a, b) => (a.node < b.node ? -1 : 1));
  const others = busiest.slice(TONES.length);
  const plans = MEASURES.map(({ of, adds, ...texts }): ChartPlan => {
    const together = (some: readonly NodeSeries[]): Values => combined(some.map(of), adds, ages.length);
    const series: ChartSeries[] = shown.map((node, at) => ({
      name: node.node,
      values: of(node),
      tone: TONES[at] ?? OTHERS_TONE,
    }));
    if (others.length > 0)
      series.push({ name: `${others.length} others`, values: together(others), tone: OTHERS_TONE });
    return { ...texts, series, isStacked: adds, main: together(nodes), empty: 'Measuring…' };
  });
  return chartCards(plans, ages, range);
}

/** The sum of series, or the mean of those with a value. */
function combined(all: readonly Values[], adds: boolean, length: number): Values {
  const none: Values = Array.from({ length }, () => null);
  const sum = all.reduce(sumOf, none);
  if (adds) return sum;
  return sum.map((value, at) =>
    value === null ? null : value / all.filter((one) => (one[at] ?? null) !== null).length,
  );
}
