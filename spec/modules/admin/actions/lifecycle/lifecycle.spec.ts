import fc from 'fast-check';
import type {
  EventView,
  ListenerView,
} from '../../../../../src/modules/admin/actions/insight/event-listeners';
import { lifecycleOf, phaseNames } from '../../../../../src/modules/admin/actions/lifecycle/lifecycle';
import {
  callKey,
  type RequestMeasurement,
} from '../../../../../src/modules/admin/actions/lifecycle/request-timings';
import {
  formatDuration,
  lifecyclePicture,
} from '../../../../../src/modules/admin/screens/lifecycle/lifecycle-picture';

let sequence = 0;
function listener(name: string, priority: number): ListenerView {
  return { name, priority, sequence: sequence++, module: 'shop', source: undefined, isWildcard: false };
}

function event(
  name: string,
  listeners: readonly ListenerView[],
  of: EventView['of'] = 'application',
): EventView {
  return { name, of, listeners };
}

const EVENTS: readonly EventView[] = [
  event('route', [
    listener('match', 1),
    listener('authenticate', -50),
    listener('method', -100),
    listener('authorize', -600),
    listener('audit', -610),
    listener('negotiate', -625),
    listener('cache', -10000),
  ]),
  event('authentication', [listener('identify', 1)]),
  event('authentication.post', [listener('enrich', 1)]),
  event('authorization', [listener('decide', 1)]),
  event('dispatch', [listener('handle', 1)]),
  event('render', [listener('render', 1)]),
  event('response', [listener('send', -10000)]),
  event('dispatch.error', [listener('problem', 1)]),
  event('bootstrap', [listener('boot', 1)]),
  event('renderer', [listener('JsonStrategy.selectRenderer', 100)], 'view'),
];

function measured(durations: Readonly<Record<string, number>>): RequestMeasurement {
  const calls = new Map<string, number>();
  for (const { of, name, listeners } of EVENTS)
    for (const one of listeners) {
      const duration = durations[one.name];
      if (duration !== undefined) calls.set(callKey(of, name, one.sequence), duration);
    }
  return { path: '/', status: 200, duration: 3, at: '2026-01-01T00:00:00Z', calls };
}

describe('The phases of a request', () => {
  it('have the listeners of their events in calling order, with those of the events that these trigger', () => {
    const phases = lifecycleOf(EVENTS).map(({ name, listeners }) => [name, listeners.map((one) => one.name)]);
    expect(phases).toEqual([
      ['route', ['match']],
      ['authentication', ['authenticate', 'identify', 'enrich', 'method']],
      ['authorization', ['authorize', 'decide', 'audit']],
      ['content', ['negotiate', 'cache']],
      ['dispatch', ['handle']],
      ['render', ['render', 'JsonStrategy.selectRenderer']],
      ['response', ['send']],
      ['error', ['problem']],
    ]);
  });

  it('have each listener of a request event once, whatever its priority is', () => {
    const names = ['route', 'authentication', 'authorization', 'dispatch', 'render', 'response'];
    const anyEvent = fc
      .tuple(fc.constantFrom(...names), fc.array(fc.integer({ min: -20_000, max: 20_000 })))
      .map(([name, all]) =>
        event(
          name,
          [...all].sort((a, b) => b - a).map((priority) => listener('any', priority)),
        ),
      );
    fc.assert(
      fc.property(fc.uniqueArray(anyEvent, { selector: ({ name }) => name }), (events) => {
        const all = events.flatMap(({ listeners }) => listeners.map((one) => one.sequence));
        const phases = lifecycleOf(events);
        const found = phases.flatMap(({ listeners }) => listeners.map((one) => one.sequence));
        expect([...found].sort()).toEqual([...all].sort());
        expect(phases.map(({ name }) => name)).toEqual(phaseNames);
        const route = phases.flatMap(({ listeners }) => listeners.filter((one) => one.event === 'route'));
        const priorities = route.map(({ priority }) => priority);
        expect(priorities).toEqual([...priorities].sort((a, b) => b - a));
      }),
    );
  });
});

describe('The picture of the request lifecycle', () => {
  it('connects the phases in order, and leads nowhere from errors', () => {
    const { columns, edges } = lifecyclePicture(lifecycleOf(EVENTS), undefined);
    expect(columns.map(({ nodes }) => nodes[0]?.title)).toEqual([
      'Route',
      'Authentication',
      'Authorization',
      'Negotiation',
      'Dispatch',
      'Render',
      'Response',
      'Error',
    ]);
    expect(edges.map(({ from, to }) => `${from} ${to}`)).toEqual([
      'phase:route phase:authentication',
      'phase:authentication phase:authorization',
      'phase:authorization phase:content',
      'phase:content phase:dispatch',
      'phase:dispatch phase:render',
      'phase:render phase:response',
    ]);
  });

  it('shows priority and module of a listener, and its duration once a request was measured', () => {
    const phases = lifecycleOf(EVENTS);
    const details = (one: RequestMeasurement | undefined): readonly string[] =>
      lifecyclePicture(phases, one).columns[0]?.nodes.map(({ detail }) => detail) ?? [];
    expect(details(undefined)).toEqual(['1 listener', '1 · shop']);
    expect(details(measured({ match: 1.234 }))).toEqual(['slowest: 1.2 ms', '1.2 ms · shop']);
    const idle = lifecyclePicture(phases, measured({ match: 1 })).columns[4]?.nodes[1];
    expect([idle?.kind, idle?.detail]).toEqual(['open', 'not called · shop']);
  });

  it('shows the strategy of a view listener, and the whole name in its label', () => {
    const render = lifecyclePicture(lifecycleOf(EVENTS), undefined).columns[5]?.nodes[2];
    expect([render?.title, render?.detail, render?.label]).toEqual([
      'JsonStrategy',
      '100 · event renderer',
      'JsonStrategy.selectRenderer: view event renderer, priority 100, module shop',
    ]);
  });

  it('ends a long phase with the number of the others', () => {
    const many = event(
      'dispatch',
      Array.from({ length: 200 }, (_, at) => listener(`listener${at}`, -at)),
    );
    const nodes = lifecyclePicture(lifecycleOf([many]), undefined).columns[4]?.nodes ?? [];
    expect([nodes.length, nodes.at(-1)?.title, nodes.at(-1)?.href]).toEqual([
      9,
      '193 more listeners',
      `#application-dispatch-${many.listeners[7]?.sequence ?? ''}`,
    ]);
  });
});

it('formats durations with two significant digits', () => {
  expect([0.001, 0.0123, 0.5, 9.96, 12.6, 1234.4].map(formatDuration)).toEqual([
    '< 0.01 ms',
    '0.012 ms',
    '0.5 ms',
    '10 ms',
    '13 ms',
    '1234 ms',
  ]);
});
