import fc from 'fast-check';
import { Event, EventManager } from '../../../src/framework';
import { synchronous } from '../../factories/synchronous';

interface Events {
  saved: Event;
  removed: Event;
}

function recorder(): { readonly calls: string[]; record(name: string): () => void } {
  const calls: string[] = [];
  return { calls, record: (name) => () => void calls.push(name) };
}

describe('The order in which listeners run', () => {
  it('is by priority, higher first', () => {
    const events = new EventManager<Events>();
    const { calls, record } = recorder();
    events.attach('saved', record('late'), -10);
    events.attach('saved', record('early'), 100);
    events.attach('saved', record('middle'), 5);
    synchronous(events.trigger('saved', new Event()));
    expect(calls).toEqual(['early', 'middle', 'late']);
  });

  it('is the order of attachment between equal priorities', () => {
    const events = new EventManager<Events>();
    const { calls, record } = recorder();
    events.attach('saved', record('first'), 7);
    events.attach('saved', record('second'), 7);
    events.attach('saved', record('third'), 7);
    synchronous(events.trigger('saved', new Event()));
    expect(calls).toEqual(['first', 'second', 'third']);
  });

  it('uses 1 as the default priority', () => {
    const events = new EventManager<Events>();
    const { calls, record } = recorder();
    events.attach('saved', record('zero'), 0);
    events.attach('saved', record('none'));
    events.attach('saved', record('two'), 2);
    synchronous(events.trigger('saved', new Event()));
    expect(calls).toEqual(['two', 'none', 'zero']);
  });

  it('is the same for every trigger', () => {
    const events = new EventManager<Events>();
    const { calls, record } = recorder();
    events.attach('saved', record('b'), 1);
    events.attach('saved', record('a'), 2);
    synchronous(events.trigger('saved', new Event()));
    synchronous(events.trigger('saved', new Event()));
    expect(calls).toEqual(['a', 'b', 'a', 'b']);
  });

  it('includes the listeners of every event by their priority', () => {
    const events = new EventManager<Events>();
    const { calls, record } = recorder();
    events.attach('saved', record('named 10'), 10);
    events.attach('*', record('any 5'), 5);
    events.attach('saved', record('named 1'), 1);
    events.attach('*', record('any 20'), 20);
    synchronous(events.trigger('saved', new Event()));
    expect(calls).toEqual(['any 20', 'named 10', 'any 5', 'named 1']);
  });

  it('calls a listener of every event for each one, with its name', () => {
    const events = new EventManager<Events>();
    const names: string[] = [];
    events.attach('*', (event) => void names.push(event.name));
    const event = new Event();
    synchronous(events.trigger('saved', event));
    synchronous(events.trigger('removed', event));
    expect(names).toEqual(['saved', 'removed']);
  });

  it('is by priority and then by attachment, for any listeners', () => {
    const attachment = fc.record({ priority: fc.integer({ min: -3, max: 3 }), any: fc.boolean() });
    fc.assert(
      fc.property(fc.array(attachment, { maxLength: 30 }), (attachments) => {
        const events = new EventManager<Events>();
        const calls: number[] = [];
        attachments.forEach(({ priority, any }, at) => {
          const listener = (): void => void calls.push(at);
          if (any) events.attach('*', listener, priority);
          else events.attach('saved', listener, priority);
        });
        synchronous(events.trigger('saved', new Event()));
        const expected = attachments
          .map(({ priority }, at) => ({ priority, at }))
          .sort((a, b) => b.priority - a.priority || a.at - b.at);
        expect(calls).toEqual(expected.map(({ at }) => at));
        expect(events.count('saved')).toBe(attachments.length);
      }),
    );
  });
});
