import { unknownOptions } from '../../../src/framework';

const KNOWN = ['path', 'headers'];

describe('The options of a function', () => {
  it.each([[{}], [{ path: '/' }], [{ path: undefined, headers: {} }]])('can be %j', (options) => {
    expect(unknownOptions(options, KNOWN)).toBeUndefined();
  });

  it.each([
    [{ path: '/', header: {} }, 'unknown option "header". Did you mean "headers"? Supported: path, headers.'],
    [{ constructor: 1 }, 'unknown option "constructor". Supported: path, headers.'],
    ['/notes', 'the string "/notes" was passed. Pass an object with options: path, headers.'],
    [['/notes'], 'an array was passed. Pass an object with options: path, headers.'],
    [undefined, 'undefined was passed. Pass an object with options: path, headers.'],
  ])('cannot be %j', (options, message) => {
    expect(unknownOptions(options, KNOWN)).toBe(message);
  });
});
