import { Type } from '@sinclair/typebox';
import { defineProcedure, defineRpcService, type ServiceDefinition } from '../../hosting';
import { accessRule } from '../../mvc-auth';
import { parseQuestion } from '../actions/rule-tester/question';
import type { AdminServices } from '../services';

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const texts = (description?: string) =>
  Type.Array(Type.String(), description === undefined ? {} : { description });

const query = Type.Object({
  who: Type.Optional(
    Type.Union([Type.Literal('guest'), Type.Literal('identity'), Type.Literal('user')], {
      description:
        'The client: a guest, a user with the given name, groups and scopes, or a user that an adapter knows. Defaults to "guest".',
    }),
  ),
  name: Type.Optional(Type.String({ description: 'The name of the user.' })),
  groups: Type.Optional(Type.String({ description: 'Of an identity, separated by commas.' })),
  scopes: Type.Optional(Type.String({ description: 'Of an identity, separated by commas.' })),
  adapter: Type.Optional(
    Type.String({
      description: 'The adapter of the credentials. An identity defaults to any adapter that guards the API.',
    }),
  ),
  api_version: Type.Optional(Type.String({ examples: ['Atlas-v1'] })),
  operation: Type.Optional(
    Type.String({
      description: 'A service, its part (unless it is an RPC service) and a method.',
      examples: ['Country collection GET'],
    }),
  ),
  method: Type.Optional(Type.String({ description: 'Of a request to `path`. Defaults to GET.' })),
  path: Type.Optional(
    Type.String({
      description: 'A path with its query, instead of `api_version` and `operation`.',
      examples: ['/v1/atlas/countries'],
    }),
  ),
});

const response = Type.Object({
  verdict: Type.Union(
    (['permitted', 'refused', 'undecided', 'not found'] as const).map((one) => Type.Literal(one)),
    { description: 'Whether the rule permits it. Undecided: the policy decides, from the request itself.' },
  ),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Of the response; on success that of the operation. Null if a policy decides.',
  }),
  code: nullable('The code of the error; null on success.'),
  detail: nullable('The explanation that clients receive; null on success.'),
  challenges: texts('The `WWW-Authenticate` fields of a refused request.'),
  target: Type.String({ description: 'What the request addresses.' }),
  operation: Type.Union(
    [
      Type.Object({
        api: Type.String(),
        version: Type.Integer(),
        service: Type.String(),
        part: Type.Union([Type.Literal('collection'), Type.Literal('entity'), Type.Literal('rpc')]),
        method: Type.String(),
      }),
      Type.Null(),
    ],
    { description: 'Null for other routes, and for methods that a path does not have.' },
  ),
  rule: Type.Union([accessRule, Type.Null()], { description: 'Null if the request fails before that.' }),
  path: nullable('The key path of the rule; null if it is declared in code.'),
  source: nullable('The file or the module of the rule.'),
  policy: nullable('The policy that decides; null for none.'),
  identity: Type.Object(
    { name: nullable('Null for guests.'), groups: texts(), scopes: texts() },
    { description: 'The user or guest of the request.' },
  ),
  reasons: texts('Why, in order.'),
  remedies: texts('What would permit the request; empty if it is permitted.'),
});

/** Defines the procedure that explains what authorization decides. */
export function ruleTestService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description:
      'Explains whether a request would be permitted. Nothing is sent, and no credentials are needed.',
    route: '/rule-test',
    methods: {
      GET: defineProcedure({
        description:
          'Says who may call an operation, or request a path, and why. Policies and listeners of modules are not called.',
        query,
        response,
        handler: async ({ query: fields, event }) => {
          const test = await admin().ruleTester.test(parseQuestion(fields), event.request);
          const { identity, challenges, reasons, remedies, ...rest } = test;
          return {
            ...rest,
            challenges: [...challenges],
            identity: { name: identity.name, groups: [...identity.groups], scopes: [...identity.scopes] },
            reasons: [...reasons],
            remedies: [...remedies],
          };
        },
      }),
    },
  });
}
