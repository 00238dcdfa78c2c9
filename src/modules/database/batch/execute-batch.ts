import { isObject, listOf, parseJson, Problem, type Application } from '../../../framework';
import { failedValidation } from '../../content-validation';
import type { HandlerContext } from '../../hosting';
import { isConflict, retryConflicts } from '../adapters/conflict-retry';
import type { DatabaseAdapter } from '../adapters/database-adapter';
import { DatabaseError } from '../adapters/database-error';
import { MAX_RESULTS } from '../adapters/row-length';
import { WriteQueue } from '../adapters/write-queue';
import { databaseProblem } from '../service/problems/database-problems';
import type { Operation, Result } from './batch-schemas';
import { executeOperation } from './execute-operation';
import { Allowance } from './references';
import { resolveOperation } from './resolve-operation';
import { TransactionScope } from './transaction-scope';

const TOO_MANY_RESULTS =
  'has, with the operations before it, results of more than 16 MiB: select fewer rows, or send several batches';

const NO_TABLE = { columns: [] };

/** A batch that other transactions made fail: nothing was changed, and it can be executed again. */
class Conflict extends Error {
  readonly problem: unknown;
  readonly adapter: DatabaseAdapter | undefined;

  constructor(problem: unknown, adapter: DatabaseAdapter | undefined) {
    super('Other transactions have locked or changed the same rows.');
    this.problem = problem;
    this.adapter = adapter;
  }
}

/**
 * The repetitions in each database, one after the other: those of several batches would meet again. They hold no
 * connection while they wait.
 */
const repetitions = new WeakMap<DatabaseAdapter, WriteQueue>();

function repetitionsIn(adapter: DatabaseAdapter): WriteQueue {
  const known = repetitions.get(adapter);
  if (known !== undefined) return known;
  const queue = new WriteQueue();
  repetitions.set(adapter, queue);
  return queue;
}

/** Milliseconds that a repetition waits for those before it. */
const MAX_TURN_WAIT_MS = 5000;

/** Executes operations in one transaction; all again if another transaction made one of them fail. @throws Problem */
export async function executeBatch(
  application: Application,
  operations: readonly Operation[],
  context: HandlerContext<unknown>,
): Promise<{ readonly results: readonly Result[] }> {
  let last: Conflict | undefined;
  const execute = async (): ReturnType<typeof executeOnce> => {
    try {
      return await executeOnce(application, operations, context);
    } catch (error) {
      if (error instanceof Conflict) last = error;
      throw error;
    }
  };
  const executeInTurn = (): ReturnType<typeof executeOnce> =>
    last?.adapter === undefined
      ? execute()
      : repetitionsIn(last.adapter).run(execute, { signal: context.signal, timeout: MAX_TURN_WAIT_MS });
  try {
    return await retryConflicts(executeInTurn, context, (error) => error instanceof Conflict);
  } catch (error) {
    // A turn that did not come is the conflict that it was for; so is a repetition whose credentials or quota were for one use.
    const isOfRepetition =
      error instanceof DatabaseError || (error instanceof Problem && [401, 429].includes(error.status));
    const failed = isOfRepetition ? (last ?? error) : error;
    throw failed instanceof Conflict ? failed.problem : failed;
  }
}

/** @throws Conflict */
async function executeOnce(
  application: Application,
  operations: readonly Operation[],
  context: HandlerContext<unknown>,
): Promise<{ readonly results: readonly Result[] }> {
  const scope = new TransactionScope(undefined, { isRepeated: true, bound: 'writes' });
  const results: Result[] = [];
  const allowance = new Allowance(context.event.endpoint?.negotiation?.bodyLimit ?? 0);
  let characters = 0;
  try {
    for (const [at, one] of operations.entries()) {
      const operation = resolveOperation(one, at, results, allowance);
      const { text, ...answered } = await executeOperation(application, scope, operation, context);
      characters += text.length;
      if (characters > MAX_RESULTS)
        throw failedValidation([
          { pointer: `/operations/${at}`, keyword: 'results', message: TOO_MANY_RESULTS },
        ]);
      const result = { ...answered, body: bodyOf(text, at) };
      if (result.status >= 400) throw failureOf(result, at);
      results.push(result);
    }
    await scope.commit();
    return { results };
  } catch (error) {
    await scope.rollBack();
    // At the end of the transaction, constraints may fail that are deferred until then.
    const failed = problemOf(error);
    throw scope.isConflicting || isConflict(error) ? new Conflict(failed, scope.adapter) : failed;
  }
}

function problemOf(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  return databaseProblem(error, { service: 'Batch', action: 'write', table: NO_TABLE });
}

/** @throws Problem 422 for a body that is not JSON, which the operation has selected */
function bodyOf(text: string, at: number): unknown {
  const body = text === '' ? null : parseJson(text);
  if (body !== undefined) return body;
  const message = 'selects a response that is not JSON, which a result cannot have';
  throw failedValidation([{ pointer: `/operations/${at}/headers`, keyword: 'not', message }]);
}

/**
 * Fields of a failed operation that say what to do, and whether caches may keep it; each 401 has a challenge (RFC 9110,
 * 15.5.2).
 */
const PASSED_FIELDS = ['Cache-Control', 'Retry-After', 'WWW-Authenticate'];

/** The problem of a failed operation, with pointers into the batch. */
function failureOf({ status, headers, body }: Result, at: number): Problem {
  const failed = isObject(body) ? body : {};
  const prefix = `/operations/${at}`;
  const errors = listOf(failed.errors).map((error) => {
    const { pointer, ...others }: Readonly<Record<string, unknown>> = isObject(error) ? error : {};
    return {
      pointer: typeof pointer === 'string' ? `${prefix}/body${pointer}` : `${prefix}/path`,
      ...others,
    };
  });
  const detail = typeof failed.detail === 'string' ? failed.detail : `status ${status}`;
  const fields = PASSED_FIELDS.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [[name, value] as const];
  });
  const code = codeOf(status, failed.type);
  return new Problem(status, `Operation ${at} failed, and nothing was changed: ${detail}`, {
    extensions: { operation: at, errors: errors.length === 0 ? [{ pointer: prefix }] : errors },
    ...(code === undefined ? {} : { code }),
    // The operation has logged its failure.
    logOnce: `batch ${code ?? status}`,
    fields,
  });
}

/** The type of a 401 is that of its status, whatever the cause: it has no code. */
function codeOf(status: number, type: unknown): string | undefined {
  if (status === 401) return 'unauthorized';
  return typeof type === 'string' ? /#(\w+)$/.exec(type)?.[1] : undefined;
}
