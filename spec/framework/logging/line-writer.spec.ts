import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LineWriter, openFileSink, type LineSink } from '../../../src/framework';
import { NamedPipe } from '../../factories/processes/named-pipe';

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('The line writer', () => {
  let folder: string;
  let notifications: string[];
  const events = {
    failed: (error: unknown) => void notifications.push(`failed: ${String(error)}`),
    recovered: (lost: number) => void notifications.push(`recovered, ${lost} lost`),
  };
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'lines-'));
    notifications = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('writes the lines of a turn at its end, in order', async () => {
    const file = path.join(folder, 'a.log');
    const writer = new LineWriter(openFileSink(file), events);
    writer.write('one\n');
    writer.write('zwölf\n');
    expect(readFileSync(file, 'utf8')).toBe('');
    await endOfTurn();
    expect(readFileSync(file, 'utf8')).toBe('one\nzwölf\n');
    writer.write('three\n');
    writer.close();
    expect(readFileSync(file, 'utf8')).toBe('one\nzwölf\nthree\n');
  });

  it('writes a large batch before the end of the turn', () => {
    const file = path.join(folder, 'a.log');
    const writer = new LineWriter(openFileSink(file), events);
    const line = `${'x'.repeat(999)}\n`;
    for (let at = 0; at < 100; at++) writer.write(line);
    expect(readFileSync(file, 'utf8').length).toBeGreaterThan(60_000);
    writer.close();
    expect(readFileSync(file, 'utf8')).toBe(line.repeat(100));
  });

  it('writes nothing after it is closed, and can be closed twice', () => {
    const file = path.join(folder, 'a.log');
    const writer = new LineWriter(openFileSink(file), events);
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

  it('loses no line if the process exits immediately', () => {
    const module = path.resolve('dist/framework/index.js');
    const script = path.join(folder, 'exit.cjs');
    const file = path.join(folder, 'a.log');
    writeFileSync(
      script,
      `const { LineWriter, openFileSink } = require(${JSON.stringify(module)});
       new LineWriter(openFileSink(${JSON.stringify(file)}), {}).write('the last\\n');
       process.exit(3);`,
    );
    expect(() => execFileSync(process.execPath, [script])).toThrow('Command failed');
    expect(readFileSync(file, 'utf8')).toBe('the last\n');
  });

  it('writes lines at once after the exit of the process has begun, when nothing that is scheduled runs', () => {
    const file = path.join(folder, 'a.log');
    const writer = new LineWriter(openFileSink(file), events);
    writer.write('one\n');
    process.listeners('exit').at(-1)?.(0);
    writer.write('two\n');
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
    writer.close();
  });

  it('reports a full disk once, and does not fail', async () => {
    const writer = new LineWriter(openFileSink('/dev/full'), events);
    writer.write('one\n');
    await endOfTurn();
    writer.write('two\n');
    await pause(600);
    expect(notifications).toHaveLength(1);
    expect(notifications[0]).toMatch(/^failed: Error: ENOSPC/);
    writer.close();
  });

  it('resumes a partial write for a slow reader, without notifications', async () => {
    const taken: Buffer[] = [];
    let turns = 0;
    const slow: LineSink = {
      write: (bytes) => {
        if (turns++ % 3 === 1) throw Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' });
        const part = Buffer.from(bytes.subarray(0, 7));
        taken.push(part);
        return part.length;
      },
      close: () => undefined,
    };
    const writer = new LineWriter(slow, events);
    writer.write('für alle Länder\n');
    await pause(300);
    writer.write('und Städte\n');
    for (let tries = 0; tries < 300 && Buffer.concat(taken).length < 30; tries++) await pause(50);
    expect(Buffer.concat(taken).toString()).toBe('für alle Länder\nund Städte\n');
    expect(notifications).toEqual([]);
    writer.close();
  });

  it('keeps the rest of a partial write when further lines arrive before it is written', async () => {
    const taken: Buffer[] = [];
    let isBusy = false;
    const slow: LineSink = {
      write: (bytes) => {
        if (isBusy) throw Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' });
        isBusy = taken.length === 0;
        const part = Buffer.from(isBusy ? bytes.subarray(0, 7) : bytes);
        taken.push(part);
        return part.length;
      },
      close: () => undefined,
    };
    const writer = new LineWriter(slow, events);
    writer.write('the first line\n');
    writer.flush();
    writer.write('another one\n');
    writer.flush();
    isBusy = false;
    writer.write('ü'.repeat(50_000));
    writer.write('\n');
    writer.write('the last one\n');
    writer.flush();
    await endOfTurn();
    const expected = `the first line\nanother one\n${'ü'.repeat(50_000)}\nthe last one\n`;
    for (let tries = 0; tries < 300 && Buffer.concat(taken).length < Buffer.byteLength(expected); tries++)
      await pause(50);
    expect(Buffer.concat(taken).toString()).toBe(expected);
    expect(notifications).toEqual([]);
    writer.close();
  });

  it('drops whole lines when the buffer is full, and reports their number', async () => {
    const taken: Buffer[] = [];
    let isFull = true;
    const sink: LineSink = {
      write: (bytes) => {
        if (isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
        taken.push(Buffer.from(bytes));
        return bytes.length;
      },
      close: () => undefined,
    };
    const writer = new LineWriter(sink, events);
    const line = `${'x'.repeat(9_999)}\n`;
    for (let at = 0; at < 1_000; at++) writer.write(line);
    isFull = false;
    for (let tries = 0; tries < 300 && notifications.length < 2; tries++) await pause(50);
    const written = Buffer.concat(taken).toString();
    const count = written.length / line.length;
    expect(written).toBe(line.repeat(count));
    expect(count).toBeLessThan(500);
    expect(notifications).toEqual(['failed: Error: no space', `recovered, ${1_000 - count} lost`]);
    writer.close();
  });

  it('writes each line immediately with the option immediate', () => {
    const file = path.join(folder, 'a.log');
    const writer = new LineWriter(openFileSink(file), events, { immediate: true });
    writer.write('one\n');
    expect(readFileSync(file, 'utf8')).toBe('one\n');
    writer.close();
  });

  it('closes the sink after the buffered lines, including a last line about dropped ones', async () => {
    let [isSlow, isOpen, written] = [true, true, ''];
    const sink: LineSink = {
      write: (bytes) => {
        if (isSlow) throw Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' });
        written += Buffer.from(bytes).toString();
        return bytes.length;
      },
      close: () => void (isOpen = false),
    };
    const writer = new LineWriter(sink, {
      failed: () => undefined,
      recovered: (lost) => writer.write(`${lost} lost\n`),
    });
    const line = `${'x'.repeat(99_999)}\n`;
    for (let at = 0; at < 50; at++) writer.write(line);
    writer.close();
    writer.write('too late\n');
    expect(isOpen).toBe(true);
    isSlow = false;
    for (let tries = 0; tries < 750 && isOpen; tries++) await pause(20);
    expect(isOpen).toBe(false);
    expect(written).toBe(`${line.repeat(42)}8 lost\n`);
  });

  it('does not block on the reader of a named pipe', async () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(() => openFileSink(pipe)).toThrow('ENXIO');
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = new LineWriter(openFileSink(pipe), events);
    const text = `${'x'.repeat(199_999)}\n`;
    writer.write(text);
    let read = '';
    const chunk = Buffer.alloc(65_536);
    for (let tries = 0; tries < 500 && read.length < text.length; tries++) {
      await pause(5);
      try {
        read += chunk.toString('latin1', 0, readSync(reader, chunk));
      } catch {
        // Nothing yet.
      }
    }
    expect(read).toBe(text);
    writer.close();
    closeSync(reader);
  });

  /** Starts a process that writes more than a pipe can hold, and exits; waits until it is about to exit. */
  const startEnding = async (end: string) => {
    const pipe = new NamedPipe(folder);
    const module = path.resolve('dist/framework/index.js');
    const script = path.join(folder, 'exit.cjs');
    writeFileSync(
      script,
      `const { LineWriter, openStandardSink } = require(${JSON.stringify(module)});
       const writer = new LineWriter(openStandardSink(1), {});
       for (let at = 0; at < 200; at++) writer.write('x'.repeat(999) + '\\n');
       require('node:fs').writeSync(2, 'ending');
       ${end};`,
    );
    const child = spawn(process.execPath, [script], { stdio: ['ignore', pipe.writeEnd, 'pipe'] });
    const ended = once(child, 'exit');
    pipe.closeWriteEnd();
    await once(child.stderr!, 'data');
    return { pipe, ended };
  };

  it.each(['process.exit(1)', 'throw new Error("crash")'])(
    'waits for a slow reader when the process exits by %s',
    async (end) => {
      const { pipe, ended } = await startEnding(end);
      await pause(200);
      expect(await pipe.read()).toBe(`${'x'.repeat(999)}\n`.repeat(200));
      expect(await ended).toEqual([1, null]);
    },
  );

  it('lets the process exit if there is no reader', async () => {
    const { pipe, ended } = await startEnding('process.exit(3)');
    expect(await ended).toEqual([3, null]);
    const text = await pipe.read();
    expect(text.length).toBeGreaterThan(0);
    expect(text.length).toBeLessThan(200_000);
  });
});
