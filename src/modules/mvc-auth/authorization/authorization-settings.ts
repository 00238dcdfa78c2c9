import { Type } from '@sinclair/typebox';
import { accessRule, readerRule, type AccessRule } from './access-rule';

const methodRules = Type.Record(Type.String({ pattern: '^[A-Z]+$' }), accessRule);

/** By method: for the collection and entity of a REST service, directly for an RPC service. */
const serviceRules = Type.Object(
  {
    collection: Type.Optional({ ...methodRules, description: 'By method, for the collection.' }),
    entity: Type.Optional({ ...methodRules, description: 'By method, for single entities.' }),
  },
  { additionalProperties: accessRule },
);

const apiRules = Type.Record(Type.String(), serviceRules);

export type ServiceRules = Readonly<Record<string, AccessRule | Readonly<Record<string, AccessRule>>>>;
type AuthorizationSettings = { deny_by_default: boolean } & Record<string, unknown>;

/** The rules by API and service, `platform-mvc-auth.authorization`. */
export const authorizationSettings = Type.Unsafe<AuthorizationSettings>({
  type: 'object',
  description: 'Access rules by API ("Atlas" or "Atlas-v2") and service.',
  properties: {
    deny_by_default: {
      type: 'boolean',
      description: 'Whether operations without a rule require authentication.',
    },
    '@documentation': { ...readerRule, description: 'Who may read the documentation.' },
  },
  patternProperties: {
    '^@static-files(?:/.*)?$': {
      ...readerRule,
      description:
        'Who may read static files: of all folders, or of the folder at a path ("@static-files/app").',
    },
  },
  additionalProperties: apiRules,
});
