import { ContainerModule, inject, injectable } from 'inversify';
import { Services, ConfigurationError } from '../../../src/framework';

@injectable()
class Clock {
  readonly started = 'now';
}

@injectable()
class Till {
  readonly clock: Clock;
  constructor(@inject(Clock) clock: Clock) {
    this.clock = clock;
  }
}

const isClock = (service: unknown): service is Clock => service instanceof Clock;

describe('Services', () => {
  it('are identified by name or by class', async () => {
    const services = new Services();
    await services.load(
      'shop',
      new ContainerModule(({ bind }) => {
        bind('Motto').toConstantValue('open');
        bind(Clock).toSelf();
      }),
    );
    expect(await services.get('Motto')).toBe('open');
    expect(await services.get(Clock)).toBeInstanceOf(Clock);
    expect(services.names).toEqual(['Motto']);
    expect([services.has('Motto'), services.has('Other')]).toEqual([true, false]);
  });

  it('get their dependencies by injection', async () => {
    const services = new Services();
    await services.load('time', new ContainerModule(({ bind }) => void bind(Clock).toSelf()));
    await services.load('shop', new ContainerModule(({ bind }) => void bind(Till).toSelf()));
    expect((await services.get(Till)).clock).toBe(await services.get(Clock));
  });

  it('are created by factories with injected dependencies', async () => {
    const services = new Services();
    services.set('Price', 20);
    await services.load(
      'shop',
      new ContainerModule(({ bind }) => {
        bind('Total').toResolvedValue((price: number) => price * 1.2, ['Price']);
      }),
    );
    expect(await services.get('Total')).toBe(24);
  });

  it('can be created by asynchronous factories, once for concurrent callers', async () => {
    const services = new Services();
    const make = jest.fn(async () => {
      await Promise.resolve();
      return new Clock();
    });
    await services.load('time', new ContainerModule(({ bind }) => void bind('Clock').toDynamicValue(make)));
    const [one, other] = await Promise.all([services.get('Clock'), services.get('Clock')]);
    expect(one).toBe(other);
    expect(await services.get('Clock')).toBe(one);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('wait for asynchronous dependencies', async () => {
    const services = new Services();
    await services.load(
      'shop',
      new ContainerModule(({ bind }) => {
        bind(Clock).toDynamicValue(() => Promise.resolve(new Clock()));
        bind(Till).toSelf();
      }),
    );
    expect((await services.get(Till)).clock).toBeInstanceOf(Clock);
  });

  it('are deactivated when the application is disposed of', async () => {
    const services = new Services();
    const closed: string[] = [];
    await services.load(
      'shop',
      new ContainerModule(({ bind }) => {
        bind<string>('Shop')
          .toDynamicValue(() => 'the shop')
          .onDeactivation((shop) => void closed.push(shop));
      }),
    );
    await services.get('Shop');
    await services.dispose();
    expect(closed).toEqual(['the shop']);
  });

  it('are all deactivated, whatever the deactivation of another one throws or returns', async () => {
    const services = new Services();
    const closed: string[] = [];
    const close: Readonly<Record<string, () => unknown>> = {
      thrown: () => {
        throw new Error('no key');
      },
      rejected: () => Promise.reject(new Error('no lock')),
      returned: () => closed.push('returned'),
      slow: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        closed.push('slow');
      },
    };
    await services.load(
      'shop',
      new ContainerModule(({ bind }) => {
        for (const [name, act] of Object.entries(close))
          bind<string>(name)
            .toDynamicValue(() => name)
            .onDeactivation(act as () => Promise<void>);
        bind('broken').toDynamicValue(() => Promise.reject(new Error('no power')));
      }),
    );
    for (const name of Object.keys(close)) await services.get(name);
    await expect(services.get('broken')).rejects.toThrow('no power');
    const errors: unknown[] = [];
    await services.dispose((error) => errors.push((error as Error).message));
    expect(closed).toEqual(['returned', 'slow']);
    expect(errors.sort()).toEqual([
      expect.stringContaining('The service "rejected" (module "shop") could not be deactivated: '),
      expect.stringContaining('The service "thrown" (module "shop") could not be deactivated: '),
    ]);
  });
});

describe('The deactivation of a service', () => {
  it('can use the others until all deactivations have ended, whichever fails', async () => {
    const services = new Services();
    const drained: unknown[] = [];
    await services.load(
      'shop',
      new ContainerModule(({ bind }) => {
        bind('Metrics').toConstantValue('metrics');
        bind('Lock')
          .toDynamicValue(() => 'lock')
          .onDeactivation(() => {
            throw new Error('no lock');
          });
        bind('Queue')
          .toDynamicValue(() => 'queue')
          .onDeactivation(async () => {
            await new Promise((resolve) => setTimeout(resolve, 5));
            drained.push(await services.get('Metrics'));
          });
      }),
    );
    for (const name of ['Lock', 'Queue']) await services.get(name);
    const errors: unknown[] = [];
    await services.dispose((error) => errors.push(error));
    expect(drained).toEqual(['metrics']);
    expect(errors).toHaveLength(1);
    expect(services.has('Metrics')).toBe(false);
  });
});

describe('An error of the container', () => {
  it('names both modules that bind the same service', async () => {
    const services = new Services();
    const shop = (): ContainerModule =>
      new ContainerModule(({ bind }) => void bind('Till').toConstantValue(1));
    await services.load('shop', shop());
    await expect(services.load('market', shop())).rejects.toThrow(
      new ConfigurationError('The modules "shop" and "market" both bind the service "Till".'),
    );
  });

  it('names the class that two modules bind', async () => {
    const services = new Services();
    services.set(Clock, new Clock());
    await expect(
      services.load('time', new ContainerModule(({ bind }) => void bind(Clock).toSelf())),
    ).rejects.toThrow('The modules "framework" and "time" both bind the service "Clock".');
  });

  it('reports a module that binds a service twice', async () => {
    const services = new Services();
    const twice = new ContainerModule(({ bind }) => {
      bind('Till').toConstantValue(1);
      bind('Till').toConstantValue(2);
    });
    await expect(services.load('shop', twice)).rejects.toThrow(
      'The module "shop" binds the service "Till" twice.',
    );
  });

  it('names a service that no module binds', async () => {
    await expect(new Services().get('Till')).rejects.toThrow(
      new ConfigurationError('No module binds the service "Till".'),
    );
    await expect(new Services().get(Till)).rejects.toThrow('No module binds the service "Till".');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no power');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no power'))],
  ])('names the service and the module whose factory %s', async (_, make: () => unknown) => {
    const services = new Services();
    await services.load('shop', new ContainerModule(({ bind }) => void bind('Till').toDynamicValue(make)));
    await expect(services.get('Till')).rejects.toThrow(
      /^The service "Till" \(module "shop"\) cannot be created: .*no power/s,
    );
  });

  it('names a missing dependency', async () => {
    const services = new Services();
    await services.load('shop', new ContainerModule(({ bind }) => void bind(Till).toSelf()));
    await expect(services.get(Till)).rejects.toThrow(
      /^The service "Till" \(module "shop"\) cannot be created: [^]*Clock/,
    );
  });

  it('passes configuration errors through unchanged', async () => {
    const services = new Services();
    const make = (): never => {
      throw new ConfigurationError('shop.htpasswd does not exist.');
    };
    await services.load('shop', new ContainerModule(({ bind }) => void bind('Till').toDynamicValue(make)));
    await expect(services.get('Till')).rejects.toThrow(
      new ConfigurationError('shop.htpasswd does not exist.'),
    );
  });
});

