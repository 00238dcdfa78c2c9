import type { Measurement } from '../../../../src/framework';
import { MeasurementReader } from '../../../../src/modules/operations/metrics/measurement-reader';
import { MemoryLog } from '../../../../src/testing';

const measurement = (name: string, values: Measurement['values']): Measurement => ({
  name,
  help: 'What it is.',
  type: 'gauge',
  values,
});

describe('MeasurementReader', () => {
  it('leaves out what cannot be measured, and logs it once until it can', () => {
    const log = new MemoryLog();
    const reader = new MeasurementReader(() => log);
    let isBroken = true;
    const all = [
      measurement('queue', () => {
        if (isBroken) throw new Error('closed');
        return [[{}, 3]];
      }),
      measurement('jobs', () => [[{ priority: 1 }, 2]]),
    ];
    const read = (): readonly string[] => reader.read(all).map(({ name }) => name);
    expect([read(), read()]).toEqual([['jobs'], ['jobs']]);
    expect(log.lines).toMatchObject([{ level: 'error', details: { metric: 'queue' } }]);
    isBroken = false;
    expect(read()).toEqual(['queue', 'jobs']);
    isBroken = true;
    expect(read()).toEqual(['jobs']);
    expect(log.lines).toHaveLength(2);
  });

  it('leaves out what is not a number, and what is not in pairs', () => {
    const reader = new MeasurementReader(() => new MemoryLog());
    const all = [undefined, [[{}, undefined]], [{ queue: 3 }]].map((values, at) =>
      measurement(`wrong_${at}`, () => values as unknown as ReturnType<Measurement['values']>),
    );
    expect(reader.read(all)).toEqual([]);
  });

  it('reads counts as database drivers return them', () => {
    const values = [
      [{}, 5n],
      [{ queue: 'a' }, '12'],
    ] as unknown as ReturnType<Measurement['values']>;
    const [read] = new MeasurementReader(() => new MemoryLog()).read([measurement('jobs', () => values)]);
    expect(read?.values).toEqual([
      [{}, 5],
      [{ queue: 'a' }, 12],
    ]);
  });
});
