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
});
