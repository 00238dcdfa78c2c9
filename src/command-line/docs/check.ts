import { objectOf, pluralize, type JsonObject } from '../../framework';
import type { CommandContext } from '../command-context';
import { UsageError } from '../usage-error';
import { comparesText, differencesOf } from './response-differences';
import { callOf, type Call, type DocumentedOperation } from './documented-calls';
import { originOf } from './origin';
import { served } from './static-server';
import { answerOf, DocsSource, IncompleteAnswer } from './source';

/** Safe methods (RFC 9110, 9.2.1). */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** `fetch` of Node.js waits no longer for a head, or for more of a body. */
const MAX_SECONDS = 300;

export interface CheckOptions {
  /** Origin and base path of a running service; without it, the project is served during the check. */
  readonly origin?: string;
  /** Also calls operations that may change data. */
  readonly write?: boolean;
  /** Seconds that a response may take; defaults to 30. */
  readonly timeout?: string;
}

/**
 * Calls every documented operation with its own examples, as a guest, and compares the responses with the documentation.
 * @throws ConfigurationError for a project with an invalid configuration
 * @throws UsageError for an invalid or unreachable origin, if no operation could be called, and with all differences
 */
export async function checkDocumentation(
  root: string,
  io: CommandContext,
  options: CheckOptions,
): Promise<void> {
  const { origin, write = false, timeout = '30' } = options;
  const seconds = Number(timeout);
  if (!(seconds > 0 && seconds <= MAX_SECONDS))
    throw new UsageError(`--timeout "${timeout}" must be a number of seconds up to ${MAX_SECONDS}.`);
  const check = (base: string): Promise<readonly string[]> => new Check(base, write, seconds, io).run();
  const findings = await (origin === undefined
    ? served(root, io, check, { starts: true })
    : check(originOf(origin)));
  if (findings.length > 0) throw new UsageError(findings.join('\n'));
}

class Check {
  readonly #base: string;
  readonly #write: boolean;
  readonly #seconds: number;
  readonly #io: CommandContext;

  constructor(base: string, write: boolean, seconds: number, io: CommandContext) {
    this.#base = base;
    this.#write = write;
    this.#seconds = seconds;
    this.#io = io;
  }

  async run(): Promise<readonly string[]> {
    const findings: string[] = [];
    let called = 0;
    for (const operation of await new DocsSource(this.#base, this.#seconds).operations()) {
      const name = `${operation.method} ${operation.path}`;
      const call = callOf(operation);
      const reason = this.#reasonToSkip(operation, call);
      if (reason !== undefined) this.#io.stdout.write(`${name}: not called, ${reason}\n`);
      if (reason !== undefined || 'missing' in call) continue;
      called += 1;
      const differences = await this.#differences(operation, call);
      findings.push(...differences.map((one) => `${name} ${one}.`));
    }
    if (called === 0) throw nothingCalled(this.#write);
    const count = findings.length === 0 ? 'no difference' : pluralize(findings.length, 'difference');
    this.#io.stdout.write(`${pluralize(called, 'operation')} called, ${count}.\n`);
    return findings;
  }

  #reasonToSkip({ method }: DocumentedOperation, call: Call): string | undefined {
    // Operations that require a user are skipped as well: if they fail to refuse a guest, the call changes data.
    const harmless = SAFE.includes(method) || this.#write;
    if (!harmless) return 'it may change data (use --write to call it)';
    return 'missing' in call ? `${call.missing} is missing` : undefined;
  }

  async #differences(
    documented: DocumentedOperation,
    call: Exclude<Call, { missing: string }>,
  ): Promise<readonly string[]> {
    const { method, document } = documented;
    const { body, target } = call;
    const request: RequestInit = {
      method,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: body.content, headers: body.headers }),
    };
    try {
      const answer = await answerOf(this.#addressOf(document, target), request, this.#seconds, (head) =>
        comparesText(documented, head),
      );
      return differencesOf(documented, answer, call);
    } catch (error) {
      if (error instanceof IncompleteAnswer) return [error.reason];
      throw error;
    }
  }

  /** Only the path of the server URL (OpenAPI 3.1.1, 4.6): the service is called where its documentation was read. */
  #addressOf({ servers }: JsonObject, target: string): string {
    const first: unknown = Array.isArray(servers) ? servers[0] : undefined;
    const { url } = objectOf(first);
    const prefix = typeof url === 'string' ? new URL(url, this.#base).pathname.replace(/\/$/, '') : '';
    return new URL(prefix + target, this.#base).href;
  }
}

function nothingCalled(write: boolean): UsageError {
  const hint = write ? '' : ', or use --write to call operations that may change data';
  return new UsageError(`No operation was called, so nothing was verified. Add the missing examples${hint}.`);
}
