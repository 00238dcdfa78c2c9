import { pluralize } from '../../../../framework';
import type { Phase, PhaseListener } from '../../actions/lifecycle/lifecycle';
import { callKey, type RequestMeasurement } from '../../actions/lifecycle/request-timings';
import type { Picture, PictureEdge, PictureNode } from '../../pictures/picture';

/** How many listeners of a phase are drawn at most. */
const MAX_LISTENERS = 8;

/** The ID of the table of an event, and of the row of a listener in it. */
export function eventId({ of, event }: Pick<PhaseListener, 'of' | 'event'>): string {
  return `${of}-${event}`;
}

export function rowId(listener: Pick<PhaseListener, 'of' | 'event' | 'sequence'>): string {
  return `${eventId(listener)}-${listener.sequence}`;
}

/**
 * Converts the phases to a picture, with the durations of a request if one was measured.
 * @param max how many listeners of a phase are drawn at most
 */
export function lifecyclePicture(
  phases: readonly Phase[],
  measured: RequestMeasurement | undefined,
  max = MAX_LISTENERS,
): Picture {
  const shown = phases.filter(({ name, listeners }) => name !== 'error' || listeners.length > 0);
  return {
    columns: shown.map((phase, at) => ({
      title: phase.name === 'error' ? 'After an error' : `Step ${at + 1}`,
      nodes: [phaseNode(phase, measured), ...listenerNodes(phase, measured, max)],
    })),
    edges: edgesBetween(shown),
  };
}

/** An error may come from any phase: nothing leads to it. */
function edgesBetween(phases: readonly Phase[]): readonly PictureEdge[] {
  const names = phases.map(({ name }) => name).filter((name) => name !== 'error');
  return names.slice(1).map((name, at) => ({
    from: `phase:${names[at] ?? ''}`,
    to: `phase:${name}`,
    kind: 'plain',
  }));
}

function phaseNode({ name, title, listeners }: Phase, measured: RequestMeasurement | undefined): PictureNode {
  const count = pluralize(listeners.length, 'listener');
  const called = measured === undefined ? [] : listeners.flatMap((one) => durationOf(one, measured) ?? []);
  const slowest = Math.max(0, ...called);
  const detail = called.length === 0 ? count : `slowest: ${formatDuration(slowest)}`;
  return {
    id: `phase:${name}`,
    title,
    detail,
    gap: undefined,
    kind: 'phase',
    label: `${title}: ${detail}`,
    href: undefined,
  };
}

function listenerNodes(
  { name, listeners }: Phase,
  measured: RequestMeasurement | undefined,
  max: number,
): readonly PictureNode[] {
  const isCut = listeners.length > max;
  const shown = isCut ? listeners.slice(0, max - 1) : listeners;
  const nodes = shown.map((listener) => listenerNode(listener, measured));
  const next = listeners[shown.length];
  if (next === undefined) return nodes;
  const title = `${listeners.length - shown.length} more listeners`;
  const more = { detail: 'in the table', gap: undefined, kind: 'group' as const };
  return [...nodes, { id: `more:${name}`, title, ...more, label: title, href: `#${rowId(next)}` }];
}

function listenerNode(listener: PhaseListener, measured: RequestMeasurement | undefined): PictureNode {
  const { name, priority, module, event, of } = listener;
  const duration = measured === undefined ? undefined : durationOf(listener, measured);
  const isIdle = measured !== undefined && duration === undefined;
  const time = duration === undefined ? (isIdle ? ['not called'] : []) : [formatDuration(duration)];
  const where = of === 'view' ? `view event ${event}` : `event ${event}`;
  return {
    id: `listener:${rowId(listener)}`,
    title: shortName(name, of),
    detail: [
      ...(time.length > 0 ? time : [String(priority)]),
      of === 'view' ? `event ${event}` : module,
    ].join(' · '),
    gap: undefined,
    kind: isIdle ? 'open' : 'plain',
    label: [`${name}: ${where}, priority ${priority}, module ${module}`, ...time].join(', '),
    href: `#${rowId(listener)}`,
    isCode: true,
  };
}

/** The method of a listener, or the strategy, as all strategies have the same methods. */
function shortName(name: string, of: PhaseListener['of']): string {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return name;
  return of === 'view' ? name.slice(0, dot) : name.slice(dot + 1);
}

/** The duration of a listener; undefined if it was not called. */
export function durationOf(
  { of, event, sequence }: Pick<PhaseListener, 'of' | 'event' | 'sequence'>,
  { calls }: RequestMeasurement,
): number | undefined {
  return calls.get(callKey(of, event, sequence));
}

/** Formats milliseconds with two significant digits, but whole ones above 10. */
export function formatDuration(duration: number): string {
  if (duration < 0.01) return '< 0.01 ms';
  return `${duration < 10 ? Number(duration.toPrecision(2)) : Math.round(duration)} ms`;
}
