import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { types } from 'node:util';
import { systemErrorCode } from './system-error-code';
import { ConfigurationError } from './configuration-error';
import { describeValue } from '../text/describe-value';
import { hasPathPrefix } from '../text/path-prefix';
import { positionAt } from '../text/text-position';
import { projectFrames, formatLocation, type ScriptLocation, type StackFrame } from './stack-frames';
import { findParseError, isParseError, parseSyntaxErrorLocation } from './syntax-error-location';

/** Maximum number of nested causes that are described. */
const MAX_CAUSES = 4;

export interface ScriptErrorOptions {
  /** The project folder; files in it are shown relative to it. */
  readonly root: string;
  /** The script that was being loaded; absolute. */
  readonly file?: string | undefined;
  /** Whether it may contain secrets, such as those of configuration: nothing of its text is shown. */
  readonly hasSecrets?: boolean;
}

/**
 * Describes an error in a script of the project: file, line and column, the error, and the project's stack frames or
 * the line with the syntax error; then its causes.
 */
export async function describeScriptError(error: unknown, options: ScriptErrorOptions): Promise<string> {
  const parts: string[] = [];
  let from = error;
  do {
    parts.push(await describeOne(from, options));
    from = types.isNativeError(from) ? from.cause : undefined;
  } while (parts.length <= MAX_CAUSES && from !== undefined);
  return parts.join('\nCaused by: ');
}

/** Adds the location in the project that caused an error, such as an invalid declaration. */
export function withLocation(error: ConfigurationError, root: string): ConfigurationError {
  const [frame] = projectFrames(error.stack ?? '');
  if (frame === undefined) return error;
  return new ConfigurationError(`${error.message}\n${showFrame(frame, root)}`, { cause: error });
}

/** Node.js advises to import a CommonJS package as a whole, which does not help if the platform has no such export. */
const MISSING_EXPORT =
  /^Named export '(.+?)' not found\. The requested module '(apidesc-platform(?:\/[^']*)?)' is a CommonJS module[^]*/;

/** The part of the message of a syntax error before the token at which it was found. */
const BEFORE_TOKEN = /^(Unexpected (?:identifier|token|string|number)|Invalid regular expression)\b.*$/s;

const PRIVATE_FIELD = /^Private field '.*'/s;

/** Returns the message of a syntax error without text of the script: after a missing quote, a secret is a token. */
function withoutToken(message: string): string {
  return message.replace(BEFORE_TOKEN, '$1').replace(PRIVATE_FIELD, 'Private field');
}

async function describeOne(
  error: unknown,
  { root, file, hasSecrets = false }: ScriptErrorOptions,
): Promise<string> {
  if (!types.isNativeError(error)) return `${describeValue(error)} was thrown instead of an error.`;
  const shown = hasSecrets && error.name === 'SyntaxError' ? withoutToken(error.message) : error.message;
  const message = shown.replace(MISSING_EXPORT, "'$2' has no export named '$1'.");
  const summary = `${error.name}: ${message}${adviceFor(error)}`;
  const { stack = '' } = error;
  if (isParseError(error)) {
    const location =
      parseSyntaxErrorLocation(stack) ?? (file === undefined ? undefined : await findParseError(file));
    if (location !== undefined) {
      const excerpt = hasSecrets ? '' : location.excerpt;
      return `${formatLocation(location, root)}: ${summary}\n${excerpt}`.trimEnd();
    }
  }
  const importing = await failedImport(error);
  if (importing !== undefined) return `${formatLocation(importing, root)}: ${summary}`;
  const frames = projectFrames(stack);
  const [frame] = frames;
  if (frame === undefined) return summary;
  return [`${formatLocation(frame, root)}: ${summary}`, ...frames.map((one) => showFrame(one, root))].join(
    '\n',
  );
}

function showFrame(frame: StackFrame, root: string): string {
  const location = formatLocation(frame, root);
  return frame.name === undefined ? `    at ${location}` : `    at ${frame.name} (${location})`;
}

function adviceFor(error: Error): string {
  return systemErrorCode(error) === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?ts\b/.test(error.message)
    ? `. Node ${process.versions.node} does not run TypeScript: compile the file to JavaScript, or use Node 22.18 or later.`
    : '';
}

/** `Cannot find package 'till' imported from /shop/shop.mjs` */
const NOT_FOUND = /^Cannot find (?:package|module) '(.+?)' imported from (.+?)\.?$/m;

/** Locates the failed import of an ES module: its error has no stack frame of the module. */
async function failedImport(error: Error): Promise<ScriptLocation | undefined> {
  if (systemErrorCode(error) !== 'ERR_MODULE_NOT_FOUND') return undefined;
  const [, missing = '', file = ''] = NOT_FOUND.exec(error.message) ?? [];
  const text = await readFile(file, 'utf8').catch(() => '');
  for (const { index, 2: specifier = '' } of text.matchAll(/(['"])([^'"\n]+)\1/g)) {
    const named = specifier.startsWith('.') ? path.resolve(path.dirname(file), specifier) : specifier;
    if (!hasPathPrefix(named, missing)) continue;
    return { file, ...positionAt(text, index) };
  }
  return undefined;
}
