import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic } from '../../../factories/http/requests';
import { authentication, CLUB_ADAPTERS, CLUB_FILES } from '../../../fixtures/club-module';
import { DeskModule } from '../../../fixtures/desk-module';

const LIST = '/v1/atlas/countries?region=Europe';

/** Starts a platform with these settings, whose diary only `ada` reads. */
function start(
  operations: Record<string, unknown>,
  more: Record<string, object> = {},
): Promise<TestPlatform> {
  return startTestPlatform({
    extra: [new DeskModule()],
    files: CLUB_FILES,
    local: {
      'platform-operations': { access_log: { enabled: false }, ...operations },
      ...authentication({ people: CLUB_ADAPTERS.basic }, { 'Desk/Diary': 'people' }),
      ...more,
    },
  });
}

describe('Server-Timing', () => {
  let platform: TestPlatform;
  afterEach(() => platform.stop());

  const timing = async (path: string, authorization?: string): Promise<string | null> => {
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    const response = await platform.request(path, { headers });
    await response.arrayBuffer();
    return response.headers.get('server-timing');
  };

  it('is off by default', async () => {
    platform = await start({});
    expect(await timing(LIST)).toBeNull();
    expect(await timing('/desk/diary', basic('ada', 'password'))).toBeNull();
  });

  it('has the phases of a request, and its statements, for all', async () => {
    platform = await start({ server_timing: 'all' });
    const names =
      /^route;dur=[\d.]+, auth;dur=[\d.]+, validation;dur=[\d.]+, handler;dur=[\d.]+, database;desc="\d statements?";dur=[\d.]+, render;dur=[\d.]+$/;
    expect(await timing(LIST)).toMatch(names);
    // Each request has its own.
    const many = await Promise.all(Array.from({ length: 20 }, () => timing(LIST)));
    const [first] = many;
    for (const one of many) expect(one?.match(/desc="[^"]+"/)?.[0]).toBe(first?.match(/desc="[^"]+"/)?.[0]);
    expect(await timing('/nowhere')).toMatch(/^route;dur=[\d.]+, render;dur=[\d.]+$/);
  });

  it('is for signed-in users only in development, and never in a 401', async () => {
    platform = await start({}, { view_manager: { display_exceptions: true } });
    expect(await timing(LIST)).toBeNull();
    expect(await timing('/desk/diary', basic('ada', 'password'))).toContain('handler;dur=');
    expect(await timing('/desk/diary', basic('ada', 'wrong'))).toBeNull();
  });
});
