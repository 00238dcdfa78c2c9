import {
  isObject,
  objectOf,
  type Configuration,
  type ConfigObject,
  errorMessage,
} from '../../../../framework';
import { optionIssues, withAdapterName, type HttpAdapterOptions, type OpenAdapter } from '../../../mvc-auth';
import { nameTooLong } from '../../changes/name-length';
import { checkFiles, type CheckResult } from './file-checks';

/** Characters of a name, so that it fits into the URLs of its pages. */
const MAX_NAME_LENGTH = 255;

/** Returns why a name is invalid; undefined for a valid one. */
export function adapterNameError(name: string): string | undefined {
  if (name === '') return 'Enter a name.';
  if (/\p{Cc}/u.test(name)) return 'The name must not contain control characters.';
  if (/\p{Cs}/u.test(name)) return 'The name must not contain half a surrogate pair.';
  if (name !== name.trim()) return 'Remove the white space around the name.';
  if (name === '__proto__') return 'This name is reserved. Choose another name.';
  if (name === '.' || name === '..') return 'This name is reserved. Choose another name.';
  return nameTooLong(name, MAX_NAME_LENGTH);
}

/**
 * Checks the options of an `HttpAdapter` beyond their schema. Options that fail the schema are skipped, so that each
 * has one error.
 *
 * @param errors of the schema
 * @param current the active options
 */
export async function checkHttpOptions(
  configuration: Configuration,
  options: ConfigObject,
  errors: readonly CheckResult[],
  current: ConfigObject,
): Promise<readonly CheckResult[]> {
  const broken = new Set(errors.map(({ pointer }) => pointer.split('/')[2] ?? ''));
  const sound = Object.entries(options).filter(([key]) => !broken.has(key));
  // The schema accepted the rest; the two required options are filled in.
  const http = { accept_schemes: [], realm: '', ...Object.fromEntries(sound) } as HttpAdapterOptions;
  const issues = optionIssues(http).filter(({ option }) => !broken.has(option));
  // The users of a digest file depend on the realm.
  const isRealmSound = !broken.has('realm') && issues.every(({ option }) => option !== 'realm');
  const files = await checkFiles(configuration, isRealmSound ? http : { ...http, realm: '' }, current);
  return [
    ...issues.map(({ option, advice }) => ({
      level: 'error' as const,
      pointer: `/options/${option}`,
      message: sentence(advice),
    })),
    ...files,
  ];
}

/**
 * Checks options by opening an adapter of a contributed kind, and disposes of it: only the kind knows its constraints
 * beyond the schema.
 * @param schema of the options, which locates errors
 */
export async function checkByOpening(
  open: () => Promise<OpenAdapter>,
  name: string,
  schema: unknown,
): Promise<readonly CheckResult[]> {
  try {
    const { adapter } = await open();
    await adapter.dispose();
    return adapter.warnings.map((message) => ({ level: 'warning', pointer: '/options', message }));
  } catch (error) {
    const message = errorMessage(error);
    return [{ level: 'error', ...locateError(message.replace(withAdapterName(name, ''), ''), schema) }];
  }
}

/** Locates an error that begins with an option: `secret: it has 5 bytes`, or `header is "Host"`. */
function locateError(
  message: string,
  schema: unknown,
): { readonly pointer: string; readonly message: string } {
  const [, option = '', text = ''] = /^([\w-]+)(?::| (?=is ))\s*([^]+)$/.exec(message) ?? [];
  const options = isObject(schema) ? objectOf(schema.properties) : {};
  return Object.hasOwn(options, option)
    ? { pointer: `/options/${option}`, message: sentence(text) }
    : { pointer: '/options', message: sentence(message) };
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}${/[.!?]$|\n/.test(text) ? '' : '.'}`;
}
