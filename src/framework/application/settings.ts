import { DEFAULT_LIMITS } from '../http/limits/connection-limits';
import { FORWARDING_FIELDS } from '../http/proxies/forwarding';
import { tlsSettings } from './tls-settings';
import { Type, type TLiteral, type TSchema, type TUnion } from '@sinclair/typebox';
import { LOG_FORMATS } from '../logging/line-format';
import { LOG_LEVELS, type LogLevel } from '../logging/log-levels';
import type { ConfigObject } from '../values/config-object';

/** The maximum delay of Node's timers. */
const MAX_SECONDS = 2_147_483;

/** `server`: how the service listens. */
export const serverSettings = Type.Object(
  {
    host: Type.String({
      minLength: 1,
      restart: true,
      description: 'The address to listen on; the environment variable HOST takes precedence.',
    }),
    port: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      restart: true,
      description:
        'The port to listen on, 0 for any free port; the environment variable PORT takes precedence.',
    }),
    workers: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 1_024 }), Type.Literal('auto')], {
        restart: true,
        description:
          'The number of processes that serve requests, "auto" for one per available processor; 1 serves them in the only process. Defaults to 1.',
      }),
    ),
    base_url: Type.String({
      pattern: '^(/[A-Za-z0-9._~-]+)*$',
      description: 'A path prefix of every route, e.g. /gateway; may be empty.',
    }),
    public_url: Type.Optional(
      Type.String({
        pattern: '^https?://[^/?#\\s@]+(/[A-Za-z0-9._~-]+)*$',
        hint: 'Use scheme and host, e.g. https://api.example.com, and the path prefix that a proxy removes, if any, without a slash at the end.',
        description:
          'The URL that clients use, e.g. https://api.example.com: for absolute URLs, and as an allowed host of the admin. A path, as in https://example.com/gateway, is a prefix that the proxy removes.',
      }),
    ),
    drain_delay: Type.Integer({
      minimum: 0,
      maximum: 3_600,
      description:
        'Seconds that a stopping service accepts connections while /ready responds 503, for load balancers to notice.',
    }),
    shutdown_timeout: Type.Integer({
      minimum: 0,
      maximum: MAX_SECONDS,
      description:
        'Seconds that the service waits for requests in flight once it accepts no more connections.',
    }),
    max_request_line: Type.Integer({
      minimum: 512,
      maximum: 65_536,
      restart: true,
      description: 'Maximum bytes of a request line: method, URL and version (414).',
    }),
    max_header_size: Type.Integer({
      minimum: 1_024,
      maximum: 1_048_576,
      restart: true,
      description: 'Maximum bytes of the names and values of the header fields of a request (431).',
    }),
    max_header_fields: Type.Integer({
      minimum: 16,
      maximum: 10_000,
      restart: true,
      description: 'Maximum number of header fields of a request (431).',
    }),
    header_timeout: Type.Integer({
      minimum: 0,
      maximum: 60,
      description:
        'Maximum seconds for receiving the header section of a request (408); 0 for that of the request, at most 60.',
    }),
    request_timeout: Type.Integer({
      minimum: 0,
      maximum: MAX_SECONDS,
      description: 'Maximum seconds for receiving a request with its body; 0 for no limit.',
    }),
    inactivity_timeout: Type.Integer({
      minimum: 0,
      maximum: MAX_SECONDS,
      description:
        'Seconds after which a connection is closed if the client stops reading the response or sending the body; 0 for no limit.',
    }),
    min_data_rate: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description:
        'Minimum bytes per second at which clients send bodies (408) and read responses; 0 for no limit.',
    }),
    max_requests_per_connection: Type.Integer({
      minimum: 0,
      description: 'Requests after which a connection is closed; 0 for no limit.',
    }),
    max_requests_in_flight: Type.Integer({
      minimum: 0,
      description: 'Maximum requests that are handled at the same time; 0 for no limit. Further ones wait.',
    }),
    max_queued_requests: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description:
        'Maximum requests that wait while max_requests_in_flight is reached; further ones are refused (503).',
    }),
    queue_timeout: Type.Integer({
      minimum: 1,
      maximum: MAX_SECONDS,
      description: 'Maximum seconds that a request waits while max_requests_in_flight is reached (503).',
    }),
    max_event_loop_lag: Type.Number({
      minimum: 0,
      maximum: 3_600,
      description:
        'Delay of the event loop in seconds beyond which new requests are refused (503); 0 for no limit.',
    }),
    keep_alive_timeout: Type.Integer({
      minimum: 0,
      maximum: MAX_SECONDS,
      description:
        'Seconds that an idle connection stays open; 0 for no limit. Set more than the load balancer in front keeps connections.',
    }),
    max_connections: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Maximum concurrent connections, 0 for no limit; defaults to three quarters of the file descriptors of the process.',
      }),
    ),
    max_connections_per_address: Type.Integer({
      minimum: 0,
      description:
        'Maximum concurrent connections per IPv4 address or IPv6 /64, except from trusted proxies; 0 for no limit.',
    }),
    max_body_memory: Type.Integer({
      minimum: 0,
      description: 'Maximum bytes of request bodies in memory at the same time; 0 for no limit.',
    }),
    trust_proxy: Type.Union(
      [Type.Array(Type.String({ minLength: 1 })), Type.Integer({ minimum: 0, maximum: 100 })],
      {
        description:
          'Proxies whose fields describe the request of the client: networks, the names loopback, linklocal and uniquelocal, or the number of proxies in front of the service.',
      },
    ),
    forwarding_fields: Type.Optional(
      Type.Array(Type.Union(FORWARDING_FIELDS.map((name) => Type.Literal(name))), {
        uniqueItems: true,
        description:
          'The fields of trusted proxies that are used: forwarded alone, or x-forwarded ones; defaults to x-forwarded-for and x-forwarded-proto. List only fields that the proxies replace or remove.',
      }),
    ),
    proxy_protocol: Type.Optional(
      Type.Union([Type.Boolean(), Type.Array(Type.String({ minLength: 1 }))], {
        description:
          'Networks of proxies whose connections begin with a header of the PROXY protocol, version 1 or 2; true for those in trust_proxy.',
      }),
    ),
    tls: Type.Optional(tlsSettings),
  },
  { additionalProperties: false, description: 'Address, port and connection limits of the service.' },
);

