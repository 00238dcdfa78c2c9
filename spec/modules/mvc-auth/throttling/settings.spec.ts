import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

describe('the throttling settings', () => {
  it.each([
    [{ failures: 0 }, 'throttling.failures: is 0'],
    [{ window: '60' }, 'throttling.window: is "60"; it must be of type integer'],
    [{ per_adress: 1 }, 'Did you mean "per_address"?'],
  ])('are validated: %j', async (throttling, message) => {
    expect(
      await startRefusal({ modules: HOSTING, local: { 'platform-mvc-auth': { throttling } } }),
    ).toContain(message);
  });
});
