import fc from 'fast-check';
import { Event, EventManager } from '../../../src/framework';
import { synchronous } from '../../factories/synchronous';

describe('The results of a trigger', () => {
  const result = fc.oneof(fc.constant(undefined), fc.constant(null), fc.integer(), fc.string());

  it('are complete and in order, including undefined ones', () => {
    fc.assert(
      fc.property(fc.array(result), (returned) => {
        const events = new EventManager<{ saved: Event }>();
        for (const one of returned) events.attach('saved', () => one);
        const results = synchronous(events.trigger('saved', new Event()));
        expect([...results]).toEqual(returned);
        expect(results.length).toBe(returned.length);
        expect(results.first).toBe(returned[0]);
        expect(results.last).toBe(returned.at(-1));
        for (const one of [...returned, undefined, 'absent'])
          expect(results.contains(one)).toBe(returned.includes(one));
      }),
    );
  });
});
