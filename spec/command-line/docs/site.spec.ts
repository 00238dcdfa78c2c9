import { crawlSite } from '../../../src/command-line/docs/site';
import { sampleAuthentication, startTestPlatform } from '../../factories/platform';

describe('the documentation as static files', () => {
  it('may have links whose percent-encoding is invalid', async () => {
    const guide = '# Start\n\n[One](/platform/guides/%FF) and [another](/platform/documentation/%FF).';
    const platform = await startTestPlatform({
      files: { 'guides/start.md': guide },
      local: { ...sampleAuthentication, 'platform-documentation': { guides: 'guides' } },
    });
    try {
      const site = await crawlSite(platform.origin);
      expect(String(site.get('guides/start/index.html'))).toContain('another');
    } finally {
      await platform.stop();
    }
  });
});
