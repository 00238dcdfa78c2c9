import type { Static, TSchema } from '@sinclair/typebox';
import type { ObjectSchema } from '../definition/operation-definition';

/** Schema of a member that occurs only in responses. */
export type TReadOnly<Member extends TSchema> = Member & { readonly readOnly: true };

/** Schema of a member that occurs only in requests. */
export type TWriteOnly<Member extends TSchema> = Member & { readonly writeOnly: true };

/**
 * Marks a member that clients cannot set, such as an identifier: it is not part of request schemas, and is ignored
 * in requests, or rejected with `read_only_members: 'refuse'`. The same as the schema option `readOnly: true`, but
 * also known to the types of a resource.
 *
 * @example
 * Type.Object({ id: readOnly(Type.String()), name: Type.String() }) // create(data): data has no id
 */
export function readOnly<Member extends TSchema>(member: Member): TReadOnly<Member> {
  return { ...member, readOnly: true };
}

/**
 * Marks a member that clients send but never receive, such as a password: it is removed from every response. The
 * same as the schema option `writeOnly: true`, but also known to the types of a resource.
 *
 * @example
 * Type.Object({ name: Type.String(), password: writeOnly(Type.String({ minLength: 12 })) })
 */
export function writeOnly<Member extends TSchema>(member: Member): TWriteOnly<Member> {
  return { ...member, writeOnly: true };
}

type ReadOnlyNames<Members> = {
  [Name in keyof Members]: Members[Name] extends { readonly readOnly: true } ? Name : never;
}[keyof Members];

type WriteOnlyNames<Members> = {
  [Name in keyof Members]: Members[Name] extends { readonly writeOnly: true } ? Name : never;
}[keyof Members];

/** The type of a body as a resource receives it: without {@link readOnly} members. */
export type StaticInput<Schema extends ObjectSchema> = Schema extends { readonly properties: infer Members }
  ? [ReadOnlyNames<Members>] extends [never]
    ? Static<Schema>
    : Omit<Static<Schema>, ReadOnlyNames<Members>>
  : Static<Schema>;

/** The type of an entity as a resource returns it: {@link writeOnly} members are optional, and removed. */
export type StaticEntity<Schema extends ObjectSchema> =
  | Static<Schema>
  | (Schema extends { readonly properties: infer Members }
      ? [WriteOnlyNames<Members>] extends [never]
        ? Static<Schema>
        : Omit<Static<Schema>, WriteOnlyNames<Members>> &
            Partial<Pick<Static<Schema>, WriteOnlyNames<Members> & keyof Static<Schema>>>
      : Static<Schema>);

/** What JSON is written from: members and lists may be read-only. */
export type Sent<Value> = unknown extends Value
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]: Sent<Value[Name]> }
    : Value;
