import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Newable } from 'inversify';
import type { Sent, StaticEntity, StaticInput } from '../members/static-members';
import type { RouteParameters } from '../versions/route-parameters';
import type { RestServiceDefinition } from './definition';
import type { CollectionOperationDefinition, ObjectSchema } from './operation-definition';
import type { CollectionContext, RestResource } from './resource';

/** A REST service with the types of its declaration. */
export interface TypedRestService<
  Route extends string,
  Fields extends ObjectSchema,
  Input extends ObjectSchema,
  Query extends TObject,
  Sort extends readonly string[],
  Cursor extends TSchema,
  Identifier extends string | readonly string[],
> extends RestServiceDefinition {
  /** Exists for the compiler only. */
  readonly resourceType?: TypedResource<Route, Fields, Input, Query, Sort, Cursor, Identifier>;
}

/**
 * The resource that a service needs.
 *
 * @example
 * class Products implements ResourceOf<typeof Product> { … }
 */
export type ResourceOf<Service extends RestServiceDefinition> = Service extends {
  readonly resourceType?: infer Resource;
}
  ? NonNullable<Resource>
  : never;

/** What `defineRestService` takes. */
export type RestDeclaration<
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

/** Functions instead of methods: the compiler then refuses parameters that want more than the declaration has. */
type Strict<Resource> = {
  [Name in keyof Resource]: Resource[Name] extends infer Member
    ? Member extends (...given: infer Given) => infer Result
      ? (...given: Given) => Result
      : Member
    : never;
};

/** The resource of a declaration. */
export type TypedResource<
  Route extends string,
  Fields extends ObjectSchema,
  Input extends ObjectSchema,
  Query extends TObject,
  Sort extends readonly string[],
  Cursor extends TSchema,
  Identifier extends string | readonly string[],
> = Strict<
  RestResource<
    StaticEntity<Fields>,
    StaticInput<Input>,
    RouteParameters<Route>,
    CollectionContext<
      TObject extends Query ? Readonly<Record<string, unknown>> : Static<Query>,
      RouteParameters<Route>,
      Sort[number],
      Static<Cursor>
    >,
    Identifier extends readonly (infer Name extends string)[] ? Readonly<Record<Name, string>> : string,
    TSchema extends Cursor ? never : Static<Cursor>,
    StaticEntity<Fields> | Sent<StaticEntity<Fields>>
  >
>;
