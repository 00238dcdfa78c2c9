import path from 'node:path';
import { parseFrames } from '../errors/stack-frames';

/** The folders whose stack frames are skipped. */
const EVENTS = __dirname;
const FRAMEWORK = path.dirname(__dirname);

/** As many as Node has in an error by default: formatting them is most of the time of attaching a listener. */
const FRAMES = 10;

/**
 * Captures the stack of the caller as a string: an Error would retain the objects of its frames, such as replaced
 * applications.
 */
export function captureStack(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  try {
    return new Error().stack ?? '';
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Returns the call site in a stack, as `file:line`: the first frame outside the framework, otherwise the first outside
 * `events/`.
 *
 * @param isFramework whether to accept frames of the framework
 */
export function callSite(stack: string, isFramework: boolean): string | undefined {
  const frames = parseFrames(stack);
  const outside = isFramework ? undefined : frames.find(({ file }) => !isWithin(FRAMEWORK, file));
  const frame = outside ?? frames.find(({ file }) => !isWithin(EVENTS, file));
  return frame === undefined ? undefined : `${frame.file}:${frame.line}`;
}

function isWithin(folder: string, file: string): boolean {
  return file.startsWith(folder + path.sep);
}
