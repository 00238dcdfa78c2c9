import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folders whose frames say nothing about who attached a listener. */
const EVENTS = __dirname;
const FRAMEWORK = path.dirname(__dirname);

/** `at attach (/srv/shop.js:12:5)`, `at async file:///srv/shop.mjs:3:1` */
const FRAME = /^\s*at (?:.*? \()?((?:file:\/\/)?\/.*?|[A-Za-z]:\\.*?):(\d+):\d+\)?$/;

/**
 * The stack of the caller, as text: an Error keeps alive what its frames hold on to, and with it applications that
 * were replaced long ago.
 */
export function stackHere(): string {
  return new Error().stack ?? '';
}

/**
 * Where in the code a stack comes from, as `file:line`: the first frame outside the framework, or where all of it is
 * the framework's the first that is not of its events.
 *
 * @param isFramework whether the framework itself is meant
 */
export function siteOf(stack: string, isFramework: boolean): string | undefined {
  const frames = stack.split('\n').flatMap((line) => {
    const [, file = '', at = ''] = FRAME.exec(line) ?? [];
    return file === '' ? [] : [{ file: file.startsWith('file:') ? fileURLToPath(file) : file, at }];
  });
  const outside = isFramework ? undefined : frames.find(({ file }) => !isWithin(FRAMEWORK, file));
  const frame = outside ?? frames.find(({ file }) => !isWithin(EVENTS, file));
  return frame === undefined ? undefined : `${frame.file}:${frame.at}`;
}

function isWithin(folder: string, file: string): boolean {
  return file.startsWith(folder + path.sep);
}
