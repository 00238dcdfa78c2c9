import type { Points, Values } from '../../actions/dashboard/points';
import { chartSvg } from '../../pictures/charts/chart-svg';
import type { ChartSeries } from '../../pictures/charts/time-chart';
import { bytes, duration, perMinute, perSecond, percent, type Unit } from '../../pictures/charts/units';

/** A chart of the dashboard with its key. */
export interface DashboardChart {
  readonly id: string;
  readonly title: string;
  /** What it measures, in a few words. */
  readonly hint: string;
  readonly svg: string;
  /** The latest value of the most important series. */
  readonly now: string;
  readonly series: readonly SeriesSummary[];
}

/** The values of a series, formatted; a dash where there are none. */
interface SeriesSummary {
  readonly name: string;
  readonly tone: number;
  readonly last: string;
  readonly minimum: string;
  readonly maximum: string;
}

interface ChartPlan {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly series: readonly ChartSeries[];
  readonly isStacked?: boolean;
  readonly unit: Unit;
  readonly least: number;
  /** The values of the large number. */
  readonly main: Values;
  readonly empty: string;
}

/** Adapters with lines of their own. */
const MAX_ADAPTERS = 4;
const NO_REQUESTS = 'No requests in this time';

/** Draws the charts of the dashboard. @param range in minutes */
export function dashboardCharts(points: Points, range: number): readonly DashboardChart[] {
  return plansOf(points).map((plan) => {
    const { id, title, hint, series, isStacked = false, unit, least, main, empty } = plan;
    const rows = series.map((one) => summaryOf(one, unit));
    const spoken = rows
      .map(({ name, last, minimum, maximum }) => `${name}: last ${last}, from ${minimum} to ${maximum}`)
      .join('; ');
    const svg = chartSvg(
      { ages: points.ages, range: range * 60, series, isStacked, unit, least },
      {
        id: `chart-${id}`,
        title,
        description: `${hint}. The last ${range} minutes. ${spoken}.`,
        empty,
      },
    );
    const last = lastOf(main);
    return { id, title, hint, svg, now: last === null ? '–' : unit(last), series: rows };
  });
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
  const total = (values: Values): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const sorted = [...refusals].sort((a, b) => total(b.values) - total(a.values));
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

function sumOf(one: Values, other: Values): Values {
  return one.map((value, at) => {
    const more = other[at] ?? null;
    return value === null && more === null ? null : (value ?? 0) + (more ?? 0);
  });
}

function summaryOf({ name, tone, values }: ChartSeries, unit: Unit): SeriesSummary {
  const own = values.filter((value) => value !== null);
  const text = (value: number | null): string => (value === null ? '–' : unit(value));
  return {
    name,
    tone,
    last: text(lastOf(values)),
    minimum: text(own.length === 0 ? null : Math.min(...own)),
    maximum: text(own.length === 0 ? null : Math.max(...own)),
  };
}

function lastOf(values: Values): number | null {
  return values.filter((value) => value !== null).at(-1) ?? null;
}
