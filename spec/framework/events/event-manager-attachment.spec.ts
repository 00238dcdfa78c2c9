import { Event, EventManager } from '../../../src/framework';
import { synchronous } from '../../factories/synchronous';

interface Events {
  saved: Event;
  removed: Event;
}

describe('Attaching and detaching while an event is under way', () => {
  it('lets a listener that was attached count from the next trigger', () => {
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

  it('lets a listener that was detached run to the end of this trigger, and not in the next', () => {
    const events = new EventManager<Events>();
    const later = jest.fn();
    events.attach('saved', () => events.detach(later), 10);
    events.attach('saved', later, 1);
    synchronous(events.trigger('saved', new Event()));
    expect(later).toHaveBeenCalledTimes(1);
    synchronous(events.trigger('saved', new Event()));
    expect(later).toHaveBeenCalledTimes(1);
  });

  it('keeps the list of an asynchronous trigger while others come and go', async () => {
    const events = new EventManager<Events>();
    const heard: string[] = [];
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    events.attach('saved', () => gate, 10);
    const detach = events.attach('saved', () => heard.push('there before'), 1);
    const done = events.trigger('saved', new Event());
    detach();
    events.attach('saved', () => heard.push('too late'), 2);
    go();
    await done;
    expect(heard).toEqual(['there before']);
  });

  it('lets a listener trigger another event, and the same one, within', () => {
    const events = new EventManager<Events>();
    const heard: string[] = [];
    let depth = 0;
    events.attach('saved', () => {
      heard.push(`saved ${depth}`);
      if (depth++ === 0) synchronous(events.trigger('saved', new Event()));
      else synchronous(events.trigger('removed', new Event()));
    });
    events.attach('removed', () => heard.push('removed'));
    synchronous(events.trigger('saved', new Event()));
    expect(heard).toEqual(['saved 0', 'saved 1', 'removed']);
  });
});

describe('Detaching', () => {
  it('is what the function that attach returned does, for this one attachment', () => {
    const events = new EventManager<Events>();
    const listener = jest.fn();
    const detach = events.attach('saved', listener);
    events.attach('saved', listener);
    detach();
    detach();
    synchronous(events.trigger('saved', new Event()));
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('takes a listener off one event when a name is given', () => {
    const events = new EventManager<Events>();
    const listener = jest.fn();
    events.attach('saved', listener);
    events.attach('removed', listener);
    events.detach(listener, 'saved');
    expect(events.count('saved')).toBe(0);
    expect(events.count('removed')).toBe(1);
  });

  it('takes a listener off every event, "*" among them, when none is', () => {
    const events = new EventManager<Events>();
    const listener = jest.fn();
    events.attach('saved', listener);
    events.attach('*', listener);
    events.detach(listener);
    synchronous(events.trigger('saved', new Event()));
    expect(listener).not.toHaveBeenCalled();
  });

  it('does nothing for a listener or an event that nobody knows', () => {
    const events = new EventManager<Events>();
    events.attach('saved', () => 'kept');
    events.detach(() => undefined);
    events.detach(() => undefined, 'removed');
    expect(events.trigger('saved', new Event())).toMatchObject({ last: 'kept' });
  });
});
