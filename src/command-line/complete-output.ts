import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/** Writes all of what is written to standard output before the process ends, and calls `lose` with an error if it cannot. */
export function completeOutput(lose: (error: Error) => void): void {
  const output: Writable = process.stdout;
  output.on('error', lose);
  if (output instanceof Socket) return;
  // Node writes each chunk to a file once, also if there is only room for its beginning, and reports an error later than
  // --help and --version end the process.
  output._write = (chunk: Buffer, _encoding, done) => {
    try {
      writeFileSync(1, chunk);
      done();
    } catch (error) {
      lose(error as Error);
      done(error as Error);
    }
  };
}
