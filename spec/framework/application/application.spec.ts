import { ContainerModule } from 'inversify';
import { JsonModel, SharedState, type Module } from '../../../src/framework';
import { startTestPlatform } from '../../factories/platform';
import { routesModule, startFramework } from '../../factories/routes';
import { startRefusal } from '../../factories/processes/start-refusal';

const wait = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

describe('Building an application', () => {
  it('bootstraps the modules sequentially, each after those it requires', async () => {
    const order: string[] = [];
    const module = (name: string, ...requires: readonly string[]): Module => ({
      name,
      requires,
      async onBootstrap() {
        order.push(`${name} begins`);
        await wait(5);
        order.push(`${name} ends`);
      },
    });
    const platform = await startTestPlatform({ modules: [], extra: [module('b', 'a'), module('a')] });
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    await platform.stop();
  });

  it('binds all services before the first module is bootstrapped', async () => {
    let found: unknown;
    const early: Module = {
      name: 'early',
      async onBootstrap({ application: { services } }) {
        found = await services.get('Late');
      },
    };
    const late: Module = {
      name: 'late',
      services: new ContainerModule(({ bind }) => void bind('Late').toConstantValue('bound')),
    };
    const platform = await startTestPlatform({ modules: [], extra: [early, late] });
    expect(found).toBe('bound');
    await platform.stop();
  });

  it('warns about listeners of events that are misspelled, and of no others', async () => {
    const names = ['renderr', 'Route', 'authorisation', 'disptach.error', 'dispatch', '*', 'routes', 'sold'];
    const shop: Module = {
      name: 'shop',
      onBootstrap({ application: { events } }) {
        for (const name of names) events.attach(name as 'route', () => undefined);
      },
    };
    const platform = await startTestPlatform({ modules: [], extra: [shop] });
    expect(platform.application.warnings).toEqual(
      ['render', 'route', 'authorization', 'dispatch.error'].map(
        (meant, at) =>
          expect.stringMatching(
            new RegExp(
              `^The module "shop" listens to the event "${names[at]}" \\(.*\\).* mean "${meant}"\\?$`,
            ),
          ) as string,
      ),
    );
    await platform.stop();
  });

  it('warns about misspelled observations, and listeners of events that are not triggered, or not again', async () => {
    const shop: Module = {
      name: 'shop',
      onBootstrap({ application: { events, observers, view } }) {
        for (const name of ['complete', 'sold', 'completed'])
          observers.observe(name as 'completed', () => undefined);
        for (const name of ['render', '*', 'response'])
          view.events.attach(name as 'response', () => undefined);
        events.attach('bootstrap', () => undefined);
      },
    };
    const platform = await startTestPlatform({ modules: [], extra: [shop] });
    const warning = (expected: string): unknown => expect.stringMatching(new RegExp(expected));
    expect(platform.application.warnings).toEqual([
      warning(
        '^The module "shop" listens to the event "bootstrap" \\(.*\\), which is not triggered again\\. Do this in onBootstrap\\.$',
      ),
      warning('^The module "shop" listens to the event "complete" \\(.*\\).* mean "completed"\\?$'),
      warning(
        '^The module "shop" listens to the event "render" \\(.*\\) of the View, which triggers renderer and response only\\.$',
      ),
    ]);
    await platform.stop();
  });

  it('fails with the error of a module', async () => {
    const broken: Module = { name: 'broken', onBootstrap: () => Promise.reject(new Error('no licence')) };
    await expect(startTestPlatform({ modules: [], extra: [broken] })).rejects.toThrow('no licence');
  });

  it('rejects two modules that bind the same name, and names both', async () => {
    const services = (): ContainerModule =>
      new ContainerModule(({ bind }) => void bind('Till').toConstantValue(1));
    const extra = [
      { name: 'shop', services: services() },
      { name: 'mall', services: services() },
    ];
    expect(await startRefusal({ modules: [], extra })).toBe(
      'The modules "shop" and "mall" both bind the service "Till".',
    );
  });

  it('rejects a template without a file, and names the file that maps it', async () => {
    const local = { view_manager: { template_map: { show: 'none.njk' } } };
    expect(await startRefusal({ modules: [], local })).toMatch(
      /^config\/autoload\/local\.json:4:7: the template "show" is mapped to .*none\.njk, which does not exist\.$/,
    );
  });

  it('binds the view models for the configuration', async () => {
    const platform = await startTestPlatform({ modules: [] });
    expect(await platform.application.services.get('JsonModel')).toBe(JsonModel);
    await platform.stop();
  });

  it('serves all routes under its base path', async () => {
    const platform = await startFramework({ 'GET /a': () => new JsonModel(1) }, undefined, {
      local: { server: { base_url: '/gateway' } },
    });
    expect(platform.application.baseUrl).toBe('/gateway');
    expect((await platform.request('/gateway/a')).status).toBe(200);
    expect((await platform.request('/a')).status).toBe(404);
    await platform.stop();
  });
});

