import type { TObject } from '@sinclair/typebox';
import { isObject } from '../../../../framework';
import { overlay } from '../../../hosting';

/**
 * Applies what configuration declares for members of a generated schema, such as descriptions that were edited on the
 * admin pages; it adds no members.
 */
export function withDeclaredMembers(schema: TObject, declared: unknown): TObject {
  if (!isObject(declared) || !isObject(declared.properties)) return schema;
  const { properties: members } = declared;
  const properties = Object.entries(schema.properties).map(([name, member]) => [
    name,
    Object.hasOwn(members, name) ? overlay(member, Reflect.get(members, name), 'schema') : member,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) as TObject['properties'] };
}
