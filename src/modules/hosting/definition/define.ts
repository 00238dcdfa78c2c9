import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Newable } from 'inversify';
import type { MaybePromise } from '../../../framework';
import type { HandlerContext } from '../context';
import type { ApiDefinition, RestServiceDefinition, RpcServiceDefinition } from './definition';
import type {
  CollectionOperationDefinition,
  ObjectSchema,
  ProcedureDefinition,
} from './operation-definition';
import type { CollectionContext, RestResource } from './resource';
import type { RouteParameters } from '../versions/route-parameters';
import type { StaticEntity, StaticInput } from '../members/static-members';

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
  Fields extends ObjectSchema,
  Input extends ObjectSchema = Fields,
  Query extends TObject = TObject,
  const Sort extends readonly string[] = readonly string[],
  Cursor extends TSchema = TSchema,
  const Identifier extends string | readonly string[] = string,
>(
  definition: TypedRestService<Route, Fields, Input, Query, Sort, Cursor, Identifier>,
): RestServiceDefinition {
  return { kind: 'rest', ...definition };
}

type TypedRestService<
  Route extends string,
  Fields extends ObjectSchema,
  Input extends ObjectSchema,
  Query extends TObject,
  Sort extends readonly string[],
  Cursor extends TSchema,
  Identifier extends string | readonly string[],
> = Omit<
  RestServiceDefinition,
  'route' | 'route_identifier_name' | 'fields' | 'input' | 'cursor' | 'collection' | 'resource'
> & {
  readonly route: Route;
  readonly route_identifier_name: Identifier;
  readonly fields: Fields;
  readonly input?: Input;
  readonly cursor?: Cursor;
  readonly collection?: Omit<NonNullable<RestServiceDefinition['collection']>, 'GET'> & {
    readonly GET?: Omit<CollectionOperationDefinition, 'query' | 'sort'> & {
      readonly query?: Query;
      readonly sort?: Sort;
    };
  };
  readonly resource:
    | TypedResource<Route, Fields, Input, Query, Sort, Cursor, Identifier>
    | Newable<TypedResource<Route, Fields, Input, Query, Sort, Cursor, Identifier>>
    | string;
};

type TypedResource<
  Route extends string,
  Fields extends ObjectSchema,
  Input extends ObjectSchema,
  Query extends TObject,
  Sort extends readonly string[],
  Cursor extends TSchema,
  Identifier extends string | readonly string[],
> = RestResource<
  StaticEntity<Fields>,
  StaticInput<Input>,
  RouteParameters<Route>,
  CollectionContext<
    TObject extends Query ? Readonly<Record<string, unknown>> : Static<Query>,
    RouteParameters<Route>,
    Sort[number],
    Static<Cursor>
  >,
  Identifier extends readonly (infer Name extends string)[] ? Readonly<Record<Name, string>> : string
>;

/** A procedure with the types of its query and body. */
type TypedProcedure<Query extends TObject, Body extends TObject> = Omit<
  ProcedureDefinition,
  'query' | 'fields' | 'handler'
> & {
  readonly query?: Query;
  readonly fields?: Body;
  readonly handler: (context: HandlerContext<Static<Query>, StaticInput<Body>>) => MaybePromise<unknown>;
};

/** Declares a procedure whose handler knows the types of its query and body. */
export function defineProcedure<Query extends TObject = TObject, Body extends TObject = TObject>(
  procedure: TypedProcedure<Query, Body>,
): ProcedureDefinition {
  return procedure;
}

export function defineRpcService(definition: Omit<RpcServiceDefinition, 'kind'>): RpcServiceDefinition {
  return { kind: 'rpc', ...definition };
}
