import { spawn } from 'node:child_process';
import path from 'node:path';

/** The built server: `npm test` builds before it tests. */
export const SERVER = path.resolve(__dirname, '../../../dist/index.js');

/** The result of a start: the platform listens, or its process has ended. */
export interface StartedProcess {
  /** `http://host:port` with the base path; undefined when the process has ended instead. */
  readonly origin: string | undefined;
  /** Everything it has written so far, both streams. */
  readonly output: string;
  readonly id: number | undefined;
  /** The exit code, once it has ended. */
  readonly code: number | null;
  /** Sends a signal and waits for the end. @returns the exit code */
  stop(): Promise<number | null>;
}

/**
 * Starts the platform as a separate process, as an operator does, in a project folder: `import()` of real modules and
 * scripts works there. Waits until it listens or has ended.
 * @param command what Node runs
 */
export function startProcess(
  root: string,
  environment: Readonly<Record<string, string>> = {},
  command: readonly string[] = [SERVER],
): Promise<StartedProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...command, '--root', root], {
      env: { PATH: process.env.PATH, PORT: '0', OPERATIONS_LISTEN: 'off', ...environment },
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
      const found = /^(?:Documentation|Service) +(\S+?)(?:\/platform\/documentation)?\r?\n/m.exec(output);
      if (found !== null) started(found[1], null);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', reject);
    void ended.then((code) => started(undefined, code));
  });
}
