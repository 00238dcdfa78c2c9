import { Event, EventManager, type ListenerCall } from '../../../src/framework';

interface Events {
  one: Event;
  two: Event;
}

function observed(): { events: EventManager<Events>; calls: ListenerCall[]; end: () => void } {
  const events = new EventManager<Events>();
  const calls: ListenerCall[] = [];
  return { events, calls, end: events.observeCalls((call) => calls.push(call)) };
}

afterEach(() => jest.restoreAllMocks());

describe('An observer of calls', () => {
  it('receives the duration of every call, with the event and the sequence of the listener', async () => {
    let clock = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => clock);
    const { events, calls } = observed();
    events.attach('one', () => void (clock += 5), 1);
    events.attach('one', () => Promise.resolve().then(() => void (clock += 20)), 2);
    events.attach('*', () => undefined, -1);
    const event = new Event();
    await events.trigger('one', event);
    expect(calls.map(({ name, sequence, event: of }) => [name, sequence, of === event])).toEqual([
      ['one', 1, true],
      ['one', 0, true],
      ['one', 2, true],
    ]);
    expect(calls.map(({ started, duration }) => [started, duration])).toEqual([
      [0, 20],
      [20, 5],
      [25, 0],
    ]);
  });

  it('changes neither results nor errors', async () => {
    const { events, calls } = observed();
    events.attach('one', () => 'a');
    events.attach('one', () => Promise.resolve('b'));
    expect([...(await events.trigger('one', new Event()))]).toEqual(['a', 'b']);
    events.attach('two', () => {
      throw new RangeError('thrown');
    });
    expect(() => events.trigger('two', new Event())).toThrow(RangeError);
    events.attach('two', () => Promise.reject(new TypeError('rejected')), 5);
    await expect(events.trigger('two', new Event())).rejects.toThrow(TypeError);
    expect(calls.map(({ name }) => name)).toEqual(['one', 'one', 'two', 'two']);
  });

  it('keeps triggers of synchronous listeners synchronous', () => {
    const { events } = observed();
    events.attach('one', () => 1);
    expect(events.trigger('one', new Event())).toMatchObject({ last: 1 });
  });

  it('is not called any more after it has ended, nor is the listener wrapped', () => {
    const { events, calls, end } = observed();
    const receivers: unknown[] = [];
    events.attach('one', () => receivers.push(new Error('trace').stack));
    void events.trigger('one', new Event());
    const { revision } = events;
    end();
    void events.trigger('one', new Event());
    expect(calls).toHaveLength(1);
    expect(receivers.map((stack) => String(stack).includes('call-observer.ts'))).toEqual([true, false]);
    expect(events.revision).toBe(revision);
  });
});
