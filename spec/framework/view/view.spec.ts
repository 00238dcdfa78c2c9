import {
  JsonModel,
  JsonRenderer,
  JsonStrategy,
  Response,
  View,
  ViewModel,
  ViewStrategy,
  type Renderer,
} from '../../../src/framework';
import { atOnce } from '../../factories/at-once';

class PlainModel extends ViewModel {}

/** Shows a model as its name, in a media type of its own. */
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
  atOnce(view.render(model, response));
  return [response.body, response.fields.get('Content-Type')];
}

describe('The View', () => {
  it('takes the renderer of the strategy of the highest priority that knows the model', () => {
    const view = new View();
    view.events.attachGroup(new NamingStrategy('low'), 50);
    view.events.attachGroup(new NamingStrategy('high'), 300);
    view.events.attachGroup(new NamingStrategy('default'));
    expect(show(view, new PlainModel({}))).toEqual(['high', 'text/high']);
  });

  it('takes the first of equal priority', () => {
    const view = new View();
    view.events.attachGroup(new NamingStrategy('first'));
    view.events.attachGroup(new NamingStrategy('second'));
    expect(show(view, new PlainModel({}))).toEqual(['first', 'text/first']);
  });

  it('passes over strategies that do not know the model', () => {
    const view = new View();
    view.events.attachGroup(new NamingStrategy('plain'), 300);
    view.events.attachGroup(new JsonStrategy(new JsonRenderer()), 100);
    expect(show(view, new JsonModel([1]))).toEqual(['[1]', 'application/json']);
  });

  it('labels the response by the strategy that knows the model, where two share a renderer', () => {
    const shared = new JsonRenderer();
    const view = new View();
    view.events.attachGroup(new JsonStrategy(shared), 300);
    view.events.attachGroup(new NamingStrategy('ours', shared), 50);
    expect(show(view, new PlainModel({}))).toEqual(['{}', 'text/ours']);
  });

  it('has no strategy label what another renderer than its own made', () => {
    const view = new View();
    view.events.attach('renderer', () => ({ render: () => 'from elsewhere' }), 400);
    view.events.attachGroup(new NamingStrategy('ours'));
    expect(show(view, new PlainModel({}))).toEqual(['from elsewhere', undefined]);
  });

  it('keeps a Content-Type that the response has already', () => {
    const view = new View();
    view.events.attachGroup(new NamingStrategy('plain'));
    const response = new Response(200, null, [['Content-Type', 'text/special']]);
    atOnce(view.render(new PlainModel({}), response));
    expect(response.fields.get('Content-Type')).toBe('text/special');
  });

  it('attaches a strategy once, however often it is asked for', () => {
    const view = new View();
    const strategy = new NamingStrategy('plain');
    for (let request = 0; request < 10; request++) view.events.attachGroup(strategy);
    expect([view.events.count('renderer'), view.events.count('response')]).toEqual([1, 1]);
  });

  it('has its strategies go as they came', () => {
    const view = new View();
    const strategy = new NamingStrategy('plain');
    view.events.attachGroup(strategy);
    view.events.detachGroup(strategy);
    expect(() => show(view, new PlainModel({}))).toThrow(
      'No view strategy supports the view model PlainModel.',
    );
  });

  it('attaches strategies at 200 unless told, above the built-in ones', () => {
    const view = new View();
    const order: string[] = [];
    view.events.attach('renderer', () => void order.push('201'), 201);
    view.events.attach('renderer', () => void order.push('199'), 199);
    view.events.attachGroup(new NamingStrategy('plain'));
    show(view, new PlainModel({}));
    expect(order).toEqual(['201']);
    expect(JsonStrategy.PRIORITY).toBeLessThan(199);
  });

  it('lets a listener of response replace what was rendered', () => {
    const view = new View();
    view.events.attachGroup(new NamingStrategy('plain'));
    view.events.attach('response', (event) => {
      event.content = `<${event.content.toString()}>`;
    });
    expect(show(view, new PlainModel({}))[0]).toBe('<plain>');
  });

  it('awaits a renderer that is asynchronous, and one that must be looked for', async () => {
    const view = new View();
    view.events.attach('renderer', () => Promise.resolve({ render: () => Promise.resolve('later') }));
    const response = new Response();
    await view.render(new PlainModel({}), response);
    expect(response.body).toBe('later');
  });

  it('says which model no strategy knows', () => {
    expect(() => show(new View(), new JsonModel({}))).toThrow(
      'No view strategy supports the view model JsonModel.',
    );
  });
});

