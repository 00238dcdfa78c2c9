import { ContainerModule } from 'inversify';
import {
  runSync,
  JsonModel,
  JsonRenderer,
  NunjucksRenderer,
  ViewModel,
  type Module,
  type Renderer,
  type Steps,
  type ViewModelClass,
} from '../../../../src/framework';
import { ApidescModel } from '../../../../src/modules/documentation-apidesc/apidesc-model';
import {
  MarkdownModel,
  MarkdownRenderer,
} from '../../../../src/modules/documentation-formats/markdown-model';
import { OpenapiModel, SwaggerModel } from '../../../../src/modules/documentation-formats/openapi-models';
import { YamlModel, YamlRenderer } from '../../../../src/modules/documentation-formats/yaml-model';
import { compareApis } from '../../../../src/modules/documentation/compare/compare';
import { ApiContent, ApiListContent } from '../../../../src/modules/documentation/content';
import { Api } from '../../../../src/modules/documentation/model/api';
import { searchIndexOf } from '../../../../src/modules/documentation/search/search-index';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { apiData, operationData, serviceData } from '../../../fixtures/documentation';

const SERVICES = 60;

/** An API of many services with two operations each. */
function largeApi(version = 1): Api {
  const services = Array.from({ length: SERVICES }, (_, at) =>
    serviceData({
      name: `Service${at}`,
      route: `/service${at}`,
      operations: ['GET', 'POST'].map((httpMethod) => operationData({ httpMethod })),
    }),
  );
  return new Api(apiData({ services, version, versions: [version], defaultVersion: version }));
}

/** Returns how often the generator yields. */
function countOf(steps: Iterator<unknown>): number {
  let count = 0;
  while (steps.next().done !== true) count += 1;
  return count;
}

/** Takes long to render, in steps of two milliseconds, and counts how often rendering starts. */
class SlowModel extends JsonModel {
  static override readonly cacheable = true;
  static begun = 0;

  override *serializeInSteps(): Steps<unknown> {
    SlowModel.begun += 1;
    for (let step = 0; step < 150; step++) {
      const end = performance.now() + 2;
      while (performance.now() < end);
      yield;
    }
    return { slow: true };
  }
}

const slow: Module = {
  name: 'slow',
  services: new ContainerModule(({ bind }) => void bind('SlowModel').toConstantValue(SlowModel)),
};

describe('large documentation', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const selectors = { Documentation: { SlowModel: ['application/slow+json'] } };
    platform = await startTestPlatform({
      extra: [slow],
      local: { 'platform-content-negotiation': { selectors } },
    });
  });
  afterAll(() => platform.stop());

  const formats: readonly (readonly [ViewModelClass, Renderer])[] = [
    [JsonModel, new JsonRenderer()],
    [ApidescModel, new JsonRenderer()],
    [OpenapiModel, new JsonRenderer()],
    [SwaggerModel, new JsonRenderer()],
    [YamlModel, new YamlRenderer()],
    [MarkdownModel, new MarkdownRenderer()],
  ];

  it.each(formats)(
    'is rendered by %p in steps of one operation, with the same text',
    async (Model, renderer) => {
      const api = largeApi();
      const model = new Model(new ApiContent(api));
      expect(countOf(renderer.steps!(model))).toBeGreaterThanOrEqual(2 * SERVICES);
      expect(String(runSync(renderer.steps!(model)))).toBe(String(await renderer.render(model)));
    },
  );

  it.each([ApidescModel, SwaggerModel, YamlModel])('is rendered in steps as a list too, by %p', (Model) => {
    const renderer = Model === YamlModel ? new YamlRenderer() : new JsonRenderer();
    const steps = renderer.steps(new Model(new ApiListContent([largeApi()])));
    expect(countOf(steps)).toBeGreaterThanOrEqual(2 * SERVICES);
  });

  it('is rendered as a page in steps of one service', async () => {
    const renderer = await platform.application.services.get(NunjucksRenderer);
    const page = (content: object): ViewModel =>
      new ViewModel(content, { template: 'platform-documentation/show' });
    expect(countOf(renderer.steps(page(new ApiContent(largeApi()))))).toBeGreaterThanOrEqual(SERVICES);
  });

  it('is compared and indexed in steps of one service', () => {
    expect(countOf(compareApis(largeApi(), largeApi(2)))).toBeGreaterThanOrEqual(SERVICES);
    expect([...searchIndexOf([largeApi()], '/')].length).toBeGreaterThanOrEqual(3 * SERVICES);
  });

  it('does not block other requests, and is rendered once for concurrent requests', async () => {
    const get = async (): Promise<unknown> =>
      (await platform.request('/platform/documentation?format=slow')).json();
    const work = { isDone: false };
    const large = Promise.all([get(), get(), get()]).finally(() => (work.isDone = true));
    let answered = 0;
    // On separate connections, one after another.
    while (!work.isDone) {
      expect((await platform.request('/v1/atlas/countries/DE')).status).toBe(200);
      if (SlowModel.begun > 0) answered += 1;
    }
    expect(await large).toEqual(Array(3).fill({ slow: true }));
    expect(SlowModel.begun).toBe(1);
    // The last one may finish after the large one.
    expect(answered).toBeGreaterThanOrEqual(4);
  });
});