describe('Code around every request', () => {
  it('is a function', async () => {
    const shop: Module = {
      name: 'shop',
      onBootstrap: ({ application }) => void application.wrapRequests({} as () => void),
    };
    expect(await startRefusal({ modules: [], extra: [shop] })).toContain(
      'wrapRequests(wrapper) needs a function, not an object.',
    );
  });

  it('ends the connection of a request that it throws for, and is logged', async () => {
    const platform = await startFramework(
      { 'GET /:name': () => new JsonModel(1) },
      ({ application }) =>
        void application.wrapRequests(({ request }, handle) => {
          if (request.path === '/thrown') throw new Error('thrown');
          return request.path === '/rejected' ? Promise.reject(new Error('rejected')) : handle();
        }),
    );
    for (const path of ['/thrown', '/rejected']) await expect(platform.request(path)).rejects.toThrow();
    expect((await platform.request('/others')).status).toBe(200);
    const errors = platform.log.lines.filter(({ level }) => level === 'error');
    expect(errors.map(({ details }) => details)).toEqual(
      ['thrown', 'rejected'].map((message) => ({ err: expect.objectContaining({ message }) as unknown })),
    );
    await platform.stop();
  });
});

describe('Disposing of an application', () => {
  it('waits for requests in flight, then triggers shutdown, then disposes of the services', async () => {
    const steps: string[] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const slow = async (): Promise<JsonModel> => {
      begin();
      await gate;
      return new JsonModel('done');
    };
    const shop: Module = {
      name: 'shop',
      services: new ContainerModule(({ bind }) => {
        bind<string>('Shop')
          .toDynamicValue(() => 'shop')
          .onDeactivation(() => void steps.push('service disposed'));
      }),
      async onBootstrap({ application: { services, events } }) {
        await services.get('Shop');
        events.attach('shutdown', () => void steps.push('shutdown'));
      },
    };
    const platform = await startTestPlatform({
      modules: [],
      extra: [shop, routesModule({ 'GET /slow': slow })],
    });
    const answer = platform.request('/slow');
    await begun;
    const disposal = platform.application.dispose();
    await wait(30);
    expect(steps).toEqual([]);
    release();
    expect(await (await answer).json()).toBe('done');
    await disposal;
    expect(steps).toEqual(['shutdown', 'service disposed']);
    await platform.stop();
  });

  it('does not wait without requests in flight', async () => {
    const platform = await startTestPlatform({ modules: [] });
    await platform.request('/');
    await platform.stop();
    expect(platform.application.services.has('JsonModel')).toBe(false);
  });
});

describe('The shared state', () => {
  class Counter {
    count = 0;
  }

  it('creates a value once, on first use', () => {
    const sharedState = new SharedState();
    const make = jest.fn(() => new Counter());
    const counter = sharedState.getOrCreate(Counter, make);
    counter.count++;
    expect(sharedState.getOrCreate(Counter, make)).toBe(counter);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('creates undefined only once, too', () => {
    const sharedState = new SharedState();
    const make = jest.fn(() => undefined);
    sharedState.getOrCreate<unknown>(Counter, make);
    sharedState.getOrCreate<unknown>(Counter, make);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('can be injected into modules', async () => {
    const platform = await startTestPlatform({ modules: [] });
    expect(await platform.application.services.get(SharedState)).toBe(platform.application.sharedState);
    await platform.stop();
  });
});
