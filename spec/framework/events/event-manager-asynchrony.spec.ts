import { setTimeout as wait } from 'node:timers/promises';
import { Event, EventManager } from '../../../src/framework';

interface Events {
  saved: Event;
}

describe('A trigger whose listeners are all synchronous', () => {
  it('returns its results without a promise', () => {
    const events = new EventManager<Events>();
    events.attach('saved', () => 1);
    events.attach('saved', () => ({ then: 'not a function' }));
    expect(events.trigger('saved', new Event())).toMatchObject({ length: 2, first: 1 });
  });

  it('throws the error of a listener, and does not run later ones', () => {
    const events = new EventManager<Events>();
    const later = jest.fn();
    events.attach('saved', () => {
      throw new Error('no disk');
    });
    events.attach('saved', later);
    expect(() => events.trigger('saved', new Event())).toThrow('no disk');
    expect(later).not.toHaveBeenCalled();
  });
});

describe('A trigger with asynchronous listeners', () => {
  it('awaits each listener before it calls the next one', async () => {
    const events = new EventManager<Events>();
    const steps: string[] = [];
    events.attach('saved', () => steps.push('sync 1'));
    events.attach('saved', async () => {
      steps.push('slow begins');
      await wait(10);
      steps.push('slow ends');
      return 'slow';
    });
    events.attach('saved', () => steps.push('sync 2'));
    events.attach('saved', async () => {
      await wait(1);
      steps.push('quick');
    });
    const results = await events.trigger('saved', new Event());
    expect(steps).toEqual(['sync 1', 'slow begins', 'slow ends', 'sync 2', 'quick']);
    expect([...results]).toEqual([1, 'slow', 4, undefined]);
  });

  it('calls the listeners up to the first promise synchronously', () => {
    const events = new EventManager<Events>();
    const before = jest.fn();
    events.attach('saved', before, 2);
    events.attach('saved', () => Promise.resolve(), 1);
    expect(events.trigger('saved', new Event())).toBeInstanceOf(Promise);
    expect(before).toHaveBeenCalledTimes(1);
  });

  it('accepts any thenable as a promise', async () => {
    const events = new EventManager<Events>();
    const thenable: PromiseLike<string> = { then: (done) => Promise.resolve('kept').then(done) };
    events.attach('saved', () => thenable);
    expect((await events.trigger('saved', new Event())).last).toBe('kept');
  });

  it('rejects with the error of a listener, and does not run later ones', async () => {
    const events = new EventManager<Events>();
    const later = jest.fn();
    events.attach('saved', () => Promise.reject(new Error('no network')));
    events.attach('saved', later);
    await expect(events.trigger('saved', new Event())).rejects.toThrow('no network');
    expect(later).not.toHaveBeenCalled();
  });

  it('rejects with the error of a synchronous listener after a promise', async () => {
    const events = new EventManager<Events>();
    events.attach('saved', () => Promise.resolve());
    events.attach('saved', () => {
      throw new Error('no disk');
    });
    await expect(events.trigger('saved', new Event())).rejects.toThrow('no disk');
  });
});
