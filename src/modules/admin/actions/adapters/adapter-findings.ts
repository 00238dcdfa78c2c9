import {
  describeDigestTable,
  describeProblems,
  digestRealms,
  readDigestTable,
  readGroupTable,
  readPasswordTable,
  type HttpAdapterOptions,
} from '../../../mvc-auth';
import { isSample } from '../password-files/password-file-name';
import { PathRefusal, projectFile } from '../password-files/project-file';
import { readTextFile } from '../password-files/read-text-file';

/** Something that was found out about the options of an adapter. */
export interface Finding {
  /** An adapter with an error cannot be saved. */
  readonly level: 'error' | 'warning' | 'ok';
  /** The option as a JSON Pointer: `/options/htpasswd`. */
  readonly pointer: string;
  readonly message: string;
  /** A password file that is missing or lacks users: where it is made and filled. */
  readonly file?: {
    readonly path: string;
    readonly kind: 'htpasswd' | 'htdigest';
    readonly exists: boolean;
    readonly realm: string;
  };
}

type FileOption = 'htpasswd' | 'htdigest' | 'htgroup';

/**
 * What the files say that the options of an `HttpAdapter` name.
 *
 * @param root the project's root
 * @param options with an empty realm, nothing is said of the users of Digest
 * @param current the options in force: a file outside of the project that they name already may stay
 */
export async function findingsOfFiles(
  root: string,
  options: HttpAdapterOptions,
  current: Partial<HttpAdapterOptions> = {},
): Promise<readonly Finding[]> {
  const named: [FileOption, string | undefined][] = [
    ['htpasswd', options.accept_schemes.includes('basic') ? options.htpasswd : undefined],
    ['htdigest', options.accept_schemes.includes('digest') ? options.htdigest : undefined],
    ['htgroup', options.htgroup],
  ];
  const found = named.map(async ([option, file]): Promise<readonly Finding[]> => {
    if (file === undefined || file === '') return [];
    const at = { option, pointer: `/options/${option}`, file };
    try {
      return await findingsOfFile(root, at, options);
    } catch (error) {
      if (!(error instanceof PathRefusal)) throw error;
      const level = current[option] === file ? 'warning' : 'error';
      return [{ level, pointer: at.pointer, message: `${file} ${error.message}.` }];
    }
  });
  return (await Promise.all(found)).flat();
}

async function findingsOfFile(
  root: string,
  { option, pointer, file }: { option: FileOption; pointer: string; file: string },
  options: HttpAdapterOptions,
): Promise<readonly Finding[]> {
  const place = await projectFile(root, file);
  const text = await readTextFile(place);
  if (text === undefined) {
    const missing = { level: 'error', pointer, message: `There is no file ${place.path}.` } as const;
    if (option === 'htgroup') return [missing];
    return [{ ...missing, file: { path: place.path, kind: option, exists: false, realm: options.realm } }];
  }
  const found =
    option === 'htpasswd'
      ? ofPasswords(place.path, text, options)
      : option === 'htdigest'
        ? ofDigests(place.path, text, options)
        : ofGroups(place.path, text);
  const sample: Finding[] = isSample(place.path)
    ? [
        {
          level: 'warning',
          pointer: '',
          message: `The passwords of ${place.path} are published with the platform: anybody knows them. The service refuses them beyond this machine.`,
        },
      ]
    : [];
  return [...found, ...sample].map((one) => ({ ...one, pointer }));
}

function ofPasswords(file: string, text: string, options: HttpAdapterOptions): readonly Finding[] {
  const { users, problems } = readPasswordTable(text, options.weak_hashes);
  const warnings = warningsOf(describeProblems(file, problems));
  if (users.size > 0) return [ok(`${file} has ${counted(users.size)}.`), ...warnings];
  return [
    {
      level: 'warning',
      pointer: '',
      message: `${file} has no user yet: nobody can sign in.`,
      file: { path: file, kind: 'htpasswd', exists: true, realm: options.realm },
    },
    ...warnings,
  ];
}

function ofDigests(file: string, text: string, { realm }: HttpAdapterOptions): readonly Finding[] {
  if (realm === '') return [];
  const table = readDigestTable(text, realm);
  const others = digestRealms(text).filter((one) => one !== realm);
  if (table.users.size === 0) {
    const elsewhere = others.length === 0 ? '' : ` It has users of: ${others.join(', ')}.`;
    return [
      {
        level: 'error',
        pointer: '',
        message: `${file} has no user of the realm "${realm}", which Digest needs to start.${elsewhere}`,
        file: { path: file, kind: 'htdigest', exists: true, realm },
      },
      ...warningsOf(describeProblems(file, table.problems)),
    ];
  }
  const warnings = warningsOf(describeDigestTable(file, realm, table));
  if (table.offered.length === 0) {
    const message = `${file} has no algorithm for which every user of the realm "${realm}" has a line. Set their passwords anew.`;
    return [{ level: 'error', pointer: '', message }, ...warnings];
  }
  const offer = `${file} has ${counted(table.users.size)} of the realm "${realm}"; offered: ${table.offered.join(', ')}.`;
  return [ok(offer), ...warnings];
}

function ofGroups(file: string, text: string): readonly Finding[] {
  const { groups, problems } = readGroupTable(text);
  return [
    ok(`${file} puts ${counted(groups.size)} into groups.`),
    ...warningsOf(describeProblems(file, problems)),
  ];
}

function ok(message: string): Finding {
  return { level: 'ok', pointer: '', message };
}

function warningsOf(messages: readonly string[]): readonly Finding[] {
  return messages.map((message) => ({ level: 'warning', pointer: '', message }));
}

function counted(users: number): string {
  return users === 1 ? '1 user' : `${users} users`;
}
