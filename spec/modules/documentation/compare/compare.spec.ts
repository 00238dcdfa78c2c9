import fc from 'fast-check';
import { runSync } from '../../../../src/framework';
import * as inSteps from '../../../../src/modules/documentation/compare/compare';
import type { ApiChange } from '../../../../src/modules/documentation/compare/change';
import { Api } from '../../../../src/modules/documentation/model/api';
import type {
  JsonSchema,
  OperationData,
  ParameterData,
} from '../../../../src/modules/documentation/model/data';
import { fieldsFromSchema } from '../../../../src/modules/documentation/model/fields-from-schema';
import { apiData, atlas, operationData, serviceData } from '../../../fixtures/documentation';

const compareApis = (before: Api, after: Api): readonly ApiChange[] =>
  runSync(inSteps.compareApis(before, after));

const object = (properties: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

/** An API with one operation. */
function apiOf(operation: Partial<OperationData>, version = 1): Api {
  const services = [serviceData({ operations: [operationData(operation)] })];
  return new Api(apiData({ version, services }));
}

const sends = (schema: JsonSchema): Api =>
  apiOf({ httpMethod: 'POST', requestSchema: schema, fields: fieldsFromSchema(schema) });
/** An API with a second response, 202. */
const accepts = (schema: JsonSchema): Api =>
  apiOf({
    responseSchemas: [{ code: 202, schema }],
    responseStatusCodes: [
      { code: 200, message: 'OK' },
      { code: 202, message: 'Accepted' },
    ],
  });
const parameter = (name: string, schema: JsonSchema): ParameterData => ({
  name,
  in: 'path',
  description: '',
  required: true,
  schema: { type: 'string', ...schema },
});
const ofParameter = (schema: JsonSchema): Api =>
  new Api(apiData({ services: [serviceData({ routeParameters: [parameter('id', schema)] })] }));
const answers = (responseSchema: JsonSchema): Api => apiOf({ responseSchema });

/** Returns the only change between two APIs, as text. */
function only(before: Api, after: Api): string {
  const changes = compareApis(before, after);
  expect(changes).toHaveLength(1);
  return changes.map(inShort).join();
}

function inShort({ kind, subject, name, detail, breaking }: ApiChange): string {
  return [kind, subject, name, detail && `(${detail})`, breaking ? 'breaking' : ''].filter(Boolean).join(' ');
}

const text = { type: 'string' };
const number = { type: 'number' };

describe('compareApis', () => {
  it.each([
    ['a new request field', sends(object({})), sends(object({ a: text })), 'added request field a (string)'],
    [
      'a new required request field',
      sends(object({})),
      sends(object({ a: text }, ['a'])),
      'added request field a (string, required) breaking',
    ],
    [
      'a new response field',
      answers(object({})),
      answers(object({ a: text }, ['a'])),
      'added response field a (string, required)',
    ],
    [
      'a removed response field',
      answers(object({ a: text })),
      answers(object({})),
      'removed response field a (string) breaking',
    ],
    [
      'a type',
      answers(object({ a: text })),
      answers(object({ a: number })),
      'changed response field a (string → number) breaking',
    ],
    [
      'a request field that may be any number instead of an integer',
      sends(object({ a: { type: 'integer', minimum: 1 } })),
      sends(object({ a: { type: 'number', minimum: 1 } })),
      'changed request field a (integer → number)',
    ],
    [
      'a response field that may be any number instead of an integer',
      answers(object({ a: { type: 'integer' } })),
      answers(object({ a: number })),
      'changed response field a (integer → number) breaking',
    ],
    [
      'a request field that may be an integer only, with another limit',
      sends(object({ a: { type: 'number', minimum: 5 } })),
      sends(object({ a: { type: 'integer', minimum: 1 } })),
      'changed request field a (number → integer; minimum: 5 → 1) breaking',
    ],
    [
      'a response field that is an integer from now on',
      answers(object({ a: number })),
      answers(object({ a: { type: 'integer' } })),
      'changed response field a (number → integer)',
    ],
    [
      'a response field of any type that gets one',
      answers(object({ a: {} })),
      answers(object({ a: text })),
      'changed response field a (any → string)',
    ],
    [
      'a response field whose type is not known, and gets one',
      answers(object({ a: { not: text } })),
      answers(object({ a: text })),
      'changed response field a (any → string) breaking',
    ],
    [
      'a request field whose type is not known from now on',
      sends(object({ a: { type: 'integer' } })),
      sends(object({ a: { allOf: [{ description: 'A text.' }, text] } })),
      'changed request field a (integer → any) breaking',
    ],
    [
      'a request field of several types that loses one and gets another',
      sends(object({ a: { type: ['string', 'integer'] } })),
      sends(object({ a: { type: ['string', 'number', 'boolean'] } })),
      'changed request field a (string or integer → string or number or boolean) breaking',
    ],
    [
      'a request field that may be null, too',
      sends(object({ a: { ...text, maxLength: 9 } })),
      sends(object({ a: { anyOf: [{ ...text, maxLength: 9 }, { type: 'null' }] } })),
      'changed request field a (string → string or null)',
    ],
    [
      'a request field that may be null, with a stricter limit',
      sends(object({ a: { ...text, maxLength: 9 } })),
      sends(object({ a: { type: ['string', 'null'], maxLength: 5 } })),
      'changed request field a (string → string or null; maxLength: 9 → 5) breaking',
    ],
    [
      'a response field that may be null, too',
      answers(object({ a: text })),
      answers(object({ a: { type: ['string', 'null'] } })),
      'changed response field a (string → string or null) breaking',
    ],
    [
      'a response field that is never null any more',
      answers(object({ a: { type: ['string', 'null'] } })),
      answers(object({ a: text })),
      'changed response field a (string or null → string)',
    ],
    [
      'a response field that becomes optional',
      answers(object({ a: text }, ['a'])),
      answers(object({ a: text })),
      'changed response field a (required → optional) breaking',
    ],
    [
      'a request field that becomes optional',
      sends(object({ a: text }, ['a'])),
      sends(object({ a: text })),
      'changed request field a (required → optional)',
    ],
    [
      'a stricter limit of a request field',
      sends(object({ a: { ...text, maxLength: 9 } })),
      sends(object({ a: { ...text, maxLength: 5 } })),
      'changed request field a (maxLength: 9 → 5) breaking',
    ],
    [
      'a looser limit of a request field',
      sends(object({ a: { ...number, minimum: 3 } })),
      sends(object({ a: number })),
      'changed request field a (minimum: 3 → none)',
    ],
    [
      'a new value of a response field',
      answers(object({ a: { ...text, enum: ['x'] } })),
      answers(object({ a: { ...text, enum: ['x', 'y'] } })),
      'changed response field a (values: "x" → "x", "y") breaking',
    ],
    [
      'a nested field',
      answers(object({ a: object({ b: text }) })),
      answers(object({ a: object({ b: text, c: number }) })),
      'added response field a.c (number)',
    ],
    [
      'the response of a status with its own schema',
      accepts(object({ a: text })),
      accepts(object({ a: number })),
      'changed response field a (with 202: string → number) breaking',
    ],
    [
      'an access rule',
      apiOf({}),
      apiOf({ requiresAuthorization: true }),
      'changed access (public → authentication required) breaking',
    ],
    [
      'a policy',
      apiOf({ requiresAuthorization: true }),
      apiOf({ requiresAuthorization: true, policy: { name: 'owner-only', description: '' } }),
      'changed access (authentication required → authentication required, policy "owner-only") breaking',
    ],
    [
      'a removed policy',
      apiOf({ requiresAuthorization: true, policy: { name: 'owner-only', description: '' } }),
      apiOf({ requiresAuthorization: true }),
      'changed access (authentication required, policy "owner-only" → authentication required)',
    ],
    [
      'a required scope',
      apiOf({ requiresAuthorization: true }),
      apiOf({ requiresAuthorization: true, scopes: { anyOf: ['read'], othersPermitted: false } }),
      'changed access (authentication required → authentication required, scope "read") breaking',
    ],
    [
      'an additional scope',
      apiOf({ requiresAuthorization: true, scopes: { anyOf: ['read'], othersPermitted: false } }),
      apiOf({ requiresAuthorization: true, scopes: { anyOf: ['read', 'all'], othersPermitted: true } }),
      'changed access (authentication required, scope "read" → authentication required, scope "read" or "all" or some users)',
    ],
    [
      'a scope that is not enough any more',
      apiOf({ requiresAuthorization: true, scopes: { anyOf: ['read', 'all'], othersPermitted: true } }),
      apiOf({ requiresAuthorization: true, scopes: { anyOf: ['all'], othersPermitted: true } }),
      'changed access (authentication required, scope "read" or "all" or some users → authentication required, scope "all" or some users) breaking',
    ],
    [
      'a required request header',
      apiOf({}),
      apiOf({ requestHeaders: [{ ...parameter('If-Match', {}), in: 'header' }] }),
      'added parameter If-Match (string, required) breaking',
    ],
    [
      'that one of several request headers is required',
      apiOf({ responseStatusCodes: [{ code: 200, message: 'OK' }] }),
      apiOf({
        responseStatusCodes: [
          { code: 200, message: 'OK' },
          { code: 428, message: 'Precondition Required' },
        ],
      }),
      'added status 428 (Precondition Required) breaking',
    ],
    [
      'a narrower route parameter',
      ofParameter({}),
      ofParameter({ pattern: '^[0-9]{3}$' }),
      'changed parameter id (pattern: none → ^[0-9]{3}$) breaking',
    ],
    ['a deprecation', apiOf({}), apiOf({ deprecated: true }), 'changed deprecation (deprecated)'],
    [
      'another method',
      apiOf({}),
      new Api(apiData({ services: [serviceData()] })),
      'removed operation breaking',
    ],
    [
      'a media type',
      apiOf({ responseContentTypes: ['application/json', 'text/csv'] }),
      apiOf({ responseContentTypes: ['application/json'] }),
      'removed response type text/csv breaking',
    ],
  ])('reports %s', (_what, before, after, expected) => {
    expect(only(before, after)).toBe(expected);
  });

  it.each<[string, JsonSchema, JsonSchema]>([
    ['types in another order', { type: ['string', 'null'] }, { type: ['null', 'string'] }],
    ['alternatives in another order', { anyOf: [text, number] }, { anyOf: [number, text] }],
    [
      'types of items in another order',
      { type: 'array', items: { type: ['string', 'null'] } },
      { type: 'array', items: { type: ['null', 'string'] } },
    ],
    ['sizes from 0', text, { ...text, minLength: 0 }],
    ['keywords that assert nothing', { type: 'array' }, { type: 'array', minItems: 0, uniqueItems: false }],
  ])('ignores %s', (_what, before, after) => {
    for (const [one, other] of [
      [before, after],
      [after, before],
    ] as const) {
      expect(compareApis(sends(object({ a: one })), sends(object({ a: other })))).toEqual([]);
      expect(compareApis(answers(one), answers(other))).toEqual([]);
      expect(compareApis(ofParameter(one), ofParameter(other))).toEqual([]);
    }
  });

  it('ignores the version in media types', () => {
    const types = (version: number): Api =>
      apiOf({ responseContentTypes: [`application/vnd.things.v${version}+json`] }, version);
    expect(compareApis(types(1), types(2))).toEqual([]);
  });

  it('reports a change of all operations once, for the service', () => {
    const api = (fields: JsonSchema, required: readonly string[]): Api => {
      const schema = object(fields, required);
      const list = object({ things: { type: 'array', items: schema } });
      return new Api(
        apiData({
          services: [
            serviceData({
              fields: fieldsFromSchema(schema),
              operations: [
                operationData({ responseSchema: list }),
                operationData({
                  httpMethod: 'POST',
                  requestSchema: schema,
                  fields: fieldsFromSchema(schema),
                  responseSchema: schema,
                }),
              ],
            }),
          ],
        }),
      );
    };
    const changes = compareApis(api({ a: text }, []), api({ a: text, b: text }, ['b']));
    // Harmless for readers, but not for senders.
    expect(changes.map(inShort)).toEqual(['added field b (string, required) breaking']);
    expect(changes[0]).toMatchObject({ service: 'Thing', operation: null });
  });

  it('reports the location', () => {
    const [change] = compareApis(apiOf({}), apiOf({ deprecated: true }));
    expect(change).toMatchObject({ service: 'Thing', anchor: 'GET-collection', operation: 'GET /things' });
  });

  it('reports no changes between Atlas and itself', () => {
    expect(compareApis(atlas, atlas)).toEqual([]);
  });
});

/** APIs that are similar, so that each kind of change occurs. */
const schemas = fc.letrec<{ leaf: JsonSchema; object: JsonSchema; node: JsonSchema }>((tie) => ({
  leaf: fc.oneof(
    fc.constant(text),
    fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: 0, max: 2 }) }),
    fc.record({ type: fc.constant('string'), enum: fc.subarray(['x', 'y'], { minLength: 1 }) }),
  ),
  object: fc
    .tuple(
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('node'), { maxKeys: 3 }),
      fc.subarray(['a', 'b', 'c']),
    )
    .map(([properties, required]) =>
      object(
        properties,
        required.filter((name) => Object.hasOwn(properties, name)),
      ),
    ),
  node: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('object')),
}));

