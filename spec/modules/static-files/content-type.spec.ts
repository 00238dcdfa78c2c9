import { contentTypeOf } from '../../../src/modules/static-files/content-type';

describe('The type of a file', () => {
  it.each([
    ['a.html', 'text/html; charset=utf-8'],
    ['a.MJS', 'text/javascript; charset=utf-8'],
    ['a.png', 'image/png'],
    ['a.unknown', 'application/octet-stream'],
    ['a.constructor', 'application/octet-stream'],
    ['a.__proto__', 'application/octet-stream'],
    ['html', 'application/octet-stream'],
  ])('%s is %s', (file, type) => {
    expect(contentTypeOf(file)).toBe(type);
  });
});
