import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { isatty } from 'node:tty';
import { LineWriter, openStandardSink, STANDARD_ERROR, STANDARD_OUTPUT, type Log } from '../../framework';

/** A longer line is written in parts. */
const MAX_LINE = 1_048_576;

type StandardStream = typeof STANDARD_OUTPUT | typeof STANDARD_ERROR;

/**
 * How workers write to a standard stream. Files and terminals take each write as a whole. Pipes and sockets mix long
 * writes of several processes: there, each worker writes to a pipe of its own, and the primary writes the lines.
 */
export function outputOf(stream: StandardStream): 'inherit' | 'pipe' {
  if (isatty(stream)) return 'inherit';
  try {
    const status = fstatSync(stream, { bigint: true });
    return status.isFile() || status.isCharacterDevice() ? 'inherit' : 'pipe';
  } catch {
    // Closed.
    return 'inherit';
  }
}

/** Writes the lines of workers to the standard streams of this process. */
export class WorkerOutput {
  readonly #writers = new Map<StandardStream, LineWriter>();
  readonly #log: () => Log;

  constructor(log: () => Log) {
    this.#log = log;
  }

  /** Writes what a worker writes to its pipes, if it has them. */
  add(worker: { readonly stdout: Readable | null; readonly stderr: Readable | null }): void {
    this.#copy(worker.stdout, STANDARD_OUTPUT);
    this.#copy(worker.stderr, STANDARD_ERROR);
  }

  #copy(source: Readable | null, stream: StandardStream): void {
    if (source === null) return;
    const writer = this.#writerOf(stream);
    let rest = '';
    source.setEncoding('utf8');
    source.on('data', (chunk: string) => {
      const text = rest + chunk;
      const end = text.length > MAX_LINE ? text.length : text.lastIndexOf('\n') + 1;
      if (end > 0) writer.write(text.slice(0, end));
      rest = text.slice(end);
    });
    // A worker that was killed may have written a part of a line.
    source.once('end', () => rest === '' || writer.write(`${rest}\n`));
    source.on('error', () => undefined);
  }

  #writerOf(stream: StandardStream): LineWriter {
    const known = this.#writers.get(stream);
    if (known !== undefined) return known;
    const isOutput = stream === STANDARD_OUTPUT;
    const name = isOutput ? 'standard output' : 'standard error';
    const events = {
      failed: (err: unknown) => {
        // Standard error has this, too.
        if (isOutput)
          this.#log().error({ err }, 'Standard output cannot be written. The lines of workers are buffered.');
      },
      recovered: (lost: number) => {
        if (lost > 0)
          this.#log().warn({ lost }, `Dropped ${lost} lines of workers while ${name} could not be written.`);
      },
    };
    const writer = new LineWriter(openStandardSink(stream), events, { immediate: true, linesOf });
    this.#writers.set(stream, writer);
    return writer;
  }
}

function linesOf(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
