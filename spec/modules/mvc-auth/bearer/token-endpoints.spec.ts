import { ALL_MODULES, startTestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';
import { startRefusal } from '../../../factories/processes/start-refusal';
import { authentication, ClubModule } from '../../../fixtures/club-module';

const METADATA = 'https://issuer.example/.well-known/openid-configuration';
const TOKEN = 'https://issuer.example/token';
const AUTHORIZATION = 'https://issuer.example/authorize';
const JWT = { algorithms: ['HS256'], secret: 's'.repeat(32) };
const INTROSPECTION = {
  endpoint: 'https://issuer.example/introspect',
  client_id: 'club',
  client_secret: 's',
};

const project = (adapter: string, options: object) => ({
  modules: ALL_MODULES,
  extra: [new ClubModule()],
  local: authentication({ tokens: { adapter, options: { ...options } } }, { Club: 'tokens' }),
});

describe('The endpoints of an issuer', () => {
  it.each([
    ['JwtAdapter', JWT, {}, { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }],
    [
      'JwtAdapter',
      JWT,
      { openid_configuration: METADATA },
      { type: 'openIdConnect', openIdConnectUrl: METADATA },
    ],
    [
      'JwtAdapter',
      JWT,
      { token_url: TOKEN },
      { type: 'oauth2', flows: { clientCredentials: { tokenUrl: TOKEN } } },
    ],
    [
      'IntrospectionAdapter',
      INTROSPECTION,
      { authorization_url: AUTHORIZATION, token_url: TOKEN },
      { type: 'oauth2', flows: { authorizationCode: { authorizationUrl: AUTHORIZATION, tokenUrl: TOKEN } } },
    ],
    ['IntrospectionAdapter', INTROSPECTION, {}, { type: 'http', scheme: 'bearer' }],
  ])('are documented: %s %j %j', async (adapter, options, endpoints, expected) => {
    const platform = await startTestPlatform(project(adapter, { ...options, ...endpoints }));
    try {
      const { components } = await bodyOf(
        await platform.request('/platform/documentation/Club-v1', {
          headers: { Accept: 'application/vnd.oai.openapi+json' },
        }),
      );
      expect(components).toMatchObject({ securitySchemes: { tokens: expected } });
      const page = await platform.request('/platform/documentation/Club-v1/Members', {
        headers: { Accept: 'text/html' },
      });
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('tokens')]);
    } finally {
      await platform.stop();
    }
  });

  it.each([
    [{ authorization_url: AUTHORIZATION }, 'authorization_url: "token_url" is missing'],
    [{ openid_configuration: METADATA, token_url: TOKEN }, 'both are set'],
    [{ token_url: 'issuer.example' }, 'Write a URL'],
  ])('are refused with the reason: %j', async (endpoints, reason) => {
    expect(await startRefusal(project('JwtAdapter', { ...JWT, ...endpoints }))).toContain(reason);
  });
});
