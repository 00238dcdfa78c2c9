import { pluralize, type ConfigObject, type Configuration } from '../../../../framework';
import {
  describeDigestTable,
  describeLineIssues,
  digestRealms,
  isUrl,
  readDigestTable,
  readGroupTable,
  readPasswordTable,
  type HttpAdapterOptions,
} from '../../../mvc-auth';
import { allowedFile, adaptersUsing } from '../password-files/password-file-folders';
import { detectKind, filesNamed } from '../password-files/password-file-kind';
import { describeInvalidFile } from '../password-files/password-file-view';
import { isSample } from '../password-files/password-file-name';
import { PathError, projectFile } from '../password-files/project-file';
import { readTextFile } from '../password-files/read-text-file';
import { FILES, readsFile, type FileOption } from './adapter-view';

/** A result of checking the options of an adapter. */
export interface CheckResult {
  /** An adapter with an error cannot be saved. */
  readonly level: 'error' | 'warning' | 'ok';
  /** The option as a JSON Pointer: `/options/htpasswd`. */
  readonly pointer: string;
  readonly message: string;
  /** The password file that is missing or has no users. */
  readonly file?: {
    readonly path: string;
    readonly kind: 'htpasswd' | 'htdigest';
    readonly exists: boolean;
    readonly realm: string;
  };
}

/**
 * Checks the files named in the options of an `HttpAdapter`.
 *
 * @param options with an empty realm, users of Digest are not checked
 * @param current the active options: their files are allowed in any folder
 */
export async function checkFiles(
  configuration: Configuration,
  options: HttpAdapterOptions,
  current: Partial<HttpAdapterOptions> = {},
): Promise<readonly CheckResult[]> {
  const found = FILES.map(async (option): Promise<readonly CheckResult[]> => {
    const file = options[option];
    if (file === undefined || file === '') return [];
    const isCurrent = current[option] === file;
    const at = { option, pointer: `/options/${option}`, file, isCurrent };
    return withPathErrors(at, async () => {
      if (readsFile(options, option)) return checkFile(configuration, at, options);
      // Its scheme may be accepted later: then it is a file that an active adapter names.
      if (!isCurrent) await allowedFile(configuration, file);
      return [];
    });
  });
  return (await Promise.all(found)).flat();
}

/** The options of other kinds that name a file. */
const FILE_OPTIONS: Readonly<Record<string, string>> = { ApiKeyAdapter: 'keys', JwtAdapter: 'jwks' };

/**
 * Checks where the file is that is named in the options of an `ApiKeyAdapter` or a `JwtAdapter`, before it is opened:
 * what opening reports reveals whether a file exists.
 *
 * @param current the active options: their file is allowed anywhere
 */
export async function checkPlace(
  configuration: Configuration,
  kind: string,
  options: ConfigObject,
  current: ConfigObject,
): Promise<readonly CheckResult[]> {
  const option = FILE_OPTIONS[kind] ?? '';
  const file = options[option];
  if (typeof file !== 'string' || file === current[option]) return [];
  if (option === 'jwks' && isUrl(file)) return [];
  return withPathErrors({ pointer: `/options/${option}`, file, isCurrent: false }, async () => {
    await allowedFile(configuration, file, filesNamed(configuration, kind, option));
    return [];
  });
}

async function withPathErrors(
  {
    pointer,
    file,
    isCurrent,
  }: { readonly pointer: string; readonly file: string; readonly isCurrent: boolean },
  check: () => Promise<readonly CheckResult[]>,
): Promise<readonly CheckResult[]> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return [{ level: isCurrent ? 'warning' : 'error', pointer, message: `${file} ${error.message}.` }];
  }
}

async function checkFile(
  configuration: Configuration,
  {
    option,
    pointer,
    file,
    isCurrent,
  }: { option: FileOption; pointer: string; file: string; isCurrent: boolean },
  options: HttpAdapterOptions,
): Promise<readonly CheckResult[]> {
  const place = isCurrent
    ? await projectFile(configuration.root, file)
    : await allowedFile(configuration, file);
  const text = await readTextFile(place);
  if (text === undefined) {
    const missing = { level: 'error', pointer, message: `The file ${place.path} does not exist.` } as const;
    if (option === 'htgroup') return [missing];
    return [{ ...missing, file: { path: place.path, kind: option, exists: false, realm: options.realm } }];
  }
  const isKnown = isCurrent || (await adaptersUsing(configuration, place)).length > 0;
  if (option !== 'htgroup' && !isKnown && detectKind(place.path, text) === undefined)
    return [{ level: 'error', pointer, message: describeInvalidFile(place.path, text, option) }];
  const found =
    option === 'htpasswd'
      ? ofPasswords(place.path, text, options)
      : option === 'htdigest'
        ? ofDigests(place.path, text, options)
        : ofGroups(place.path, text);
  const sample: CheckResult[] = isSample(place.path)
    ? [
        {
          level: 'warning',
          pointer: '',
          message: `Sample passwords: replace them. The passwords of ${place.path} are published with the platform and accepted from this machine only.`,
        },
      ]
    : [];
  return [...found, ...sample].map((one) => ({ ...one, pointer }));
}

function ofPasswords(file: string, text: string, options: HttpAdapterOptions): readonly CheckResult[] {
  const { users, issues: problems } = readPasswordTable(text, options.weak_hashes);
  const warnings = warningsOf(describeLineIssues(file, problems));
  if (users.size > 0) return [ok(`${file} has ${pluralize(users.size, 'user')}.`), ...warnings];
  return [
    {
      level: 'warning',
      pointer: '',
      message: `${file} has no users yet: nobody can sign in.`,
      file: { path: file, kind: 'htpasswd', exists: true, realm: options.realm },
    },
    ...warnings,
  ];
}

function ofDigests(file: string, text: string, { realm }: HttpAdapterOptions): readonly CheckResult[] {
  if (realm === '') return [];
  const table = readDigestTable(text, realm);
  const others = digestRealms(text).filter((one) => one !== realm);
  if (table.users.size === 0) {
    const elsewhere = others.length === 0 ? '' : ` Realms in the file: ${others.join(', ')}.`;
    return [
      {
        level: 'error',
        pointer: '',
        message: `${file} has no users in the realm "${realm}"; a Digest adapter needs at least one.${elsewhere}`,
        file: { path: file, kind: 'htdigest', exists: true, realm },
      },
      ...warningsOf(describeLineIssues(file, table.issues)),
    ];
  }
  const warnings = warningsOf(describeDigestTable(file, realm, table));
  const offer = `${file} has ${pluralize(table.users.size, 'user')} in the realm "${realm}". Algorithms: ${table.offered.join(', ')}.`;
  return [ok(offer), ...warnings];
}

function ofGroups(file: string, text: string): readonly CheckResult[] {
  const { groups, issues: problems } = readGroupTable(text);
  return [
    ok(`${file} assigns ${pluralize(groups.size, 'user')} to groups.`),
    ...warningsOf(describeLineIssues(file, problems)),
  ];
}

function ok(message: string): CheckResult {
  return { level: 'ok', pointer: '', message };
}

function warningsOf(messages: readonly string[]): readonly CheckResult[] {
  return messages.map((message) => ({ level: 'warning', pointer: '', message }));
}
