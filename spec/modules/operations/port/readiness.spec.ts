import { readinessOf } from '../../../../src/modules/operations/port/readiness';

describe('readinessOf', () => {
  it('names dependencies that are not available, or that cannot say so', () => {
    const dependencies = [
      { name: 'database shop', isAvailable: () => false },
      { name: 'database atlas', isAvailable: () => true },
      {
        name: 'queue',
        isAvailable: () => {
          throw new Error('closed');
        },
      },
    ];
    expect(readinessOf(false, dependencies)).toEqual({
      status: 200,
      body: { status: 'ready', degraded: ['database shop', 'queue'] },
    });
  });

  it('takes a dependency that cannot say whether it refuses requests for degraded only', () => {
    const queue = {
      name: 'queue',
      isAvailable: () => false,
      refusal: () => {
        throw new Error('closed');
      },
    };
    expect(readinessOf(false, [queue])).toEqual({
      status: 200,
      body: { status: 'ready', degraded: ['queue'] },
    });
  });
});
