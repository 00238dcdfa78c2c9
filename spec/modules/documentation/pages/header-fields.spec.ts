import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { BooksModule } from '../../../fixtures/shelves/books-module';

describe('the page of a service with entity tags', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ extra: [new BooksModule()] })));
  afterAll(() => platform.stop());

  it('lists the request and response headers', async () => {
    const list = await platform.request('/platform/documentation/Shelves?format=json');
    const { services } = (await list.json()) as { readonly services: readonly { readonly name: string }[] };
    const pages = await Promise.all(
      services.map(async ({ name }) =>
        (await platform.request(`/platform/documentation/Shelves/${name}?format=html`)).text(),
      ),
    );
    const all = pages.join('\n');
    expect(all).toContain('<code>If-Match</code>');
    expect(all).toContain('<code>If-None-Match</code>');
    for (const code of [200, 304])
      expect(all).toMatch(new RegExp(`id="GET-entity\\.${code}"(?:(?!</section>)[^])*<code>ETag</code>`));
  });
});
