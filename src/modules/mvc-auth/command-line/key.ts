import { InvalidArgumentError, type Command } from 'commander';
import { formatColumns } from '../../../framework';
import { addKey, findKey, listKeys, newKey, removeKey, timeOf } from '../api-keys/edit-keys';
import { parseExpiry } from '../api-keys/expiry';
import { DEFAULT_PREFIX } from '../api-keys/key-format';
import { readLastUses, type LastUses } from '../api-keys/key-usage';
import type { KeyRateLimit, StoredKey } from '../api-keys/stored-key';
import {
  assertFolder,
  changePasswordFile,
  readPasswordFile,
} from '../password-files/editing/change-password-file';
import { PasswordEditError } from '../password-files/editing/password-edit-error';
import { EXIT, runCommand, type CommandIo } from './command-io';

interface CreateOptions {
  readonly owner: string;
  readonly scope?: readonly string[];
  readonly group?: readonly string[];
  readonly expires?: string;
  readonly rateLimit?: KeyRateLimit;
  readonly prefix: string;
}

const HEADING = ['KEY', 'OWNER', 'SCOPES', 'GROUPS', 'CREATED', 'EXPIRES', 'LAST USED'];

/**
 * Registers `key create FILE`, `key list FILE` and `key revoke FILE KEY`, which manage the keys of an `ApiKeyAdapter`.
 * Exits with 0, or with 1 (nothing changed, reason on `stderr`).
 *
 * @example
 * registerKey(program, process);
 * await program.parseAsync(['key', 'create', 'data/api-keys.json', '--owner', 'ci'], { from: 'user' });
 */
export function registerKey(program: Command, io: CommandIo): void {
  const key = program.command('key').description('create, list and revoke API keys');
  key
    .command('create')
    .description('create a key and print it; it is shown only once')
    .argument('<file>', 'the key file; created if it does not exist')
    .requiredOption('--owner <name>', 'who uses the key: the name of its identity')
    .option('--scope <name>', 'what the key allows, for rules such as "scope:read"; repeatable', collect)
    .option('--group <name>', 'a group of the owner, for rules such as "@staff"; repeatable', collect)
    .option('--expires <time>', 'a duration such as 12h, 30d or 1y, or a day in UTC (default: never)')
    .option('--rate-limit <limit/seconds>', 'requests in a number of seconds, such as 100/60', rateLimitOf)
    .option('--prefix <text>', 'how the key begins, before the underscore', DEFAULT_PREFIX)
    .action((file: string, options: CreateOptions) => runCommand(io, () => create(io, file, options)));
  key
    .command('list')
    .description('list the keys of a file, without their secrets')
    .argument('<file>', 'the key file')
    .action((file: string) => runCommand(io, () => list(io, file)));
  key
    .command('revoke')
    .description('remove a key from a file; it is refused at once')
    .argument('<file>', 'the key file')
    .argument('<key>', 'the beginning of the key, as listed')
    .action((file: string, prefix: string) => runCommand(io, () => revoke(io, file, prefix)));
}

async function create(io: CommandIo, file: string, options: CreateOptions): Promise<number> {
  const { owner, scope, group, expires, rateLimit, prefix } = options;
  const { key, stored } = newKey({
    owner,
    scopes: scope ?? [],
    groups: group ?? [],
    rateLimit,
    prefix,
    expires: expires === undefined ? undefined : parseExpiry(expires),
  });
  await assertFolder(file);
  await changePasswordFile(file, (bytes) => addKey(file, bytes, stored), await io.publisherOf?.(file));
  const end = stored.expires === undefined ? 'It does not expire.' : `It expires at ${stored.expires}.`;
  io.stdout.write(`${key}\n`);
  io.stderr.write(
    `Created the key ${stored.id} of "${owner}" in ${file}. ${end} It is shown only once: store it now.\n`,
  );
  return EXIT.done;
}

async function list(io: CommandIo, file: string): Promise<number> {
  const keys = listKeys(file, await read(file));
  if (keys.length === 0) {
    io.stdout.write('No keys.\n');
    return EXIT.done;
  }
  const uses = await readLastUses(file);
  io.stdout.write(
    formatColumns(
      HEADING,
      keys.map((key) => rowOf(key, uses, Date.now())),
    ),
  );
  return EXIT.done;
}

async function revoke(io: CommandIo, file: string, prefix: string): Promise<number> {
  const found = findKey(file, listKeys(file, await read(file)), prefix);
  const edited = (bytes: Buffer | undefined): Buffer => {
    // Another command may have revoked it meanwhile.
    findKey(file, listKeys(file, bytes), found.id);
    return removeKey(file, bytes ?? Buffer.alloc(0), found.id);
  };
  await changePasswordFile(file, edited, await io.publisherOf?.(file));
  io.stdout.write(`Revoked the key ${found.id} of "${found.owner}" in ${file}.\n`);
  return EXIT.done;
}

function rowOf(key: StoredKey, uses: LastUses, now: number): readonly string[] {
  const { id, owner, scopes, groups, created, expires } = key;
  const used = uses.get(id);
  const isExpired = expires !== undefined && Date.parse(expires) <= now;
  return [
    id,
    owner,
    scopes.join(',') || '-',
    groups.join(',') || '-',
    created,
    expires === undefined ? 'never' : `${expires}${isExpired ? ' (expired)' : ''}`,
    used === undefined ? 'never' : timeOf(new Date(used)),
  ];
}

/** @throws PasswordEditError for a file that is missing or unreadable */
async function read(file: string): Promise<Buffer> {
  const bytes = await readPasswordFile(file);
  if (bytes !== undefined) return bytes;
  throw new PasswordEditError(
    `The file ${file} does not exist. Create it with: apidesc-platform key create ${file} --owner NAME`,
  );
}

function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, ...value.split(',')];
}

function rateLimitOf(text: string): KeyRateLimit {
  const [, limit, window] = /^([1-9]\d{0,8})\/([1-9]\d{0,6})$/.exec(text) ?? [];
  if (limit === undefined || window === undefined)
    throw new InvalidArgumentError(
      'Expected requests and seconds, such as 100/60, at most 999999999/9999999.',
    );
  return { limit: Number(limit), window: Number(window) };
}
