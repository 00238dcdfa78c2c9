import path from 'node:path';
import { callSite } from '../../../src/framework/events/call-site';
import { Attribution, type Event, EventManager, Listeners, Observers } from '../../../src/framework';

interface Events {
  saved: Event;
  removed: Event;
}

/** A listener that does nothing. */
function named(name: string): () => undefined {
  return Object.defineProperty(() => undefined, 'name', { value: name });
}

/** The source without its line. */
const fileOf = (source: string | undefined): string => (source ?? '').replace(/:\d+$/, '');

class Audit extends Listeners<Events> {
  protected override listeners(events: EventManager<Events>): readonly (() => void)[] {
    return [
      events.attach('saved', (event) => this.#note(event), -5),
      events.attach('removed', function forget() {
        return undefined;
      }),
    ];
  }

  #note(event: Event): string {
    return event.name;
  }
}

describe('An event manager tells of its listeners', () => {
  it('in the order in which they are called', () => {
    const events = new EventManager<Events>();
    events.attach('saved', named('second'), 1);
    events.attach('saved', named('third'), 1);
    events.attach('saved', named('first'), 2);
    expect(events.describe().map(({ name, priority }) => [name, priority])).toEqual([
      ['first', 2],
      ['second', 1],
      ['third', 1],
    ]);
  });

  it('with those of every event under a star', () => {
    const events = new EventManager<Events>();
    events.attach('*', named('trace'));
    expect(events.describe()).toMatchObject([{ event: '*', name: 'trace' }]);
  });

  it('no more when they were detached', () => {
    const events = new EventManager<Events>();
    events.attach('saved', named('brief'))();
    expect(events.describe()).toEqual([]);
  });

  it('by group and by what their code calls, where they have no name', () => {
    const events = new EventManager<Events>();
    events.attachGroup(new Audit());
    events.attach('saved', () => undefined);
    expect(events.describe().map(({ event, name }) => `${event} ${name}`)).toEqual([
      'saved anonymous',
      'saved Audit.note',
      'removed Audit.forget',
    ]);
  });

  it('with the file in which they are attached, also where a group attaches them', () => {
    const events = new EventManager<Events>();
    events.attachGroup(new Audit());
    for (const { source } of events.describe()) {
      expect(path.basename(fileOf(source))).toBe('describe-listeners.spec.ts');
      expect(source).toMatch(/:\d+$/);
    }
  });
});

describe('What is attached belongs to', () => {
  it('the framework, unless somebody else is at work', () => {
    const events = new EventManager<Events>();
    events.attach('saved', () => undefined);
    expect(events.describe()).toMatchObject([{ owner: 'framework' }]);
  });

  it('who is at work, also when that takes time, and no longer', async () => {
    const events = new EventManager<Events>();
    await events.attribution.as({ owner: 'shop' }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      events.attach('saved', named('late'));
    });
    events.attach('removed', named('after'));
    expect(events.describe().map(({ name, owner }) => [name, owner])).toEqual([
      ['late', 'shop'],
      ['after', 'framework'],
    ]);
  });

  it('the framework again after somebody has failed', async () => {
    const attribution = new Attribution();
    const fail = (): never => {
      throw new Error('no');
    };
    expect(() => attribution.as({ owner: 'shop' }, fail)).toThrow('no');
    expect(attribution.currentSource().owner).toBe('framework');
    await expect(attribution.as({ owner: 'shop' }, () => Promise.reject(new Error('no')))).rejects.toThrow();
    expect(attribution.currentSource().owner).toBe('framework');
  });

  it('a place in configuration, where that has named it', () => {
    const events = new EventManager<Events>();
    void events.attribution.as({ owner: 'shop', source: 'config/autoload/local.json:3:5' }, () => {
      events.attach('saved', () => undefined);
    });
    expect(events.describe()).toMatchObject([{ source: 'config/autoload/local.json:3:5' }]);
  });
});

it('tells of the observers too, until they leave', () => {
  const attribution = new Attribution();
  const observers = new Observers<{ completed: number }>(() => undefined, attribution);
  const leave = observers.observe('completed', named('count'));
  expect(observers.describe()).toMatchObject([{ event: 'completed', name: 'count', owner: 'framework' }]);
  leave();
  expect(observers.describe()).toEqual([]);
});

describe('The place that a stack comes from', () => {
  const framework = path.resolve(__dirname, '../../../src/framework');
  const stack = (...frames: readonly string[]): string =>
    ['Error', ...frames.map((at) => `    at ${at}`)].join('\n');

  it('is the first outside the framework, in every way in which frames are written', () => {
    const events = `EventManager.attach (${framework}/events/event-manager.js:70:5)`;
    const strategy = `registerStrategy (${framework}/application/register-strategy.js:9:5)`;
    expect(callSite(stack(events, strategy, 'Shop.onBootstrap (/srv/shop/index.js:12:34)'), false)).toBe(
      '/srv/shop/index.js:12',
    );
    expect(callSite(stack(events, 'file:///srv/my%20shop/index.mjs:3:1'), false)).toBe(
      '/srv/my shop/index.mjs:3',
    );
    expect(callSite(stack(events, 'async Shop.onBootstrap (file:///srv/shop.mjs:3:1)'), false)).toBe(
      '/srv/shop.mjs:3',
    );
    expect(callSite(stack(events, 'node:internal/process/task_queues:95:5', '/srv/shop.js:1:2'), false)).toBe(
      '/srv/shop.js:1',
    );
  });

  it('is within the framework for what is its own', () => {
    const events = `EventManager.attach (${framework}/events/event-manager.js:70:5)`;
    const own = `FrameworkListeners.listeners (${framework}/mvc/framework-listeners.js:42:14)`;
    expect(callSite(stack(events, own, 'start (/srv/start.js:1:1)'), true)).toBe(
      `${framework}/mvc/framework-listeners.js:42`,
    );
  });

  it('is not known for what is no stack', () => {
    expect(callSite('', false)).toBeUndefined();
    expect(callSite('Error: no\n    at <anonymous>', false)).toBeUndefined();
  });
});
