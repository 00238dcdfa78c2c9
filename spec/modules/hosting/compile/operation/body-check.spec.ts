import { bodyCheck } from '../../../../../src/modules/hosting/compile/operation/body-check';
import { growthOf } from '../../../../factories/measure/cpu-time';
import { makeMvcEvent } from '../../../../factories/mvc-event';

const reference = { api: 'House', version: 1, service: 'Door' };
const event = makeMvcEvent();
const failing = () => [{ pointer: '/name', message: 'is taken' }];

describe('The check of a list with custom validators', () => {
  it('takes linear time for items that fail', () => {
    const check = bodyCheck([failing], { reference, name: 'Door', timeout: 0 });
    const run = (size: number) =>
      check?.(
        event,
        Array.from({ length: size }, () => ({})),
      );
    expect(growthOf(run, 500, 8_000)).toBeLessThan(64);
  });

  it.each([
    ['synchronous', failing],
    ['asynchronous', () => Promise.resolve(failing())],
  ])('ends at 10,000 errors: of %s validators', async (_, validate) => {
    let calls = 0;
    const counted = () => {
      calls++;
      return validate();
    };
    const check = bodyCheck([counted], { reference, name: 'Door', timeout: 0 });
    const errors = await check?.(
      event,
      Array.from({ length: 20_000 }, () => ({})),
    );
    expect([calls, errors?.length]).toEqual([10_000, 10_000]);
    expect(errors?.at(-1)).toEqual({ pointer: '/9999/name', keyword: 'custom', message: 'is taken' });
  });
});
