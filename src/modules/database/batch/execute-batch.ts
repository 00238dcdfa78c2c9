import { errorsUrlOf, parseJson, Problem, type Application } from '../../../framework';
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
import { failureOf } from './failed-operation';
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
      const { text, path, ...answered } = await executeOperation(application, scope, operation, context);
      characters += text.length;
      if (characters > MAX_RESULTS)
        throw failedValidation([
          { pointer: `/operations/${at}`, keyword: 'results', message: TOO_MANY_RESULTS },
        ]);
      const result = { ...answered, body: bodyOf(text, at) };
      if (result.status >= 400) throw failureOf(result, path, at, errorsUrlOf(application));
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
