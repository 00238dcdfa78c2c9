import fc from 'fast-check';
import { escapeControls } from '../../../src/framework';
import { prettyLine } from '../../../src/framework/logging/pretty-line';
import { anyText } from '../../factories/any-text';

const json = (value: object): string => `${JSON.stringify(value)}\n`;
const WARNING = { level: 40, time: '2026-11-22T10:00:00.123Z', module: 'database', wait: 3, msg: 'Slow.' };

describe('A pretty line', () => {
  it('has time, level, module and message, and then the other members', () => {
    expect(prettyLine(json(WARNING), false)).toBe('10:00:00.123 WARN  [database] Slow. wait=3\n');
  });

  it('has colors only where they are wanted', () => {
    expect(prettyLine(json(WARNING), true)).toContain('\u001b[33mWARN');
    expect(prettyLine(json(WARNING), false)).not.toContain('\u001b');
  });

  it('shows the method, path and status of a request', () => {
    const access = { level: 30, time: WARNING.time, method: 'GET', path: '/a', status: 200, user: null };
    expect(prettyLine(json(access), false)).toBe('10:00:00.123 INFO  GET /a 200\n');
  });

  it('has the stack of an error below', () => {
    const err = { type: 'Error', message: 'Broken', stack: 'Error: Broken\n    at place' };
    expect(prettyLine(json({ level: 50, msg: 'Failed.', err }), false)).toBe(
      ' ERROR Failed.\n    Error: Broken\n        at place\n',
    );
  });

  it('contains no control character of a value, which a terminal would follow', () => {
    const hostile = fc.string({
      unit: fc.constantFrom(
        'a',
        ' ',
        '\n',
        '\r',
        '\u001b',
        '[31m',
        '\u0007',
        '\u009b',
        '\u202e',
        '"',
        '\u007f',
      ),
    });
    const entry = fc.record({
      msg: hostile,
      path: hostile,
      module: hostile,
      user: hostile,
      [']0;x\u0007']: hostile,
    });
    fc.assert(
      fc.property(entry, (members) => {
        const line = prettyLine(json({ level: 30, time: WARNING.time, ...members }), false);
        expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028-\u202e]/u);
      }),
    );
  });

  it('is the line itself if it is not JSON', () => {
    expect(prettyLine('plain\n', true)).toBe('plain\n');
  });
});

describe('escapeControls', () => {
  it('changes the text of JSON, but not its value', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const escaped = escapeControls(JSON.stringify(text));
        expect(JSON.parse(escaped)).toBe(text);
        expect(escaped).not.toMatch(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
      }),
    );
  });
});
