import {
  JsonModel,
  JsonRenderer,
  JsonStrategy,
  Problem,
  ProblemModel,
  Response,
  View,
  ViewModel,
} from '../../../../src/framework';
import { atOnce } from '../../../factories/at-once';

function show(model: ViewModel): readonly [body: unknown, type: string | undefined] {
  const view = new View();
  view.events.attachGroup(new JsonStrategy(new JsonRenderer()), JsonStrategy.PRIORITY);
  const response = new Response();
  atOnce(view.render(model, response));
  return [response.body, response.fields.get('Content-Type')];
}

class Wrapped extends JsonModel {
  override serialize(): unknown {
    return { wrapped: this.content };
  }
}

describe('JSON', () => {
  it('is what JSON.stringify makes of the content', () => {
    const content = { date: new Date(0), left: undefined, own: { toJSON: () => 'mine' } };
    expect(show(new JsonModel(content))).toEqual([
      '{"date":"1970-01-01T00:00:00.000Z","own":"mine"}',
      'application/json',
    ]);
  });

  it('is null where there is no content', () => {
    expect(show(new JsonModel(undefined))[0]).toBe('null');
  });

  it('is labelled with the media type that was negotiated', () => {
    expect(show(new JsonModel({}, { mediaType: 'application/vnd.atlas+json' }))[1]).toBe(
      'application/vnd.atlas+json',
    );
  });

  it('has the shape that a model that extends JsonModel gives it', () => {
    expect(show(new Wrapped([1, 2]))[0]).toBe('{"wrapped":[1,2]}');
  });

  it('of a problem is application/problem+json', () => {
    const [body, type] = show(new ProblemModel(new Problem(404, 'Nothing.')));
    expect(type).toBe('application/problem+json');
    expect(body).toContain('"detail":"Nothing."');
  });

  it('is not made of content that cannot be', () => {
    expect(() => show(new JsonModel(1n))).toThrow(TypeError);
  });

  it('is not what other models are shown as', () => {
    expect(() => show(new ViewModel({}))).toThrow('No view strategy supports the view model ViewModel.');
  });
});
