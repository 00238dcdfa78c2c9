import { spawn } from 'node:child_process';
import path from 'node:path';

/** The server as it was built: `npm test` builds before it tests. */
export const SERVER = path.resolve(__dirname, '../../dist/index.js');

/** How a start went: the platform listens, or its process has ended. */
export interface StartedProcess {
  /** `http://host:port` with the base path; undefined when the process ended instead. */
  readonly origin: string | undefined;
  /** Everything it wrote so far, both streams. */
  readonly output: string;
  readonly id: number | undefined;
  /** The exit code, where it has ended. */
  readonly code: number | null;
  /** Stops it by a signal and waits for its end. @returns the exit code */
  stop(): Promise<number | null>;
}

/**
 * Starts the platform as a process of its own, as an operator does, over a project folder: `import()` of real
 * modules and scripts works there. Waits until it listens or has ended.
 */
export function startProcess(
  root: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<StartedProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [SERVER, '--root', root], {
      env: { PATH: process.env.PATH, PORT: '0', ...environment },
    });
    let output = '';
    const ended = new Promise<number | null>((done) => child.once('close', done));
    const started = (origin: string | undefined, code: number | null): void =>
      resolve({
        origin,
        code,
        id: child.pid,
        get output() {
          return output;
        },
        stop: () => {
          child.kill('SIGTERM');
          return ended;
        },
      });
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = /^Documentation +(\S+)\/platform\/documentation$/m.exec(output);
      if (found !== null) started(found[1], null);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', reject);
    void ended.then((code) => started(undefined, code));
  });
}
