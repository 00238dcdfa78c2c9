import pino from 'pino';
import { LineWriter, openStandardSink, STANDARD_ERROR, type Log } from './framework';

/** The default log of the platform. */
export interface ErrorLog extends Log {
  /** Accepts no more lines. Buffered lines are flushed, at the latest when the process exits. */
  close(): void;
}

/**
 * Writes JSON lines to standard error without blocking. Lines that exceed the buffer are dropped; a later line reports
 * their number.
 */
export function openErrorLog(): ErrorLog {
  const writer = new LineWriter(
    openStandardSink(STANDARD_ERROR),
    {
      // Standard error itself is failing: there is nowhere to report it.
      failed: () => undefined,
      recovered: (lost) => {
        if (lost > 0) log.warn({ lost }, `Dropped ${lost} lines while this log could not be written.`);
      },
    },
    { immediate: true },
  );
  const log = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => writer.write(line) },
  );
  return {
    error: (details, message) => log.error(details, message),
    warn: (details, message) => log.warn(details, message),
    info: (details, message) => log.info(details, message),
    close: () => writer.close(),
  };
}
