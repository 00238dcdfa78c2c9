import { isObject, listOf, Problem, problem, type Application } from '../../../framework';
import type { HandlerContext } from '../../hosting';
import { isConflict, retryConflicts } from '../adapters/conflict-retry';
import { DatabaseError } from '../adapters/database-error';
import { databaseProblem } from '../service/database-problems';
import type { Operation, Result } from './batch-schemas';
import { executeOperation } from './execute-operation';
import { Allowance, resolveReferences, TooMuchInserted, UnknownReference } from './references';
import { TransactionScope } from './transaction-scope';

/** Fields that belong to the connection, or that only the platform and its proxies write. */
const REFUSED_FIELD =
  /^(connection|content-length|expect|forwarded|host|keep-alive|te|trailer|transfer-encoding|upgrade|x-forwarded-.*)$/i;

/** Characters of all results of a batch, which are in memory until the response. */
const MAX_RESULTS = 16 * 1024 * 1024;

const TOO_MANY_RESULTS =
  'has, with the operations before it, results of more than 16 MiB: select fewer rows, or send several batches';

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
  const allowance = new Allowance(context.event.endpoint?.negotiation?.bodyLimit ?? 0);
  let characters = 0;
  try {
    for (const [at, one] of operations.entries()) {
      assertFields(one, at);
      const operation = resolved(one, at, results, allowance);
      const { text, ...answered } = await executeOperation(application, scope, operation, context);
      characters += text.length;
      if (characters > MAX_RESULTS) throw invalid(`/operations/${at}`, 'results', TOO_MANY_RESULTS);
      const result = { ...answered, body: text === '' ? null : (JSON.parse(text) as unknown) };
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
  if (name !== undefined)
    throw invalid(`/operations/${at}/headers/${name}`, 'not', 'cannot be set for an operation');
}

function invalid(pointer: string, keyword: string, message: string): Problem {
  const errors = [{ pointer, keyword, message }];
  return problem('failed_validation', { count: 1 }, { extensions: { errors } });
}

/** @throws Problem 422 with a pointer to the operation */
function resolved(one: Operation, at: number, results: readonly Result[], allowance: Allowance): Operation {
  const bodies = results.map(({ body }) => body);
  try {
    // References in paths are text.
    const path = resolveReferences(`${one.path}\0`, bodies, allowance, encodeURIComponent) as string;
    const { headers, body } = resolveReferences(
      { headers: one.headers, body: one.body },
      bodies,
      allowance,
    ) as Operation;
    return {
      method: one.method,
      path: path.slice(0, -1),
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
    };
  } catch (error) {
    if (!(error instanceof UnknownReference || error instanceof TooMuchInserted)) throw error;
    throw invalid(`/operations/${at}`, 'reference', error.message);
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
