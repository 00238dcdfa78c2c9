import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  defineApi,
  defineProcedure,
  defineRpcService,
  type ConfigObject,
  type Module,
} from '../../src/platform';
import { startTestPlatform, type TestPlatform } from '../factories/platform';
import { withPrograms } from '../factories/processes/programs';
import { ServerProcesses } from '../factories/processes/server-process';
import { HOSTING, startRefusal } from '../factories/processes/start-refusal';

/** Logs a line of each level at startup, and a request fails. */
const chatty: Module = {
  name: 'chatty',
  requires: ['hosting'],
  onBootstrap({ application }) {
    const log = application.logOf('chatty');
    for (const level of ['error', 'warn', 'info', 'debug'] as const) log[level]?.({}, `This is ${level}.`);
    // As a module in JavaScript may.
    for (const level of ['error', 'warn', 'info', 'debug'] as const)
      Reflect.apply(log[level] ?? fail, log, [`Text of ${level}.`]);
  },
  apis: [
    defineApi({
      name: 'Chatty',
      versions: {
        1: {
          services: {
            Fail: defineRpcService({
              route: '/fail',
              methods: {
                GET: defineProcedure({
                  handler: ({ log }) => {
                    Reflect.apply(log.info, log, ['Text of a request.']);
                    throw new Error('Broken on purpose.');
                  },
                }),
              },
            }),
          },
        },
      },
    }),
  ],
};

const fail = (): never => {
  throw new Error('The log has no such level.');
};

describe('log levels', () => {
  let platform: TestPlatform | undefined;
  afterEach(() => platform?.stop());
  const start = async (log: ConfigObject): Promise<TestPlatform> =>
    (platform = await startTestPlatform({ modules: HOSTING, extra: [chatty], local: { log } }));
  const said = ({ log }: TestPlatform): readonly string[] =>
    log.lines.map(({ message }) => message).filter((message) => message.startsWith('This is'));

  it('default to info', async () => {
    expect(said(await start({}))).toEqual(['This is error.', 'This is warn.', 'This is info.']);
  });

  it('apply to a message without details as well', async () => {
    const started = await start({ levels: { chatty: 'warn' } });
    await started.request('/fail');
    const lines = started.log.lines.filter(({ message }) => message.startsWith('Text'));
    expect(lines.map(({ level, message, details }): unknown[] => [level, message, details])).toEqual([
      ['error', 'Text of error.', { module: 'chatty' }],
      ['warn', 'Text of warn.', { module: 'chatty' }],
      [
        'info',
        'Text of a request.',
        { request_id: expect.any(String) as unknown, trace_id: expect.any(String) as unknown },
      ],
    ]);
  });

  it('can be set for a module, without changing the others', async () => {
    const quiet = await start({ levels: { chatty: 'silent' } });
    expect(said(quiet)).toEqual([]);
    expect((await quiet.request('/fail')).status).toBe(500);
    expect(quiet.log.lines.map(({ message }) => message)).toContain('The request failed.');
  });

  it('of a module take precedence, and change with a reload', async () => {
    const loud = await start({ level: 'silent', levels: { chatty: 'warn' } });
    expect(said(loud)).toEqual(['This is error.', 'This is warn.']);
    await loud.request('/fail');
    expect(loud.log.lines.map(({ message }) => message)).not.toContain('The request failed.');
    const changed = JSON.stringify({ log: { level: 'error' } });
    writeFileSync(path.join(loud.root, 'config/autoload/local.json'), changed);
    await loud.host.reload();
    await loud.request('/fail');
    expect(loud.log.lines.map(({ message }) => message)).toContain('The request failed.');
    expect(said(loud)).toEqual(['This is error.', 'This is warn.', 'This is error.']);
  });

  it('of modules that are not loaded are reported', async () => {
    const { application } = await start({ levels: { databse: 'warn' } });
    expect(application.warnings).toEqual([
      expect.stringMatching(/^log\.levels: the module "databse" is not loaded.* framework, /) as unknown,
    ]);
  });

  it('that do not exist are refused', async () => {
    const refusal = await startRefusal({ local: { log: { level: 'verbose' } } });
    expect(refusal).toMatch(/log\.level/);
    expect(refusal).toMatch(/silent.*error.*warn.*info.*debug/);
  });
});

describe('the server', () => {
  const servers = new ServerProcesses();
  afterEach(() => servers.clear());
  const project = (): string => servers.project({ modules: [...HOSTING, 'operations'] });

  it('reads LOG_LEVEL, which takes precedence over the configuration', async () => {
    const server = servers.start(['--root', project()], { LOG_LEVEL: 'loud' });
    const { code, errors } = await server.ended;
    expect(code).toBe(1);
    expect(errors).toMatch(/LOG_LEVEL|environment/);
    expect(errors).toMatch(/log\.level/);
  });

  const { it: onTerminal } = withPrograms('script');
  onTerminal.each([
    ['with colors', {}, true],
    ['without colors if NO_COLOR is set', { NO_COLOR: '1' }, false],
  ])('writes for people on a terminal, %s', async (_, environment, hasColors) => {
    const command = (node: string, main: string) => [
      '-qec',
      `${node} ${main} --root ${project()}`,
      '/dev/null',
    ];
    const server = servers.startCommand('script', command, {
      TERM: 'xterm',
      SHELL: '/bin/sh',
      ...environment,
    });
    const origin = await server.origin();
    await fetch(`${origin}/a%1b%5b31m`);
    const line = await server.printed(/^.*GET \/a%1b%5b31m.*$/m);
    expect(line).toContain('GET /a%1b%5b31m 404');
    expect(line).toContain('code=route_not_found');
    expect(line).not.toContain('"request_id"');
    expect(line.includes('\u001b[32mINFO')).toBe(hasColors);
    expect(line.includes('\u001b[')).toBe(hasColors);
  });
});
