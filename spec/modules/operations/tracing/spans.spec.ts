import { setTimeout as wait } from 'node:timers/promises';
import type * as OpenTelemetry from '@opentelemetry/api';
import { context, propagation, trace, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import type { ConfigObject } from '../../../../src/framework';
import {
  defineApi,
  defineModule,
  defineProcedure,
  defineRpcService,
  Problem,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic } from '../../../factories/http/requests';
import { authentication, CLUB_ADAPTERS, CLUB_FILES } from '../../../fixtures/club-module';
import { DeskModule } from '../../../fixtures/desk-module';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

/** What the handler waits for. */
let held: Promise<void> | undefined;

const probe = defineModule({
  name: 'probe',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Probe',
      versions: {
        1: {
          services: {
            Span: defineRpcService({
              route: '/probe/span',
              methods: {
                GET: defineProcedure({
                  handler: async ({ trace: own }) => {
                    await held;
                    await new Promise((resolve) => setImmediate(resolve));
                    trace.getTracer('probe').startSpan('inner').end();
                    return { span: own.spanId, headers: own.headers };
                  },
                }),
                POST: defineProcedure({
                  handler: () => {
                    throw new RangeError('The message is not for clients.');
                  },
                }),
              },
            }),
          },
        },
      },
    }),
  ],
});

const exporter = new InMemorySpanExporter();
/** Receives spans long after they have ended, or when they are flushed. */
const late = new InMemorySpanExporter();

function start(tracing: boolean, server: ConfigObject = {}): Promise<TestPlatform> {
  return startTestPlatform({
    extra: [probe, new DeskModule()],
    files: CLUB_FILES,
    local: {
      server: { trust_proxy: ['loopback'], ...server },
      'platform-operations': { access_log: { enabled: false }, tracing },
      ...authentication({ people: CLUB_ADAPTERS.basic }, { 'Desk/Diary': 'people' }),
    },
  });
}

/** Requests a path, and waits for the span of the request, which ends last. */
async function spansOf(
  platform: TestPlatform,
  path: string,
  init: RequestInit = {},
): Promise<readonly ReadableSpan[]> {
  exporter.reset();
  await (await platform.request(path, init)).arrayBuffer();
  const isServer = ({ kind }: ReadableSpan): boolean => kind === SpanKind.SERVER;
  while (!exporter.getFinishedSpans().some(isServer)) await new Promise((resolve) => setImmediate(resolve));
  return exporter.getFinishedSpans();
}

/** The spans by name, with the name of their parent. */
function treeOf(spans: readonly ReadableSpan[]): Record<string, string | undefined> {
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
  return Object.fromEntries(
    spans.map(({ name, parentSpanContext }) => [name, names.get(parentSpanContext?.spanId ?? '')]),
  );
}

