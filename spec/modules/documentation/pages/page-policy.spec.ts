import { pagePolicy } from '../../../../src/modules/documentation/pages/page-policy';
import { startTestPlatform } from '../../../factories/platform';

const own =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

describe('pagePolicy', () => {
  it('returns the defaults without a configured policy', () => {
    expect(pagePolicy()).toBe(own);
    expect(pagePolicy('')).toBe(own);
    expect(pagePolicy(' ; ;')).toBe(own);
  });

  it('replaces defaults by the configured directives, and adds others', () => {
    expect(
      pagePolicy('Frame-Ancestors https://intranet.example; upgrade-insecure-requests; report-uri /csp'),
    ).toBe(
      `${own.replace("frame-ancestors 'none'", 'frame-ancestors https://intranet.example')}; upgrade-insecure-requests; report-uri /csp`,
    );
  });

  it('uses the first of duplicate directives, as browsers do', () => {
    expect(pagePolicy("img-src https://a.example; img-src 'none'")).toContain('img-src https://a.example;');
  });

  it('lets pages with a form send it to this server, unless the operator names the targets', () => {
    expect(pagePolicy('', true)).toBe(own.replace("form-action 'none'", "form-action 'self'"));
    expect(pagePolicy("form-action 'none'", true)).toContain("form-action 'self'");
    expect(pagePolicy('form-action https://a.example', true)).toContain('form-action https://a.example');
  });

  it('keeps several policies separate', () => {
    expect(pagePolicy("script-src 'none', img-src 'none'")).toBe(
      `${own.replace("script-src 'self'", "script-src 'none'")}, ${own.replace("img-src 'self'", "img-src 'none'")}`,
    );
  });
});

it('sends the page policy with pages and error pages; other responses have the configured one', async () => {
  const policy = "default-src 'none'; frame-ancestors https://intranet.example";
  const platform = await startTestPlatform({
    local: { 'platform-operations': { security_headers: { 'Content-Security-Policy': policy } } },
  });
  const policyOf = async (path: string, accept: string): Promise<string | null> =>
    (await platform.request(path, { headers: { accept } })).headers.get('content-security-policy');
  const ofPages = own.replace("frame-ancestors 'none'", 'frame-ancestors https://intranet.example');
  expect(await policyOf('/platform/documentation', 'text/html')).toBe(ofPages);
  expect(await policyOf('/nowhere', 'text/html')).toBe(ofPages);
  expect(await policyOf('/platform/documentation', 'application/json')).toBe(policy);
  await platform.stop();
});

it('sends the default page policy if the field is not configured', async () => {
  const platform = await startTestPlatform({
    local: { 'platform-operations': { security_headers: { 'Content-Security-Policy': null } } },
  });
  const answer = await platform.request('/platform/documentation', { headers: { accept: 'text/html' } });
  expect(answer.headers.get('content-security-policy')).toBe(own);
  await platform.stop();
});