const logLevel = (description: string): TUnion<TLiteral<LogLevel>[]> =>
  Type.Union(
    LOG_LEVELS.map((level) => Type.Literal(level)),
    { description },
  );

/** `log`: which lines are logged, and how. */
export const logSettings = Type.Object(
  {
    level: logLevel(
      'Lines of this level and above are logged; the environment variable LOG_LEVEL takes precedence.',
    ),
    levels: Type.Record(Type.String(), logLevel('The level of a module.'), {
      description: 'Levels by module, which take precedence over "level"; "framework" is the rest.',
    }),
    format: Type.Union(
      LOG_FORMATS.map((format) => Type.Literal(format)),
      {
        description:
          'The format on standard output and standard error: JSON, pretty, or "auto" for pretty on a terminal only.',
      },
    ),
  },
  { additionalProperties: false, description: 'Levels and format of the logs.' },
);

/** `view_manager`: templates and strategies. */
export const viewSettings = Type.Object(
  {
    template_map: Type.Record(Type.String(), Type.String(), {
      description: 'Maps template names to files.',
    }),
    strategies: Type.Array(Type.String(), {
      description: 'Names of services that are view strategies, attached at startup.',
    }),
    render_strategies: Type.Array(Type.String(), {
      description: 'Names of services that are view strategies, attached at the first render event.',
    }),
    display_exceptions: Type.Boolean({
      description: 'Adds stack traces to problem documents. For development only.',
    }),
  },
  { additionalProperties: false, description: 'Templates and view strategies.' },
);

export const frameworkSchemas: Readonly<Record<string, TSchema>> = {
  log: logSettings,
  server: serverSettings,
  view_manager: viewSettings,
};

export const frameworkDefaults: ConfigObject = {
  log: { level: 'info', levels: {}, format: 'auto' },
  server: {
    host: '127.0.0.1',
    port: 8080,
    base_url: '',
    drain_delay: 0,
    shutdown_timeout: 10,
    max_request_line: DEFAULT_LIMITS.maxRequestLine,
    max_header_size: DEFAULT_LIMITS.maxHeaderSize,
    max_header_fields: DEFAULT_LIMITS.maxHeaderFields,
    header_timeout: DEFAULT_LIMITS.headerTimeout,
    request_timeout: DEFAULT_LIMITS.requestTimeout,
    inactivity_timeout: DEFAULT_LIMITS.inactivityTimeout,
    min_data_rate: DEFAULT_LIMITS.minDataRate,
    max_requests_per_connection: DEFAULT_LIMITS.maxRequestsPerConnection,
    max_requests_in_flight: 0,
    max_queued_requests: DEFAULT_LIMITS.maxQueuedRequests,
    queue_timeout: DEFAULT_LIMITS.queueTimeout,
    max_event_loop_lag: DEFAULT_LIMITS.maxEventLoopLag,
    keep_alive_timeout: DEFAULT_LIMITS.keepAliveTimeout,
    max_connections_per_address: 0,
    max_body_memory: 67_108_864,
    trust_proxy: [],
  },
  view_manager: { template_map: {}, strategies: [], render_strategies: [], display_exceptions: false },
};
