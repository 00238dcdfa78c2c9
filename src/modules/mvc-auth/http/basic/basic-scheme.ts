import type { AuthenticationAttempt, AuthenticationResult } from '../../adapter';
import type { PasswordVerifier } from '../../password-files/password-verifier';
import type { Credentials } from '../credentials';
import { quoted, toFieldText } from '../field-text';
import { REFUSED, type AuthenticationScheme } from '../scheme';
import { readBasicCredentials } from './basic-credentials';

/** Basic (RFC 7617) over the users of a password file. */
export class BasicScheme implements AuthenticationScheme {
  readonly name = 'Basic';
  readonly #challenges: readonly string[];
  readonly #passwords: PasswordVerifier;

  constructor(realm: string, passwords: PasswordVerifier) {
    this.#challenges = [`Basic realm=${quoted(toFieldText(realm))}, charset="UTF-8"`];
    this.#passwords = passwords;
  }

  challenges(): readonly string[] {
    return this.#challenges;
  }

  attempt(credentials: Credentials): AuthenticationAttempt | undefined {
    const given = readBasicCredentials(credentials);
    if (!given) return undefined;
    const { username, password } = given;
    const judge = (right: boolean): AuthenticationResult =>
      right ? { outcome: 'authenticated', username, fields: [] } : REFUSED;
    return {
      username,
      guess: password,
      verify: () => {
        const verdict = this.#passwords.verify(username, password);
        return typeof verdict === 'boolean' ? judge(verdict) : verdict.then(judge);
      },
    };
  }
}
