import { optionsFault } from '../../../src/framework';

const KNOWN = ['path', 'headers'];

describe('The options of a call', () => {
  it.each([[{}], [{ path: '/' }], [{ path: undefined, headers: {} }]])('may be %j', (options) => {
    expect(optionsFault(options, KNOWN)).toBeUndefined();
  });

  it.each([
    [
      { path: '/', header: {} },
      'there is no option "header". Did you mean "headers"? There is: path, headers.',
    ],
    [{ constructor: 1 }, 'there is no option "constructor". There is: path, headers.'],
    ['/notes', 'the text "/notes" was given. Give an object with options: path, headers.'],
    [['/notes'], 'a list was given. Give an object with options: path, headers.'],
    [undefined, 'undefined was given. Give an object with options: path, headers.'],
  ])('may not be %j', (options, fault) => {
    expect(optionsFault(options, KNOWN)).toBe(fault);
  });
});
