import { JsonRenderer } from '../../../src/framework';
import { JsonModel, Problem, ViewModel } from '../../../src/platform';

const rendered = (content: unknown): string => new JsonRenderer().render(new JsonModel(content));

describe('the JSON model of content negotiation', () => {
  it('is a view model that serializes its content', () => {
    expect(new JsonModel({ a: 1 })).toBeInstanceOf(ViewModel);
    expect(rendered({ a: [1, null, 'é'] })).toBe('{"a":[1,null,"é"]}');
  });

  it('serializes whatever has toJSON, at any depth', () => {
    const price = { cents: 300, toJSON: () => '3 EUR' };
    expect(rendered(price)).toBe('"3 EUR"');
    expect(rendered({ prices: [price] })).toBe('{"prices":["3 EUR"]}');
  });

  it('follows chains of toJSON', () => {
    expect(rendered({ toJSON: () => new Date(0) })).toBe('"1970-01-01T00:00:00.000Z"');
    expect(rendered({ toJSON: () => ({ toJSON: () => ({ b: 2 }) }) })).toBe('{"b":2}');
    const endless = (): { toJSON: () => unknown } => ({ toJSON: endless });
    expect(() => rendered(endless())).toThrow('toJSON keeps returning new objects');
  });

  it('passes plain data to JSON.stringify without copying or walking it', () => {
    const content = [{ at: 1, tags: ['a', 'b'] }];
    expect(new JsonModel(content).serialize()).toBe(content);
  });

  it('renders a problem as application/problem+json', () => {
    const model = new JsonModel(new Problem(409, 'Sold already.'), { mediaType: 'application/json' });
    expect(model.mediaType).toBe('application/problem+json');
    expect(JSON.parse(new JsonRenderer().render(model))).toMatchObject({
      status: 409,
      detail: 'Sold already.',
    });
  });

  it('keeps the negotiated media type for any other content', () => {
    expect(new JsonModel({}, { mediaType: 'application/vnd.shop.v1+json' }).mediaType).toBe(
      'application/vnd.shop.v1+json',
    );
  });
});
