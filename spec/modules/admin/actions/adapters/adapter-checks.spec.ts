import { checkByOpening } from '../../../../../src/modules/admin/actions/adapters/adapter-checks';

describe('the error of an adapter that cannot be opened', () => {
  it.each([
    ['no key', 'No key.'],
    ['Which key?', 'Which key?'],
    ['not allowed\n  7 | throw', 'Not allowed\n  7 | throw'],
  ])('ends as a sentence, unless it ends with lines of code: %j', async (reason, message) => {
    const open = (): Promise<never> => Promise.reject(new Error(reason));
    expect(await checkByOpening(open, 'keys', {})).toEqual([
      { level: 'error', pointer: '/options', message },
    ]);
  });
});
