import type * as Bcrypt from '@node-rs/bcrypt';
import path from 'node:path';
import { BCRYPT_COST, hashWithBcrypt } from '../../../src/modules/mvc-auth/passwords/hashes/bcrypt-hash';
import { fieldsOf } from './page-form';
import { ALL_MODULES, startTestPlatform, type TestPlatform, type TestProject } from '../platform';

export const ADMIN = '/platform/admin';

/** A valid password, for tests that need one. */
export const PASSWORD = 'correct horse';

/** The built-in modules with the admin. */
export const WITH_ADMIN = ALL_MODULES.includes('admin') ? ALL_MODULES : [...ALL_MODULES, 'admin'];

/** The page of a review, or of the form that edits it again, below the admin. */
const REVIEW = /\/platform\/admin(\/reviews\/.+|\/.*[?&]review=[\w-]{43})$/;

/** A browser without a screen: keeps the cookie, and submits the forms of pages. */
export class AdminClient {
  readonly origin: string;
  cookie: string | undefined;

  constructor(origin: string, cookie?: string) {
    this.origin = origin;
    this.cookie = cookie;
  }

  /** @param below the admin's path, e.g. `/account` */
  get(below: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#send(below, { headers });
  }

  /** Submits a form like a browser does from an admin page, and follows it to its review. The token defaults to that of the account page. */
  async post(
    below: string,
    fields: Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[],
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const form = new URLSearchParams();
    for (const [name, value] of isList(fields) ? fields : Object.entries(fields))
      form.append(name, value.replace(/\r\n?|\n/g, '\r\n'));
    if (this.cookie !== undefined && !form.has('csrf')) form.set('csrf', await this.csrf());
    const response = await this.#send(below, {
      method: 'POST',
      body: form,
      headers: { Origin: this.origin, 'Sec-Fetch-Site': 'same-origin', ...headers },
    });
    const review = REVIEW.exec(response.headers.get('location') ?? '')?.[1];
    return review === undefined ? response : this.get(review);
  }

  /** Submits a form and confirms the review. @returns the response to the form if it has no review */
  async save(below: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    const shown = await this.post(below, fields);
    const html = await shown.clone().text();
    return html.includes('name="confirm"') ? this.post(below, fieldsOf(html, 'confirm')) : shown;
  }

  async csrf(): Promise<string> {
    const page = await (await this.get('/account')).text();
    return /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
  }

  async #send(below: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookie !== undefined) headers.set('Cookie', this.cookie);
    const answer = await fetch(`${this.origin}${ADMIN}${below}`, { redirect: 'manual', ...init, headers });
    const set = answer.headers.get('set-cookie');
    if (set !== null) this.cookie = set.includes('Max-Age=0') ? undefined : set.split(';')[0];
    return answer;
  }
}

function isList<T>(value: object | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

/** A platform with the admin, and one administrator, `ada`. */
export interface AdminPlatform extends TestPlatform {
  /** Signed in as `ada`. */
  readonly ada: AdminClient;
  /** The password file of the administrators. */
  readonly file: string;
  /** A client that is not signed in. */
  stranger(): AdminClient;
  /** A client that signs in. */
  signIn(name: string, password?: string): Promise<AdminClient>;
}

/** The token of the one-time link, as the console prints it. */
export function claimTokenOf({ application }: Pick<TestPlatform, 'application'>): string | undefined {
  const target = application.notices.map((notice) => notice.target).find((one) => one.includes('/claim?'));
  return target === undefined
    ? undefined
    : (new URL(target, 'http://local').searchParams.get('token') ?? undefined);
}

/** Starts a platform without an administrator. */
export function startUnclaimed(project: TestProject = {}): Promise<TestPlatform> {
  return startTestPlatform({ modules: WITH_ADMIN, ...project });
}

/** The lowest cost of bcrypt. */
const QUICK = 4;

/** Makes hashes of the usual cost quick ones: each takes a fifth of a second of processor time. */
export function hashQuickly(): void {
  const bcrypt = jest.requireActual<typeof Bcrypt>('@node-rs/bcrypt');
  if (jest.isMockFunction(bcrypt.hash)) return;
  const { hash } = bcrypt;
  jest
    .spyOn(bcrypt, 'hash')
    .mockImplementation((password, options) =>
      hash(password, options?.cost === BCRYPT_COST ? { ...options, cost: QUICK } : options),
    );
}

export async function startAdminPlatform(project: TestProject = {}): Promise<AdminPlatform> {
  hashQuickly();
  const administrators = `ada:${await hashWithBcrypt(PASSWORD, QUICK)}\n`;
  const files = { 'data/administrators.htpasswd': administrators, ...project.files };
  const platform = await startUnclaimed({ ...project, files });
  const stranger = (): AdminClient => new AdminClient(platform.origin);
  const ada = stranger();
  await ada.post('/sign-in', { name: 'ada', password: PASSWORD });
  return Object.assign(platform, {
    ada,
    stranger,
    file: path.join(platform.root, 'data/administrators.htpasswd'),
    signIn: async (name: string, password = PASSWORD) => {
      const client = stranger();
      await client.post('/sign-in', { name, password });
      return client;
    },
  });
}
