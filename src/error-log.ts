import pino from 'pino';
import {
  escapeControls,
  lineFormat,
  LineWriter,
  openStandardSink,
  STANDARD_ERROR,
  type Log,
  type LogFormat,
} from './framework';

/** The default log of the platform. */
export interface ErrorLog extends Log {
  setFormat(format: LogFormat): void;
  /** Accepts no more lines. Buffered lines are flushed, at the latest when the process exits. */
  close(): void;
}

/**
 * Writes lines to standard error without blocking: JSON, or for people on a terminal. Lines that exceed the buffer are
 * dropped; a later line reports their number.
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
  let format = lineFormat(STANDARD_ERROR, 'auto');
  const log = pino(
    // The application drops lines by the level of their module.
    { base: null, level: 'debug', timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => writer.write(format?.(line) ?? escapeControls(line)) },
  );
  return {
    error: (details, message) => log.error(details, message),
    warn: (details, message) => log.warn(details, message),
    info: (details, message) => log.info(details, message),
    debug: (details, message) => log.debug(details, message),
    setFormat: (name) => (format = lineFormat(STANDARD_ERROR, name)),
    close: () => writer.close(),
  };
}
