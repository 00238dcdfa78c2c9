import { defineApi, defineModule, defineProcedure, defineRpcService } from '../../../../src/platform';
import { sendRaw } from '../../../factories/http/raw-http';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

const echo = defineModule({
  name: 'echo',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Echo',
      versions: {
        1: {
          services: {
            Trace: defineRpcService({
              route: '/trace',
              methods: {
                GET: defineProcedure({
                  handler: ({ trace, event }) => ({
                    ids: [trace.traceId, event.traceId === trace.traceId, event.spanId === trace.spanId],
                    headers: trace.headers,
                  }),
                }),
              },
            }),
          },
        },
      },
    }),
  ],
});

describe('the trace of a request', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ extra: [echo] });
  });
  afterAll(() => platform.stop());

  const traced = async (headers: Record<string, string>): Promise<Record<string, unknown>> =>
    (await (await platform.request('/trace', { headers })).json()) as Record<string, unknown>;

  it('is continued by the header fields that a handler sends to other services', async () => {
    const { ids, headers } = await traced({ traceparent: PARENT, tracestate: 'shop=1,bank=2' });
    expect(ids).toEqual([TRACE, true, true]);
    expect(headers).toEqual({
      traceparent: expect.stringMatching(
        new RegExp(`^00-${TRACE}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`),
      ) as string,
      tracestate: 'shop=1,bank=2',
    });
  });

  it('begins in this service without a valid traceparent', async () => {
    for (const traceparent of ['', PARENT.toUpperCase(), `${PARENT}-more`]) {
      const { headers } = await traced({ traceparent, tracestate: 'shop=1' });
      expect(headers).toEqual({
        traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/) as string,
      });
      expect(JSON.stringify(headers)).not.toContain(TRACE);
    }
  });

  it('is not continued from two fields; the lines of tracestate are combined', async () => {
    const request = async (lines: string): Promise<string> => {
      const bytes = `GET /trace HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines}\r\n\r\n`;
      const { body } = await sendRaw(platform.origin, bytes);
      return body;
    };
    expect(await request(`traceparent: ${PARENT}\r\ntraceparent: ${PARENT}`)).not.toContain(TRACE);
    const combined = await request(`traceparent: ${PARENT}\r\ntracestate: a=1\r\ntracestate: b=2`);
    expect(combined).toContain('"tracestate":"a=1,b=2"');
  });
});