const operations = fc
  .record({ request: schemas.object, response: schemas.object, closed: fc.boolean() })
  .map(({ request, response, closed }): Partial<OperationData> => ({
    requestSchema: request,
    fields: fieldsFromSchema(request),
    responseSchema: response,
    requiresAuthorization: closed,
  }));

const apis = fc
  .array(
    fc.record({
      name: fc.constantFrom('One', 'Two'),
      fields: schemas.object,
      methods: fc.dictionary(fc.constantFrom('GET', 'POST'), operations),
    }),
    { maxLength: 2 },
  )
  .map((services) => {
    const unique = new Map(services.map((service) => [service.name, service]));
    return new Api(
      apiData({
        services: [...unique.values()].map(({ name, fields, methods }) =>
          serviceData({
            name,
            fields: fieldsFromSchema(fields),
            operations: Object.entries(methods).map(([httpMethod, operation]) =>
              operationData({ httpMethod, ...operation }),
            ),
          }),
        ),
      }),
    );
  });

const keyOf = ({ service, anchor, subject, name }: ApiChange): string =>
  JSON.stringify([service, anchor, subject, name]);
const keysOf = (changes: readonly ApiChange[], kind: ApiChange['kind']): readonly string[] =>
  changes
    .filter((change) => change.kind === kind)
    .map(keyOf)
    .sort();

describe('compareApis for random APIs', () => {
  it('reports no changes between an API and itself', () => {
    fc.assert(fc.property(apis, (api) => expect(compareApis(api, api)).toEqual([])));
  });

  it('reports inverse changes in the other direction', () => {
    fc.assert(
      fc.property(apis, apis, (a, b) => {
        const [there, back] = [compareApis(a, b), compareApis(b, a)];
        expect(keysOf(there, 'added')).toEqual(keysOf(back, 'removed'));
        expect(keysOf(there, 'removed')).toEqual(keysOf(back, 'added'));
        expect(keysOf(there, 'changed')).toEqual(keysOf(back, 'changed'));
      }),
    );
  });

  it('reports each change once', () => {
    fc.assert(
      fc.property(apis, apis, (a, b) => {
        const keys = compareApis(a, b).map(keyOf);
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });
});
