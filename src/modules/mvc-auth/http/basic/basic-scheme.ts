import type {
  AuthenticationAttempt,
  AuthenticationFields,
  AuthenticationRequest,
  AuthenticationResult,
} from '../../adapter';
import type { PasswordVerifier } from '../../password-files/password-verifier';
import type { Credentials } from '../credentials';
import { quoted, toFieldText } from '../field-text';
import { REFUSED, type AuthenticationScheme } from '../scheme';
import { readBasicCredentials } from './basic-credentials';

/** Basic has no proof of the server. */
const NO_FIELDS: AuthenticationFields = [];

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

  recall(field: string): AuthenticationAttempt | undefined {
    const username = this.#passwords.recall(field);
    return username === undefined ? undefined : { username, verify: () => right(username) };
  }

  attempt(
    credentials: Credentials,
    { authorization: [field] }: AuthenticationRequest,
  ): AuthenticationAttempt | undefined {
    const given = readBasicCredentials(credentials);
    if (!given) return undefined;
    const { username, password } = given;
    const judge = (isRight: boolean): AuthenticationResult => (isRight ? right(username) : REFUSED);
    return {
      username,
      guess: password,
      verify: () => {
        const verdict = this.#passwords.verify(username, password, field);
        return typeof verdict === 'boolean' ? judge(verdict) : verdict.then(judge);
      },
    };
  }
}

function right(username: string): AuthenticationResult {
  return { outcome: 'authenticated', username, fields: NO_FIELDS };
}
