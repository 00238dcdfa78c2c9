import { isObject, listOf, Problem, problem, type Application } from '../../../framework';
import type { HandlerContext } from '../../hosting';
import { isConflict, retryConflicts } from '../adapters/conflict-retry';
import { DatabaseError } from '../adapters/database-error';
import { databaseProblem } from '../service/database-problems';
import type { Operation, Result } from './batch-schemas';
import { executeOperation } from './execute-operation';
import { resolveReferences, UnknownReference } from './references';
import { TransactionScope } from './transaction-scope';

/** Fields that belong to the connection, or that only the platform and its proxies write. */
const REFUSED_FIELD =
  /^(connection|content-length|expect|forwarded|host|keep-alive|te|trailer|transfer-encoding|upgrade|x-forwarded-.*)$/i;

const NO_TABLE = { columns: [] };

/** A batch that other transactions made fail: nothing was changed, and it can be executed again. */
class Conflict extends Error {
  readonly problem: unknown;

  constructor(problem: unknown) {
    super('Other transactions have locked or changed the same rows.');
    this.problem = problem;
  }
}

/** Executes operations in one transaction; all again if another transaction made one of them fail. @throws Problem */
export async function executeBatch(
  application: Application,
  operations: readonly Operation[],
  context: HandlerContext<unknown>,
): Promise<{ readonly results: readonly Result[] }> {
  try {
    return await retryConflicts(
      () => executeOnce(application, operations, context),
      context,
      (error) => error instanceof Conflict,
    );
  } catch (error) {
    throw error instanceof Conflict ? error.problem : error;
  }
}

/** @throws Conflict */
async function executeOnce(
  application: Application,
  operations: readonly Operation[],
  context: HandlerContext<unknown>,
): Promise<{ readonly results: readonly Result[] }> {
  const scope = new TransactionScope();
  const results: Result[] = [];
  try {
    for (const [at, one] of operations.entries()) {
      assertFields(one, at);
      const result = await executeOperation(application, scope, resolved(one, at, results), context);
      if (result.status >= 400) throw failureOf(result, at);
      results.push(result);
    }
    await scope.commit();
    return { results };
  } catch (error) {
    await scope.rollBack();
    // At the end of the transaction, constraints may fail that are deferred until then.
    const failed =
      error instanceof DatabaseError
        ? databaseProblem(error, { service: 'Batch', action: 'write', table: NO_TABLE })
        : error;
    throw scope.isConflicting || isConflict(error) ? new Conflict(failed) : failed;
  }
}

/** @throws Problem 422 for a field that an operation cannot have */
function assertFields({ headers = {} }: Operation, at: number): void {
  const name = Object.keys(headers).find((one) => REFUSED_FIELD.test(one));
  if (name === undefined) return;
  const errors = [
    {
      pointer: `/operations/${at}/headers/${name}`,
      keyword: 'not',
      message: 'cannot be set for an operation',
    },
  ];
  throw problem('failed_validation', { count: 1 }, { extensions: { errors } });
}

/** @throws Problem 422 with a pointer to the operation */
function resolved(one: Operation, at: number, results: readonly Result[]): Operation {
  const bodies = results.map(({ body }) => body);
  try {
    // References in paths are text.
    const path = resolveReferences(`${one.path}\0`, bodies, encodeURIComponent) as string;
    const { headers, body } = resolveReferences(
      { headers: one.headers, body: one.body },
      bodies,
    ) as Operation;
    return {
      method: one.method,
      path: path.slice(0, -1),
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
    };
  } catch (error) {
    if (!(error instanceof UnknownReference)) throw error;
    const errors = [{ pointer: `/operations/${at}`, keyword: 'reference', message: error.message }];
    throw problem('failed_validation', { count: 1 }, { extensions: { errors } });
  }
}

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
  const retryAfter = headers['retry-after'];
  const code = typeof failed.type === 'string' ? /#(\w+)$/.exec(failed.type)?.[1] : undefined;
  return new Problem(status, `Operation ${at} failed, and nothing was changed: ${detail}`, {
    extensions: { operation: at, errors: errors.length === 0 ? [{ pointer: prefix }] : errors },
    ...(code === undefined ? {} : { code }),
    // The operation has logged its failure.
    logOnce: `batch ${code ?? status}`,
    ...(retryAfter === undefined ? {} : { fields: [['Retry-After', retryAfter]] }),
  });
}
