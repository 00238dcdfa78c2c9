import { documentUrl, isUrl, scopeOf } from '../../../src/command-line/client/documentation-url';

const DOCUMENTATION = 'http://localhost:8080/api/platform/documentation';
const NONE = { api: undefined, version: undefined };

it.each([
  [DOCUMENTATION, NONE, DOCUMENTATION],
  [`${DOCUMENTATION}/Shop#Product`, NONE, `${DOCUMENTATION}/Shop`],
  ['https://example.com/openapi.json?a=b', NONE, 'https://example.com/openapi.json?a=b'],
  [DOCUMENTATION, { api: 'Shop', version: undefined }, `${DOCUMENTATION}/Shop`],
  [`${DOCUMENTATION}/`, { api: 'Shop', version: '2' }, `${DOCUMENTATION}/Shop-v2`],
  [DOCUMENTATION, { api: '../x?', version: undefined }, `${DOCUMENTATION}/..%2Fx%3F`],
])('the document of %s with %j is at %s', (source, choice, expected) => {
  expect(documentUrl(source, choice).href).toBe(expected);
});

it.each([
  ['http://guide:explore@127.0.0.1/', NONE, /^The URL contains credentials.* use --user <name>\.$/],
  ['http://guide@127.0.0.1/', NONE, /^The URL contains credentials/],
  ['ftp://127.0.0.1/', NONE, /^"ftp:\/\/127\.0\.0\.1\/" is not the URL of a document\. Pass an http/],
  ['http://', NONE, /^"http:\/\/" is not the URL/],
  [
    `${DOCUMENTATION}/Shop`,
    { api: 'Shop', version: undefined },
    /^--api needs the URL of the documentation of all APIs/,
  ],
  [DOCUMENTATION, { api: 'Shop', version: 'two' }, /^--version "two" must be an integer, 1 or greater\.$/],
  [DOCUMENTATION, { api: 'Shop', version: '0' }, /^--version "0" must be/],
  [
    DOCUMENTATION,
    { api: undefined, version: '2' },
    /^--version needs the name of the API\. Add --api <name>\.$/,
  ],
])('refuses %s with %j, and repeats no password', (source, choice, message) => {
  expect(() => documentUrl(source, choice)).toThrow(message);
  expect(() => documentUrl(source, choice)).not.toThrow('explore');
});

it('has the path of an API without the URL of a service', () => {
  expect(scopeOf({ api: 'Shop', version: '3' })).toBe('/Shop-v3');
  expect(scopeOf(NONE)).toBe('');
});

it('knows URLs from files', () => {
  expect(['http://a', 'ftp://a', 'HTTPS://a'].every(isUrl)).toBe(true);
  expect(['a.json', './http:/a', 'C:\\a.json', '/a//b'].some(isUrl)).toBe(false);
});
