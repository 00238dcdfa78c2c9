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
  it('ends with the first result that the predicate is true of', () => {
    const events = listening('a', 'b', 'c');
    expect(list(events.triggerUntil((result) => result === 'b', 'saved', new Event()))).toEqual(['a', 'b']);
  });

  it('has that result as its last, and says that it was stopped', () => {
    const results = listening(1, 2, 3).triggerUntil((result) => result === 2, 'saved', new Event());
    expect(results).toMatchObject({ first: 1, last: 2, length: 2, stopped: true });
  });

  it('says that it was not stopped when the predicate is never true', () => {
    const results = listening(1, 2).triggerUntil(() => false, 'saved', new Event());
    expect(results).toMatchObject({ first: 1, last: 2, length: 2, stopped: false });
  });

  it('looks at what an asynchronous listener promised', async () => {
    const events = listening(1, Promise.resolve(2), 3);
    const results = await events.triggerUntil((result) => result === 2, 'saved', new Event());
    expect([...results]).toEqual([1, 2]);
    expect(results.stopped).toBe(true);
  });
});

describe('stopPropagation', () => {
  it('keeps later listeners from running', () => {
    const events = new EventManager<Events>();
    const later = jest.fn();
    events.attach('saved', (event) => event.stopPropagation(), 2);
    events.attach('saved', later, 1);
    expect(events.trigger('saved', new Event())).toMatchObject({ length: 1, stopped: true });
    expect(later).not.toHaveBeenCalled();
  });

  it('counts when an asynchronous listener calls it before it is done', async () => {
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

  it('holds for one trigger only: the same event may be triggered again', () => {
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
  it('hold what each listener returned, in order', () => {
    expect(list(listening('x', undefined, 0).trigger('saved', new Event()))).toEqual(['x', undefined, 0]);
  });

  it('know their first, their last and what they contain', () => {
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
