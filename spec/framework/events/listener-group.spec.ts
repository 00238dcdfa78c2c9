import { Event, EventManager, Listeners } from '../../../src/framework';
import { synchronous } from '../../factories/synchronous';

interface Events {
  saved: Event;
  removed: Event;
}

class Audit extends Listeners<Events> {
  readonly calls: string[] = [];

  protected override listeners(events: EventManager<Events>, priority = 3): readonly (() => void)[] {
    return [
      events.attach('saved', () => this.calls.push('saved'), priority),
      events.attach('removed', () => this.calls.push('removed'), priority),
    ];
  }
}

describe('A listener group', () => {
  it('attaches all its listeners', () => {
    const events = new EventManager<Events>();
    const audit = new Audit();
    events.attachGroup(audit);
    synchronous(events.trigger('saved', new Event()));
    synchronous(events.trigger('removed', new Event()));
    expect(audit.calls).toEqual(['saved', 'removed']);
  });

  it('is attached only once', () => {
    const events = new EventManager<Events>();
    const audit = new Audit();
    for (let request = 0; request < 100; request++) events.attachGroup(audit);
    expect(events.count('saved')).toBe(1);
  });

  it('is attached only once when attach is called directly', () => {
    const events = new EventManager<Events>();
    const audit = new Audit();
    audit.attach(events);
    audit.attach(events);
    expect(events.count('saved')).toBe(1);
  });

  it('detaches all its listeners and no others, and can be attached again', () => {
    const events = new EventManager<Events>();
    const audit = new Audit();
    const other = jest.fn();
    events.attach('saved', other);
    events.attachGroup(audit);
    events.detachGroup(audit);
    synchronous(events.trigger('saved', new Event()));
    expect(audit.calls).toEqual([]);
    expect(other).toHaveBeenCalledTimes(1);
    events.attachGroup(audit);
    expect(events.count('saved')).toBe(2);
  });

  it('uses the priority that it is attached with', () => {
    const events = new EventManager<Events>();
    const audit = new Audit();
    events.attach('saved', () => audit.calls.push('priority 50'), 50);
    events.attachGroup(audit, 200);
    synchronous(events.trigger('saved', new Event()));
    expect(audit.calls).toEqual(['saved', 'priority 50']);
  });

  it('can be attached to several event managers independently', () => {
    const [one, other] = [new EventManager<Events>(), new EventManager<Events>()];
    const audit = new Audit();
    one.attachGroup(audit);
    other.attachGroup(audit);
    one.detachGroup(audit);
    expect([one.count('saved'), other.count('saved')]).toEqual([0, 1]);
  });

  it('can be detached without being attached', () => {
    const events = new EventManager<Events>();
    events.detachGroup(new Audit());
    new Audit().detach(events);
    expect(events.count('saved')).toBe(0);
  });
});
