import { describeError } from '../../../../src/modules/operations/request-trace/describe-error';

describe('the description of an error', () => {
  it.each([
    ['at attach (/srv/shop.js:12:5)', '/srv/shop.js:12'],
    ['at async file:///srv/shop.mjs:3:1', '/srv/shop.mjs:3'],
    ['at file:///srv/my%20shop/shop.mjs:3:8', '/srv/my shop/shop.mjs:3'],
    ['at /srv/shop (1)/shop.js:3:8', '/srv/shop (1)/shop.js:3'],
    ['at node:internal/timers:7:1\n    at async /srv/shop.js:3:8', '/srv/shop.js:3'],
  ])('has the first file of its stack: %s', (frames, place) => {
    const error = new RangeError('x');
    error.stack = `RangeError: x\n    ${frames}`;
    expect(describeError(error, (file) => file)).toBe(`RangeError at ${place}`);
  });

  it('is its class if its stack has no file', () => {
    const error = new RangeError('x');
    error.stack = 'RangeError: x\n    at file://host/x:1:1\n    at node:internal/timers:7:1';
    expect(describeError(error, (file) => file)).toBe('RangeError');
    delete error.stack;
    expect(describeError(error, (file) => file)).toBe('RangeError');
  });
});
