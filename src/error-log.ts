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
    {
      base: null,
      level: 'debug',
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: serializeError },
    },
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

/** As pino does, but without messages of causes that the message before them quotes. */
function serializeError(error: Error): object {
  const serialized = pino.stdSerializers.err(error);
  return isErrorLike(error) ? Object.assign(serialized, { message: messageOf(error) }) : serialized;
}

function messageOf(error: Error): string {
  let message = '';
  const seen = new Set<unknown>();
  for (let one: unknown = error; isErrorLike(one) && !seen.has(one); one = one.cause) {
    seen.add(one);
    if (!message.includes(one.message)) message += message === '' ? one.message : `: ${one.message}`;
  }
  return message;
}

/** Whether pino serializes a value as an error, which may be of another realm. */
function isErrorLike(value: unknown): value is { readonly message: string; readonly cause?: unknown } {
  return (
    typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
  );
}
