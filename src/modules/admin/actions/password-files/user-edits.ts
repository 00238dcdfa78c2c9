import { problem, type Problem } from '../../../../framework';
import {
  BCRYPT_COST,
  describeLostAlgorithms,
  DIGEST_ALGORITHMS,
  digestLines,
  digestSecrets,
  passwordLine,
  removeDigestUser,
  removePasswordUser,
  replaceDigestUser,
  setPasswordLine,
  type DigestAlgorithm,
  type EditedFile,
} from '../../../mvc-auth';
import { basicSecrets, type UserEdit } from '../../changes/file-change';
import { invalid } from '../../changes/field-errors';
import type { PasswordFileView } from './password-file-view';

/** A user of a password file. */
export interface FileUser {
  readonly user: string;
  /** Digest files only. */
  readonly realm?: string | undefined;
}

/** A new password. */
export interface NewPassword {
  readonly password: string;
  /** Digest files only: the algorithms that the user is to have; by default those that the realm should offer. */
  readonly algorithms?: readonly string[] | undefined;
}

/**
 * Hashes the password of a new or existing user. The edit throws Problems: 404 for a missing user, 409 for one that
 * already exists.
 * @throws PasswordEditError for an invalid name or password, Problem 422 for invalid algorithms
 */
export async function passwordEdit(
  view: PasswordFileView,
  user: FileUser,
  password: Required<NewPassword>,
  of: 'new' | 'existing',
): Promise<UserEdit> {
  const set =
    view.kind === 'htpasswd' ? await basicEdit(user, password.password) : digestEdit(user, password);
  const edit = (bytes: Buffer): EditedFile => {
    const edited = set.edit(bytes);
    if (of === 'new' && edited.replaced > 0)
      throw alreadyExists('user', '/user', user.user, 'Change password instead.');
    if (of === 'existing' && edited.replaced === 0) throw userNotFound(view, user);
    return edited;
  };
  return { ...set, edit };
}

/** Removes a user. The edit throws Problem 404 for a missing user. */
export function removal(view: PasswordFileView, user: FileUser): UserEdit {
  const isDigest = view.kind === 'htdigest';
  return {
    label: labelOf(user),
    secrets: isDigest ? digestSecretsOf(user) : basicSecretsOf(user),
    edit: (bytes) => {
      const edited = isDigest
        ? removeDigestUser(bytes, digestUser(user))
        : removePasswordUser(bytes, user.user);
      if (edited.replaced === 0) throw userNotFound(view, user);
      return edited;
    },
  };
}

async function basicEdit(user: FileUser, password: string): Promise<UserEdit> {
  const line = await passwordLine(user.user, password, BCRYPT_COST);
  return {
    label: user.user,
    secrets: basicSecretsOf(user),
    edit: (bytes) => setPasswordLine(bytes, user.user, line),
  };
}

function digestEdit(user: FileUser, { password, algorithms }: Required<NewPassword>): UserEdit {
  const own = digestUser(user);
  const lines = digestLines(own, password, knownAlgorithms(algorithms ?? []));
  return {
    label: labelOf(user),
    secrets: digestSecretsOf(user),
    edit: (bytes) => replaceDigestUser(bytes, own, lines),
    warning: (bytes, edited) => describeLostAlgorithms(bytes, edited, own.realm, 'set'),
  };
}

/** @throws Problem 422 for an unknown algorithm, or none */
function knownAlgorithms(names: readonly string[]): readonly DigestAlgorithm[] {
  const algorithms = DIGEST_ALGORITHMS.filter((algorithm) => names.includes(algorithm));
  if (algorithms.length > 0 && algorithms.length === new Set(names).size) return algorithms;
  const message = `Choose at least one algorithm. Available: ${DIGEST_ALGORITHMS.join(', ')}.`;
  throw invalid([{ pointer: '/algorithms', message }]);
}

export function alreadyExists(kind: string, pointer: string, name: string, advice: string): Problem {
  const message = `The ${kind} "${name}" already exists. ${advice}`;
  return problem('name_taken', { kind, name }, { extensions: { errors: [{ pointer, message }] } });
}

function userNotFound({ kind, realms }: PasswordFileView, { user, realm = '' }: FileUser): Problem {
  const own = realms.find((one) => one.realm === (kind === 'htdigest' ? realm : null));
  const what = kind === 'htdigest' ? `user of the realm "${realm}"` : 'user';
  return problem('name_not_found', {
    kind: what,
    name: user,
    names: own?.users.map(({ name }) => name) ?? [],
  });
}

/** Users of Basic files have no realm. */
function labelOf({ user, realm }: FileUser): string {
  return realm === undefined ? user : `${user} (${realm})`;
}

function digestUser({ user, realm = '' }: FileUser): { readonly username: string; readonly realm: string } {
  return { username: user, realm };
}

function digestSecretsOf(user: FileUser): UserEdit['secrets'] {
  return (bytes) => digestSecrets(bytes, digestUser(user));
}

function basicSecretsOf({ user }: FileUser): UserEdit['secrets'] {
  return (bytes) => basicSecrets(bytes, user);
}
