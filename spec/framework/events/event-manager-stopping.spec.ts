import { Event, EventManager, type ResultCollection } from '../../../src/framework';
import { synchronous } from '../../factories/synchronous';

interface Events {
  saved: Event;
}

function listening(...results: readonly unknown[]): EventManager<Events> {
  const events = new EventManager<Events>();
  for (const result of results) events.attach('saved', () => result);
  return events;
}

const list = (results: ResultCollection | Promise<ResultCollection>): unknown[] => [...synchronous(results)];

describe('triggerUntil', () => {
  it('stops at the first result that matches the predicate', () => {
    const events = listening('a', 'b', 'c');
    expect(list(events.triggerUntil((result) => result === 'b', 'saved', new Event()))).toEqual(['a', 'b']);
  });

  it('has that result as its last one, and is marked as stopped', () => {
    const results = listening(1, 2, 3).triggerUntil((result) => result === 2, 'saved', new Event());
    expect(results).toMatchObject({ first: 1, last: 2, length: 2, stopped: true });
  });

  it('is not marked as stopped without a match', () => {
    const results = listening(1, 2).triggerUntil(() => false, 'saved', new Event());
    expect(results).toMatchObject({ first: 1, last: 2, length: 2, stopped: false });
  });

  it('tests the resolved values of asynchronous listeners', async () => {
    const events = listening(1, Promise.resolve(2), 3);
    const results = await events.triggerUntil((result) => result === 2, 'saved', new Event());
    expect([...results]).toEqual([1, 2]);
    expect(results.stopped).toBe(true);
  });
});

describe('stopPropagation', () => {
  it('skips later listeners', () => {
    const events = new EventManager<Events>();
    const later = jest.fn();
    events.attach('saved', (event) => event.stopPropagation(), 2);
    events.attach('saved', later, 1);
    expect(events.trigger('saved', new Event())).toMatchObject({ length: 1, stopped: true });
    expect(later).not.toHaveBeenCalled();
  });

  it('works in an asynchronous listener', async () => {
    const events = new EventManager<Events>();
    const later = jest.fn();
    events.attach('saved', async (event) => {
      await Promise.resolve();
      event.stopPropagation();
    });
    events.attach('saved', later);
    expect((await events.trigger('saved', new Event())).stopped).toBe(true);
    expect(later).not.toHaveBeenCalled();
  });

  it('affects one trigger only: the same event can be triggered again', () => {
    const events = new EventManager<Events>();
    let stop = true;
    const later = jest.fn();
    events.attach('saved', (event) => (stop ? event.stopPropagation() : undefined));
    events.attach('saved', later);
    const event = new Event();
    synchronous(events.trigger('saved', event));
    stop = false;
    expect(events.trigger('saved', event)).toMatchObject({ stopped: false });
    expect(later).toHaveBeenCalledTimes(1);
  });
});

describe('The results of a trigger', () => {
  it('contain the return value of each listener, in order', () => {
    expect(list(listening('x', undefined, 0).trigger('saved', new Event()))).toEqual(['x', undefined, 0]);
  });

  it('have first, last and contains', () => {
    const results = synchronous(listening('x', 'y').trigger('saved', new Event()));
    expect(results).toMatchObject({ first: 'x', last: 'y', length: 2 });
    expect(results.contains('y')).toBe(true);
    expect(results.contains('z')).toBe(false);
  });

  it('are empty without listeners', () => {
    const results = listening().trigger('saved', new Event());
    expect(results).toMatchObject({ first: undefined, last: undefined, length: 0, stopped: false });
  });
});
