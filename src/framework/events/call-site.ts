import path from 'node:path';
import { parseFrames, pathOfFrame } from '../errors/stack-frames';

/** The folders whose stack frames are skipped. */
const EVENTS = __dirname;
const FRAMEWORK = path.dirname(__dirname);

/** What a program may set. */
interface StackFormat {
  stackTraceLimit: number;
  /** Set by libraries that apply source maps. */
  prepareStackTrace: ((error: Error, sites: NodeJS.CallSite[]) => unknown) | undefined;
}

/** As many as Node has in an error by default. */
const FRAMES = 10;

/**
 * Captures the stack of the caller as a string: an Error would retain the objects of its frames, such as replaced
 * applications. The string has only the frame of the call site, as formatting frames is most of the time of attaching
 * a listener; with source maps, which only Node's own formatting applies, it has all frames.
 *
 * @param isFramework as for {@link callSite}
 */
export function captureStack(isFramework: boolean): string {
  const global: StackFormat = Error;
  const { stackTraceLimit, prepareStackTrace } = global;
  const format = prepareStackTrace ?? formatSites;
  global.stackTraceLimit = FRAMES;
  if (!process.sourceMapsEnabled)
    global.prepareStackTrace = (error, sites) => {
      const site = selectFrame(sites, isFramework, fileOfSite);
      // A program may read the first site without asking whether there is one.
      return format(error, site === undefined ? sites : [site]);
    };
  try {
    return new Error().stack ?? '';
  } finally {
    global.stackTraceLimit = stackTraceLimit;
    global.prepareStackTrace = prepareStackTrace;
  }
}

/**
 * Returns the call site in a stack, as `file:line`: the first frame outside the framework, otherwise the first outside
 * `events/`.
 *
 * @param isFramework whether to accept frames of the framework
 */
export function callSite(stack: string, isFramework: boolean): string | undefined {
  const frame = selectFrame(parseFrames(stack), isFramework, ({ file }) => file);
  return frame === undefined ? undefined : `${frame.file}:${frame.line}`;
}

/** @returns the first frame that may be the call site, whose file is not one of Node */
function selectFrame<Frame>(
  frames: readonly Frame[],
  isFramework: boolean,
  fileOf: (frame: Frame) => string,
): Frame | undefined {
  const firstOutside = (folder: string): Frame | undefined =>
    frames.find((frame) => {
      const file = fileOf(frame);
      return !file.startsWith(folder + path.sep) && path.isAbsolute(file);
    });
  return (isFramework ? undefined : firstOutside(FRAMEWORK)) ?? firstOutside(EVENTS);
}

function fileOfSite(site: NodeJS.CallSite): string {
  return pathOfFrame(site.getFileName() ?? '') ?? '';
}

/** The locations of frames, as V8 formats those outside functions. */
function formatSites(__: Error, sites: readonly NodeJS.CallSite[]): string {
  return sites
    .map((site) => `    at ${site.getFileName()}:${site.getLineNumber()}:${site.getColumnNumber()}`)
    .join('\n');
}
