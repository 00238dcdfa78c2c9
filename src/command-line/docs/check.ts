import { objectOf, type JsonObject } from '../../framework';
import type { CommandContext } from '../command-context';
import { pluralize } from '../report';
import { UsageError } from '../usage-error';
import { comparesText, differencesOf, type Answer } from './response-differences';
import { callOf, type Call, type DocumentedOperation } from './documented-calls';
import { originOf } from './origin';
import { served } from './static-server';
import { DocsSource, fetched } from './source';

/** Safe methods (RFC 9110, 9.2.1). */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

export interface CheckOptions {
  /** Origin and base path of a running service; without it, the project is served during the check. */
  readonly origin?: string;
  /** Also calls operations that may change data. */
  readonly write?: boolean;
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
  const { origin, write = false } = options;
  const check = (base: string): Promise<readonly string[]> => new Check(base, write, io).run();
  const findings = await (origin === undefined
    ? served(root, io, check, { starts: true })
    : check(originOf(origin)));
  if (findings.length > 0) throw new UsageError(findings.join('\n'));
}

class Check {
  readonly #base: string;
  readonly #write: boolean;
  readonly #io: CommandContext;

  constructor(base: string, write: boolean, io: CommandContext) {
    this.#base = base;
    this.#write = write;
    this.#io = io;
  }

  async run(): Promise<readonly string[]> {
    const findings: string[] = [];
    let called = 0;
    for (const operation of await new DocsSource(this.#base).operations()) {
      const name = `${operation.method} ${operation.path}`;
      const call = callOf(operation);
      const reason = this.#reasonToSkip(operation, call);
      if (reason !== undefined) this.#io.stdout.write(`${name}: not called, ${reason}\n`);
      if (reason !== undefined || 'missing' in call) continue;
      called += 1;
      const differences = differencesOf(operation, await this.#answer(operation, call), call.closed);
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

  async #answer(documented: DocumentedOperation, call: Exclude<Call, { missing: string }>): Promise<Answer> {
    const { body, target } = call;
    const { method, document } = documented;
    const answer = await fetched(this.#addressOf(document, target), {
      method,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: body.content, headers: body.headers }),
    });
    const head = { status: answer.status, contentType: answer.headers.get('content-type') ?? '' };
    if (comparesText(documented, head)) return { ...head, text: await answer.text() };
    // It may be an endless stream.
    await answer.body?.cancel();
    return { ...head, text: '' };
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
