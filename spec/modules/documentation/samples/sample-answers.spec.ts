import { Documentation } from '../../../../src/modules/documentation/documentation';
import { Api } from '../../../../src/modules/documentation/model/api';
import type { Operation } from '../../../../src/modules/documentation/model/operation';
import type { Service } from '../../../../src/modules/documentation/model/service';
import { addressOf, sampleCall } from '../../../../src/modules/documentation/samples/sample-call';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic } from '../../../factories/http/requests';
import { apiData, operationData, serviceData } from '../../../fixtures/documentation';

let platform: TestPlatform;
beforeAll(async () => (platform = await startTestPlatform({ local: sampleAuthentication })));
afterAll(() => platform.stop());

/** Entities must exist before they are read. */
const ORDER = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'];

/** Returns the operations whose samples use Basic or no credentials, in {@link ORDER}. */
async function operations(version: string): Promise<readonly (readonly [Service, Operation])[]> {
  const documentation = await platform.application.services.get(Documentation);
  const apis = documentation.listFor({ isGuest: false }).getApis();
  return apis
    .find((api) => api.getName() === 'Atlas' && api.getVersion() === Number(version))!
    .getServices()
    .flatMap((service) =>
      [...service.getOperations(), ...service.getEntityOperations()].map((one) => [service, one] as const),
    )
    .filter(([service, one]) => sampleCall(service, one).credentials !== 'digest')
    .sort((a, b) => position(...a) - position(...b));
}

function position(service: Service, operation: Operation): number {
  const { method, path } = sampleCall(service, operation);
  // A query lists entities, as a GET does.
  return ORDER.indexOf(path.endsWith('/query') ? 'GET' : method);
}

/** Whether a response has no content: an empty list, for example. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== 'object' || value === null) return value === undefined || value === null;
  const lists = Object.values(value).filter((member) => Array.isArray(member));
  return Object.keys(value).length === 0 || lists.some((list) => list.length === 0);
}

describe.each(['1', '2'])('every sample of Atlas version %s', (version) => {
  it('gets a response with content', async () => {
    let visit = '';
    for (const [service, operation] of await operations(version)) {
      const call = sampleCall(service, operation);
      const answer = await fetch(addressOf(call, platform.origin).replace('VISIT_ID', visit), {
        method: call.method,
        headers: {
          ...(call.accept === undefined ? {} : { Accept: call.accept }),
          ...(call.credentials === undefined ? {} : { Authorization: basic('guide', 'explore') }),
          ...(call.body === undefined ? {} : { 'Content-Type': call.body.type }),
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body.value) }),
      });
      const text = await answer.text();
      const name = `${call.method} ${call.path}`;
      expect([name, answer.ok, text]).toEqual([name, true, text]);
      if (call.method === 'DELETE') continue;
      const value: unknown = JSON.parse(text);
      expect([name, text, isEmpty(value)]).toEqual([name, text, false]);
      if (call.method === 'POST' && !call.path.endsWith('/query'))
        visit = String((value as { visit_id: unknown }).visit_id);
    }
  });
});

it('A sample parses no JSON if the usual response has no content', () => {
  const operation = operationData({
    status: 204,
    responseStatusCodes: [200, 204].map((code) => ({ code, message: '' })),
    responseSchemas: [{ code: 200, schema: { type: 'object' } }],
    responseContentTypes: ['application/json'],
  });
  const [service] = new Api(apiData({ services: [serviceData({ operations: [operation] })] })).getServices();
  expect(sampleCall(service!, service!.getOperations()[0]!)).toMatchObject({
    accept: 'application/json',
    answersJson: false,
  });
});
