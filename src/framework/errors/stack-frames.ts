import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TextPosition } from '../text/text-position';
import { pathInside } from '../values/path-inside';

/** A location in a script. */
export interface ScriptLocation extends TextPosition {
  /** Absolute. */
  readonly file: string;
}

/** A stack frame in a file, which those of Node itself are not. */
export interface StackFrame extends ScriptLocation {
  /** The name of the function, if the stack contains it. */
  readonly name: string | undefined;
}

/** `    at async load (file:///shop/shop.mjs:3:8)`, `    at /shop/shop.js:3:8` */
const FRAME = /^\s+at (?:async )?(?:(.+?) \()?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/;

/** The folder of the platform's own code: `dist`, or `src` in its tests. */
const PLATFORM = path.resolve(__dirname, '..', '..') + path.sep;

const PACKAGES = `${path.sep}node_modules${path.sep}`;
const CONTAINER = `${PACKAGES}@inversifyjs${path.sep}`;

/**
 * Returns the stack frames of the project, innermost first; without any, those of packages. Frames of Node, the
 * platform and the container are omitted.
 */
export function projectFrames(stack: string): readonly StackFrame[] {
  const frames = parseFrames(stack).filter(
    ({ file }) => !file.startsWith(PLATFORM) && !file.includes(CONTAINER),
  );
  const own = frames.filter(({ file }) => !file.includes(PACKAGES));
  return own.length > 0 ? own : frames;
}

/** Returns the frames of a stack that are in files, innermost first. */
export function parseFrames(stack: string): readonly StackFrame[] {
  return stack.split('\n').flatMap((line) => {
    const [, name, at = '', row, column] = FRAME.exec(line) ?? [];
    if (at === '' || at.includes('<anonymous>')) return [];
    const file = pathOfFrame(at);
    return file === undefined ? [] : [{ name, file, line: Number(row), column: Number(column) }];
  });
}

/**
 * Converts the URL or path of a stack frame to a path, without the query of repeated imports.
 * @returns undefined for a URL without a path, such as `file://host/x`, in a message that looks like a frame
 */
export function pathOfFrame(named: string): string | undefined {
  if (!named.startsWith('file://')) return named;
  try {
    return fileURLToPath(named.replace(/\?.*$/, ''));
  } catch {
    return undefined;
  }
}

/** Formats a location: `lib/shop.mjs:3:8`, relative to the project if the file is in it. */
export function formatLocation({ file, line, column }: ScriptLocation, root: string): string {
  const inside = pathInside(root, file) ?? '';
  return `${inside === '' ? file : inside.replaceAll('\\', '/')}:${line}:${column}`;
}
