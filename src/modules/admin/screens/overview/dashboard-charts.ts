import type { Points, Values } from '../../actions/dashboard/points';
import {
  chartCards,
  sumOf,
  totalOf,
  type ChartCard,
  type ChartPlan,
} from '../../pictures/charts/chart-cards';
import { bytes, duration, perMinute, perSecond, percent } from '../../pictures/charts/units';

/** Adapters with lines of their own. */
const MAX_ADAPTERS = 4;
const NO_REQUESTS = 'No requests in this time';

/** Draws the charts of the dashboard. @param range in minutes */
export function dashboardCharts(points: Points, range: number): readonly ChartCard[] {
  return chartCards(plansOf(points), points.ages, range);
}

function plansOf(points: Points): readonly ChartPlan[] {
  return [
    {
      id: 'requests',
      title: 'Requests',
      hint: 'By status, per second',
      series: [
        { name: 'OK', values: points.successes, tone: 1 },
        { name: '4xx', values: points.clientErrors, tone: 2 },
        { name: '5xx', values: points.serverErrors, tone: 3 },
      ],
      isStacked: true,
      unit: perSecond,
      least: 1,
      main: points.requests,
      empty: 'Measuring…',
    },
    {
      id: 'errors',
      title: 'Error rate',
      hint: 'Share of the requests',
      series: [
        { name: '5xx', values: points.serverErrorShare, tone: 3 },
        { name: '4xx', values: points.clientErrorShare, tone: 2 },
      ],
      unit: percent,
      least: 0.01,
      main: points.serverErrorShare,
      empty: NO_REQUESTS,
    },
    {
      id: 'latency',
      title: 'Latency',
      hint: 'Percentiles of the response time',
      series: [
        { name: 'p99', values: points.p99, tone: 4 },
        { name: 'p95', values: points.p95, tone: 2 },
        { name: 'p50', values: points.p50, tone: 1 },
      ],
      unit: duration,
      least: 0.001,
      main: points.p95,
      empty: NO_REQUESTS,
    },
    refusalPlan(points),
    {
      id: 'lag',
      title: 'Event-loop lag',
      hint: 'How late timers are',
      series: [
        { name: 'max', values: points.lagMaximum, tone: 4 },
        { name: 'median', values: points.lagMedian, tone: 1 },
      ],
      unit: duration,
      least: 0.01,
      main: points.lagMaximum,
      empty: 'Measuring…',
    },
    {
      id: 'memory',
      title: 'Memory',
      hint: 'Of this process',
      series: [
        { name: 'resident', values: points.resident, tone: 1 },
        { name: 'heap used', values: points.heap, tone: 5 },
      ],
      unit: bytes,
      least: 1e6,
      main: points.resident,
      empty: 'Measuring…',
    },
  ];
}

/** The adapters with the most refusals, and the sum of the others. */
function refusalPlan({ refusals, requests }: Points): ChartPlan {
  const sorted = [...refusals].sort((a, b) => totalOf(b.values) - totalOf(a.values));
  const none = requests.map((value) => (value === null ? null : 0));
  const others = sorted.slice(MAX_ADAPTERS).map(({ values }) => values);
  const series = sorted.slice(0, MAX_ADAPTERS).map(({ adapter, values }, at) => ({
    name: adapter,
    values,
    tone: [3, 2, 4, 5][at] ?? 1,
  }));
  const all = refusals.reduce<Values>((sum, { values }) => sumOf(sum, values), none);
  if (others.length > 0)
    series.push({ name: 'others', values: others.reduce((sum, one) => sumOf(sum, one), none), tone: 1 });
  return {
    id: 'refusals',
    title: 'Authentication failures',
    hint: 'Refused credentials by adapter, per minute',
    series: series.length > 0 ? series : [{ name: 'none', values: none, tone: 1 }],
    unit: perMinute,
    least: 1,
    main: all,
    empty: 'Measuring…',
  };
}
