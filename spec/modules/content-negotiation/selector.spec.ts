import { formatOf, Selector, type ResponseFormat } from '../../../src/modules/content-negotiation';
import { acceptsContentType } from '../../../src/modules/content-negotiation/selector';
import { JsonModel, Problem, ViewModel } from '../../../src/platform';

const json: ResponseFormat = { mediaType: 'application/json', name: 'JsonModel', viewModel: JsonModel };
const html: ResponseFormat = { mediaType: 'text/html', name: 'ViewModel', viewModel: ViewModel };
const sheet: ResponseFormat = { mediaType: 'text/csv', name: 'SheetModel', viewModel: ViewModel };

describe('a selector', () => {
  const selector = new Selector([json, html, sheet]);

  it.each([
    [undefined, json],
    ['*/*', json],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', html],
    ['application/json; charset=utf-8', json],
    ['TEXT/CSV', sheet],
    ['text/*;q=0.5, application/json;q=0.4', html],
    ['application/json;q=0, text/csv', sheet],
    ['image/png', undefined],
  ])('chooses for Accept: %s', (accept, expected) => {
    expect(selector.choose(accept)).toBe(expected);
  });

  it('finds a format by its short name', () => {
    expect(selector.byFormat('html')).toBe(html);
    expect(selector.byFormat('sheet')).toBe(sheet);
    expect([json, html, sheet].map(formatOf)).toEqual(['json', 'html', 'sheet']);
  });

  it('responds 406 to an unknown short name, with the available ones', () => {
    const error: unknown = (() => {
      try {
        return selector.byFormat('yaml');
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({ status: 406, extensions: { formats: ['json', 'html', 'sheet'] } });
  });

  it('can be restricted to media types, in their order, with structured suffixes', () => {
    const own = selector.restrictedTo(['application/vnd.shop.v1+json', 'text/csv'], 'The service');
    expect(own.mediaTypes).toEqual(['application/vnd.shop.v1+json', 'text/csv']);
    expect(own.choose('application/*+json')).toMatchObject({ viewModel: JsonModel });
    expect(own.choose('application/json')).toBeUndefined();
  });
});

describe('a selector for own media types', () => {
  it.each([
    ['application/vnd.shop+v2+json', [html, json]],
    ['Application/JSON', [html, json]],
    ['APPLICATION/vnd.shop+JSON', [html, json]],
    ['text/csv', [html, { ...json, mediaType: 'TEXT/CSV' }]],
    ['application/vnd.shop+json', [html, { ...json, mediaType: 'Application/Json' }]],
  ])('finds the view model of %s', (mediaType, formats) => {
    const own = new Selector(formats).restrictedTo([mediaType], 'The service');
    expect(own.formats).toEqual([{ ...json, mediaType }]);
    expect(own.choose(mediaType)).toEqual({ ...json, mediaType });
  });

  it.each(['application/vnd.shop+json+xml', 'application/json+v2', 'application/xml'])(
    'refuses %s, which none of its view models renders',
    (mediaType) => {
      expect(() => new Selector([json]).restrictedTo([mediaType], 'The service')).toThrow(
        `The service: no view model renders ${mediaType}.`,
      );
    },
  );
});

describe('a media type that is listed for several view models', () => {
  const again = (mediaType: string): ResponseFormat => ({
    mediaType,
    name: 'SheetModel',
    viewModel: ViewModel,
  });

  it('is reported with the one that is used: the last of identical spellings, otherwise the first', () => {
    expect(new Selector([json, html]).ambiguousTypes()).toEqual([]);
    expect(new Selector([json, again('application/json')]).ambiguousTypes()).toEqual([
      { mediaType: 'application/json', names: ['JsonModel', 'SheetModel'], winner: 'SheetModel' },
    ]);
    expect(new Selector([json, again('Application/JSON')]).ambiguousTypes()).toEqual([
      { mediaType: 'application/json', names: ['JsonModel', 'SheetModel'], winner: 'JsonModel' },
    ]);
  });

  it('is not reported within one view model', () => {
    expect(new Selector([html, { ...html, mediaType: 'TEXT/HTML' }]).ambiguousTypes()).toEqual([]);
  });
});

describe('acceptsContentType', () => {
  it.each([
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['Application/JSON', true],
    ['application/jsonp', false],
    ['application/vnd.shop.v1+json', false],
    ['*/*', false],
    ['', false],
    ['nonsense', false],
  ])('%s: %s', (type, expected) => {
    expect(acceptsContentType(['application/json'], type)).toBe(expected);
  });
});
