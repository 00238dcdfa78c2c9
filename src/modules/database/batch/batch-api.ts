import { Type, type Static } from '@sinclair/typebox';
import { injectInto, isObject, listOf, Problem, problem, type Application } from '../../../framework';
import {
  defineApi,
  defineProcedure,
  defineRpcService,
  type ApiDefinition,
  type HandlerContext,
} from '../../hosting';
import { isConflict, retryConflicts } from '../adapters/conflict-retry';
import { DatabaseError } from '../adapters/database-error';
import type { SentCredential } from '../../mvc-auth';
import { databaseProblem } from '../service/database-problems';
import { resolveReferences, UnknownReference } from './references';
import { runInScope, TransactionScope } from './transaction-scope';

/** Maximum number of operations of a batch: they hold a transaction open. */
const MAX_OPERATIONS = 100;

/** Fields that belong to the connection, or that only the platform and its proxies write. */
const REFUSED_FIELD =
  /^(connection|content-length|expect|forwarded|host|keep-alive|te|trailer|transfer-encoding|upgrade|x-forwarded-.*)$/i;

/** Fields of a response that belong to its connection and message (RFC 9110, 7.6.1), which a result is not. */
const CONNECTION_FIELD =
  /^(connection|content-length|date|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

const operation = Type.Object(
  {
    method: Type.Union(
      ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => Type.Literal(method)),
      { description: 'The method.', examples: ['POST'] },
    ),
    path: Type.String({
      pattern: '^/[^\\s#]*$',
      maxLength: 4096,
      description: 'The path of a service over a table, with its query.',
      examples: ['/shop/products'],
    }),
    headers: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]+$' }), Type.String({ pattern: '^[^\\r\\n\\0]*$' }), {
        additionalProperties: false,
        description: 'Header fields; Authorization defaults to that of the batch, except for Digest.',
      }),
    ),
    body: Type.Optional(Type.Unknown({ description: 'The JSON body.' })),
  },
  { additionalProperties: false },
);

const request = Type.Object(
  { operations: Type.Array(operation, { minItems: 1, maxItems: MAX_OPERATIONS, description: 'In order.' }) },
  { additionalProperties: false },
);

const response = Type.Object({
  results: Type.Array(
    Type.Object({
      status: Type.Integer({ description: 'The status.' }),
      headers: Type.Record(Type.String(), Type.String(), { description: 'Header fields, in lower case.' }),
      body: Type.Unknown({ description: 'The JSON body; null without one.' }),
    }),
  ),
});

const NO_TABLE = { columns: [] };

type Operation = Static<typeof operation>;
type Result = Static<typeof response>['results'][number];

/** The API of atomic batches: `POST /platform/batch`. */
export function batchApi(application: () => Application): ApiDefinition {
  return defineApi({
    name: 'Batch',
    description: 'Several changes of one database, all or none.',
    base_path: '/platform',
    versions: {
      1: {
        services: {
          Batch: defineRpcService({
            description: 'Executes operations in one transaction.',
            exact_numbers: true,
            route: '/batch',
            methods: {
              POST: defineProcedure({
                summary: 'Execute operations in one transaction',
                description:
                  'Each operation is validated and authorized as if it were sent alone. If one fails, none takes effect. A string such as `"{{0.id}}"` in a path, a header or a body is replaced by that member of an earlier result.',
                fields: request,
                response,
                status_codes: [
                  {
                    code: 422,
                    message: 'An operation cannot be part of a batch, or has a reference to no result.',
                  },
                ],
                handler: (context) => executeBatch(application(), context.body.operations, context),
              }),
            },
          }),
        },
      },
    },
  });
}

/** A batch that other transactions made fail: nothing was changed, and it can be executed again. */
class Conflict extends Error {
  readonly problem: unknown;

  constructor(problem: unknown) {
    super('Other transactions have locked or changed the same rows.');
    this.problem = problem;
  }
}

/** Executes operations in one transaction; all again if another transaction made one of them fail. @throws Problem */
async function executeBatch(
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
      const result = await execute(application, scope, resolved(one, at, results), context);
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

async function execute(
  application: Application,
  scope: TransactionScope,
  { method, path, headers = {}, body }: Operation,
  { event: { request: outer, guard }, signal }: HandlerContext<unknown>,
): Promise<Result> {
  const authorization = outer.header('authorization');
  const fields = ['authorization', ...(guard?.locations?.headers ?? [])].map((name) => name.toLowerCase());
  const hasOwn = Object.keys(headers).some((name) => fields.includes(name.toLowerCase()));
  // Digest credentials are valid for one method and URI only (RFC 7616, 3.4).
  const isInherited = authorization !== undefined && !hasOwn && !/^digest /i.test(authorization);
  // Tokens and keys of the batch that are not in `Authorization`.
  const [credential] = hasOwn ? [] : (guard?.locations?.credentialsIn(outer) ?? []);
  const inherited = credential?.in === 'header' ? { [credential.name]: credential.value } : {};
  const handler: Pick<Application, 'handle'> = {
    handle: (message, outgoing) => {
      // The client of the batch, not this process, makes the request.
      Object.defineProperty(message.socket, 'remoteAddress', { value: outer.address });
      runInScope(scope, () => application.handle(message, outgoing));
    },
  };
  const answered = await injectInto(handler, {
    method,
    path: credential?.in === 'query' ? withParameter(path, credential) : path,
    headers: {
      Host: outer.header('host') ?? 'localhost',
      ...(isInherited ? { Authorization: authorization } : {}),
      ...inherited,
      Accept: 'application/json',
      ...(method === 'PATCH' && isObject(body) ? { 'Content-Type': 'application/merge-patch+json' } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { json: body }),
    signal,
  });
  const text = await answered.text();
  return {
    status: answered.status,
    headers: Object.fromEntries([...answered.headers].filter(([name]) => !CONNECTION_FIELD.test(name))),
    body: text === '' ? null : (JSON.parse(text) as unknown),
  };
}

function withParameter(path: string, { name, value }: SentCredential): string {
  const separator = path.includes('?') ? '&' : '?';
  return `${path}${separator}${new URLSearchParams({ [name]: value }).toString()}`;
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
