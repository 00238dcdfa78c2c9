import { StartError, type ConfigTree } from '../framework';
import type { ConfigIo } from './config-command';
import { counted } from './counted';
import { differencesOf, type Answer } from './docs-answer';
import { callOf, treeOf, type Call, type DocumentedOperation } from './docs-call';
import { originOf } from './docs-origin';
import { served } from './docs-server';
import { DocsSource, fetched } from './docs-source';

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

export interface CheckOptions {
  /** Where the service runs, the base path included; without it the project is served while it is checked. */
  readonly origin?: string;
  /** Calls too what changes something. */
  readonly write?: boolean;
}

/**
 * Calls every documented operation by its own examples, as a guest, and lists what is not as the documentation says.
 * @throws StartError for a project that cannot be started, an origin that is none, a service that does not answer or is
 * none of the platform, where nothing could be called, and for every difference
 */
export async function checkDocumentation(root: string, io: ConfigIo, options: CheckOptions): Promise<void> {
  const { origin, write = false } = options;
  const check = (base: string): Promise<readonly string[]> => new Check(base, write, io).run();
  const findings = await (origin === undefined ? served(root, io, check) : check(originOf(origin)));
  if (findings.length > 0) throw new StartError(findings.join('\n'));
}

class Check {
  readonly #base: string;
  readonly #write: boolean;
  readonly #io: ConfigIo;

  constructor(base: string, write: boolean, io: ConfigIo) {
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
      const reason = this.#reasonToLeave(operation, call);
      if (reason !== undefined) this.#io.stdout.write(`${name}: not called, ${reason}\n`);
      if (reason !== undefined || 'missing' in call) continue;
      called += 1;
      const differences = differencesOf(operation, await this.#answer(operation, call), call.closed);
      findings.push(...differences.map((one) => `${name} ${one}.`));
    }
    if (called === 0) throw nothingCalled(this.#write);
    const count = findings.length === 0 ? 'no difference' : counted(findings.length, 'difference');
    this.#io.stdout.write(`${counted(called, 'operation')} called, ${count}.\n`);
    return findings;
  }

  #reasonToLeave({ method }: DocumentedOperation, call: Call): string | undefined {
    // One that should refuse guests changes something where it does not: it is told of by those who may call it.
    const harmless = SAFE.includes(method) || this.#write;
    if (!harmless) return 'as it may change something (--write calls it)';
    return 'missing' in call ? `as it lacks ${call.missing}` : undefined;
  }

  async #answer(
    { method, document }: DocumentedOperation,
    call: Exclude<Call, { missing: string }>,
  ): Promise<Answer> {
    const { body, target } = call;
    const answer = await fetched(this.#addressOf(document, target), {
      method,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: body.text, headers: { 'content-type': body.type } }),
    });
    return {
      status: answer.status,
      contentType: answer.headers.get('content-type') ?? '',
      text: await answer.text(),
    };
  }

  /** Servers are relative to where the document is (OpenAPI 3.1.1, 4.6). */
  #addressOf({ servers }: ConfigTree, target: string): string {
    const first: unknown = Array.isArray(servers) ? servers[0] : undefined;
    const { url } = treeOf(first);
    const prefix = typeof url === 'string' ? url.replace(/\/$/, '') : '';
    return new URL(prefix + target, this.#base).href;
  }
}

function nothingCalled(write: boolean): StartError {
  const mending = write ? '' : ', or --write to call what may change something';
  return new StartError(
    `No operation was called, so nothing is known of the documentation. Add the examples that are missing${mending}.`,
  );
}
