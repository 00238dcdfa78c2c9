import { FileError, systemErrorCode } from '../framework';

let isReported = false;

/**
 * Reports, once, that output was lost, and lets the process fail, whatever exit code its command sets. If the reader of a pipe
 * is gone (`| head`), the command still completes.
 */
export function reportLostOutput(error: NodeJS.ErrnoException): void {
  if (isReported || error.code === 'EPIPE') return;
  isReported = true;
  process.stderr.write(`${new FileError('Standard output', systemErrorCode(error)).message}\n`);
  process.once('exit', () => {
    process.exitCode = 1;
  });
}
