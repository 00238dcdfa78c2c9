import { ModuleLog } from '../../../src/framework/logging/log-levels';
import { detailsOf, messageOf } from '../../../src/framework/logging/line-arguments';
import { MemoryLog } from '../../../src/testing/memory-log';

const broken = new Error('The shop is closed.');

describe('A line of a log', () => {
  it.each([
    ['details and a message', { id: 7 }, 'Sold out.', { id: 7 }, 'Sold out.'],
    ['a message alone', 'Sold out.', undefined, {}, 'Sold out.'],
    ['an error and a message', broken, 'Sold out.', { err: broken }, 'Sold out.'],
    ['an error alone', broken, undefined, { err: broken }, 'The shop is closed.'],
    ['details alone', { id: 7 }, undefined, { id: 7 }, ''],
    ['no details', undefined, 'Sold out.', {}, 'Sold out.'],
    ['null', null, 'Sold out.', {}, 'Sold out.'],
  ])('can have %s', (_, first, message, details, text) => {
    expect([detailsOf(first), messageOf(first, message)]).toEqual([details, text]);
    const log = new MemoryLog();
    Reflect.apply(new ModuleLog(log, 'shop').info, new ModuleLog(log, 'shop'), [first, message]);
    expect(log.lines).toEqual([{ level: 'info', details: { module: 'shop', ...details }, message: text }]);
  });
});
