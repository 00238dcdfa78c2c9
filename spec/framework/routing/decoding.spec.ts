import fc from 'fast-check';
import { Problem, Router } from '../../../src/framework';

const router = new Router<null>();
router.add('entity', '/things/:id', null);
router.add('umlaut', '/größe/:id', null);
const idOf = (path: string): string | undefined => router.match(path)?.parameters.id;

describe('Path parameters', () => {
  it.each([
    ['/things/a%20b', 'a b'],
    ['/things/a+b', 'a+b'],
    ['/things/a%2Fb', 'a/b'],
    ['/things/a%2fb', 'a/b'],
    ['/things/%E2%82%AC', '€'],
    ['/things/%25', '%'],
    ['/things/%2525', '%25'],
    ['/things/%3F%23', '?#'],
    ['/things/a;b=c', 'a;b=c'],
    ['/things/%00', '\0'],
  ])('are decoded once: %s', (path, id) => {
    expect(idOf(path)).toBe(id);
  });

  it('may have line breaks, also with text around them', () => {
    const texts = new Router<null>();
    texts.add('text', '/texts/:title.:type', null);
    const parameters = { title: 'a\nb', type: 'c\r\nd\u2028' };
    expect(texts.match(texts.assemble('text', parameters))?.parameters).toEqual(parameters);
  });

  it('can have 8192 characters', () => {
    const id = 'x'.repeat(8_192);
    expect(idOf(`/things/${id}`)).toBe(id);
    expect(idOf(`/things/${id}x`)).toBeUndefined();
  });

  it('can have 8192 characters each, also with text around them', () => {
    const texts = new Router<null>();
    texts.add('text', '/texts/a-:one.:other!', null);
    const long = 'x'.repeat(8_192);
    const valuesOf = (path: string): unknown => texts.match(path)?.parameters;
    expect(valuesOf(`/texts/a-${long}.${long}!`)).toEqual({ one: long, other: long });
    expect(valuesOf(`/texts/a-${long}x.y!`)).toBeUndefined();
    expect(valuesOf(`/texts/a-y.${long}x!`)).toBeUndefined();
    expect(valuesOf(`/texts/a-y.${long}`)).toBeUndefined();
  });

  it.each(['/things/%', '/things/%zz', '/things/a%2', '/things/%C3%28', '/things/%FF'])(
    'that are not correctly percent-encoded cause a problem: %s',
    (path) => {
      expect(() => router.match(path)).toThrow(Problem);
      expect(() => router.match(path)).toThrow(`The path ${path} is not correctly percent-encoded.`);
    },
  );

  it('match, do not match, or cause a problem of status 400, for any path', () => {
    const tails = fc.string({
      unit: fc.constantFrom('%', '/', '2', 'F', 'f', 'a', ';', ':', '*', '.', '-', 'E'),
    });
    fc.assert(
      fc.property(tails, (tail) => {
        try {
          router.match(`/things/${tail}`);
        } catch (error) {
          expect(error).toMatchObject({ name: 'Problem', status: 400 });
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('Literals of a pattern', () => {
  it('match the path that encodes them', () => {
    expect(idOf('/gr%C3%B6%C3%9Fe/1')).toBe('1');
    expect(router.assemble('umlaut', { id: 1 })).toBe('/gr%C3%B6%C3%9Fe/1');
  });

  it('match needlessly encoded letters', () => {
    expect(idOf('/t%68ings/1')).toBe('1');
  });
});
