import { randomBytes } from 'node:crypto';
import { isSecretName, steadyNow } from '../../../framework';
import { KeptEntries } from './kept-entries';
import { SharedForms, type SharedFormsOptions } from './shared-forms';

/** A form that was submitted after its session had expired. */
export interface Draft {
  /** The administrator of the session. */
  readonly user: string;
  /** The path of the page. */
  readonly path: string;
  /** The submitted fields, without passwords. */
  readonly fields: URLSearchParams;
}

/** Drafts kept at most; beyond it, the oldest one is dropped. */
const MAX_ENTRIES = 50;
/** Milliseconds that a draft is kept. */
const LIFETIME_MS = 30 * 60 * 1000;
/** Fields that are entered again. Others have the names of members and services, which may be `password`. */
const SECRET = /^(csrf|again|old|current|password)$/i;
/** The start of the names of the options of an adapter, which are secret if one of their keys is named like a secret. */
const OPTIONS = '/options/';

/**
 * Keeps forms that were submitted after their session had expired, until their administrator has signed in again. They
 * stay in memory, and where other nodes may need them, sealed; the token of a draft has 32 random bytes.
 */
export class Drafts {
  readonly #entries: KeptEntries<string>;
  readonly #shared: SharedForms | undefined;

  constructor(clock: () => number = steadyNow, shared?: SharedFormsOptions) {
    this.#entries = new KeptEntries({ entries: MAX_ENTRIES, lifetime: LIFETIME_MS }, clock);
    this.#shared = shared === undefined ? undefined : new SharedForms('draft', shared);
  }

  /** @returns the token of the draft */
  async keep(user: string, path: string, form: URLSearchParams): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    // As text: many short fields would take many times the memory.
    const fields = withoutSecrets(form).toString();
    this.#entries.keep(token, placeOf(user, path), fields);
    await this.#shared?.keep(token, placeOf(user, path), fields, LIFETIME_MS);
    return token;
  }

  /** The draft of an administrator for a page; undefined for another one, or after its lifetime. */
  async find(token: string, user: string, path: string): Promise<Draft | undefined> {
    const place = placeOf(user, path);
    const fields = this.#entries.find(token, place) ?? (await this.#shared?.find(token, place));
    return fields === undefined ? undefined : { user, path, fields: new URLSearchParams(fields) };
  }
}

function placeOf(user: string, path: string): string {
  return JSON.stringify([user, path]);
}

/** The fields of a form without passwords and tokens. */
export function withoutSecrets(form: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...form].filter(([name]) => !isSecretField(name)));
}

function isSecretField(name: string): boolean {
  return SECRET.test(name) || (name.startsWith(OPTIONS) && name.split('/').some(isSecretName));
}
