import {
  REFUSED,
  type AuthenticationAttempt,
  type AuthenticationFields,
  type AuthenticationRequest,
  type AuthenticationResult,
  type AuthenticationScheme,
} from '../authentication';
import type { PasswordSource } from '../credential-source';
import type { Credentials } from '../credentials';
import { quoted, toFieldText } from '../field-text';
import { readBasicCredentials } from './basic-credentials';

/** Basic does not authenticate the server. */
const NO_FIELDS: AuthenticationFields = [];

/** Basic (RFC 7617). */
export class BasicScheme implements AuthenticationScheme {
  readonly name = 'Basic';
  readonly #challenges: readonly string[];
  readonly #passwords: PasswordSource;

  constructor(realm: string, passwords: PasswordSource) {
    this.#challenges = [`Basic realm=${quoted(toFieldText(realm))}, charset="UTF-8"`];
    this.#passwords = passwords;
  }

  challenges(): readonly string[] {
    return this.#challenges;
  }

  recall(field: string): AuthenticationAttempt | undefined {
    const username = this.#passwords.recall?.(field);
    return username === undefined ? undefined : { username, verify: () => authenticated(username) };
  }

  attempt(credentials: Credentials, request: AuthenticationRequest): AuthenticationAttempt | undefined {
    const basic = readBasicCredentials(credentials);
    const [field] = request.authorization;
    if (basic === undefined || field === undefined) return undefined;
    const { username, password } = basic;
    const toResult = (isCorrect: boolean): AuthenticationResult =>
      isCorrect ? authenticated(username) : REFUSED;
    return {
      username,
      guess: password,
      verify: () => {
        const verdict = this.#passwords.verify(username, password, request, field);
        return typeof verdict === 'boolean' ? toResult(verdict) : verdict.then(toResult);
      },
    };
  }
}

function authenticated(username: string): AuthenticationResult {
  return { outcome: 'authenticated', username, fields: NO_FIELDS };
}
