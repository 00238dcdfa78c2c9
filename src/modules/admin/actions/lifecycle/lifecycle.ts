import { priorities } from '../../../../framework';
import type { EventView, ListenerView } from '../insight/event-listeners';

/** The phases of a request, in order; the last one follows an error in any other. */
export const phaseNames = [
  'route',
  'authentication',
  'authorization',
  'content',
  'dispatch',
  'render',
  'response',
  'error',
] as const;
type PhaseName = (typeof phaseNames)[number];

/** A listener with the event that it is called for. */
export interface PhaseListener extends ListenerView {
  readonly of: EventView['of'];
  readonly event: string;
}

export interface Phase {
  readonly name: PhaseName;
  readonly title: string;
  /** In calling order. */
  readonly listeners: readonly PhaseListener[];
}

const TITLES: Readonly<Record<PhaseName, string>> = {
  route: 'Route',
  authentication: 'Authentication',
  authorization: 'Authorization',
  content: 'Negotiation',
  dispatch: 'Dispatch',
  render: 'Render',
  response: 'Response',
  error: 'Error',
};

/** The part of a phase: the listeners of an event with certain priorities. */
interface Part {
  readonly phase: PhaseName;
  readonly of?: EventView['of'];
  readonly event: string;
  /** The highest priority, and the lowest one that belongs to the next part. */
  readonly from?: number;
  readonly below?: number;
}

const { authentication, authorization, negotiation } = priorities.route;

/** In calling order. Listeners of `route` trigger the events of authentication and authorization. */
const PARTS: readonly Part[] = [
  { phase: 'route', event: 'route', below: authentication },
  { phase: 'authentication', event: 'route', from: authentication, below: authentication - 1 },
  { phase: 'authentication', event: 'authentication' },
  { phase: 'authentication', event: 'authentication.post' },
  { phase: 'authentication', event: 'route', from: authentication - 1, below: authorization },
  { phase: 'authorization', event: 'route', from: authorization, below: authorization - 1 },
  { phase: 'authorization', event: 'authorization' },
  { phase: 'authorization', event: 'authorization.post' },
  { phase: 'authorization', event: 'route', from: authorization - 1, below: negotiation },
  { phase: 'content', event: 'route', from: negotiation },
  { phase: 'dispatch', event: 'dispatch' },
  { phase: 'render', event: 'render' },
  { phase: 'render', of: 'view', event: 'renderer' },
  { phase: 'render', of: 'view', event: 'response' },
  { phase: 'response', event: 'response' },
  { phase: 'error', event: 'dispatch.error' },
  { phase: 'error', event: 'render.error' },
];

/** Divides the listeners of request events into phases. */
export function lifecycleOf(events: readonly EventView[]): readonly Phase[] {
  return phaseNames.map((name) => ({
    name,
    title: TITLES[name],
    listeners: PARTS.filter(({ phase }) => phase === name).flatMap((part) => listenersOf(part, events)),
  }));
}

function listenersOf(
  { of = 'application', event, from = Infinity, below = -Infinity }: Part,
  events: readonly EventView[],
): readonly PhaseListener[] {
  const found = events.find((one) => one.of === of && one.name === event);
  return (found?.listeners ?? [])
    .filter(({ priority }) => priority <= from && priority > below)
    .map((listener) => ({ ...listener, of, event }));
}
