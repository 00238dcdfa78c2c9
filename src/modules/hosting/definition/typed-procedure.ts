import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { MaybePromise, Problem, Response, ViewModel } from '../../../framework';
import type { HypermediaCollection, HypermediaEntity } from '../../content-negotiation';
import type { HandlerContext, UnknownParameters } from '../context';
import type { Sent, StaticInput } from '../members/static-members';
import type { ServerSentEvent } from '../streaming/server-sent-event';
import type { StreamType } from '../streaming/stream-types';
import type { ObjectSchema, ProcedureDefinition, StatusDefinition } from './operation-definition';

type Body<Schema extends TSchema> = Sent<Static<Schema>>;

/** The bodies of additional success statuses. */
type OtherBodies<Statuses extends readonly StatusDefinition[]> = Statuses[number] extends infer One
  ? One extends { readonly response?: infer Schema }
    ? 'response' extends keyof One
      ? TSchema extends Schema
        ? unknown
        : Body<Extract<Schema, TSchema>>
      : never
    : never
  : never;

/** What is sent as it is, or rendered by its own rules. */
type Rendered =
  | Response
  | Problem
  | ViewModel
  | HypermediaEntity
  | HypermediaCollection
  | readonly (HypermediaEntity | HypermediaCollection)[];

type Items<Item> = Item | ServerSentEvent<Item>;

/**
 * What the handler of a procedure returns: the declared `response`, one item after the other with a `stream`, or anything
 * if none is declared.
 */
export type ProcedureResult<
  Schema extends TSchema,
  Streams extends readonly StreamType[],
  Statuses extends readonly StatusDefinition[],
> = TSchema extends Schema
  ? unknown
  : | Body<Schema>
    | ([Streams] extends [never] ? never : AsyncIterable<Items<Body<Schema>>> | Iterable<Items<Body<Schema>>>)
    | OtherBodies<Statuses>
    | Rendered;

/** A procedure with the types of its query, body, response, route parameters and result. */
export interface Procedure<
  Query extends TObject = TObject,
  Input extends ObjectSchema = TObject,
  Result extends TSchema = TSchema,
  Parameters = UnknownParameters,
  Streams extends readonly StreamType[] = never,
  Statuses extends readonly StatusDefinition[] = readonly [],
  Returned = ProcedureResult<Result, Streams, Statuses>,
> extends Omit<ProcedureDefinition, 'query' | 'fields' | 'response' | 'stream' | 'status_codes' | 'handler'> {
  readonly query?: Query;
  readonly fields?: Input;
  readonly response?: Result;
  readonly stream?: Streams;
  readonly status_codes?: Statuses;
  /** A function, or its container name. */
  readonly handler:
    | ((context: HandlerContext<Static<Query>, StaticInput<Input>, Parameters>) => MaybePromise<Returned>)
    | string;
}
