import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { auditLine } from '../../../../src/modules/admin/audit/audit-entry';
import { AuditFile } from '../../../../src/modules/admin/audit/audit-file';
import { readAuditPage } from '../../../../src/modules/admin/audit/audit-reader';
import { anyText } from '../../../factories/any-text';

const line = (number: number, more: object = {}): string =>
  `${JSON.stringify({ time: '2026-11-22T10:00:00Z', action: 'reload', outcome: 'success', number, ...more })}\n`;

describe('The file of the audit log', () => {
  let folder: string;
  let file: string;
  let log: AuditFile;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'audit-'));
    file = path.join(folder, 'data/audit.log');
    log = new AuditFile(file, (torn) => line(-1, { torn }));
  });
  afterEach(async () => {
    await log.close();
    rmSync(folder, { recursive: true });
  });

  it('is private, and has the lines in the order of their writers', async () => {
    await Promise.all([1, 2, 3].map((number) => log.append(line(number))));
    expect(readFileSync(file, 'utf8')).toBe(line(1) + line(2) + line(3));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is repaired if its last line is incomplete; the rest of it is kept in an entry', async () => {
    mkdirSync(path.dirname(file));
    writeFileSync(file, `${line(1)}{"time":"2026`);
    await log.append(line(2));
    expect(readFileSync(file, 'utf8')).toBe(line(1) + line(-1, { torn: '{"time":"2026' }) + line(2));
  });

  it('is repaired at startup, but not created', async () => {
    await log.prepare();
    expect(existsSync(file)).toBe(false);
    mkdirSync(path.dirname(file));
    writeFileSync(file, 'torn');
    await log.prepare();
    expect(readFileSync(file, 'utf8')).toBe(line(-1, { torn: 'torn' }));
  });

  it('keeps a line that another process completes meanwhile', async () => {
    mkdirSync(path.dirname(file));
    writeFileSync(file, '{"time":');
    const appended = log.append(line(2));
    await pause(20);
    appendFileSync(file, '1}\n');
    await appended;
    expect(readFileSync(file, 'utf8')).toBe(`{"time":1}\n${line(2)}`);
  });

  it('is opened again after it was renamed or removed', async () => {
    await log.append(line(1));
    renameSync(file, `${file}.1`);
    log.reopen();
    await log.append(line(2));
    expect(readFileSync(`${file}.1`, 'utf8')).toBe(line(1));
    rmSync(path.dirname(file), { recursive: true });
    await log.append(line(3));
    expect(readFileSync(file, 'utf8')).toBe(line(3));
  });

  it('rejects a line that cannot be written, and accepts lines again afterwards', async () => {
    writeFileSync(path.dirname(file), 'in the way');
    await expect(log.append(line(1))).rejects.toThrow('cannot be written');
    rmSync(path.dirname(file));
    await log.append(line(2));
    expect(readFileSync(file, 'utf8')).toBe(line(2));
  });

  it('has complete lines only, but at most one, when its writer is killed', async () => {
    const module = path.resolve('dist/modules/admin/audit/audit-file.js');
    const script = `
      const { AuditFile } = require(${JSON.stringify(module)});
      const log = new AuditFile(${JSON.stringify(file)}, () => '');
      (async () => { for (let number = 0; ; number++) {
        await log.append(JSON.stringify({ time: '', action: 'reload', outcome: 'success', number }) + '\\n');
        if (number === 5) console.log('running');
      } })();`;
    for (let round = 0; round < 5; round++) {
      const child = spawn(process.execPath, ['-e', script]);
      const ended = once(child, 'exit');
      await Promise.race([once(child.stdout, 'data'), ended]);
      child.kill('SIGKILL');
      expect(await ended).toEqual([null, 'SIGKILL']);
    }
    await log.append(line(99));
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    for (const one of lines) expect(() => JSON.parse(one) as unknown).not.toThrow();
    expect(lines.length).toBeGreaterThanOrEqual(5 * 6 + 1);
  });
});

describe('The pages of the audit log', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'audit-'));
    file = path.join(folder, 'audit.log');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const all = async (query: object, limit: number): Promise<readonly unknown[]> => {
    const numbers: unknown[] = [];
    let before: number | undefined;
    do {
      const { entries, next } = await readAuditPage(file, { ...query, limit, before });
      numbers.push(...entries.map((entry) => entry.number));
      expect(next).not.toBe(before ?? -1);
      before = next;
    } while (before !== undefined);
    return numbers;
  };

  it('have every entry once, newest first, whatever the lengths of lines and pages', async () => {
    const lengths = fc.array(fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 70_000 })), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(lengths, fc.integer({ min: 1, max: 5 }), async (fillers, limit) => {
        const lines = fillers.map((length, number) => line(number, { filler: 'ä'.repeat(length) }));
        writeFileSync(file, lines.join(''));
        expect(await all({}, limit)).toEqual(fillers.map((_, number) => number).reverse());
      }),
      { numRuns: 60 },
    );
  });

  it('skip malformed lines, and those that do not match the filter', async () => {
    const ada = line(2, { administrator: 'ada' });
    writeFileSync(
      file,
      `${line(1)}\n{"torn\nnull\n${ada}${line(3, { administrator: 'bob' })}${line(4)}{"time"`,
    );
    expect(await all({}, 2)).toEqual([4, 3, 2, 1]);
    expect(await all({ administrator: 'ada' }, 1)).toEqual([2]);
    expect(await all({ action: 'sign_in' }, 1)).toEqual([]);
  });

  it('are empty without a file', async () => {
    expect(await all({}, 10)).toEqual([]);
  });

  it('accept any offset', async () => {
    writeFileSync(file, line(1) + line(2));
    for (let before = 0; before < 300; before++)
      await expect(readAuditPage(file, { limit: 10, before })).resolves.toBeDefined();
  });
});

describe('A line of the audit log', () => {
  it('is one line of JSON without control characters for any names', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const actor = { name: text, via: 'page', address: text } as const;
        const entry = { action: 'sign_in', actor, outcome: 'success', target: text } as const;
        const written = auditLine(entry, new Date(0));
        expect(JSON.parse(written)).toMatchObject({ address: text });
        expect(written.indexOf('\n')).toBe(written.length - 1);
        expect(written.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028-\u202e]/u);
      }),
    );
  });
});