describe('spans of requests, with an SDK of OpenTelemetry', () => {
  let platform: TestPlatform;

  beforeAll(async () => {
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({
        spanProcessors: [
          new SimpleSpanProcessor(exporter),
          new BatchSpanProcessor(late, { scheduledDelayMillis: 3_600_000 }),
        ],
      }),
    );
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    platform = await start(true);
  });
  afterAll(async () => {
    await platform.stop();
    trace.disable();
    context.disable();
    propagation.disable();
  });

  it('have the scheme of the client, behind a proxy too', async () => {
    const spans = await spansOf(platform, '/desk/notes', { headers: { 'X-Forwarded-Proto': 'https' } });
    expect(spans.find(({ kind }) => kind === SpanKind.SERVER)?.attributes['url.scheme']).toBe('https');
  });

  it('are a server span with the statements of the handler below it', async () => {
    const spans = await spansOf(platform, '/v1/atlas/countries/DE?fields=name', {
      headers: { 'User-Agent': 'probe/1' },
    });
    const server = spans.find(({ kind }) => kind === SpanKind.SERVER);
    const name = server?.name ?? '';
    expect(name).toBe('GET /v:version/atlas/countries/:country_code');
    expect(treeOf(spans)).toMatchObject({
      [name]: undefined,
      'Atlas-v1/Country entity GET': name,
      'SELECT atlas': 'Atlas-v1/Country entity GET',
    });
    expect(server?.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'url.path': '/v1/atlas/countries/DE',
      'url.scheme': 'http',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(platform.origin).port),
      'user_agent.original': 'probe/1',
      'apidesc.api': 'Atlas',
      'apidesc.version': 1,
      'apidesc.service': 'Country',
    });
    expect(server?.attributes['http.route']).toBe(name.slice('GET '.length));
    const statement = spans.find(({ kind }) => kind === SpanKind.CLIENT);
    expect(statement?.attributes).toMatchObject({ 'db.system.name': 'sqlite', 'db.namespace': 'atlas' });
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('fields=name');
  });

  it('have the same time for a request and its statements, also after the clock was set', async () => {
    const { now } = Date;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
    const spans = await spansOf(platform, '/v1/atlas/countries/FR').finally(() => clock.mockRestore());
    const startOf = (kind: SpanKind): number => spans.find((span) => span.kind === kind)?.startTime[0] ?? NaN;
    expect(Math.abs(startOf(SpanKind.CLIENT) - startOf(SpanKind.SERVER))).toBeLessThan(60);
  });

  it('contain the time that a request waits for others', async () => {
    const busy = await start(true, { max_requests_in_flight: 1 });
    exporter.reset();
    held = wait(1_000);
    const first = busy.request('/probe/span');
    await wait(300);
    await Promise.all([busy.request('/desk/notes'), first]);
    held = undefined;
    await busy.stop();
    const waited = exporter
      .getFinishedSpans()
      .find(({ attributes }) => attributes['url.path'] === '/desk/notes');
    const [seconds = 0, nanoseconds = 0] = waited?.duration ?? [];
    expect(seconds + nanoseconds / 1e9).toBeGreaterThan(0.4);
  });

  it('start with their parent or later, although a clock has whole steps', async () => {
    const { now } = Date;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => Math.floor(now() / 500) * 500);
    const spans = await spansOf(platform, '/v1/atlas/countries/IT').finally(() => clock.mockRestore());
    const statement = spans.find(({ kind }) => kind === SpanKind.CLIENT);
    const parentId = statement?.parentSpanContext?.spanId;
    const parent = spans.find((span) => span.spanContext().spanId === parentId);
    const timeOf = (span?: ReadableSpan): number => {
      const [seconds, nanoseconds] = span?.startTime ?? [NaN, NaN];
      return seconds * 1_000 + nanoseconds / 1e6;
    };
    expect(timeOf(statement)).toBeGreaterThanOrEqual(timeOf(parent));
  });

  it('are active in the handler, continue the trace of the caller, and give the request its ids', async () => {
    exporter.reset();
    const response = await platform.request('/probe/span', {
      headers: { traceparent: PARENT, tracestate: 'a=1' },
    });
    const { span, headers } = (await response.json()) as { span: string; headers: Record<string, string> };
    const spans = await spansOf(platform, '/probe/span', { headers: { traceparent: PARENT } });
    expect(treeOf(spans)).toMatchObject({ inner: 'Probe-v1/Span GET' });
    const server = spans.find(({ kind }) => kind === SpanKind.SERVER);
    expect(server?.spanContext().traceId).toBe(TRACE);
    expect(server?.parentSpanContext?.spanId).toBe('00f067aa0ba902b7');
    expect(headers).toEqual({ traceparent: `00-${TRACE}-${span}-01`, tracestate: 'a=1' });
  });

  it('have a span for authentication of guarded operations', async () => {
    const spans = await spansOf(platform, '/desk/diary', {
      headers: { Authorization: basic('ada', 'password') },
    });
    const server = spans.find(({ kind }) => kind === SpanKind.SERVER)?.name;
    expect(treeOf(spans)).toMatchObject({ authentication: server });
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain(basic('ada', 'password'));
    const refused = await spansOf(platform, '/desk/diary', { headers: { Authorization: basic('ada', 'x') } });
    const authenticated = refused.find(({ name }) => name === 'authentication');
    expect(authenticated?.attributes['error.type']).toBeDefined();
    expect(authenticated?.status.code).toBe(SpanStatusCode.UNSET);
    expect((await spansOf(platform, '/desk/notes')).map(({ name }) => name)).not.toContain('authentication');
  });

  it.each([
    ['', new Problem(409, 'Changed.')],
    [' in a promise', Promise.resolve(new Problem(409, 'Changed.'))],
  ])('have the problem that a listener returns%s', async (_, returned) => {
    const detach = platform.application.events.attach('dispatch', () => returned);
    const spans = await spansOf(platform, '/probe/span').finally(detach);
    const types = spans.map(({ kind, attributes }) => [kind, attributes['error.type']]);
    expect(types).toContainEqual([SpanKind.INTERNAL, '409']);
  });

  it('have an error for a 5xx, and none for a 4xx', async () => {
    const failed = await spansOf(platform, '/probe/span', { method: 'POST' });
    const server = failed.find(({ kind }) => kind === SpanKind.SERVER);
    expect(server?.status.code).toBe(SpanStatusCode.ERROR);
    expect(server?.attributes).toMatchObject({
      'http.response.status_code': 500,
      'error.type': expect.any(String) as string,
    });
    const handler = failed.find(({ name }) => name === 'Probe-v1/Span POST');
    expect(handler?.status.code).toBe(SpanStatusCode.ERROR);
    const [missing] = await spansOf(platform, '/nowhere?secret=1', { method: 'PUT' });
    expect([missing?.name, missing?.status.code]).toEqual(['PUT', SpanStatusCode.UNSET]);
    expect(missing?.attributes['http.route']).toBeUndefined();
  });

  it('are sent before the service ends', async () => {
    const stopped = await start(true);
    await spansOf(stopped, '/desk/notes');
    late.reset();
    await stopped.stop();
    expect(late.getFinishedSpans().map(({ kind }) => kind)).toContain(SpanKind.SERVER);
  });

  it('are not waited for by an application that is built and never active', async () => {
    await spansOf(platform, '/desk/notes');
    late.reset();
    const candidate = await platform.host.build();
    await candidate.dispose();
    expect(late.getFinishedSpans()).toEqual([]);
  });

  it('are kept apart in concurrent requests', async () => {
    exporter.reset();
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (): Promise<unknown> =>
        (await platform.request('/probe/span')).json(),
      ),
    );
    const ids = new Set((answers as readonly { span: string }[]).map(({ span }) => span));
    expect(ids.size).toBe(30);
    while (exporter.getFinishedSpans().length < 90) await new Promise((resolve) => setImmediate(resolve));
    const spans = exporter.getFinishedSpans();
    const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
    for (const inner of spans.filter(({ name }) => name === 'inner')) {
      const handler = byId.get(inner.parentSpanContext?.spanId ?? '');
      const server = byId.get(handler?.parentSpanContext?.spanId ?? '');
      expect([handler?.name, server?.kind]).toEqual(['Probe-v1/Span GET', SpanKind.SERVER]);
      expect(server?.spanContext().traceId).toBe(inner.spanContext().traceId);
    }
  });

  it('are not created twice after a reload', async () => {
    await platform.host.reload();
    const spans = await spansOf(platform, '/v1/atlas/countries/DE');
    const names = spans.map(({ name }) => name);
    expect(names.filter((name) => name === 'SELECT atlas')).toHaveLength(1);
    expect(spans.filter(({ kind }) => kind === SpanKind.SERVER)).toHaveLength(1);
  });
});

it('Spans are sent before the service ends to an SDK with its own copy of the API', async () => {
  jest.isolateModules(() => {
    const copy = jest.requireActual<typeof OpenTelemetry>('@opentelemetry/api');
    const spanProcessors = [
      new SimpleSpanProcessor(exporter),
      new BatchSpanProcessor(late, { scheduledDelayMillis: 3_600_000 }),
    ];
    expect(copy.trace).not.toBe(trace);
    copy.trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
  });
  late.reset();
  try {
    const platform = await start(true);
    await spansOf(platform, '/desk/notes').finally(() => platform.stop());
    expect(late.getFinishedSpans().map(({ kind }) => kind)).toContain(SpanKind.SERVER);
  } finally {
    trace.disable();
  }
});

describe('tracing without an SDK', () => {
  it('adds nothing to requests, and warns at the start', async () => {
    const platform = await start(true);
    try {
      expect(platform.application.warnings.join('\n')).toContain('no OpenTelemetry SDK is registered');
      const { headers } = (await (await platform.request('/probe/span')).json()) as { headers: object };
      expect(headers).toEqual({ traceparent: expect.stringMatching(/-00$/) as string });
    } finally {
      await platform.stop();
    }
  });
});
