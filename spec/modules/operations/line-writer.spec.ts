import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endOf, LineWriter, type Sink } from '../../../src/modules/operations/line-writer';

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('the writer of lines', () => {
  let folder: string;
  let told: string[];
  const events = {
    troubled: (error: unknown) => void told.push(`troubled: ${String(error)}`),
    recovered: (lost: number) => void told.push(`recovered, ${lost} lost`),
  };
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'lines-'));
    told = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('writes the lines of a turn when it ends, in their order', async () => {
    const file = path.join(folder, 'a.log');
    const writer = new LineWriter(endOf(file), events);
    writer.write('one\n');
    writer.write('zwölf\n');
    expect(readFileSync(file, 'utf8')).toBe('');
    await endOfTurn();
    expect(readFileSync(file, 'utf8')).toBe('one\nzwölf\n');
    writer.write('three\n');
    writer.close();
    expect(readFileSync(file, 'utf8')).toBe('one\nzwölf\nthree\n');
  });

  it('does not wait for the end of the turn when there is much', () => {
    const file = path.join(folder, 'a.log');
    const writer = new LineWriter(endOf(file), events);
    const line = `${'x'.repeat(999)}\n`;
    for (let at = 0; at < 100; at++) writer.write(line);
    expect(readFileSync(file, 'utf8').length).toBeGreaterThan(60_000);
    writer.close();
    expect(readFileSync(file, 'utf8')).toBe(line.repeat(100));
  });

  it('writes nothing after it was closed, and is closed once', () => {
    const file = path.join(folder, 'a.log');
    const writer = new LineWriter(endOf(file), events);
    writer.close();
    writer.close();
    // A file that gets the descriptor of the closed one.
    const other = path.join(folder, 'b.txt');
    const descriptor = openSync(other, 'a');
    writer.write('lost\n');
    writer.flush();
    closeSync(descriptor);
    expect(readFileSync(other, 'utf8')).toBe('');
  });

  it('loses no line of a process that exits at once', () => {
    const module = path.resolve('dist/modules/operations/line-writer.js');
    const script = path.join(folder, 'exit.cjs');
    const file = path.join(folder, 'a.log');
    writeFileSync(
      script,
      `const { endOf, LineWriter } = require(${JSON.stringify(module)});
       new LineWriter(endOf(${JSON.stringify(file)}), {}).write('the last\\n');
       process.exit(3);`,
    );
    expect(() => execFileSync(process.execPath, [script])).toThrow('Command failed');
    expect(readFileSync(file, 'utf8')).toBe('the last\n');
  });

  it('tells once of a disk that is full, and keeps the service going', async () => {
    const writer = new LineWriter(endOf('/dev/full'), events);
    writer.write('one\n');
    await endOfTurn();
    writer.write('two\n');
    await pause(600);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^troubled: Error: ENOSPC/);
    writer.close();
  });

  it('goes on with the octet it has come to when a slow reader takes more, and tells of nothing', async () => {
    const taken: Buffer[] = [];
    let turns = 0;
    const slow: Sink = {
      write: (bytes, at) => {
        if (turns++ % 3 === 1) throw Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' });
        const part = Buffer.from(bytes.subarray(at, at + 7));
        taken.push(part);
        return part.length;
      },
      close: () => undefined,
    };
    const writer = new LineWriter(slow, events);
    writer.write('für alle Länder\n');
    await pause(300);
    writer.write('und Städte\n');
    for (let tries = 0; tries < 100 && Buffer.concat(taken).length < 30; tries++) await pause(50);
    expect(Buffer.concat(taken).toString()).toBe('für alle Länder\nund Städte\n');
    expect(told).toEqual([]);
    writer.close();
  });

  it('leaves out lines when too many wait, whole ones, and says how many', async () => {
    const taken: Buffer[] = [];
    let isFull = true;
    const sink: Sink = {
      write: (bytes, at) => {
        if (isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
        taken.push(Buffer.from(bytes.subarray(at)));
        return bytes.length - at;
      },
      close: () => undefined,
    };
    const writer = new LineWriter(sink, events);
    const line = `${'x'.repeat(9_999)}\n`;
    for (let at = 0; at < 1_000; at++) writer.write(line);
    isFull = false;
    for (let tries = 0; tries < 100 && told.length < 2; tries++) await pause(50);
    const written = Buffer.concat(taken).toString();
    const count = written.length / line.length;
    expect(written).toBe(line.repeat(count));
    expect(count).toBeLessThan(500);
    expect(told).toEqual(['troubled: Error: no space', `recovered, ${1_000 - count} lost`]);
    writer.close();
  });
});
