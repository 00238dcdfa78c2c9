import {
  ContainerModule,
  JsonModel,
  Type,
  defineApi,
  defineRestService,
  type ConfigObject,
  type Module,
} from '../../../src/platform';
import { startTestPlatform } from '../../factories/platform';
import { HOSTING, startRefusal } from '../../factories/processes/start-refusal';

/** A JSON format with an envelope, and a service that uses it. */
class EnvelopeModel extends JsonModel {
  override serialize(): unknown {
    return { envelope: this.content };
  }
}

class LetterModule implements Module {
  readonly name = 'letters';
  readonly requires = ['hosting'];
  readonly services = new ContainerModule(({ bind }) => {
    bind('EnvelopeModel').toConstantValue(EnvelopeModel);
    bind('text').toConstantValue('a text');
    bind('Instance').to(EnvelopeModel);
  });
  readonly apis = [
    defineApi({
      name: 'Letters',
      versions: {
        1: {
          services: {
            Letter: defineRestService({
              route: '/letters[/:letter]',
              route_identifier_name: 'letter',
              fields: Type.Object({ letter: Type.String() }),
              accept: ['application/json', 'application/envelope+json'],
              selector: 'Letters',
              entity: { GET: {} },
              resource: { fetch: (letter) => ({ letter }) },
            }),
          },
        },
      },
    }),
  ];
}

const local = (selectors: ConfigObject): ConfigObject => ({ 'platform-content-negotiation': { selectors } });
const project = { modules: HOSTING, extra: [new LetterModule()] };

describe('a configured selector', () => {
  it('renders a result with the view model of the requested type', async () => {
    const selectors = {
      Letters: { JsonModel: ['application/json'], EnvelopeModel: ['application/envelope+json'] },
    };
    const platform = await startTestPlatform({ ...project, local: local(selectors) });
    try {
      const plain = await platform.request('/letters/a');
      expect(await plain.json()).toEqual({ letter: 'a' });
      const wrapped = await platform.request('/letters/a', {
        headers: { Accept: 'application/envelope+json' },
      });
      expect(wrapped.headers.get('content-type')).toBe('application/envelope+json');
      expect(await wrapped.json()).toEqual({ envelope: { letter: 'a' } });
      expect(wrapped.headers.get('vary')).toBe('Accept');
    } finally {
      await platform.stop();
    }
  });

  it('extends a selector that a module defines', async () => {
    const extra: Module = {
      name: 'begins',
      requires: ['letters'],
      defaults: local({ Letters: { JsonModel: ['application/json'] } }),
    };
    const selectors = { Letters: { JsonModel: ['text/json'], EnvelopeModel: ['application/envelope+json'] } };
    const platform = await startTestPlatform({
      ...project,
      extra: [...project.extra, extra],
      local: local(selectors),
    });
    try {
      expect((await platform.request('/letters/a')).headers.get('content-type')).toBe('application/json');
    } finally {
      await platform.stop();
    }
  });

  const json = { Letters: { JsonModel: ['application/json', 'application/envelope+json'] } };

  it.each<[string, ConfigObject, RegExp]>([
    [
      'names a view model that is not bound',
      { Letters: { EnvelopModel: ['application/json'] } },
      /^config\/autoload\/local\.json\S*: platform-content-negotiation\.selectors\.Letters\.EnvelopModel: no module binds a view model class named "EnvelopModel"/,
    ],
    [
      'names a service that is not a view model',
      { ...json, Other: { text: ['text/plain'] } },
      /the service "text" is not a view model class/,
    ],
    [
      'names an instance of a view model class',
      { ...json, Other: { Instance: ['text/plain'] } },
      /the service "Instance" is not a view model class: it is an instance of EnvelopeModel\. Bind the class: toConstantValue\(EnvelopeModel\)\.$/,
    ],
    [
      'lists a wildcard',
      { ...json, Other: { JsonModel: ['application/*'] } },
      /Other\.JsonModel\.?\[0\]: is "application\/\*"; .*Write a media type without wildcards/,
    ],
    ['lists an invalid media type', { ...json, Other: { JsonModel: ['json'] } }, /is "json"; it must match/],
    [
      'lists a media type that no header field can have',
      { ...json, Other: { JsonModel: ['text/x; q="日"'] } },
      /is "text\/x; q=\\"日\\""; it must match/,
    ],
    [
      'lacks a media type of a service',
      { Letters: { JsonModel: ['application/xml'] } },
      /^The service Letter of Letters-v1: no view model renders application\/json\. Supported by the selector: application\/xml\./,
    ],
  ])('prevents the platform from starting when it %s', async (_, selectors, message) => {
    expect(await startRefusal({ ...project, local: local(selectors) })).toMatch(message);
  });
});
