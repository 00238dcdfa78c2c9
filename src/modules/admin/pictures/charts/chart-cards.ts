import { chartSvg } from './chart-svg';
import type { ChartSeries } from './time-chart';
import type { Unit } from './units';

type Values = ChartSeries['values'];

/** A chart with its key. */
export interface ChartCard {
  readonly id: string;
  readonly title: string;
  /** What it measures, in a few words. */
  readonly hint: string;
  readonly svg: string;
  /** The latest of the main values. */
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

/** What a chart shows. */
export interface ChartPlan {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly series: readonly ChartSeries[];
  readonly isStacked?: boolean;
  readonly unit: Unit;
  readonly least: number;
  /** The values of the large number. */
  readonly main: Values;
  /** Written into an empty chart. */
  readonly empty: string;
}

/**
 * Draws charts over the same time.
 * @param ages seconds before now of each value
 * @param range in minutes
 */
export function chartCards(
  plans: readonly ChartPlan[],
  ages: readonly number[],
  range: number,
): readonly ChartCard[] {
  return plans.map((plan) => {
    const { id, title, hint, series, isStacked = false, unit, least, main, empty } = plan;
    const rows = series.map((one) => summaryOf(one, unit));
    const spoken = rows
      .map(({ name, last, minimum, maximum }) => `${name}: last ${last}, from ${minimum} to ${maximum}`)
      .join('; ');
    const svg = chartSvg(
      { ages, range: range * 60, series, isStacked, unit, least },
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

/** Adds two series; null where neither has a value. */
export function sumOf(one: Values, other: Values): Values {
  return one.map((value, at) => {
    const more = other[at] ?? null;
    return value === null && more === null ? null : (value ?? 0) + (more ?? 0);
  });
}

/** Adds the values of a series. */
export function totalOf(values: Values): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
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
