import { withoutStack } from '../../../src/framework';

const framesOf = (error: Error): number => (error.stack ?? '').split('\n    at ').length - 1;

it('creates an error without frames, and leaves later errors as they are', () => {
  const error = withoutStack(() => new RangeError('too many'));
  expect([error.message, framesOf(error)]).toEqual(['too many', 0]);
  expect(framesOf(new Error('later'))).toBeGreaterThan(0);
  expect(() =>
    withoutStack(() => {
      throw new RangeError('not created');
    }),
  ).toThrow('not created');
  expect(framesOf(new Error('later'))).toBeGreaterThan(0);
});

it('creates an ordinary error where the intrinsic objects are frozen', () => {
  const descriptor = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit');
  Object.defineProperty(Error, 'stackTraceLimit', { value: 10, writable: false, configurable: true });
  try {
    expect(framesOf(withoutStack(() => new Error('frozen')))).toBeGreaterThan(0);
  } finally {
    Object.defineProperty(Error, 'stackTraceLimit', descriptor ?? {});
  }
});