describe('Concurrent renderings', () => {
  it('do not mix their labels: a strategy keeps nothing of a request', async () => {
    const view = new View();
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    view.events.attachGroup(new NamingStrategy('slow', { render: () => gate.then(() => 'slow') }));
    view.events.attachGroup(new JsonStrategy(new JsonRenderer()), 100);
    const [slow, quick] = [new Response(), new Response()];
    const rendering = view.render(new PlainModel({}), slow);
    atOnce(view.render(new JsonModel({}), quick));
    release();
    await rendering;
    expect(slow.fields.get('Content-Type')).toBe('text/slow');
    expect(quick.fields.get('Content-Type')).toBe('application/json');
  });

  /** A renderer whose work takes as many steps as it is told, and is counted. */
  function counting(make: () => string, steps = 3): { readonly renderer: Renderer; begun: number } {
    const counted = {
      begun: 0,
      renderer: {
        render: () => 'not in steps',
        *steps() {
          counted.begun += 1;
          for (let step = 0; step < steps; step++) {
            // Longer than others are kept waiting.
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
  const kept = {};
  const body = async (view: View, model: ViewModel): Promise<unknown> => {
    const response = new Response();
    await view.render(model, response);
    return response.body instanceof Buffer ? response.body.toString() : response.body;
  };

  it('of what is kept are one, for all who ask while it is made and afterwards', async () => {
    const view = new View();
    const counted = counting(() => 'large');
    view.events.attachGroup(new NamingStrategy('large', counted.renderer));
    const model = (): ViewModel => new PlainModel({}, { cacheScope: kept });
    const all = await Promise.all([1, 2, 3].map(() => body(view, model())));
    expect(all).toEqual(['large', 'large', 'large']);
    expect(await body(view, model())).toBe('large');
    expect(counted.begun).toBe(1);
    const response = new Response();
    expect(view.render(model(), response)).toBeUndefined();
  });

  it('of what is not kept are as many as there are requests', async () => {
    const view = new View();
    view.events.attachGroup(new NamingStrategy('large', counting(() => 'large').renderer));
    expect(await body(view, new PlainModel({}))).toBe('not in steps');
  });

  it('that fail, fail for all who wait, and are tried again for the next', async () => {
    const view = new View();
    let isBroken = true;
    const counted = counting(() => {
      if (isBroken) throw new RangeError('broken');
      return 'mended';
    });
    view.events.attachGroup(new NamingStrategy('large', counted.renderer));
    const model = new PlainModel({}, { cacheScope: kept });
    const tried = await Promise.allSettled([body(view, model), body(view, model)]);
    expect(tried.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(counted.begun).toBe(1);
    isBroken = false;
    expect(await body(view, model)).toBe('mended');
  });

  it('are those of the class that overrides last', async () => {
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
    const options = { cacheScope: kept };
    expect(await shown(new Shouting(), new JsonModel('a', options))).toBe('"A"');
    expect(await shown(new JsonRenderer(), new Wrapped('a', options))).toBe('{"wrapped":"a"}');
    expect(await shown(new JsonRenderer(), new Stepped('a', options))).toBe('"in steps"');
    expect(await shown(new JsonRenderer(), new Both('a', options))).toBe('"as it says itself"');
  });
});
