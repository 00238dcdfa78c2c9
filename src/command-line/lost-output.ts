import { FileError, systemErrorCode } from '../framework';

let isReported = false;

/** Reports, once, that output was lost, and lets the process fail, whatever exit code its command sets. */
export function reportLostOutput(error: Error): void {
  if (isReported) return;
  isReported = true;
  process.stderr.write(`${new FileError('Standard output', systemErrorCode(error)).message}\n`);
  process.once('exit', () => {
    process.exitCode = 1;
  });
}
