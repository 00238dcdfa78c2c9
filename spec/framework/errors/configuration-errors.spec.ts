import { ConfigurationError, ConfigurationErrors } from '../../../src/framework';

const fail = (message: string) => (): string => {
  throw new ConfigurationError(message);
};

describe('the collection of configuration errors', () => {
  it('reports all errors at once, each of them once', async () => {
    const errors = new ConfigurationErrors();
    expect(errors.collect(fail('a'))).toBeUndefined();
    expect(errors.collect(() => 1)).toBe(1);
    expect(
      await errors.collectAsync(() => Promise.reject<string>(new ConfigurationError('b'))),
    ).toBeUndefined();
    errors.collect(fail('a'));
    expect(() => errors.assertNone()).toThrow(/^a\nb$/);
  });

  it('throws an only error itself, with its stack', () => {
    const errors = new ConfigurationErrors();
    expect(() => errors.assertNone()).not.toThrow();
    const only = new ConfigurationError('a');
    errors.collect(() => {
      throw only;
    });
    let thrown: unknown;
    try {
      errors.assertNone();
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBe(only);
  });

  it('does not hide other errors', () => {
    const wrong = (): never => {
      throw new TypeError('wrong');
    };
    expect(() => new ConfigurationErrors().collect(wrong)).toThrow(TypeError);
  });
});