describe('A service that the configuration refers to', () => {
  const where = 'local.json:3:5: shop.clock';

  it('is returned if it has the expected type', async () => {
    const services = new Services();
    services.set('Clock', new Clock());
    expect(await services.getNamed('Clock', isClock, 'a clock', where)).toBeInstanceOf(Clock);
  });

  it('is an error with the location and the names of its type if it does not exist', async () => {
    const services = new Services();
    services.set('Cloak', 1);
    services.set('Clock', new Clock());
    const factory = new ContainerModule(({ bind }) => void bind('Wall').toDynamicValue(() => new Clock()));
    await services.load('time', factory);
    await expect(services.getNamed('Clok', isClock, 'a clock: it ticks', where)).rejects.toThrow(
      new ConfigurationError(
        'local.json:3:5: shop.clock: no module binds a clock named "Clok". Did you mean "Clock"? Available: Clock. Created by factories, possibly of another type: Wall. Bind it in a module that "modules" of config/application.json lists.',
      ),
    );
  });

  it('is an error that says that the names of factories may have another type, if no other is known', async () => {
    const services = new Services();
    const factory = new ContainerModule(({ bind }) => void bind('Wall').toDynamicValue(() => new Clock()));
    await services.load('time', factory);
    await expect(services.getNamed('Tower', isClock, 'a clock', where)).rejects.toThrow(
      'no module binds a clock named "Tower". Available, possibly of another type: Wall. Bind it in',
    );
  });

  it('is an error without names if no service may have its type', async () => {
    await expect(new Services().getNamed('Clock', isClock, 'a clock', where)).rejects.toThrow(
      'no module binds a clock named "Clock". Available: none. Bind it in',
    );
  });

  it('is an error with the location and the expected type if it has another type', async () => {
    const services = new Services();
    services.set('Clock', 'cuckoo');
    await expect(services.getNamed('Clock', isClock, 'a clock', where)).rejects.toThrow(
      'local.json:3:5: shop.clock: the service "Clock" is not a clock: it is a string.',
    );
  });
});
