import { ellipsize, textWidth } from './text-width';

/** How a bar is drawn. */
export type TimelineKind = 'plain' | 'statement' | 'end' | 'bad';

/** A bar of a timeline. */
interface TimelineRow {
  /** A short name, shown as code. */
  readonly title: string;
  /** How many rows contain it. */
  readonly depth: number;
  /** In milliseconds. */
  readonly start: number;
  readonly duration: number;
  readonly kind: TimelineKind;
  /** The text next to the bar. */
  readonly note: string;
  /** The whole text: the accessible name, and the tooltip. */
  readonly label: string;
  readonly href: string;
}

/** Bars over a common time axis, which begins at 0. */
export interface Timeline {
  readonly rows: readonly TimelineRow[];
  /** The end of the axis in milliseconds. */
  readonly end: number;
}

interface PlacedTick {
  readonly x: number;
  readonly text: string;
}

export interface PlacedRow extends TimelineRow {
  readonly title: string;
  readonly titleX: number;
  readonly y: number;
  readonly x: number;
  readonly width: number;
  readonly noteX: number;
  /** Whether the note ends at `noteX`. */
  readonly isNoteBefore: boolean;
}

export interface PlacedTimeline {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly ticks: readonly PlacedTick[];
  readonly rows: readonly PlacedRow[];
}

export const ROW_HEIGHT = 24;
export const BAR_HEIGHT = 14;
const WIDTH = 960;
const MARGIN = 12;
const TITLES = 290;
const INDENT = 14;
const TOP = 34;
/** The longest note. */
const NOTE = 330;
const GAP = 6;
/** A bar is visible however short it is. */
const MIN_WIDTH = 2;
const MAX_TICKS = 6;
const CODE = { size: 12.5, monospace: true };
const SMALL = { size: 12 };

/** Places the bars, one below the other. */
export function placeTimeline({ rows, end }: Timeline): PlacedTimeline {
  const left = MARGIN + TITLES;
  const room = WIDTH - MARGIN - left;
  const span = Math.max(end, ...rows.map(({ start, duration }) => start + duration), 0.001);
  const xOf = (time: number): number => left + (Math.max(0, time) / span) * room;
  return {
    width: WIDTH,
    height: TOP + rows.length * ROW_HEIGHT + MARGIN,
    top: TOP,
    ticks: ticksOf(span).map((time) => ({ x: rounded(xOf(time)), text: `${time} ms` })),
    rows: rows.map((row, at) => {
      const indent = Math.min(row.depth, 4) * INDENT;
      const x = rounded(xOf(row.start));
      const width = rounded(Math.max(MIN_WIDTH, xOf(row.start + row.duration) - x));
      const note = ellipsize(row.note, NOTE, SMALL);
      const after = x + width + GAP;
      const needed = textWidth(note, SMALL) + GAP;
      // Next to the bar, or at the end of a bar that leaves no room.
      const isNoteBefore = after + needed > WIDTH;
      const noteX = !isNoteBefore ? after : x - needed > left ? x - GAP : WIDTH - MARGIN - GAP;
      return {
        ...row,
        title: ellipsize(row.title, TITLES - indent - GAP, CODE),
        note,
        titleX: MARGIN + indent,
        y: TOP + at * ROW_HEIGHT,
        x,
        width,
        isNoteBefore,
        noteX: rounded(noteX),
      };
    }),
  };
}

/** Returns round times from 0 to the end: 1, 2 or 5 times a power of ten apart. */
export function ticksOf(end: number): readonly number[] {
  const rough = end / MAX_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? rough;
  const count = Math.floor(end / step + 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(6)));
}

export function rounded(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
