import { unknownOptions } from '../../../src/framework';

const KNOWN = ['path', 'headers'];

describe('The options of a call', () => {
  it.each([[{}], [{ path: '/' }], [{ path: undefined, headers: {} }]])('may be %j', (options) => {
    expect(unknownOptions(options, KNOWN)).toBeUndefined();
  });

  it.each([
    [{ path: '/', header: {} }, 'unknown option "header". Did you mean "headers"? Supported: path, headers.'],
    [{ constructor: 1 }, 'unknown option "constructor". Supported: path, headers.'],
    ['/notes', 'the text "/notes" was given. Give an object with options: path, headers.'],
    [['/notes'], 'a list was given. Give an object with options: path, headers.'],
    [undefined, 'undefined was given. Give an object with options: path, headers.'],
  ])('may not be %j', (options, fault) => {
    expect(unknownOptions(options, KNOWN)).toBe(fault);
  });
});
