import type { TObject, TSchema } from '@sinclair/typebox';
import type { UnknownParameters } from '../context';
import type { StreamType } from '../streaming/stream-types';
import type { RouteParameters } from '../versions/route-parameters';
import type { ApiDefinition, RpcServiceDefinition } from './definition';
import type { ObjectSchema, StatusDefinition } from './operation-definition';
import type { Procedure, ProcedureResult } from './typed-procedure';
import type { RestDeclaration, TypedRestService } from './typed-resource';

/**
 * Declares an API.
 *
 * @example
 * defineApi({ name: 'Shop', versions: { 1: { services: { Product: defineRestService({ … }) } } } })
 */
export function defineApi(definition: ApiDefinition): ApiDefinition {
  return definition;
}

/**
 * Declares a REST service. The resource is typed by the declaration: `create(data)` knows the type of `data`; the
 * context knows those of the route parameters and the collection's query.
 */
export function defineRestService<
  const Route extends string,
  // Constant, so that the text of a literal in an entity keeps its type.
  const Fields extends ObjectSchema,
  Input extends ObjectSchema = Fields,
  Query extends TObject = TObject,
  const Sort extends readonly string[] = readonly string[],
  Cursor extends TSchema = TSchema,
  const Identifier extends string | readonly string[] = string,
>(
  definition: RestDeclaration<Route, Fields, Input, Query, Sort, Cursor, Identifier>,
): TypedRestService<Route, Fields, Input, Query, Sort, Cursor, Identifier> {
  return { kind: 'rest', ...definition };
}

/**
 * Declares a procedure apart from its service. Its handler knows the types of its query and body, and returns what
 * `response` declares. The route is unknown here, so any parameter may be missing: a procedure that is written inside
 * {@link defineRpcService} knows those of the route.
 */
export function defineProcedure<
  Query extends TObject = TObject,
  Input extends ObjectSchema = TObject,
  Result extends TSchema = TSchema,
  const Streams extends readonly StreamType[] = never,
  const Statuses extends readonly StatusDefinition[] = readonly [],
  // Constant, so that the text of a literal in a result keeps its type.
  const Returned extends ProcedureResult<Result, Streams, Statuses> = ProcedureResult<
    Result,
    Streams,
    Statuses
  >,
>(
  procedure: Procedure<Query, Input, Result, UnknownParameters, Streams, Statuses, Returned>,
): Procedure<Query, Input, Result, UnknownParameters, Streams, Statuses, Returned> {
  return procedure;
}

/**
 * Declares an RPC service. The handlers of its methods know the types of the route parameters, the query and the body,
 * and return what `response` declares.
 *
 * @example
 * defineRpcService({
 *   route: '/distance/:from/:to',
 *   methods: { GET: { handler: ({ parameters }) => distance(parameters.from, parameters.to) } },
 * })
 */
export function defineRpcService<
  const Route extends string,
  GetQuery extends TObject = TObject,
  GetInput extends ObjectSchema = TObject,
  GetResult extends TSchema = TSchema,
  const GetStreams extends readonly StreamType[] = never,
  const GetStatuses extends readonly StatusDefinition[] = readonly [],
  const GetReturned extends ProcedureResult<GetResult, GetStreams, GetStatuses> = ProcedureResult<
    GetResult,
    GetStreams,
    GetStatuses
  >,
  PostQuery extends TObject = TObject,
  PostInput extends ObjectSchema = TObject,
  PostResult extends TSchema = TSchema,
  const PostStreams extends readonly StreamType[] = never,
  const PostStatuses extends readonly StatusDefinition[] = readonly [],
  const PostReturned extends ProcedureResult<PostResult, PostStreams, PostStatuses> = ProcedureResult<
    PostResult,
    PostStreams,
    PostStatuses
  >,
  PutQuery extends TObject = TObject,
  PutInput extends ObjectSchema = TObject,
  PutResult extends TSchema = TSchema,
  const PutStreams extends readonly StreamType[] = never,
  const PutStatuses extends readonly StatusDefinition[] = readonly [],
  const PutReturned extends ProcedureResult<PutResult, PutStreams, PutStatuses> = ProcedureResult<
    PutResult,
    PutStreams,
    PutStatuses
  >,
  PatchQuery extends TObject = TObject,
  PatchInput extends ObjectSchema = TObject,
  PatchResult extends TSchema = TSchema,
  const PatchStreams extends readonly StreamType[] = never,
  const PatchStatuses extends readonly StatusDefinition[] = readonly [],
  const PatchReturned extends ProcedureResult<PatchResult, PatchStreams, PatchStatuses> = ProcedureResult<
    PatchResult,
    PatchStreams,
    PatchStatuses
  >,
  DeleteQuery extends TObject = TObject,
  DeleteInput extends ObjectSchema = TObject,
  DeleteResult extends TSchema = TSchema,
  const DeleteStreams extends readonly StreamType[] = never,
  const DeleteStatuses extends readonly StatusDefinition[] = readonly [],
  const DeleteReturned extends ProcedureResult<DeleteResult, DeleteStreams, DeleteStatuses> = ProcedureResult<
    DeleteResult,
    DeleteStreams,
    DeleteStatuses
  >,
>(
  definition: Omit<RpcServiceDefinition, 'kind' | 'route' | 'methods'> & {
    readonly route: Route;
    readonly methods: {
      readonly GET?: Procedure<
        GetQuery,
        GetInput,
        GetResult,
        RouteParameters<Route>,
        GetStreams,
        GetStatuses,
        GetReturned
      >;
      readonly POST?: Procedure<
        PostQuery,
        PostInput,
        PostResult,
        RouteParameters<Route>,
        PostStreams,
        PostStatuses,
        PostReturned
      >;
      readonly PUT?: Procedure<
        PutQuery,
        PutInput,
        PutResult,
        RouteParameters<Route>,
        PutStreams,
        PutStatuses,
        PutReturned
      >;
      readonly PATCH?: Procedure<
        PatchQuery,
        PatchInput,
        PatchResult,
        RouteParameters<Route>,
        PatchStreams,
        PatchStatuses,
        PatchReturned
      >;
      readonly DELETE?: Procedure<
        DeleteQuery,
        DeleteInput,
        DeleteResult,
        RouteParameters<Route>,
        DeleteStreams,
        DeleteStatuses,
        DeleteReturned
      >;
    };
  },
): RpcServiceDefinition {
  return { kind: 'rpc', ...definition };
}
