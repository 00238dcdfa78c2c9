import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ApplicationHost, JsonModel, type BootstrapEvent, type Module } from '../../../../src/framework';
import { configure } from '../../../factories/configure';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { startFramework } from '../../../factories/routes';

/** The events that the test module has received, and its action at the next build. */
class Trace {
  readonly seen: string[] = [];
  builds = 0;
  next: (event: BootstrapEvent) => Promise<void> | void = () => undefined;

  bootstrap(event: BootstrapEvent): Promise<void> | void {
    const build = ++this.builds;
    const { events } = event.application;
    events.attach('reload', () => void this.seen.push(`reload ${build}`));
    events.attach('shutdown', () => void this.seen.push(`shutdown ${build}`));
    return this.next(event);
  }
}

describe('The application host', () => {
  let trace: Trace;
  let platform: TestPlatform;
  beforeEach(async () => {
    trace = new Trace();
    platform = await startFramework({ 'GET /a': () => new JsonModel(1) }, (event) => trace.bootstrap(event));
  });
  afterEach(() => platform.stop());

  const statusUnder = async (base: string): Promise<number> => (await platform.request(`${base}/a`)).status;

  it('reloads the configuration, and disposes of the old application', async () => {
    const old = platform.application;
    configure(platform.root, { server: { base_url: '/gateway' } });
    expect(await platform.host.reload()).toEqual({ restart: [] });
    expect([await statusUnder('/gateway'), await statusUnder('')]).toEqual([200, 404]);
    expect(platform.application).not.toBe(old);
    await old.dispose();
    expect(trace.seen).toEqual(['reload 2', 'shutdown 1']);
  });

  it('is available to modules in the shared state', () => {
    expect(platform.application.sharedState.find(ApplicationHost)).toBe(platform.host);
    expect(platform.application.sharedState.find(Trace)).toBeUndefined();
  });

  it.each([
    ['a wrong key', { server: { prot: 1 } }, /^config\/autoload\/local\.json:3:5: server\.prot: unknown key/],
    ['a wrong value', { server: { base_url: 7 } }, /server\.base_url/],
    ['an unset variable', { server: { base_url: '/${NOWHERE}' } }, /NOWHERE, which is not set/],
    ['malformed JSON', '{ "server": ', /^config\/autoload\/local\.json:1:/],
    ['a missing template', { view_manager: { template_map: { a: 'none.njk' } } }, /none\.njk/],
    ['an unknown strategy', { view_manager: { strategies: ['Nothing'] } }, /"Nothing"/],
  ])('keeps the active application for %s, and reports the error', async (_, local, message) => {
    const old = platform.application;
    configure(platform.root, local);
    await expect(platform.host.reload()).rejects.toThrow(message);
    expect(platform.application).toBe(old);
    expect(await statusUnder('')).toBe(200);
  });

  it('keeps the active application if a file is replaced by a folder', async () => {
    const old = platform.application;
    for (const name of ['config/autoload/local.json', 'config/application.json']) {
      rmSync(path.join(platform.root, name));
      mkdirSync(path.join(platform.root, name));
      await expect(platform.host.reload()).rejects.toThrow(name);
    }
    rmSync(path.join(platform.root, 'config'), { recursive: true });
    await expect(platform.host.reload()).rejects.toThrow('config/application.json does not exist');
    expect(platform.application).toBe(old);
    expect(await statusUnder('')).toBe(200);
  });

  it('triggers shutdown after a failed build, so that modules release their resources', async () => {
    trace.next = () => Promise.reject(new Error('no licence'));
    await expect(platform.host.reload()).rejects.toThrow('no licence');
    trace.next = () => undefined;
    configure(platform.root, { view_manager: { strategies: ['Nothing'] } });
    await expect(platform.host.reload()).rejects.toThrow('"Nothing"');
    expect(trace.seen).toEqual(['shutdown 2', 'shutdown 3']);
  });

  it('reports the keys that require a restart, until they have their old values', async () => {
    configure(platform.root, { server: { host: 'localhost' } });
    expect(await platform.host.reload()).toEqual({ restart: ['server.host'] });
    configure(platform.root, { server: { host: 'localhost', base_url: '/gateway' } });
    expect(await platform.host.reload()).toEqual({ restart: ['server.host'] });
    expect(await statusUnder('/gateway')).toBe(200);
    configure(platform.root, {});
    expect(await platform.host.reload()).toEqual({ restart: [] });
  });

  it('loads a newly listed module', async () => {
    configure(platform.root, { 'platform-operations': { access_log: { enabled: false } } });
    await expect(platform.host.reload()).rejects.toThrow(
      'platform-operations: is a section of the built-in module',
    );
    const list = path.join(platform.root, 'config/application.json');
    writeFileSync(list, JSON.stringify({ modules: ['operations'] }));
    await platform.host.reload();
    expect((await platform.request('/a')).headers.get('x-frame-options')).toBe('DENY');
  });

  it('builds from another text of local.json, without changing the file or the service', async () => {
    const old = platform.application;
    const local = '{ "server": { "base_url": "/would-be" } }';
    expect((await platform.host.configuration({ local })).valueAt(['server', 'base_url'])).toBe('/would-be');
    const candidate = await platform.host.build({ local });
    expect(candidate.baseUrl).toBe('/would-be');
    await candidate.dispose();
    expect(platform.application).toBe(old);
    expect(trace.seen).toEqual(['shutdown 2']);
    expect((await platform.host.build()).baseUrl).toBe('');
  });

  it('shares a pending reload between callers', async () => {
    let release = (): void => undefined;
    trace.next = () => new Promise<void>((resolve) => (release = resolve));
    const first = platform.host.reload();
    while (trace.builds < 2) await pause(5);
    const others = [platform.host.reload(), platform.host.reload(), platform.host.reload()];
    configure(platform.root, { server: { base_url: '/late' } });
    trace.next = () => undefined;
    release();
    await first;
    expect(platform.application.baseUrl).toBe('');
    await Promise.all(others);
    expect(platform.application.baseUrl).toBe('/late');
    expect(trace.builds).toBe(3);
  });

  it('continues with waiting actions after a failure', async () => {
    configure(platform.root, '{');
    const refused = expect(platform.host.reload()).rejects.toThrow('local.json');
    const next = platform.host.exclusively(async () => {
      await Promise.resolve();
      configure(platform.root, {});
    });
    await refused;
    await next;
    await platform.host.reload();
    expect(trace.seen).toContain('reload 2');
  });

  it('does not reload during an exclusive action', async () => {
    const order: string[] = [];
    const action = platform.host.exclusively(async () => {
      await pause(50);
      order.push('action');
    });
    const reloaded = platform.host.reload().then(() => order.push('reload'));
    await Promise.all([action, reloaded]);
    expect(order).toEqual(['action', 'reload']);
  });

  it('logs errors of reload and shutdown listeners, and runs the other listeners', async () => {
    trace.next = ({ application: { events } }) => {
      for (const name of ['reload', 'shutdown'] as const) {
        events.attach(name, () => Promise.reject(new Error(`${name} fails`)), 100);
      }
    };
    await platform.host.reload();
    trace.next = () => undefined;
    const failing = platform.application;
    await platform.host.reload();
    await failing.dispose();
    expect(new Set(trace.seen)).toEqual(new Set(['reload 2', 'shutdown 1', 'reload 3', 'shutdown 2']));
    const logged = platform.log.lines.map(({ details }) => String((details as { err?: unknown }).err));
    expect(logged).toEqual(['Error: reload fails', 'Error: shutdown fails']);
    expect(await statusUnder('')).toBe(200);
  });
});

