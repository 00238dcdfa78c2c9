import { rmSync } from 'node:fs';
import { makeProject } from '../../factories/platform';
import { startProcess, type StartedProcess } from '../../factories/processes/platform-process';

const base = (base_url: string): string => JSON.stringify({ server: { base_url } });

/** Starts a project without modules, with these files in `config/autoload`. */
async function start(files: Readonly<Record<string, string>>): Promise<StartedProcess> {
  const root = makeProject({
    modules: [],
    files: Object.fromEntries(Object.entries(files).map(([name, text]) => [`config/autoload/${name}`, text])),
  });
  const started = await startProcess(root, { BASE: 'by-variable' });
  if (started.origin !== undefined) await started.stop();
  rmSync(root, { recursive: true });
  return started;
}

describe('A configuration script', () => {
  it('is ordered by name: a later global script overrides an earlier one', async () => {
    const { origin } = await start({
      'global.json': base('/lowest'),
      'a.global.js': "module.exports = { server: { base_url: '/a' } };",
      'b.global.json': base('/b'),
      'c.global.js': "exports.server = { base_url: '/c' };",
      'local.json': '{}',
    });
    expect(origin).toMatch(/\/c$/);
  });

  it('is overridden by every local file', async () => {
    const { origin } = await start({
      'z.global.js': "module.exports = { server: { base_url: '/global' } };",
      'local.json': base('/local'),
    });
    expect(origin).toMatch(/\/local$/);
  });

  it('can be local, and overrides local.json', async () => {
    const { origin } = await start({
      'local.json': base('/local'),
      'x.local.js': "module.exports = { server: { base_url: '/script' } };",
    });
    expect(origin).toMatch(/\/script$/);
  });

  it('can contain environment variables', async () => {
    const { origin } = await start({ 'x.local.js': "exports.server = { base_url: '/${BASE}' };" });
    expect(origin).toMatch(/\/by-variable$/);
  });

  it('exports its object by default if package.json contains "type": "module"', async () => {
    const { origin } = await start({
      '../../package.json': '{ "type": "module" }',
      'x.local.js': "export default { server: { base_url: '/module' } };",
    });
    expect(origin).toMatch(/\/module$/);
  });

  it('in CommonJS causes an error that advises "export default" if package.json contains "type": "module"', async () => {
    const { code, output } = await start({
      '../../package.json': '{ "type": "module" }',
      'x.local.js': "module.exports = { server: { base_url: '/module' } };",
    });
    expect(code).toBe(1);
    expect(output).toContain('Use the syntax of ES modules: write "export default { … };"');
    expect(output).not.toContain('.cjs');
  });

  it('that throws causes an error with the file and the reason', async () => {
    const { code, output } = await start({ 'x.local.js': "throw new Error('no secrets here');" });
    expect(code).toBe(1);
    expect(output).toBe(
      'config/autoload/x.local.js cannot be loaded: config/autoload/x.local.js:1:7: Error: no secrets here\n' +
        '    at Object.<anonymous> (config/autoload/x.local.js:1:7)\n',
    );
  });

  it('that fails in a required file causes an error with that file and the cause', async () => {
    const { output } = await start({
      'secrets.js':
        "\nexports.read = () => { throw new Error('no key', { cause: new TypeError('locked') }); };",
      'x.local.js': "module.exports = { server: require('./secrets').read() };",
    });
    expect(output).toMatch(
      /^config\/autoload\/x\.local\.js cannot be loaded: config\/autoload\/secrets\.js:2:\d+: Error: no key\n {4}at .*secrets\.js:2:\d+\)\n {4}at .*x\.local\.js:1:\d+\)\nCaused by: config\/autoload\/secrets\.js:2:\d+: TypeError: locked\n/,
    );
  });

  it.each([
    ['CommonJS', 'module.exports = {\n  server: {,\n};', '2:12'],
    ['an ES module', 'export default {\n  server: {,\n};', '2:12'],
  ])('with a syntax error causes an error with its position, in %s', async (_, text, place) => {
    const { output } = await start({ 'x.local.js': text });
    expect(output).toBe(
      `config/autoload/x.local.js cannot be loaded: config/autoload/x.local.js:${place}: SyntaxError: Unexpected token\n`,
    );
  });

  it.each([
    ["{ password: 'hunter2',, }", 'Unexpected token'],
    ["{ password: 'it's hunter2' }", 'Unexpected identifier'],
    ['{ password: "pa"hunter2"cd" }', 'Unexpected identifier'],
    ['{ password: hunter1 hunter2 }', 'Unexpected identifier'],
    ['{ password: "hunter2, key: `x` }', 'Invalid or unexpected token'],
    ['{ password: /hunter2(/ }', 'Invalid regular expression'],
    ['{ password: #hunter2 }', 'Private field must be declared in an enclosing class'],
    ['{ key: JSON.parse("hunter2") }', 'Unexpected token'],
    [`{ key: '${String.raw`\n`.repeat(200)}hunter2 }`, 'Invalid or unexpected token'],
  ])('with a syntax error does not show a secret: %s', async (value, message) => {
    const { code, output } = await start({ 'x.local.js': `module.exports = ${value};` });
    expect([code, output]).toEqual([1, expect.not.stringContaining('hunter')]);
    const [first = '', ...more] = output.trimEnd().split('\n');
    expect(first).toMatch(/^config\/autoload\/x\.local\.js cannot be loaded: .*:1:\d+: SyntaxError: /);
    expect(first.split('SyntaxError: ')[1]).toBe(message);
    expect(more.filter((line) => !line.startsWith('    at '))).toEqual([]);
  });

  it.each([
    ['CommonJS', 'module.exports = { server: {\n', '2:1'],
    ['CommonJS without a final line break', 'module.exports = {', '1:19'],
    ['an ES module', 'export default { server: {\n', '2:1'],
  ])('that is truncated causes an error with the end of the file, in %s', async (_, text, place) => {
    const { output } = await start({ 'x.global.js': text });
    expect(output).toBe(
      `config/autoload/x.global.js cannot be loaded: config/autoload/x.global.js:${place}: SyntaxError: Unexpected end of input\n`,
    );
  });

  it('that does not export an object causes an error', async () => {
    const { code, output } = await start({ 'x.local.js': 'module.exports = [];' });
    expect(code).toBe(1);
    expect(output).toBe(
      'config/autoload/x.local.js cannot be loaded: its default export is an array. Export an object.\n',
    );
  });

  it('with an unknown key causes an error with its name', async () => {
    const { output } = await start({ 'x.local.js': 'exports.server = { prot: 1 };' });
    expect(output).toBe(
      'config/autoload/x.local.js: server.prot: unknown key. Did you mean "port"? Allowed: host, port, workers, base_url, public_url, drain_delay, shutdown_timeout, max_request_line, max_header_size, max_header_fields, header_timeout, request_timeout, inactivity_timeout, min_data_rate, max_requests_per_connection, max_requests_in_flight, max_queued_requests, queue_timeout, max_event_loop_lag, keep_alive_timeout, max_connections, max_connections_per_address, max_body_memory, trust_proxy, forwarding_fields, proxy_protocol, tls.\n',
    );
  });
});
