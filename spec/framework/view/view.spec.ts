import {
  JsonModel,
  JsonRenderer,
  JsonStrategy,
  Problem,
  Response,
  View,
  ViewModel,
  ViewStrategy,
  type Renderer,
} from '../../../src/framework';
import { JsonModel as HostedJsonModel } from '../../../src/modules/content-negotiation';
import { synchronous } from '../../factories/synchronous';

class PlainModel extends ViewModel {}

/** Renders a model as a name, with a media type of that name. */
class NamingStrategy extends ViewStrategy {
  constructor(name: string, renderer: Renderer = { render: () => name }) {
    super(renderer, `text/${name}`);
  }

  protected override recognizes(model: ViewModel): boolean {
    return model instanceof PlainModel;
  }
}

function show(view: View, model: ViewModel): readonly [body: unknown, type: string | undefined] {
  const response = new Response();
  synchronous(view.render(model, response));
  return [response.body, response.fields.get('Content-Type')];
}

describe('The View', () => {
  it('uses the strategy with the highest priority that recognizes the model', () => {
    const view = new View();
    view.events.attachGroup(new NamingStrategy('low'), 50);
    view.events.attachGroup(new NamingStrategy('high'), 300);
    view.events.attachGroup(new NamingStrategy('default'));
    expect(show(view, new PlainModel({}))).toEqual(['high', 'text/high']);
  });

  it('uses the first of equal priority', () => {
    const view = new View();
    view.events.attachGroup(new NamingStrategy('first'));
    view.events.attachGroup(new NamingStrategy('second'));
    expect(show(view, new PlainModel({}))).toEqual(['first', 'text/first']);
  });

  it('skips strategies that do not recognize the model', () => {
    const view = new View();
    view.events.attachGroup(new NamingStrategy('plain'), 300);
    view.events.attachGroup(new JsonStrategy(new JsonRenderer()), 100);
    expect(show(view, new JsonModel([1]))).toEqual(['[1]', 'application/json']);
  });

  it('sets the Content-Type of the strategy that recognizes the model if two share a renderer', () => {
    const shared = new JsonRenderer();
    const view = new View();
    view.events.attachGroup(new JsonStrategy(shared), 300);
    view.events.attachGroup(new NamingStrategy('ours', shared), 50);
    expect(show(view, new PlainModel({}))).toEqual(['{}', 'text/ours']);
  });

  it.each([
    [undefined, 'text/csv; charset=utf-8'],
    ['text/csv', 'text/csv; charset=utf-8'],
    ['Text/CSV', 'text/csv; charset=utf-8'],
    ['text/csv;header=absent', 'text/csv;header=absent; charset=utf-8'],
    ['text/tab-separated-values', 'text/tab-separated-values; charset=utf-8'],
    ['Text/Plain', 'Text/Plain; charset=utf-8'],
    ['text/plain; Charset=us-ascii', 'text/plain; Charset=us-ascii'],
    ['application/vnd.ms-excel', 'application/vnd.ms-excel'],
  ])('sets the media type of a model, which was negotiated: %s as %s', (mediaType, expected) => {
    const view = new View();
    view.events.attachGroup(new NamingStrategy('csv; charset=utf-8'));
    expect(show(view, new PlainModel({}, { mediaType }))[1]).toBe(expected);
  });

  it('sets the Content-Type of the strategy for a problem, which it renders in its own format', () => {
    class TextModel extends HostedJsonModel {}
    class TextStrategy extends ViewStrategy {
      protected override recognizes(model: ViewModel): boolean {
        return model instanceof TextModel;
      }
    }
    const view = new View();
    view.events.attachGroup(new TextStrategy({ render: () => 'Gone' }, 'text/plain'));
    expect(show(view, new TextModel(new Problem(410, 'Gone')))).toEqual(['Gone', 'text/plain']);
  });

  it('sets no Content-Type for a renderer without a strategy', () => {
    const view = new View();
    view.events.attach('renderer', () => ({ render: () => 'from elsewhere' }), 400);
    view.events.attachGroup(new NamingStrategy('ours'));
    expect(show(view, new PlainModel({}))).toEqual(['from elsewhere', undefined]);
  });

  it.each<[string, () => unknown]>([
    ['undefined', () => undefined],
    ['42', () => 42],
    ['an array', () => ['text']],
    ['undefined', () => Promise.resolve()],
    [
      'an object',
      async function* () {
        yield await Promise.resolve('text');
      },
    ],
  ])('names the strategy whose renderer returns %s', async (what, render) => {
    const view = new View();
    view.events.attachGroup(new NamingStrategy('plain', { render: render as Renderer['render'] }));
    await expect(async () => view.render(new PlainModel({}), new Response())).rejects.toThrow(
      `The renderer of NamingStrategy returned ${what}. Return a string or a Buffer.`,
    );
  });

  it('refuses a strategy without a renderer', () => {
    expect(() => new NamingStrategy('plain', null as unknown as Renderer)).toThrow(
      'The renderer of NamingStrategy is null. Pass an object with a method render()',
    );
  });

  it('refuses a strategy that recognizes models asynchronously: it would render all of them', () => {
    class LateStrategy extends NamingStrategy {
      protected override recognizes(): boolean {
        return Promise.resolve(false) as unknown as boolean;
      }
    }
    const view = new View();
    view.events.attachGroup(new LateStrategy('late'));
    view.events.attachGroup(new JsonStrategy(new JsonRenderer()), 100);
    expect(() => show(view, new JsonModel([1]))).toThrow(
      'recognizes() of LateStrategy returned a promise. Return true or false.',
    );
  });

  it('names a renderer without a strategy that returns neither text nor bytes', () => {
    class EmptyRenderer {
      render(): string {
        return undefined as unknown as string;
      }
    }
    const view = new View();
    view.events.attach('renderer', () => new EmptyRenderer());
    expect(() => show(view, new PlainModel({}))).toThrow('The EmptyRenderer returned undefined.');
  });

  it('keeps an existing Content-Type', () => {
    const view = new View();
    view.events.attachGroup(new NamingStrategy('plain'));
    const response = new Response(200, null, [['Content-Type', 'text/special']]);
    synchronous(view.render(new PlainModel({}), response));
    expect(response.fields.get('Content-Type')).toBe('text/special');
  });

  it('attaches a strategy only once', () => {
    const view = new View();
    const strategy = new NamingStrategy('plain');
    for (let request = 0; request < 10; request++) view.events.attachGroup(strategy);
    expect([view.events.count('renderer'), view.events.count('response')]).toEqual([1, 1]);
  });

  it('detaches strategies', () => {
    const view = new View();
    const strategy = new NamingStrategy('plain');
    view.events.attachGroup(strategy);
    view.events.detachGroup(strategy);
    expect(() => show(view, new PlainModel({}))).toThrow(
      'No view strategy supports the view model PlainModel.',
    );
  });

  it('attaches strategies at priority 200 by default, above the built-in ones', () => {
    const view = new View();
    const order: string[] = [];
    view.events.attach('renderer', () => void order.push('201'), 201);
    view.events.attach('renderer', () => void order.push('199'), 199);
    view.events.attachGroup(new NamingStrategy('plain'));
    show(view, new PlainModel({}));
    expect(order).toEqual(['201']);
    expect(JsonStrategy.PRIORITY).toBeLessThan(199);
  });

  it('lets listeners of response replace the rendered content', () => {
    const view = new View();
    view.events.attachGroup(new NamingStrategy('plain'));
    view.events.attach('response', (event) => {
      event.content = `<${event.content.toString()}>`;
    });
    expect(show(view, new PlainModel({}))[0]).toBe('<plain>');
  });

  it('awaits asynchronous rendering and asynchronous selection of the renderer', async () => {
    const view = new View();
    view.events.attach('renderer', () => Promise.resolve({ render: () => Promise.resolve('later') }));
    const response = new Response();
    await view.render(new PlainModel({}), response);
    expect(response.body).toBe('later');
  });

  it('throws if no strategy supports the model', () => {
    expect(() => show(new View(), new JsonModel({}))).toThrow(
      'No view strategy supports the view model JsonModel.',
    );
  });
});

