import path from 'node:path';
import { compileFunction } from 'node:vm';
import { callSite, captureStack } from '../../../src/framework/events/call-site';
import { functionName } from '../../../src/framework/events/listener-registration';
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

describe('An event manager describes its listeners', () => {
  it('in calling order', () => {
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

  it('with those of every event as *', () => {
    const events = new EventManager<Events>();
    events.attach('*', named('trace'));
    expect(events.describe()).toMatchObject([{ event: '*', name: 'trace' }]);
  });

  it('without those of events that are left out', () => {
    const events = new EventManager<Events>();
    for (const name of ['saved', 'removed'] as const) events.attach(name, named('log'));
    expect(events.describe(['saved'])).toMatchObject([{ event: 'removed' }]);
  });

  it('only while they are attached', () => {
    const events = new EventManager<Events>();
    events.attach('saved', named('brief'))();
    expect(events.describe()).toEqual([]);
  });

  it('by group and by the function that they call if they have no name', () => {
    const events = new EventManager<Events>();
    events.attachGroup(new Audit());
    events.attach('saved', () => undefined);
    expect(events.describe().map(({ event, name }) => `${event} ${name}`)).toEqual([
      'saved anonymous',
      'saved Audit.note',
      'removed Audit.forget',
    ]);
  });

  it.each([
    ['(event) => select(event)', 'select'],
    // As TypeScript compiles a call of an imported function.
    ['(event) => (0, request_1.select)(event)', 'select'],
    ['async (event) => await (0, request_1.select)(event)', 'select'],
    ['(event) => (0, request_1.select)', undefined],
    ['(event) => (0, request_1.default)(event)', undefined],
    ['(event) => (0, request_1.defaults)(event)', 'defaults'],
  ])('by the function that is called in %s: %s', (text, name) => {
    expect(functionName('', text)).toBe(name);
  });

  it.each(['default', 'default_1'])('by the function that it calls if it is the export %s', (name) => {
    expect(functionName(name, '(event) => log(event)')).toBe('log');
    expect(functionName(name, `function ${name}(event) { log(event); }`)).toBeUndefined();
    expect(functionName('defaults', '(event) => log(event)')).toBe('defaults');
  });

  it('with the file that attaches them, also in groups', () => {
    const events = new EventManager<Events>();
    events.attachGroup(new Audit());
    for (const { source } of events.describe()) {
      expect(path.basename(fileOf(source))).toBe('describe-listeners.spec.ts');
      expect(source).toMatch(/:\d+$/);
    }
  });
});

describe('The owner of a listener is', () => {
  it('the framework by default', () => {
    const events = new EventManager<Events>();
    events.attach('saved', () => undefined);
    expect(events.describe()).toMatchObject([{ owner: 'framework' }]);
  });

  it('the owner of the current action, also if that is asynchronous', async () => {
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

  it('the framework again after an action has failed', async () => {
    const attribution = new Attribution();
    const fail = (): never => {
      throw new Error('no');
    };
    expect(() => attribution.as({ owner: 'shop' }, fail)).toThrow('no');
    expect(attribution.currentSource().owner).toBe('framework');
    await expect(attribution.as({ owner: 'shop' }, () => Promise.reject(new Error('no')))).rejects.toThrow();
    expect(attribution.currentSource().owner).toBe('framework');
  });

  it('completed by its location in the configuration', () => {
    const events = new EventManager<Events>();
    void events.attribution.as({ owner: 'shop', source: 'config/autoload/local.json:3:5' }, () => {
      events.attach('saved', () => undefined);
    });
    expect(events.describe()).toMatchObject([{ source: 'config/autoload/local.json:3:5' }]);
  });
});

it('Observers are described until they are removed', () => {
  const attribution = new Attribution();
  const observers = new Observers<{ completed: number }>(() => undefined, attribution);
  const leave = observers.observe('completed', named('count'));
  expect(observers.describe()).toMatchObject([{ event: 'completed', name: 'count', owner: 'framework' }]);
  leave();
  expect(observers.describe()).toEqual([]);
});

describe('The call site in a stack', () => {
  const framework = path.resolve(__dirname, '../../../src/framework');
  const stack = (...frames: readonly string[]): string =>
    ['Error', ...frames.map((at) => `    at ${at}`)].join('\n');

  it('is the first frame outside the framework, in every format of frames', () => {
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

  it('is within the framework for its own listeners', () => {
    const events = `EventManager.attach (${framework}/events/event-manager.js:70:5)`;
    const own = `FrameworkListeners.listeners (${framework}/mvc/framework-listeners.js:42:14)`;
    expect(callSite(stack(events, own, 'start (/srv/start.js:1:1)'), true)).toBe(
      `${framework}/mvc/framework-listeners.js:42`,
    );
  });

  it('is unknown in code without files, also if a program formats stacks by their first frame', () => {
    const { prepareStackTrace } = Error;
    const deep = compileFunction(
      'return n === 0 ? capture(false) : deep(n - 1, deep, capture)',
      ['n', 'deep', 'capture'],
      { filename: 'shop' },
    ) as (n: number, deep: unknown, capture: typeof captureStack) => string;
    Error.prepareStackTrace = (_, [site]) => {
      if (site === undefined) throw new Error('The stack has no frame.');
      return `    at ${site.getFileName()}:1:1`;
    };
    try {
      expect(callSite(deep(20, deep, captureStack), false)).toBeUndefined();
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
    }
  });

  it('is undefined for other strings', () => {
    expect(callSite('', false)).toBeUndefined();
    expect(callSite('Error: no\n    at <anonymous>', false)).toBeUndefined();
  });
});
