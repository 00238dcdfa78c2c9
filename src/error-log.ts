import pino from 'pino';
import {
  escapeControls,
  lineFormat,
  LineWriter,
  openStandardSink,
  readableCopy,
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
      serializers: { err: toLoggedError },
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

/** Members of an error may be accessors that throw. The line is written all the same. */
function toLoggedError(error: unknown): unknown {
  try {
    const serialized = serializeError(error);
    return isSerializable(serialized) ? serialized : readableCopy(serialized);
  } catch {
    return {
      message: 'This error cannot be logged: one of its members throws when it is read.',
      stack: stackOf(error),
    };
  }
}

/** Whether no member of an error throws in JSON, as accessors do, circular references and numbers of the type BigInt. */
function isSerializable(error: unknown): boolean {
  const values: unknown[] = Object.values(Object(error) as object);
  try {
    // Most errors have texts and numbers only.
    for (const value of values) if (typeof value === 'object') JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

function stackOf(error: unknown): string | undefined {
  try {
    const stack: unknown = Reflect.get(Object(error) as object, 'stack');
    return typeof stack === 'string' ? stack : undefined;
  } catch {
    return undefined;
  }
}

/** As pino does, but with all causes in the message, and without those that the message before them quotes. */
function serializeError(error: unknown): unknown {
  if (!isErrorLike(error)) return error;
  // pino marks the error, which a frozen one refuses.
  const serialized = pino.stdSerializers.err(
    (Object.isExtensible(error) ? error : Object.create(error)) as Error,
  );
  return Object.assign(serialized, { message: messageOf(error) });
}

function messageOf(error: unknown): string {
  let message = '';
  const seen = new Set<unknown>();
  for (let one = error; !seen.has(one); one = isErrorLike(one) ? one.cause : undefined) {
    seen.add(one);
    const text = textOf(one);
    if (!message.includes(text)) message += message === '' ? text : `: ${text}`;
  }
  return message;
}

/** Node reports failed attempts to connect as an error that has no message itself. */
function textOf(cause: unknown): string {
  if (typeof cause === 'string') return cause;
  if (!isErrorLike(cause)) return '';
  return cause.message === '' && Array.isArray(cause.errors)
    ? cause.errors
        .filter(isErrorLike)
        .map(({ message }) => message)
        .join(', ')
    : cause.message;
}

interface ErrorLike {
  readonly message: string;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/** Whether pino serializes a value as an error, which may be of another realm. */
function isErrorLike(value: unknown): value is ErrorLike {
  return (
    typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
  );
}
