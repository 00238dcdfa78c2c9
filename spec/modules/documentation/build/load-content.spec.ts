import type { Steps } from '../../../../src/framework';
import { loadContent } from '../../../../src/modules/documentation/build/load-content';
import { ApiContent, ApiListContent, ServiceContent } from '../../../../src/modules/documentation/content';
import { Api } from '../../../../src/modules/documentation/model/api';
import { DeferredService } from '../../../../src/modules/documentation/model/deferred-service';
import { apiData, operationData, serviceData } from '../../../fixtures/documentation';

const SERVICES = ['A', 'B', 'C'];

/** An API whose services are built on first use, and the names of those that were. */
function deferredApi(): { api: Api; built: readonly string[] } {
  const built: string[] = [];
  const services = SERVICES.map(
    (name) =>
      new DeferredService(name, () => {
        built.push(name);
        return serviceData({ name, operations: [operationData({ httpMethod: 'GET' })] });
      }),
  );
  return { api: new Api(apiData({ services: [] }), services), built };
}

/** Returns how often the steps pause. */
function pausesOf(steps: Steps<void>): number {
  let pauses = 0;
  while (steps.next().done !== true) pauses += 1;
  return pauses;
}

const serviceOf = (api: Api): ServiceContent => new ServiceContent(api.getServices()[0]!);

describe('The documentation of a service', () => {
  it('is built once, when it is first read', () => {
    const { api, built } = deferredApi();
    expect(api.getServices().map((service) => service.getName())).toEqual(SERVICES);
    expect(built).toEqual([]);
    const service = api.getService('B')!;
    expect(service.getOperations()).toHaveLength(1);
    expect(service.toJSON()).toMatchObject({ name: 'B', operations: [{ http_method: 'GET' }] });
    expect(built).toEqual(['B']);
  });

  it('is built for JSON when it is written, and not kept', () => {
    const { api, built } = deferredApi();
    expect(pausesOf(loadContent(new ApiContent(api), 'json'))).toBe(0);
    const content = new ApiContent(api).toJSON();
    expect(built).toEqual([]);
    const text = JSON.stringify(content);
    expect(built).toEqual(SERVICES);
    pausesOf(loadContent(new ApiContent(api), 'html'));
    expect(built).toEqual([...SERVICES, ...SERVICES]);
    expect(JSON.stringify(content)).toBe(text);
    expect(built).toHaveLength(2 * SERVICES.length);
  });

  it('is kept if its JSON is written again, because it was not cached', () => {
    const { api, built } = deferredApi();
    const texts = [1, 2, 3].map(() => JSON.stringify(new ApiContent(api)));
    expect(new Set(texts)).toEqual(new Set([JSON.stringify(api)]));
    expect(built).toEqual([...SERVICES, ...SERVICES]);
  });

  describe('that users and guests share', () => {
    const contentsOfBoth = (): { contents: readonly [ApiContent, ApiContent]; built: readonly string[] } => {
      const built: string[] = [];
      const shared = new DeferredService('A', () => {
        built.push('A');
        return serviceData({ name: 'A' });
      });
      const newContent = (): ApiContent => new ApiContent(new Api(apiData({ services: [] }), [shared]));
      return { contents: [newContent(), newContent()], built };
    };

    it('is not built for the JSON of guests if pages for users had it built', () => {
      const { contents, built } = contentsOfBoth();
      pausesOf(loadContent(contents[0], 'html'));
      JSON.stringify(contents[1]);
      expect(built).toEqual(['A']);
    });

    it('is not kept for the first JSON of either', () => {
      const { contents, built } = contentsOfBoth();
      for (const content of contents) JSON.stringify(content);
      pausesOf(loadContent(contents[0], 'html'));
      expect(built).toEqual(['A', 'A', 'A']);
      JSON.stringify(contents[1]);
      expect(built).toHaveLength(3);
    });
  });

  it.each([
    ['the list of APIs', (api: Api) => new ApiListContent([api]), 'html'],
    ['an API', (api: Api) => new ApiContent(api), 'html'],
    ['an API', (api: Api) => new ApiContent(api), 'openapi'],
    ['a service, which lists the others', serviceOf, 'html'],
  ])('is built in steps for %s as %s %s', (_, contentOf, format) => {
    const { api, built } = deferredApi();
    expect(pausesOf(loadContent(contentOf(api), format))).toBe(SERVICES.length);
    expect(built).toEqual(SERVICES);
    // Nothing is left to build.
    expect(pausesOf(loadContent(contentOf(api), format))).toBe(0);
  });

  it('is not built for another service', () => {
    const { api, built } = deferredApi();
    const content = serviceOf(api);
    expect(pausesOf(loadContent(content, 'openapi'))).toBe(0);
    expect(JSON.stringify(content)).toContain('"name":"A"');
    expect(built).toEqual(['A']);
  });
});
