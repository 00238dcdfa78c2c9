import { startTestPlatform, type TestPlatform } from '../../../factories/platform';

const PUBLIC_URL = 'https://api.example.com';
const SERVICE = '/gateway/platform/documentation/Atlas-v1/Country';

describe('documentation with a configured public URL', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const local = { server: { public_url: PUBLIC_URL, base_url: '/gateway' } };
    platform = await startTestPlatform({ local });
  });
  afterAll(() => platform.stop());

  const read = async (format: string): Promise<string> =>
    (await platform.request(`${SERVICE}?format=${format}`)).text();

  it('uses it as the server of OpenAPI documents', async () => {
    expect(JSON.parse(await read('openapi'))).toMatchObject({
      servers: [{ url: `${PUBLIC_URL}/gateway` }],
    });
  });

  it('uses it as scheme, host and base path of Swagger documents', async () => {
    expect(JSON.parse(await read('swagger'))).toMatchObject({
      schemes: ['https'],
      host: 'api.example.com',
      basePath: '/gateway',
    });
  });

  it('uses it in code samples, which pages do not replace by their own origin', async () => {
    const page = await read('html');
    expect(page).toContain(`${PUBLIC_URL}/gateway/v1/atlas/countries`);
    expect(page).not.toContain('data-origin');
    expect(await read('markdown')).not.toContain('localhost');
  });
});
