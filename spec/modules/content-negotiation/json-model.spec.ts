import { JsonRenderer } from '../../../src/framework';
import { JsonModel, Problem, ViewModel } from '../../../src/platform';

const rendered = (content: unknown): string => new JsonRenderer().render(new JsonModel(content));

describe('the JSON model of content negotiation', () => {
  it('is a view model, and serializes its content', () => {
    expect(new JsonModel({ a: 1 })).toBeInstanceOf(ViewModel);
    expect(rendered({ a: [1, null, 'é'] })).toBe('{"a":[1,null,"é"]}');
  });

  it('serializes whatever has toJSON, at any depth', () => {
    const price = { cents: 300, toJSON: () => '3 EUR' };
    expect(rendered(price)).toBe('"3 EUR"');
    expect(rendered({ prices: [price] })).toBe('{"prices":["3 EUR"]}');
  });

  it('follows toJSON where it returns what has one too', () => {
    expect(rendered({ toJSON: () => new Date(0) })).toBe('"1970-01-01T00:00:00.000Z"');
    expect(rendered({ toJSON: () => ({ toJSON: () => ({ b: 2 }) }) })).toBe('{"b":2}');
    const ever = (): { toJSON: () => unknown } => ({ toJSON: ever });
    expect(() => rendered(ever())).toThrow('toJSON returns ever new objects');
  });

  it('hands plain data on as it is: nothing is copied or walked before JSON.stringify does', () => {
    const content = [{ at: 1, tags: ['a', 'b'] }];
    expect(new JsonModel(content).serialize()).toBe(content);
  });

  it('carries a problem as the problem it is', () => {
    const model = new JsonModel(new Problem(409, 'Sold already.'), { mediaType: 'application/json' });
    expect(model.mediaType).toBe('application/problem+json');
    expect(JSON.parse(new JsonRenderer().render(model))).toMatchObject({
      status: 409,
      detail: 'Sold already.',
    });
  });

  it('keeps the media type that was negotiated for anything else', () => {
    expect(new JsonModel({}, { mediaType: 'application/vnd.shop.v1+json' }).mediaType).toBe(
      'application/vnd.shop.v1+json',
    );
  });
});
