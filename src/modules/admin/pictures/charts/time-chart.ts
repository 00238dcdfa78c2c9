import { textWidth } from '../text-width';
import { rounded } from '../timeline';
import { ticksTo } from './ticks';
import type { Unit } from './units';

/** A line, or a layer of a stack. */
export interface ChartSeries {
  readonly name: string;
  /** One for each age; null where nothing is known. */
  readonly values: readonly (number | null)[];
  /** Its colour and, for lines, its dashes: the classes `tone-1` to `tone-5` of the style sheet. */
  readonly tone: number;
}

/** Values over the time until now. */
export interface TimeChart {
  /** Seconds before now of each value, oldest first. */
  readonly ages: readonly number[];
  /** Seconds that the horizontal axis shows. */
  readonly range: number;
  readonly series: readonly ChartSeries[];
  /** Whether values are summed, the first one at the bottom. */
  readonly isStacked: boolean;
  readonly unit: Unit;
  /** The vertical axis shows at least this; positive. */
  readonly least: number;
}

/** A point in pixels. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
}

/** A tick of an axis, with its position in pixels. */
interface ChartTick {
  readonly at: number;
  readonly text: string;
}

export interface PlacedSeries {
  readonly name: string;
  readonly tone: number;
  /** Points without a gap between them; the baseline is the layer below, of a stack. */
  readonly runs: readonly { readonly top: readonly ChartPoint[]; readonly base: readonly ChartPoint[] }[];
  /** Where its name is written; undefined if it never differs from 0. */
  readonly label: ChartPoint | undefined;
}

/** A chart with its coordinates. */
export interface PlacedChart {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly xTicks: readonly ChartTick[];
  readonly yTicks: readonly ChartTick[];
  readonly series: readonly PlacedSeries[];
  /** The position of each value. */
  readonly x: readonly number[];
}

const WIDTH = 340;
const HEIGHT = 170;
const TOP = 12;
const BOTTOM = HEIGHT - 24;
const GAP = 8;
const LABEL = { size: 11 * 1.1 };
const LABEL_HEIGHT = 14;
/** The widest room of the names. */
const MAX_LABEL = 76;
const INTERVALS = 4;
const TICK_GAP = 3;

/** Calculates the coordinates of a chart. */
export function placeChart(chart: TimeChart): PlacedChart {
  const { ages, range, series, isStacked, unit, least } = chart;
  const levels = isStacked ? stack(series) : series.map(({ values }) => values);
  const maximum = Math.max(least, ...levels.flat().map((value) => value ?? 0));
  const ticks = ticksTo(maximum, INTERVALS);
  const highest = ticks.at(-1) ?? maximum;
  const left = GAP + Math.max(...ticks.map((tick) => textWidth(unit(tick), LABEL)));
  const names = series.map(({ name }) => Math.min(MAX_LABEL, textWidth(name, LABEL)));
  const right = WIDTH - GAP - Math.max(0, ...names) - GAP;
  const xOf = (age: number): number => rounded(right - (age / range) * (right - left));
  const yOf = (value: number): number => rounded(BOTTOM - (value / highest) * (BOTTOM - TOP));
  const placed = series.map(({ name, tone }, at): PlacedSeries => {
    const points = (levels[at] ?? []).map((value, index) =>
      value === null ? undefined : { x: Math.max(rounded(left), xOf(ages[index] ?? 0)), y: yOf(value) },
    );
    const below = isStacked ? levels[at - 1] : undefined;
    const base = points.map((point, index) => point && { x: point.x, y: yOf(below?.[index] ?? 0) });
    const last = points.filter((point) => point !== undefined).at(-1);
    const isShown = series[at]?.values.some((value) => value !== null && value !== 0) === true;
    return {
      name,
      tone,
      runs: runsOf(points, base),
      label: last !== undefined && isShown ? { x: rounded(right + GAP), y: last.y } : undefined,
    };
  });
  return {
    width: WIDTH,
    height: HEIGHT,
    left: rounded(left),
    right: rounded(right),
    top: TOP,
    bottom: BOTTOM,
    xTicks: legible(
      timeTicks(range).map((age) => ({ at: xOf(age), text: age === 0 ? 'now' : `−${age / 60} min` })),
    ),
    yTicks: ticks.map((tick) => ({ at: yOf(tick), text: unit(tick) })),
    series: spreadLabels(placed),
    x: ages.map((age) => Math.max(rounded(left), xOf(age))),
  };
}

/** Ages in seconds: at most three intervals, if possible of whole minutes. */
function timeTicks(range: number): readonly number[] {
  const minutes = range / 60;
  const step = [1, 2, 5, 20].find((one) => minutes / one <= 3) ?? minutes / 3;
  return Array.from({ length: Math.floor(minutes / step) + 1 }, (_, at) => at * step * 60).reverse();
}

/** Leaves out ticks between the first and the last one whose texts would touch another. */
function legible(ticks: readonly ChartTick[]): readonly ChartTick[] {
  const [first, ...others] = ticks;
  if (first === undefined) return ticks;
  const last = others.at(-1);
  // The text of the first tick begins at it, that of the last one ends there, and others are centred.
  let end = first.at + textWidth(first.text, LABEL);
  const limit = last === undefined ? Infinity : last.at - textWidth(last.text, LABEL);
  const kept = others.filter(({ at, text }, index) => {
    const half = textWidth(text, LABEL) / 2;
    if (index < others.length - 1 && (at - half < end + TICK_GAP || at + half > limit - TICK_GAP))
      return false;
    end = at + half;
    return true;
  });
  return [first, ...kept];
}

/** The sums of each series and those below it. */
function stack(series: readonly ChartSeries[]): readonly (readonly (number | null)[])[] {
  const sums: (number | null)[][] = [];
  for (const { values } of series) {
    const below = sums.at(-1);
    sums.push(
      values.map((value, at) => {
        const base = below?.[at] ?? null;
        return value === null ? base : value + (base ?? 0);
      }),
    );
  }
  return sums;
}

function runsOf(
  points: readonly (ChartPoint | undefined)[],
  base: readonly (ChartPoint | undefined)[],
): PlacedSeries['runs'] {
  const runs: { top: ChartPoint[]; base: ChartPoint[] }[] = [];
  let isOpen = false;
  for (const [at, point] of points.entries()) {
    const below = base[at];
    if (point === undefined || below === undefined) {
      isOpen = false;
      continue;
    }
    if (!isOpen) runs.push({ top: [], base: [] });
    isOpen = true;
    runs.at(-1)?.top.push(point);
    runs.at(-1)?.base.push(below);
  }
  return runs;
}

/** Moves labels that would overlap apart, and keeps them inside. */
function spreadLabels(series: readonly PlacedSeries[]): readonly PlacedSeries[] {
  const labels = series.flatMap((one) => (one.label === undefined ? [] : [{ one, y: one.label.y }]));
  labels.sort((a, b) => a.y - b.y);
  for (const [at, label] of labels.entries())
    label.y = Math.max(label.y, TOP, (labels[at - 1]?.y ?? -Infinity) + LABEL_HEIGHT);
  for (const [at, label] of [...labels.entries()].reverse())
    label.y = Math.min(label.y, BOTTOM, (labels[at + 1]?.y ?? Infinity) - LABEL_HEIGHT);
  const places = new Map(labels.map(({ one, y }) => [one, y]));
  return series.map((one) => {
    const y = places.get(one);
    return one.label === undefined || y === undefined ? one : { ...one, label: { x: one.label.x, y } };
  });
}
