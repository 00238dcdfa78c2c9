import fc from 'fast-check';
import { Event, EventManager, type ResultCollection } from '../../../src/framework';

/** The behavior of a listener. */
type Act =
  'nothing' | 'returns' | 'stops' | 'stops another' | 'throws' | 'promises' | 'promises nothing' | 'rejects';

const acts = fc.array(
  fc.constantFrom<Act>(
    'nothing',
    'nothing',
    'nothing',
    'returns',
    'stops',
    'stops another',
    'throws',
    'promises',
    'promises nothing',
    'rejects',
  ),
  { maxLength: 8 },
);

/** The number of triggers until a list is compiled, plus one. */
const PROVING = 1_000;

function perform(act: Act, at: number, event: Event): unknown {
  switch (act) {
    case 'nothing':
      return undefined;
    case 'returns':
      return at;
    case 'stops':
      event.stopPropagation();
      return undefined;
    case 'stops another':
      new Event().stopPropagation();
      return undefined;
    case 'throws':
      throw new Error(`thrown by ${at}`);
    case 'promises':
      return Promise.resolve(at);
    case 'promises nothing':
      return Promise.resolve();
    case 'rejects':
      return Promise.reject(new Error(`rejected by ${at}`));
  }
}

/** Listeners that do nothing until they are enabled. */
function listenersOf(list: readonly Act[]): {
  events: EventManager<{ happened: Event }>;
  begin: () => void;
  called: number[];
} {
  const events = new EventManager<{ happened: Event }>();
  const called: number[] = [];
  let hasBegun = false;
  list.forEach((act, at) =>
    events.attach('happened', (event) => {
      if (!hasBegun) return undefined;
      called.push(at);
      return perform(act, at, event);
    }),
  );
  return { events, begin: () => (hasBegun = true), called };
}

type Outcome = { results: unknown[]; last: unknown; length: number; stopped: boolean } | { error: string };

async function outcomeOf(trigger: () => ResultCollection | Promise<ResultCollection>): Promise<Outcome> {
  try {
    const results = await trigger();
    const { last, length, stopped } = results;
    return { results: [...results], last, length, stopped };
  } catch (error) {
    return { error: String(error) };
  }
}

describe('A compiled list of listeners', () => {
  it('behaves like one that is not compiled', async () => {
    await fc.assert(
      fc.asyncProperty(acts, fc.constantFrom('all', 'a number', 'nothing'), async (list, ends) => {
        const until = (result: unknown): boolean =>
          ends === 'a number' ? typeof result === 'number' : ends === 'nothing' && result === undefined;
        const observed = [];
        for (const times of [0, PROVING]) {
          const { events, begin, called } = listenersOf(list);
          for (let time = 0; time < times; time++) void events.trigger('happened', new Event());
          begin();
          const event = new Event();
          const outcome = await outcomeOf(() =>
            ends === 'all'
              ? events.trigger('happened', event)
              : events.triggerUntil(until, 'happened', event),
          );
          observed.push({ outcome, called, name: event.name, stopped: event.propagationIsStopped });
        }
        expect(observed[1]).toEqual(observed[0]);
      }),
      { numRuns: 300 },
    );
  });

  it('is synchronous if no listener returns a promise', () => {
    const { events, begin } = listenersOf(['nothing', 'returns']);
    for (let time = 0; time <= PROVING; time++) void events.trigger('happened', new Event());
    begin();
    expect(events.trigger('happened', new Event())).toMatchObject({ length: 2, last: 1 });
  });

  it('appears with the name of the event in stack traces', () => {
    const { events, begin } = listenersOf(['throws']);
    for (let time = 0; time <= PROVING; time++) void events.trigger('happened', new Event());
    begin();
    let stack: string | undefined;
    try {
      void events.trigger('happened', new Event());
    } catch (error) {
      if (error instanceof Error) ({ stack } = error);
    }
    expect(stack).toContain('listeners of "happened"');
  });

  it('includes a listener that is attached later', () => {
    const { events } = listenersOf(['nothing']);
    for (let time = 0; time <= PROVING; time++) void events.trigger('happened', new Event());
    const detach = events.attach('happened', () => 'new');
    expect(events.trigger('happened', new Event())).toMatchObject({ length: 2, last: 'new' });
    detach();
    expect(events.trigger('happened', new Event())).toMatchObject({ length: 1 });
  });

  it('is not compiled if it is too long', () => {
    const events = new EventManager<{ happened: Event }>();
    let calls = 0;
    for (let at = 0; at < 100; at++)
      events.attach('happened', () => {
        calls++;
      });
    for (let time = 0; time <= PROVING; time++) void events.trigger('happened', new Event());
    expect(calls).toBe(100 * (PROVING + 1));
  });
});
