import { Event, EventManager } from '../../../src/framework';
import { synchronous } from '../../factories/synchronous';

interface Events {
  saved: Event;
  removed: Event;
}

describe('Attaching and detaching during a trigger', () => {
  it('calls a newly attached listener from the next trigger on', () => {
    const events = new EventManager<Events>();
    const added = jest.fn();
    const detach = events.attach('saved', () => {
      detach();
      events.attach('saved', added, -5);
    });
    synchronous(events.trigger('saved', new Event()));
    expect(added).not.toHaveBeenCalled();
    synchronous(events.trigger('saved', new Event()));
    expect(added).toHaveBeenCalledTimes(1);
  });

  it('still calls a detached listener in the current trigger, but not in the next one', () => {
    const events = new EventManager<Events>();
    const later = jest.fn();
    events.attach('saved', () => events.detach(later), 10);
    events.attach('saved', later, 1);
    synchronous(events.trigger('saved', new Event()));
    expect(later).toHaveBeenCalledTimes(1);
    synchronous(events.trigger('saved', new Event()));
    expect(later).toHaveBeenCalledTimes(1);
  });

  it('does not change the list of an asynchronous trigger', async () => {
    const events = new EventManager<Events>();
    const calls: string[] = [];
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    events.attach('saved', () => gate, 10);
    const detach = events.attach('saved', () => calls.push('there before'), 1);
    const done = events.trigger('saved', new Event());
    detach();
    events.attach('saved', () => calls.push('too late'), 2);
    go();
    await done;
    expect(calls).toEqual(['there before']);
  });

  it('allows a listener to trigger other events and the same one', () => {
    const events = new EventManager<Events>();
    const calls: string[] = [];
    let depth = 0;
    events.attach('saved', () => {
      calls.push(`saved ${depth}`);
      if (depth++ === 0) synchronous(events.trigger('saved', new Event()));
      else synchronous(events.trigger('removed', new Event()));
    });
    events.attach('removed', () => calls.push('removed'));
    synchronous(events.trigger('saved', new Event()));
    expect(calls).toEqual(['saved 0', 'saved 1', 'removed']);
  });
});

describe('Detaching', () => {
  it('is done by the function that attach returns, for this one registration', () => {
    const events = new EventManager<Events>();
    const listener = jest.fn();
    const detach = events.attach('saved', listener);
    events.attach('saved', listener);
    detach();
    detach();
    synchronous(events.trigger('saved', new Event()));
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('removes a listener from one event by name', () => {
    const events = new EventManager<Events>();
    const listener = jest.fn();
    events.attach('saved', listener);
    events.attach('removed', listener);
    events.detach(listener, 'saved');
    expect(events.count('saved')).toBe(0);
    expect(events.count('removed')).toBe(1);
  });

  it('removes a listener from every event, including "*", without a name', () => {
    const events = new EventManager<Events>();
    const listener = jest.fn();
    events.attach('saved', listener);
    events.attach('*', listener);
    events.detach(listener);
    synchronous(events.trigger('saved', new Event()));
    expect(listener).not.toHaveBeenCalled();
  });

  it('does nothing for unknown listeners and events', () => {
    const events = new EventManager<Events>();
    events.attach('saved', () => 'kept');
    events.detach(() => undefined);
    events.detach(() => undefined, 'removed');
    expect(events.trigger('saved', new Event())).toMatchObject({ last: 'kept' });
  });
});

describe('Attaching what JavaScript does not check', () => {
  it.each<[string, readonly unknown[], string]>([
    ['a priority before the listener', [-50, () => undefined], 'not -50 and a function.'],
    ['no listener', [], 'not undefined and 1.'],
    ['a priority that is a text', [() => undefined, 'high'], 'not a function and the string "high".'],
    ['a priority that is not a number', [() => undefined, NaN], 'not a function and NaN.'],
  ])('is an error that says what is needed: %s', (_, rest, message) => {
    const events = new EventManager<Events>();
    const attach = (): unknown => Reflect.apply(events.attach, events, ['saved', ...rest]);
    expect(attach).toThrow(`attach('saved', listener, priority) needs a function and a number, ${message}`);
    expect(events.count('saved')).toBe(0);
  });
});
