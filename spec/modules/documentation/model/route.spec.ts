import fc from 'fast-check';
import { parametersOfPath, pathsOfRoute } from '../../../../src/modules/documentation/model/route';

describe('pathsOfRoute', () => {
  it.each([
    ['/status', ['/status']],
    ['/countries[/:code]', ['/countries', '/countries/:code']],
    ['[/:lang]/countries', ['/countries', '/:lang/countries']],
    ['/a[/:b[/:c]]', ['/a', '/a/:b', '/a/:b/:c']],
    [String.raw`/a[/:b(\d+)]`, ['/a', '/a/:b']],
    ['/a[/:b([x-z]+)[/:c]]/d', ['/a/d', '/a/:b/d', '/a/:b/:c/d']],
    [String.raw`/t/:width(\d+)x:height(\d+)`, [String.raw`/t/:width(\d+)x:height`]],
    ['/r[/:week([0-9]+)]w', ['/rw', '/r/:week([0-9]+)w']],
    ['/a[/b', ['/a', '/a/b']],
    ['/a]/b', ['/a/b']],
  ])('expands %s', (route, paths) => {
    expect(pathsOfRoute(route)).toEqual(paths);
  });

  it('returns paths without brackets for any text, the last with all parts', () => {
    const part = fc.constantFrom('/', 'a', ':b', '[', ']', '/c');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const paths = pathsOfRoute(parts.join(''));
        expect(paths.join('')).not.toMatch(/[[\]]/);
        expect(paths).toContain(parts.join('').replace(/[[\]]/g, ''));
        expect(new Set(paths).size).toBe(paths.length);
      }),
    );
  });
});

describe('parametersOfPath', () => {
  it('returns the parameters in order', () => {
    expect(parametersOfPath('/distance/:from/:to_code')).toEqual(['from', 'to_code']);
    expect(parametersOfPath(String.raw`/:width(\d+)x:height`)).toEqual(['width', 'height']);
    expect(parametersOfPath('/plain')).toEqual([]);
  });
});