describe('Concurrent renderings', () => {
  it('do not mix their Content-Types', async () => {
    const view = new View();
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    view.events.attachGroup(new NamingStrategy('slow', { render: () => gate.then(() => 'slow') }));
    view.events.attachGroup(new JsonStrategy(new JsonRenderer()), 100);
    const [slow, quick] = [new Response(), new Response()];
    const rendering = view.render(new PlainModel({}), slow);
    synchronous(view.render(new JsonModel({}), quick));
    release();
    await rendering;
    expect(slow.fields.get('Content-Type')).toBe('text/slow');
    expect(quick.fields.get('Content-Type')).toBe('application/json');
  });

  /** A renderer with a number of steps, which counts its renderings. */
  function countingRenderer(make: () => string, steps = 3): { readonly renderer: Renderer; begun: number } {
    const counted = {
      begun: 0,
      renderer: {
        render: () => 'not in steps',
        *steps() {
          counted.begun += 1;
          for (let step = 0; step < steps; step++) {
            // Longer than a time slice.
            const end = performance.now() + 12;
            while (performance.now() < end);
            yield;
          }
          return make();
        },
      },
    };
    return counted;
  }
  const scope = {};
  const body = async (view: View, model: ViewModel): Promise<unknown> => {
    const response = new Response();
    await view.render(model, response);
    return response.body instanceof Buffer ? response.body.toString() : response.body;
  };

  it('of cacheable content are shared, and the result is cached', async () => {
    const view = new View();
    const counted = countingRenderer(() => 'large');
    view.events.attachGroup(new NamingStrategy('large', counted.renderer));
    const model = (): ViewModel => new PlainModel({}, { cacheScope: scope });
    const all = await Promise.all([1, 2, 3].map(() => body(view, model())));
    expect(all).toEqual(['large', 'large', 'large']);
    expect(await body(view, model())).toBe('large');
    expect(counted.begun).toBe(1);
    const response = new Response();
    expect(view.render(model(), response)).toBeUndefined();
  });

  it('are returned without triggering events while the listeners of the view are the same', async () => {
    const view = new View();
    view.events.attachGroup(new NamingStrategy('large', countingRenderer(() => 'large').renderer));
    const model = new PlainModel({}, { cacheScope: scope, mediaType: 'text/plain' });
    const key = { scope: scope, viewModel: PlainModel, template: undefined, mediaType: 'text/plain' };
    expect(view.rendered(key)).toBeUndefined();
    await body(view, model);
    expect(view.rendered(key)?.content?.bytes.toString()).toBe('large');
    expect(view.rendered({ ...key, mediaType: 'text/html' })).toBeUndefined();
    const detach = view.events.attach('response', () => undefined);
    expect(view.rendered(key)).toBeUndefined();
    await body(view, model);
    detach();
    expect(view.rendered(key)).toBeUndefined();
  });

  it('of content that is not cacheable are not shared', async () => {
    const view = new View();
    view.events.attachGroup(new NamingStrategy('large', countingRenderer(() => 'large').renderer));
    expect(await body(view, new PlainModel({}))).toBe('not in steps');
  });

  it('that fail are rejected for all waiting requests, and retried by the next', async () => {
    const view = new View();
    let isBroken = true;
    const counted = countingRenderer(() => {
      if (isBroken) throw new RangeError('broken');
      return 'repaired';
    });
    view.events.attachGroup(new NamingStrategy('large', counted.renderer));
    const model = new PlainModel({}, { cacheScope: scope });
    const tried = await Promise.allSettled([body(view, model), body(view, model)]);
    expect(tried.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(counted.begun).toBe(1);
    isBroken = false;
    expect(await body(view, model)).toBe('repaired');
  });

  it('use the method of the most derived class', async () => {
    class Shouting extends JsonRenderer {
      override render(model: ViewModel): string {
        return super.render(model).toUpperCase();
      }
    }
    class Wrapped extends JsonModel {
      override serialize(): unknown {
        return { wrapped: super.serialize() };
      }
    }
    class Stepped extends JsonModel {
      override *serializeInSteps() {
        yield;
        return 'in steps';
      }
    }
    class Both extends Stepped {
      override serialize(): unknown {
        return 'as it says itself';
      }
    }
    const shown = async (renderer: JsonRenderer, model: JsonModel): Promise<unknown> => {
      const view = new View();
      view.events.attachGroup(new JsonStrategy(renderer), 100);
      return body(view, model);
    };
    const options = { cacheScope: scope };
    expect(await shown(new Shouting(), new JsonModel('a', options))).toBe('"A"');
    expect(await shown(new JsonRenderer(), new Wrapped('a', options))).toBe('{"wrapped":"a"}');
    expect(await shown(new JsonRenderer(), new Stepped('a', options))).toBe('"in steps"');
    expect(await shown(new JsonRenderer(), new Both('a', options))).toBe('"as it says itself"');
  });
});
