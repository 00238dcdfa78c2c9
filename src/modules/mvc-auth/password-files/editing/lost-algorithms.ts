import { readDigestTable, usersWithout, type DigestTable } from '../digest-table';
import type { EditedFile } from './edit-password-file';

/** The maximum number of user names in a message. */
const MAX_NAMES = 5;

/**
 * Describes the algorithms that would no longer be offered to the users of a realm after an edit; undefined for none.
 *
 * @param edit with `delete`, only the loss of the last algorithm that all users share is reported: giving up another may
 *   be intended
 */
export function describeLostAlgorithms(
  before: Buffer,
  { bytes: after }: EditedFile,
  realm: string,
  edit: 'set' | 'delete',
): string | undefined {
  const was = readDigestTable(before.toString('utf8'), realm);
  const is = readDigestTable(after.toString('utf8'), realm);
  // Without users there is nothing to lose; an earlier loss is reported by the service.
  if (was.users.size === 0 || is.users.size === 0 || !was.servesAll) return undefined;
  if (!is.servesAll) return noneForAll(is, realm);
  const lost = was.offered.filter((algorithm) => !is.offered.includes(algorithm));
  if (edit === 'delete' || lost.length === 0) return undefined;
  const missing = lost.flatMap((algorithm) => usersWithout(is.users, algorithm));
  return `${lost.join(' and ')} would no longer be offered to the users of realm "${realm}", since ${listUsers(missing)} would have no line for it.`;
}

function noneForAll({ users, offered: [algorithm] }: DigestTable, realm: string): string {
  if (algorithm === undefined) return '';
  return `No algorithm would be left that all users of realm "${realm}" have: only ${algorithm} would be offered, and ${listUsers(usersWithout(users, algorithm))}, without a line for it, could not sign in.`;
}

function listUsers(users: readonly string[]): string {
  const names = [...new Set(users)].map((user) => `"${user}"`);
  return names.slice(0, MAX_NAMES).join(', ') + (names.length > MAX_NAMES ? ', …' : '');
}