describe('A build that is too slow', () => {
  /** A module whose bootstrap waits while the gate is closed. */
  class Gate implements Module {
    readonly name = 'gate';
    readonly seen: string[] = [];
    builds = 0;
    closed = false;
    open = (): void => undefined;

    async onBootstrap({ application: { events } }: BootstrapEvent): Promise<void> {
      events.attach('shutdown', () => void this.seen.push('shutdown'));
      this.builds++;
      if (this.closed) await new Promise<void>((resolve) => (this.open = resolve));
    }
  }

  it('is rejected, and its application is disposed of when it is ready', async () => {
    const late = new Gate();
    const platform = await startTestPlatform({ modules: [], extra: [late], buildTimeout: 0.1 });
    const old = platform.application;
    late.closed = true;
    await expect(platform.host.reload()).rejects.toThrow(
      /^The new application was not ready within 0\.1 s: a module or a service factory waits/,
    );
    late.open();
    await pause(20);
    expect(late.seen).toEqual(['shutdown']);
    expect(platform.application).toBe(old);
    late.closed = false;
    await platform.host.reload();
    expect(platform.application).not.toBe(old);
    await platform.stop();
  });

  it('is awaited if the program sets no limit', async () => {
    const slow = new Gate();
    const platform = await startTestPlatform({ modules: [], extra: [slow], buildTimeout: Infinity });
    const old = platform.application;
    slow.closed = true;
    const reloaded = platform.host.reload();
    while (slow.builds < 2) await pause(5);
    await pause(20);
    slow.open();
    await reloaded;
    expect(platform.application).not.toBe(old);
    await platform.stop();
  });

  it('does not prevent the service from stopping', async () => {
    const late = new Gate();
    const platform = await startTestPlatform({ modules: [], extra: [late] });
    late.closed = true;
    const refused = expect(platform.host.reload()).rejects.toThrow(
      'The service stopped before the new application was ready.',
    );
    while (late.builds < 2) await pause(5);
    await platform.stop();
    await refused;
    late.open();
    await pause(20);
    expect(late.seen).toEqual(['shutdown', 'shutdown']);
    await expect(platform.host.reload()).rejects.toThrow(/^The service has stopped: /);
  });
});
