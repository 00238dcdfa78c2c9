import fc from 'fast-check';
import { Event, EventManager } from '../../../src/framework';
import { synchronous } from '../../factories/synchronous';

interface Events {
  saved: Event;
  removed: Event;
}

function recorder(): { readonly heard: string[]; hear(name: string): () => void } {
  const heard: string[] = [];
  return { heard, hear: (name) => () => void heard.push(name) };
}

describe('The order in which listeners run', () => {
  it('is by priority, higher first', () => {
    const events = new EventManager<Events>();
    const { heard, hear } = recorder();
    events.attach('saved', hear('late'), -10);
    events.attach('saved', hear('early'), 100);
    events.attach('saved', hear('middle'), 5);
    synchronous(events.trigger('saved', new Event()));
    expect(heard).toEqual(['early', 'middle', 'late']);
  });

  it('is the order of attachment between equal priorities', () => {
    const events = new EventManager<Events>();
    const { heard, hear } = recorder();
    events.attach('saved', hear('first'), 7);
    events.attach('saved', hear('second'), 7);
    events.attach('saved', hear('third'), 7);
    synchronous(events.trigger('saved', new Event()));
    expect(heard).toEqual(['first', 'second', 'third']);
  });

  it('takes 1 for the priority of a listener that names none', () => {
    const events = new EventManager<Events>();
    const { heard, hear } = recorder();
    events.attach('saved', hear('zero'), 0);
    events.attach('saved', hear('none'));
    events.attach('saved', hear('two'), 2);
    synchronous(events.trigger('saved', new Event()));
    expect(heard).toEqual(['two', 'none', 'zero']);
  });

  it('stays the same from one trigger to the next', () => {
    const events = new EventManager<Events>();
    const { heard, hear } = recorder();
    events.attach('saved', hear('b'), 1);
    events.attach('saved', hear('a'), 2);
    synchronous(events.trigger('saved', new Event()));
    synchronous(events.trigger('saved', new Event()));
    expect(heard).toEqual(['a', 'b', 'a', 'b']);
  });

  it('merges the listeners of every event by their priority', () => {
    const events = new EventManager<Events>();
    const { heard, hear } = recorder();
    events.attach('saved', hear('named 10'), 10);
    events.attach('*', hear('any 5'), 5);
    events.attach('saved', hear('named 1'), 1);
    events.attach('*', hear('any 20'), 20);
    synchronous(events.trigger('saved', new Event()));
    expect(heard).toEqual(['any 20', 'named 10', 'any 5', 'named 1']);
  });

  it('calls a listener of every event for each of them, with the name it was triggered under', () => {
    const events = new EventManager<Events>();
    const names: string[] = [];
    events.attach('*', (event) => void names.push(event.name));
    const event = new Event();
    synchronous(events.trigger('saved', event));
    synchronous(events.trigger('removed', event));
    expect(names).toEqual(['saved', 'removed']);
  });

  it('is by priority and then by attachment whatever was attached, named or to every event', () => {
    const attachment = fc.record({ priority: fc.integer({ min: -3, max: 3 }), any: fc.boolean() });
    fc.assert(
      fc.property(fc.array(attachment, { maxLength: 30 }), (attachments) => {
        const events = new EventManager<Events>();
        const heard: number[] = [];
        attachments.forEach(({ priority, any }, at) => {
          const hear = (): void => void heard.push(at);
          if (any) events.attach('*', hear, priority);
          else events.attach('saved', hear, priority);
        });
        synchronous(events.trigger('saved', new Event()));
        const expected = attachments
          .map(({ priority }, at) => ({ priority, at }))
          .sort((a, b) => b.priority - a.priority || a.at - b.at);
        expect(heard).toEqual(expected.map(({ at }) => at));
        expect(events.count('saved')).toBe(attachments.length);
      }),
    );
  });
});
