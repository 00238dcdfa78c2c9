import {
  defineApi,
  defineProcedure,
  defineRpcService,
  Problem,
  ProblemModel,
  Response as PlatformResponse,
  Type,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

const answer = Type.Object({ job: Type.Integer() });
const query = Type.Object({ how: Type.Optional(Type.String()) });

const Job = defineRpcService({
  route: '/jobs',
  methods: {
    POST: defineProcedure({
      status: 202,
      query,
      response: answer,
      handler: ({ query: { how }, event }) => {
        if (how === 'refused') throw new Problem(409, 'It runs already.');
        if (how === 'response')
          return new PlatformResponse(203, '{}', [['Content-Type', 'application/json']]);
        if (how === 'own') event.response.status = 200;
        return { job: 7 };
      },
    }),
    PUT: defineProcedure({ status: 201, response: answer, handler: async () => Promise.resolve({ job: 8 }) }),
    DELETE: defineProcedure({
      status: 204,
      query,
      status_codes: [{ code: 202, message: 'It ends later.', response: answer }],
      handler: ({ query: { how }, event }) => {
        if (how === 'model')
          return new ProblemModel(new Problem(409, 'It runs.', { fields: [['Age', '7']] }));
        if (how !== 'own')
          return how === 'response' ? new PlatformResponse(200, 'done') : { this: 'is left out' };
        event.response.status = 202;
        return { job: 9 };
      },
    }),
    GET: defineProcedure({
      status: 202,
      stream: ['application/x-ndjson'],
      response: answer,
      handler: () => [{ job: 1 }],
    }),
  },
});

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [defineApi({ name: 'House', versions: { 1: { services: { Job } } } })],
};

describe('a procedure with a status', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
      extra: [house],
      local: { 'platform-hosting': { check_responses: 'report' } },
    });
  });
  afterAll(() => platform.stop());
  const ask = (method: string, how = '') =>
    platform.request(`/jobs${how === '' ? '' : `?how=${how}`}`, { method });

  it('responds with it on success', async () => {
    const accepted = await ask('POST');
    expect(accepted.status).toBe(202);
    expect(await accepted.json()).toEqual({ job: 7 });
    const made = await ask('PUT');
    expect(made.status).toBe(201);
    expect(await made.json()).toEqual({ job: 8 });
    const streamed = await ask('GET');
    expect(streamed.status).toBe(202);
    expect(await streamed.text()).toBe('{"job":1}\n');
    expect(platform.log.lines).toEqual([]);
  });

  it('sends no content with 204, whatever it returns', async () => {
    const gone = await ask('DELETE');
    expect(gone.status).toBe(204);
    expect(await gone.text()).toBe('');
    expect(gone.headers.get('content-type')).toBeNull();
    expect((await ask('DELETE', 'response')).status).toBe(200);
  });

  it('responds to errors with their own status, and to a Response with its own', async () => {
    expect((await ask('POST', 'refused')).status).toBe(409);
    expect((await ask('POST', 'response')).status).toBe(203);
    expect((await ask('POST', 'own')).status).toBe(200);
    const later = await ask('DELETE', 'own');
    expect([later.status, await later.json()]).toEqual([202, { job: 9 }]);
  });

  it('responds with the view model of a problem that it returns', async () => {
    const refused = await ask('DELETE', 'model');
    expect([refused.status, refused.headers.get('age')]).toEqual([409, '7']);
    expect(await refused.json()).toMatchObject({ detail: 'It runs.' });
  });

  it('is documented with it as its success response', async () => {
    const document = await bodyOf(await platform.request('/platform/documentation/House-v1?format=apidesc'));
    const { paths } = document as { paths: Record<string, Record<string, { responses: object }>> };
    const of = (method: string) => paths['/v1/jobs']?.[method]?.responses;
    expect(of('post')).toMatchObject({ 202: { content: { 'application/json': {} } } });
    expect(of('post')).not.toHaveProperty('200');
    expect(of('put')).toHaveProperty('201');
    expect(of('delete')).toHaveProperty('204');
    expect(of('delete')).not.toHaveProperty('204.content');
    const json = await bodyOf(await platform.request('/platform/documentation/House-v1/Job?format=json'));
    expect(JSON.stringify(json)).toContain('{"code":202,"message":"Accepted"}');
  });
});

describe('a declaration of a status', () => {
  const refusal = (services: object) =>
    startRefusal({
      modules: HOSTING,
      extra: [
        {
          name: 'shed',
          requires: ['hosting'],
          apis: [{ name: 'Shed', versions: { 1: { services } } } as never],
        },
      ],
    });
  const procedure = (more: object) => ({
    T: { kind: 'rpc', route: '/t', methods: { POST: { handler: () => null, ...more } } },
  });

  it.each([404, 302, 199, 205, 206, 200.5])(
    'is rejected when it is not a success status (%s)',
    async (status) => {
      expect(await refusal(procedure({ status }))).toBe(
        `The service T of Shed-v1: the status of POST is ${status}. Write a status from 200 to 299, except 205 and 206; ` +
          'throw a Problem for errors.',
      );
    },
  );

  it('is rejected when it is not a number', async () => {
    expect(await refusal(procedure({ status: '200' }))).toBe(
      'The module "shed": apis.Shed.versions.1.services.T.methods.POST.status: is "200"; it must be of type integer.',
    );
  });

  it('is rejected when it allows no content but the operation returns some', async () => {
    const expectedError = (what: string) =>
      `The service T of Shed-v1: the status of POST is 204, which has no content, but it has a "${what}". Remove one of them.`;
    expect(await refusal(procedure({ status: 204, response: answer }))).toBe(expectedError('response'));
    expect(await refusal(procedure({ status: 204, stream: ['text/event-stream'] }))).toBe(
      expectedError('stream'),
    );
  });

  it('is rejected when the method determines the status', async () => {
    const T = {
      route: '/t[/:id]',
      route_identifier_name: 'id',
      fields: Type.Object({ id: Type.String() }),
      collection: { POST: { status: 202 } },
      resource: { create: () => ({ id: '1' }) },
    };
    expect(await refusal({ T })).toContain('declares collection POST with a status.');
  });
});
