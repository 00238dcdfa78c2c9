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
import { synchronous } from '../../../factories/synchronous';

function show(model: ViewModel): readonly [body: unknown, type: string | undefined] {
  const view = new View();
  view.events.attachGroup(new JsonStrategy(new JsonRenderer()), JsonStrategy.PRIORITY);
  const response = new Response();
  synchronous(view.render(model, response));
  return [response.body, response.fields.get('Content-Type')];
}

class Wrapped extends JsonModel {
  override serialize(): unknown {
    return { wrapped: this.content };
  }
}

describe('A JSON response', () => {
  it('is serialized with JSON.stringify', () => {
    const content = { date: new Date(0), left: undefined, own: { toJSON: () => 'mine' } };
    expect(show(new JsonModel(content))).toEqual([
      '{"date":"1970-01-01T00:00:00.000Z","own":"mine"}',
      'application/json',
    ]);
  });

  it('is null without content', () => {
    expect(show(new JsonModel(undefined))[0]).toBe('null');
  });

  it('is an error if a model serializes its content asynchronously', () => {
    class Late extends JsonModel {
      override async serialize(): Promise<unknown> {
        return await Promise.resolve(this.content);
      }
    }
    expect(() => show(new Late([1]))).toThrow('serialize() of Late returned a promise. Return the value.');
  });

  it('has the negotiated media type', () => {
    expect(show(new JsonModel({}, { mediaType: 'application/vnd.atlas+json' }))[1]).toBe(
      'application/vnd.atlas+json',
    );
  });

  it.each([
    'application/geo+json',
    'application/yaml',
    'text/plain',
    'application/vnd.openxml.v1+json',
    'application/xml-patch+json',
    'Image/Vector+JSON; v=1',
    'application/ld+json; profile="https://example.com/xml"',
    'application/json; profile=a+xml',
  ])('may have the type %s, which JSON can be', (mediaType) => {
    expect(show(new JsonModel({}, { mediaType }))[1]).toBe(mediaType);
  });

  it.each(['application/xml', 'application/atom+xml; charset=utf-8', 'Text/CSV', 'image/png'])(
    'is an error as %s, whose strategy is missing',
    (mediaType) => {
      expect(() => show(new Wrapped({}, { mediaType }))).toThrow(
        `No view strategy renders Wrapped as ${mediaType}, so that it would be JSON. Register one`,
      );
    },
  );

  it('has the shape that a subclass of JsonModel gives it', () => {
    expect(show(new Wrapped([1, 2]))[0]).toBe('{"wrapped":[1,2]}');
  });

  it('with a problem has the type application/problem+json', () => {
    const [body, type] = show(new ProblemModel(new Problem(404, 'Nothing.')));
    expect(type).toBe('application/problem+json');
    expect(body).toContain('"detail":"Nothing."');
  });

  it('fails for content that cannot be serialized', () => {
    expect(() => show(new JsonModel(1n))).toThrow(TypeError);
  });

  it('is not created from other view models', () => {
    expect(() => show(new ViewModel({}))).toThrow('No view strategy supports the view model ViewModel.');
  });
});
