import { ContainerModule } from 'inversify';
import {
  JsonModel,
  JsonRenderer,
  registerStrategyAtRender,
  Response,
  ViewStrategy,
  type Module,
  type ViewModel,
} from '../../../src/framework';
import { startTestPlatform } from '../../factories/platform';
import { startFramework } from '../../factories/routes';
import { startRefusal } from '../../factories/start-refusal';

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

/** A format as a module would bring it, with a count of how often its factory was called. */
function blueprint(): { readonly module: Module; readonly made: () => number } {
  let made = 0;
  const services = new ContainerModule(({ bind }) => {
    bind('BlueprintStrategy').toResolvedValue(
      (renderer: JsonRenderer) => {
        made++;
        return new BlueprintStrategy(renderer);
      },
      [JsonRenderer],
    );
    bind('Clock').toConstantValue('no strategy');
    bind('Till').to(Till);
    bind('Class').toConstantValue(BlueprintStrategy);
    bind('Made').toDynamicValue(() => ({}));
  });
  return { module: { name: 'blueprint', services }, made: () => made };
}

const handlers = {
  'GET /blueprint': (): ViewModel => new BlueprintModel({}),
  'GET /json': (): ViewModel => new JsonModel({}),
  'GET /response': (): Response => new Response(204),
};

describe('A strategy named at view_manager.strategies', () => {
  it('is made at start, and shows the models that it knows', async () => {
    const { module, made } = blueprint();
    const platform = await startFramework(handlers, undefined, {
      extra: [module],
      local: { view_manager: { strategies: ['BlueprintStrategy'] } },
    });
    expect(made()).toBe(1);
    expect((await platform.request('/blueprint')).headers.get('content-type')).toBe('text/blueprint');
    expect((await platform.request('/json')).headers.get('content-type')).toBe('application/json');
    await platform.stop();
  });
});

describe('A strategy named at view_manager.render_strategies', () => {
  it('is made at start, and attached when something is first rendered, once', async () => {
    const { module, made } = blueprint();
    const platform = await startFramework(handlers, undefined, {
      extra: [module],
      local: { view_manager: { render_strategies: ['BlueprintStrategy'] } },
    });
    await platform.request('/response');
    expect(made()).toBe(1);
    expect(platform.application.view.events.count('renderer')).toBe(2);
    const answers = await Promise.all([1, 2, 3, 4].map(() => platform.request('/blueprint')));
    expect(answers.map(({ headers }) => headers.get('content-type'))).toEqual(
      Array.from(answers, () => 'text/blueprint'),
    );
    expect(made()).toBe(1);
    expect(platform.application.view.events.count('renderer')).toBe(3);
    await platform.stop();
  });
});

describe('A strategy that a module registers', () => {
  it('at the render event, through the framework, is attached when something is rendered', async () => {
    const { module, made } = blueprint();
    const platform = await startFramework(
      handlers,
      ({ application }) => registerStrategyAtRender(application, 'BlueprintStrategy', 'The module test'),
      { extra: [module] },
    );
    expect(made()).toBe(1);
    expect((await platform.request('/blueprint')).headers.get('content-type')).toBe('text/blueprint');
    await platform.stop();
  });

  it('by a listener of its own on every request does not make the list grow', async () => {
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

describe('A wrong name', () => {
  const refusalOf = (key: string, name: string): Promise<string> =>
    startRefusal({ modules: [], extra: [blueprint().module], local: { view_manager: { [key]: [name] } } });

  it.each(['strategies', 'render_strategies'])('at view_manager.%s is an error at start', async (key) => {
    expect(await refusalOf(key, 'BleuprintStrategy')).toMatch(
      new RegExp(
        `^config/autoload/local\\.json:4:7: view_manager\\.${key}\\[0\\]: there is no service "BleuprintStrategy": no module binds a factory under that name\\. Bound names: BlueprintStrategy, Class, `,
      ),
    );
  });

  it.each<[string, string, string]>([
    ['strategies', 'Clock', 'a text'],
    ['render_strategies', 'Clock', 'a text'],
    ['render_strategies', 'Till', 'an object of the class Till'],
    ['render_strategies', 'Class', 'the class BlueprintStrategy'],
    ['render_strategies', 'ViewModel', 'the class ViewModel'],
    ['strategies', 'Made', 'an object'],
    ['render_strategies', 'Made', 'an object'],
  ])('at view_manager.%s of %s, which is no strategy, is an error at start', async (key, name, found) => {
    expect(await refusalOf(key, name)).toBe(
      `config/autoload/local.json:4:7: view_manager.${key}[0]: the service "${name}" is not a view strategy (an object whose class extends ViewStrategy): it is ${found}.`,
    );
  });

  it('that a module from outside registers, of what a factory makes that is no strategy, is an error at start', async () => {
    const { module } = blueprint();
    const extra: Module = {
      name: 'wrong',
      onBootstrap: ({ application }) => registerStrategyAtRender(application, 'Made', 'wrong.mjs'),
    };
    expect(await startRefusal({ modules: [], extra: [module, extra] })).toBe(
      'wrong.mjs: the service "Made" is not a view strategy (an object whose class extends ViewStrategy): it is an object.',
    );
  });

  it('that a built-in module registers is found when it is first needed, or by a check', async () => {
    const platform = await startTestPlatform({ modules: ['documentation-formats'] });
    const { deferred } = platform.application;
    expect(deferred.map(({ owner }) => owner)).toContain('documentation-formats');
    await Promise.all(deferred.map(({ make }) => make()));
    await platform.stop();
  });
});
