import { ContainerModule } from 'inversify';
import {
  JsonModel,
  JsonRenderer,
  registerStrategyAtRender,
  Response,
  ViewStrategy,
  type BootstrapEvent,
  type Module,
  type ViewModel,
} from '../../../src/framework';
import { startTestPlatform } from '../../factories/platform';
import { startFramework } from '../../factories/routes';
import { startRefusal } from '../../factories/processes/start-refusal';

class BlueprintModel extends JsonModel {}

class BlueprintStrategy extends ViewStrategy {
  constructor(renderer: JsonRenderer) {
    super(renderer, 'text/blueprint');
  }

  protected override recognizes(model: ViewModel): boolean {
    return model instanceof BlueprintModel;
  }
}

class Till {}

/** A module that adds a format, and counts the calls of its factory. */
function blueprint(): { readonly module: Module; readonly created: () => number } {
  let created = 0;
  const services = new ContainerModule(({ bind }) => {
    bind('BlueprintStrategy').toResolvedValue(
      (renderer: JsonRenderer) => {
        created++;
        return new BlueprintStrategy(renderer);
      },
      [JsonRenderer],
    );
    bind('Clock').toConstantValue('no strategy');
    bind('Till').to(Till);
    bind('Class').toConstantValue(BlueprintStrategy);
    bind('Made').toDynamicValue(() => ({}));
  });
  return { module: { name: 'blueprint', services }, created: () => created };
}

const handlers = {
  'GET /blueprint': (): ViewModel => new BlueprintModel({}),
  'GET /json': (): ViewModel => new JsonModel({}),
  'GET /response': (): Response => new Response(204),
};

describe('A strategy in view_manager.strategies', () => {
  it('is created at startup, and renders the models that it recognizes', async () => {
    const { module, created } = blueprint();
    const platform = await startFramework(handlers, undefined, {
      extra: [module],
      local: { view_manager: { strategies: ['BlueprintStrategy'] } },
    });
    expect(created()).toBe(1);
    expect((await platform.request('/blueprint')).headers.get('content-type')).toBe('text/blueprint');
    expect((await platform.request('/json')).headers.get('content-type')).toBe('application/json');
    await platform.stop();
  });
});

describe('A strategy in view_manager.render_strategies', () => {
  it('is created at startup, and attached once, at the first rendering', async () => {
    const { module, created } = blueprint();
    const platform = await startFramework(handlers, undefined, {
      extra: [module],
      local: { view_manager: { render_strategies: ['BlueprintStrategy'] } },
    });
    await platform.request('/response');
    expect(created()).toBe(1);
    expect(platform.application.view.events.count('renderer')).toBe(2);
    const answers = await Promise.all([1, 2, 3, 4].map(() => platform.request('/blueprint')));
    expect(answers.map(({ headers }) => headers.get('content-type'))).toEqual(
      Array.from(answers, () => 'text/blueprint'),
    );
    expect(created()).toBe(1);
    expect(platform.application.view.events.count('renderer')).toBe(3);
    await platform.stop();
  });
});

describe('A strategy that a module registers', () => {
  it('with registerStrategyAtRender() is attached at the first rendering', async () => {
    const { module, created } = blueprint();
    const platform = await startFramework(
      handlers,
      ({ application }) => registerStrategyAtRender(application, 'BlueprintStrategy', 'The module test'),
      { extra: [module] },
    );
    expect(created()).toBe(1);
    expect((await platform.request('/blueprint')).headers.get('content-type')).toBe('text/blueprint');
    await platform.stop();
  });

  it('in its own listener on every request is attached once', async () => {
    const strategy = new BlueprintStrategy(new JsonRenderer());
    const platform = await startFramework(handlers, ({ application: { events, view } }) => {
      events.attach('render', () => view.events.attachGroup(strategy), 200);
    });
    for (let request = 0; request < 3; request++) {
      expect((await platform.request('/blueprint')).headers.get('content-type')).toBe('text/blueprint');
    }
    expect(platform.application.view.events.count('renderer')).toBe(3);
    await platform.stop();
  });
});

describe('An invalid strategy name', () => {
  const refusalOf = (key: string, name: string): Promise<string> =>
    startRefusal({ modules: [], extra: [blueprint().module], local: { view_manager: { [key]: [name] } } });

  it.each(['strategies', 'render_strategies'])('in view_manager.%s is an error at startup', async (key) => {
    expect(await refusalOf(key, 'BleuprintStrategy')).toMatch(
      new RegExp(
        `^config/autoload/local\\.json:4:7: view_manager\\.${key}\\[0\\]: no module binds a view strategy named "BleuprintStrategy"\\. Did you mean "BlueprintStrategy"\\? Available, possibly of another type: BlueprintStrategy[,.]`,
      ),
    );
  });

  it.each<[string, string, string]>([
    ['strategies', 'Clock', 'a string'],
    ['render_strategies', 'Clock', 'a string'],
    ['render_strategies', 'Till', 'an instance of Till'],
    ['render_strategies', 'Class', 'the class BlueprintStrategy'],
    ['render_strategies', 'ViewModel', 'the class ViewModel'],
    ['strategies', 'Made', 'an object'],
    ['render_strategies', 'Made', 'an object'],
  ])('in view_manager.%s is an error at startup if %s is not a strategy', async (key, name, found) => {
    expect(await refusalOf(key, name)).toBe(
      `config/autoload/local.json:4:7: view_manager.${key}[0]: the service "${name}" is not a view strategy (an object whose class extends ViewStrategy): it is ${found}.`,
    );
  });

  it('registered by an external module is an error at startup if its factory returns something else', async () => {
    const { module } = blueprint();
    const extra: Module = {
      name: 'wrong',
      onBootstrap: ({ application }) => registerStrategyAtRender(application, 'Made', 'wrong.mjs'),
    };
    expect(await startRefusal({ modules: [], extra: [module, extra] })).toBe(
      'wrong.mjs: the service "Made" is not a view strategy (an object whose class extends ViewStrategy): it is an object.',
    );
  });

  it('names the module that registers one that does not exist', async () => {
    const extra = [
      {
        name: 'shop',
        onBootstrap: ({ application }: BootstrapEvent) => registerStrategyAtRender(application, 'Missing'),
      },
    ];
    expect(await startRefusal({ modules: [], extra })).toMatch(
      /^The module "shop": no module binds a view strategy named "Missing"/,
    );
  });

  it('is an error at startup if its method has another name', async () => {
    const misspelt = new BlueprintStrategy(new JsonRenderer());
    Object.defineProperty(misspelt, 'recognizes', { value: undefined });
    const services = new ContainerModule(({ bind }) => void bind('Misspelt').toConstantValue(misspelt));
    const extra: Module = {
      name: 'misspelt',
      services,
      onBootstrap: ({ application }) => registerStrategyAtRender(application, 'Misspelt', 'misspelt.mjs'),
    };
    expect(await startRefusal({ modules: [], extra: [extra] })).toBe(
      'misspelt.mjs: the view strategy "Misspelt" has no method recognizes(model).',
    );
  });

  it('registered by a built-in module is found on first use, or by a check', async () => {
    const platform = await startTestPlatform({ modules: ['documentation-formats'] });
    const { deferred } = platform.application;
    expect(deferred.map(({ owner }) => owner)).toContain('documentation-formats');
    await Promise.all(deferred.map(({ make }) => make()));
    await platform.stop();
  });
});
