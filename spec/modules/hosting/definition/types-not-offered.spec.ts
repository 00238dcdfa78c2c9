import { ContainerModule, defineApi, JsonModel, type ApiDefinition } from '../../../../src/platform';
import { startTestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';

const TYPE = 'application/vnd.envelope+json';

const started = async (service: object, services: object = {}) => {
  const procedure = { kind: 'rpc', methods: { GET: { handler: () => 1 } } };
  const versions = {
    1: {
      services: {
        One: { ...procedure, route: '/one', ...service },
        Other: { ...procedure, route: '/other', ...services },
      },
    },
  };
  const shop = {
    name: 'shop',
    requires: ['hosting'],
    apis: [defineApi({ name: 'Shop', versions } as ApiDefinition)],
    services: new ContainerModule(({ bind }) => {
      bind('EnvelopeModel').toConstantValue(class EnvelopeModel extends JsonModel {});
    }),
  };
  const local = {
    'platform-content-negotiation': { selectors: { Json: { EnvelopeModel: [TYPE] } } },
  };
  const platform = await startTestPlatform({ modules: HOSTING, extra: [shop], local });
  const { status } = await platform.request('/one', { headers: { Accept: TYPE } });
  const { warnings } = platform.application;
  await platform.stop();
  return { status, warnings: warnings.filter((one) => one.startsWith('The selector')) };
};

describe('A media type that is added to the selector of services that name none', () => {
  it('is not offered by them, which a start warns about', async () => {
    expect(await started({}, { accept: ['application/vnd.other+json'] })).toEqual({
      status: 406,
      warnings: [
        `The selector "Json" has ${TYPE}, which no service offers. Write selector: "Json" in the services that should: those that name no selector respond with application/json only. For those that name another one, add it there.`,
      ],
    });
  });

  it.each([
    ['names the selector', { selector: 'Json' }],
    ['lists the type', { accept: ['application/json', TYPE] }],
  ])('is offered by a service that %s', async (_, service) => {
    expect(await started(service)).toEqual({ status: 200, warnings: [] });
  });
});
