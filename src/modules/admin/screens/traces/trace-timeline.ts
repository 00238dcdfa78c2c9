import { pluralize } from '../../../../framework';
import type { RequestTrace, TraceEntry } from '../../../operations';
import type { Timeline, TimelineKind } from '../../pictures/timeline';
import { formatDuration } from '../lifecycle/lifecycle-picture';

/** How many entries are drawn at most; the table has all of them. */
const MAX_ROWS = 60;

/** Times are rounded to microseconds. */
const TOLERANCE_MS = 0.002;

/** An entry with its place among the others. */
export interface PlacedEntry {
  readonly entry: TraceEntry;
  /** From 0. */
  readonly at: number;
  /** How many entries contain it. */
  readonly depth: number;
}

/** The ID of the row of an entry in the table. */
export function entryId(at: number): string {
  return `entry-${at + 1}`;
}

/** Finds the entries that contain others by their times: listeners of a request run one after the other. */
export function nestEntries(entries: readonly TraceEntry[]): readonly PlacedEntry[] {
  const open: TraceEntry[] = [];
  return entries.map((entry, at) => {
    for (let outer = open.at(-1); outer !== undefined && !contains(outer, entry); outer = open.at(-1))
      open.pop();
    const depth = open.length;
    open.push(entry);
    return { entry, at, depth };
  });
}

function contains(outer: TraceEntry, inner: TraceEntry): boolean {
  const end = outer.start + outer.duration + TOLERANCE_MS;
  return inner.start <= end - TOLERANCE_MS && inner.start + inner.duration <= end;
}

/** Converts a trace to a timeline. Of many entries, the longest ones are drawn. */
export function traceTimeline({ entries, duration }: RequestTrace): Timeline {
  const placed = nestEntries(entries);
  const longest = new Set([...placed].sort((a, b) => b.entry.duration - a.entry.duration).slice(0, MAX_ROWS));
  return {
    end: duration,
    rows: placed
      .filter((one) => longest.has(one))
      .map(({ entry, at, depth }) => {
        const note = [formatDuration(entry.duration), ...outcomeOf(entry)].join(' · ');
        return {
          title: titleOf(entry),
          depth,
          start: entry.start,
          duration: entry.duration,
          kind: kindOf(entry),
          note,
          label: `${subjectOf(entry)}, ${note}`,
          href: `#${entryId(at)}`,
        };
      }),
  };
}

/** Whether a timeline leaves entries out. */
export function isShortened({ entries }: RequestTrace): boolean {
  return entries.length > MAX_ROWS;
}

/** What an entry did, beyond continuing; empty if it continued. */
export function outcomeOf(entry: TraceEntry): readonly string[] {
  if (entry.kind === 'statement')
    return entry.error === null ? [pluralize(entry.rows ?? 0, 'row')] : [`failed: ${entry.error}`];
  if (entry.outcome === 'continued') return [];
  return [entry.detail === null ? entry.outcome : `${entry.outcome} ${entry.detail}`];
}

function titleOf(entry: TraceEntry): string {
  if (entry.kind === 'statement') return entry.text.replace(/\s+/g, ' ').slice(0, 80);
  const name = entry.listener.slice(entry.listener.lastIndexOf('.') + 1);
  const own = entry.of === 'view' ? entry.listener.split('.', 1)[0] : name;
  return `${entry.event} ${own ?? name}`;
}

function subjectOf(entry: TraceEntry): string {
  return entry.kind === 'statement'
    ? `Statement of ${entry.adapter}: ${entry.text}`
    : `${entry.of === 'view' ? 'view event' : 'event'} ${entry.event}: ${entry.listener}, priority ${entry.priority}, module ${entry.module}`;
}

function kindOf(entry: TraceEntry): TimelineKind {
  if (entry.kind === 'statement') return entry.error === null ? 'statement' : 'bad';
  if (entry.outcome === 'threw') return 'bad';
  return entry.outcome === 'responded' ? 'end' : 'plain';
}
