import { failedOperation } from './modules/hosting';
import type { RunningPlatform } from './start';

/**
 * Logs unhandled rejections and uncaught exceptions, which would otherwise end the process without a line in the log.
 * After an unhandled rejection, which concerns one operation, the server keeps running. After an uncaught exception
 * the state of the process is unknown, so it shuts down.
 *
 * @param fail shuts the server down
 */
export function watchErrors(platform: RunningPlatform, fail: () => void): void {
  const logError = (err: unknown, message: string): void =>
    platform.application.log.error({ err, ...failedOperation(err) }, message);
  process.on('unhandledRejection', (reason) =>
    logError(reason, 'Unhandled promise rejection. Await the promise, or catch its error.'),
  );
  process.on('uncaughtException', (error) => {
    logError(error, 'Uncaught exception. Shutting down gracefully; the process exits with code 1.');
    fail();
  });
}
