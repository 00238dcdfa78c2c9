import { describeScriptError } from '../../../src/framework/errors/describe-script-error';
import { parseFrames } from '../../../src/framework/errors/stack-frames';
import { parseSyntaxErrorLocation } from '../../../src/framework/errors/syntax-error-location';

describe('the frames of a stack', () => {
  it.each([
    ['at async file:///srv/shop.mjs:3:1', '/srv/shop.mjs'],
    ['at load (file:///srv/my%20shop/shop.mjs?2:3:1)', '/srv/my shop/shop.mjs'],
    ['at /srv/shop (1)/shop.js:3:1', '/srv/shop (1)/shop.js'],
  ])('have the paths of their files: %s', (line, file) => {
    expect(parseFrames(`Error: x\n    ${line}`)).toMatchObject([{ file, line: 3, column: 1 }]);
  });

  it.each(['file://host/x', 'file:///a%2Fb', 'file:///%E0%A4'])(
    'are not those of a URL without a file, which a message may contain: %s',
    async (url) => {
      const error = new TypeError(`Failed:\n    at ${url}:1:1`);
      error.stack = `TypeError: ${error.message}\n    at /srv/shop.js:3:1`;
      expect(parseFrames(error.stack)).toMatchObject([{ file: '/srv/shop.js' }]);
      expect(await describeScriptError(error, { root: '/srv' })).toMatch(/^shop\.js:3:1: TypeError: Failed:/);
      expect(parseSyntaxErrorLocation(`${url}:3\nlet let = 1;\n    ^^^\n`)).toBeUndefined();
      expect(parseSyntaxErrorLocation(`${url}:3\nlet a = (\n\n\nSyntaxError: x`)).toBeUndefined();
    },
  );
});
