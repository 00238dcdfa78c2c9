import { resolve } from 'node:path';
import type { Deployment, Services } from '../../../framework';
import { BasicScheme } from '../http/basic/basic-scheme';
import type { DigestSource, GroupSource, PasswordSource } from '../http/credential-source';
import { DigestScheme } from '../http/digest/digest-scheme';
import type { PasswordHashing } from '../passwords/password-hashing';
import { namedSource } from '../users/named-source';
import { openUsers } from '../users/open-users';
import { storedDigests, storedGroups } from '../users/stored-digests';
import { StoredPasswords } from '../users/stored-passwords';
import { withAdapterName } from './auth-configuration-error';
import { openBasic, type OpenScheme } from './open-basic';
import { openDigest } from './open-digest';
import { openGroups, type OpenGroups } from './open-groups';
import type { CheckedOptions } from './checked-options';

export interface SchemesContext {
  readonly root: string;
  readonly deployment: Deployment;
  readonly hashing: PasswordHashing;
  /** Milliseconds. */
  readonly basicClock: () => number;
  /** Milliseconds since the epoch. */
  readonly digestClock: () => number;
  readonly warn: (message: string) => void;
  readonly services?: Services | undefined;
}

/** The schemes of an adapter, and the groups of its users. */
export interface OpenSchemes {
  readonly schemes: readonly OpenScheme[];
  readonly groups: OpenGroups | undefined;
}

/** Opens the schemes of an adapter over the source of its users. @throws AuthConfigurationError */
export async function openSchemes(
  adapter: string,
  options: CheckedOptions,
  context: SchemesContext,
): Promise<OpenSchemes> {
  if (options.users !== undefined) return overTable(adapter, options, options.users, context);
  if (options.source !== undefined) return overService(adapter, options, options.source, context);
  return overFiles(adapter, options, context);
}

async function overFiles(
  adapter: string,
  options: CheckedOptions,
  context: SchemesContext,
): Promise<OpenSchemes> {
  const { realm, basic, digest } = options;
  const { root, deployment, hashing, basicClock, digestClock, warn } = context;
  const schemes: OpenScheme[] = [];
  try {
    if (digest) {
      const path = resolve(root, digest.file);
      const { domain, nonceTimeout, qop } = digest;
      const settings = { adapter, realm, domain, qop, nonceTimeout, deployment, clock: digestClock };
      schemes.push(await openDigest({ ...settings, path, warn }));
    }
    if (basic) {
      const path = resolve(root, basic.file);
      const { weak } = basic;
      schemes.push(await openBasic({ adapter, realm, path, weak, hashing, clock: basicClock, warn }));
    }
    return { schemes, groups: await groupsOfFile(adapter, options, context) };
  } catch (error) {
    for (const opened of schemes) opened.close();
    throw error;
  }
}

async function overTable(
  adapter: string,
  options: CheckedOptions,
  settings: NonNullable<CheckedOptions['users']>,
  context: SchemesContext,
): Promise<OpenSchemes> {
  const { users, sample, title, warnings, close } = await openUsers(adapter, settings, context);
  const { hashing, basicClock: clock, warn } = context;
  const unsupported = (name: string): void =>
    warn(
      withAdapterName(
        adapter,
        `the hash of user "${name}" in ${title} is not of a supported kind; the user cannot sign in with Basic: set the password again with: npx apidesc-platform user passwd ${adapter} ${name}`,
      ),
    );
  const weak = options.basic?.weak ?? [];
  const schemes = schemesOver(adapter, options, context, {
    passwords: new StoredPasswords(users, { weak, hashing, sample, clock, unsupported }),
    digests: storedDigests(users, settings),
  });
  try {
    const groups =
      settings.groups === undefined
        ? await groupsOfFile(adapter, options, context)
        : openGroupsOver(storedGroups(users));
    // With the first scheme, so that each is reported once.
    const has = async (username: string): Promise<boolean> => {
      const user = await users.find(username);
      if (user === undefined) return false;
      const hasDigest = options.digest !== undefined && Object.keys(user.ha1).length > 0;
      return hasDigest || (options.basic !== undefined && user.hash !== undefined);
    };
    return {
      schemes: schemes.map((one, at) => (at === 0 ? { ...one, has, warnings, close } : one)),
      groups,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function overService(
  adapter: string,
  options: CheckedOptions,
  name: string,
  context: SchemesContext,
): Promise<OpenSchemes> {
  const required = [
    ...(options.basic === undefined ? [] : ['basic' as const]),
    ...(options.digest === undefined ? [] : ['digest' as const]),
  ];
  const source = await namedSource(adapter, name, required, context);
  const groups =
    options.groupFile === undefined && source.groups !== undefined
      ? openGroupsOver(source.groups)
      : await groupsOfFile(adapter, options, context);
  return { schemes: schemesOver(adapter, options, context, source), groups };
}

function schemesOver(
  adapter: string,
  { realm, basic, digest }: CheckedOptions,
  { deployment, digestClock: clock }: SchemesContext,
  { passwords, digests: users }: { readonly passwords: PasswordSource; readonly digests: DigestSource },
): readonly OpenScheme[] {
  const rest = { warnings: [], close: () => undefined };
  const schemes: OpenScheme[] = [];
  if (digest)
    schemes.push({
      scheme: new DigestScheme({ ...digest, adapter, realm, deployment, clock, users }),
      ...rest,
    });
  if (basic) schemes.push({ scheme: new BasicScheme(realm, passwords), ...rest });
  return schemes;
}

function groupsOfFile(
  adapter: string,
  { groupFile }: CheckedOptions,
  { root, warn }: SchemesContext,
): Promise<OpenGroups | undefined> {
  return groupFile === undefined
    ? Promise.resolve(undefined)
    : openGroups({ adapter, path: resolve(root, groupFile), warn });
}

function openGroupsOver(groups: GroupSource): OpenGroups {
  return { ...groups, warnings: [], close: () => undefined };
}
