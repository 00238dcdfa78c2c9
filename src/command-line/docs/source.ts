import { objectOf, describeValue, systemErrorCode } from '../../framework';
import { UsageError } from '../usage-error';
import { operationsOf, type DocumentedOperation } from './documented-calls';
import type { Answer } from './response-differences';

const DOCUMENTATION = '/platform/documentation';
const JSON_TYPE = 'application/json';
const OPENAPI = 'application/vnd.apidesc+json';

const HINT =
  'Pass the origin and base path of a running service of this platform, such as --origin http://localhost:8080/api.';

/**
 * Reads the documentation of a running service, as a guest.
 * @param base origin and base path of the service
 */
export class DocsSource {
  readonly #base: string;
  readonly #seconds: number;

  /** @param seconds a response may take */
  constructor(base: string, seconds: number) {
    this.#base = base;
    this.#seconds = seconds;
  }

  /**
   * Returns the operations of every version of every API, in the order of the list.
   * @throws UsageError if the service is unreachable, serves no documentation, or documents no operation
   */
  async operations(): Promise<readonly DocumentedOperation[]> {
    const found: DocumentedOperation[] = [];
    for (const scope of await this.#scopes())
      for (const operation of await this.#operationsOf(scope)) found.push(operation);
    if (found.length > 0) return found;
    throw new UsageError(
      `${this.#base}${DOCUMENTATION} documents no operation that guests may read, so there is nothing to check. Host an API, or check another service with --origin.`,
    );
  }

  async #scopes(): Promise<readonly string[]> {
    const address = this.#base + DOCUMENTATION;
    const list = await this.#read(address, JSON_TYPE);
    const scopes = Array.isArray(list) ? list.map(scopesOf) : [undefined];
    if (scopes.includes(undefined)) throw foreign(address, `${describeValue(list)}, not with a list of APIs`);
    return scopes.flatMap((some) => some ?? []);
  }

  async #operationsOf(scope: string): Promise<readonly DocumentedOperation[]> {
    const address = `${this.#base}${DOCUMENTATION}/${scope}`;
    const document = objectOf(await this.#read(address, OPENAPI));
    if (typeof document.openapi === 'string') return operationsOf(document);
    throw foreign(address, 'a body that is not an OpenAPI document');
  }

  async #read(address: string, accept: string): Promise<unknown> {
    const { status, contentType, text } = await answerOf(address, { headers: { accept } }, this.#seconds);
    if (status !== 200) {
      throw new UsageError(
        `${address} responds ${status}: the check reads the documentation as a guest, as ${accept}. ${hintFor(status, accept)}`,
      );
    }
    try {
      return JSON.parse(text);
    } catch {
      throw foreign(address, `${contentType || 'no type'}, ${describeValue(text)}`);
    }
  }
}

/** @returns undefined for an invalid entry of the list */
function scopesOf(entry: unknown): readonly string[] | undefined {
  const { name, versions } = objectOf(entry);
  if (typeof name !== 'string' || !Array.isArray(versions)) return undefined;
  return versions.map((version) => encodeURIComponent(`${name}-v${String(version)}`));
}

/** What to change if the documentation is there, but not for the check. */
function hintFor(status: number, accept: string): string {
  if (status === 401 || status === 403)
    return 'Let guests read it: see the rule "@documentation" in platform-mvc-auth.authorization.';
  return status === 406 && accept === OPENAPI
    ? 'Add "documentation-apidesc" to "modules" in its config/application.json.'
    : HINT;
}

function foreign(address: string, found: string): UsageError {
  return new UsageError(
    `${address} responds with ${found}: this is not the documentation of this platform. ${HINT}`,
  );
}

/** A response that is late or broken off. */
export class IncompleteAnswer extends UsageError {
  /** As the end of a sentence about the request. */
  readonly reason: string;

  constructor(address: string, reason: string, cause: unknown) {
    super(`${address} ${reason}.`, { cause });
    this.reason = reason;
  }
}

/** The codes of connections that end before the head of a response. */
const BROKEN: readonly string[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/**
 * Sends a request, and reads the response.
 * @param seconds a response may take
 * @param readsText whether the text of a response is read; it may be endless
 * @throws UsageError if the service is unreachable @throws IncompleteAnswer
 */
export async function answerOf(
  address: string,
  init: RequestInit,
  seconds: number,
  readsText: (head: Omit<Answer, 'text'>) => boolean = () => true,
): Promise<Answer> {
  const signal = AbortSignal.timeout(Math.ceil(seconds * 1000));
  const late = `has not completed its response within ${seconds} s`;
  const answer = await fetch(address, { ...init, signal }).catch((cause: unknown) => {
    if (signal.aborted) throw new IncompleteAnswer(address, late, cause);
    if (BROKEN.includes(systemErrorCode(objectOf(cause).cause)))
      throw new IncompleteAnswer(address, 'closes the connection without a response', cause);
    throw new UsageError(`${address} is unreachable. Start the service, or pass its --origin.`, { cause });
  });
  const head = { status: answer.status, contentType: answer.headers.get('content-type') ?? '' };
  if (!readsText(head)) {
    await answer.body?.cancel();
    return { ...head, text: '' };
  }
  const text = await answer.text().catch((cause: unknown) => {
    throw new IncompleteAnswer(address, signal.aborted ? late : 'breaks off its response', cause);
  });
  return { ...head, text };
}
