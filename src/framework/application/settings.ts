import { Type, type TSchema } from '@sinclair/typebox';
import type { ConfigObject } from '../values/config-object';

/** What Node's timers can wait for. */
const MAX_SECONDS = 2_147_483;

/** `server`: how the service listens. */
export const serverSettings = Type.Object(
  {
    host: Type.String({
      minLength: 1,
      restart: true,
      description: 'The address to listen on; the environment variable HOST wins.',
    }),
    port: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      restart: true,
      description: 'The port to listen on: 0 takes a free one; the environment variable PORT wins.',
    }),
    base_url: Type.String({
      pattern: '^(/[A-Za-z0-9._~-]+)*$',
      description: 'A path before every route, e.g. /gateway; empty for none.',
    }),
    public_url: Type.Optional(
      Type.String({
        pattern: '^https?://[^/?#\\s@]+$',
        hint: 'Write scheme and host without a path, e.g. https://api.example.com; the path belongs in server.base_url.',
        description:
          'The origin that clients use, e.g. https://api.example.com: for absolute URLs, and a host that the admin answers to.',
      }),
    ),
    shutdown_timeout: Type.Integer({
      minimum: 0,
      description: 'Seconds that requests in flight get when the service stops.',
    }),
    request_timeout: Type.Integer({
      minimum: 0,
      maximum: MAX_SECONDS,
      description: 'Seconds within which a request must have arrived, its body included; 0 for no limit.',
    }),
    inactivity_timeout: Type.Integer({
      minimum: 0,
      maximum: MAX_SECONDS,
      description:
        'Seconds after which a connection is closed whose client does not read the response, or stops sending a body; 0 for never.',
    }),
    max_connections: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Connections at the same time, 0 for no limit; three quarters of the file descriptors of the process unless set.',
      }),
    ),
    max_connections_per_address: Type.Integer({
      minimum: 0,
      description: 'Connections from one address at the same time, trusted proxies excepted; 0 for no limit.',
    }),
    max_body_memory: Type.Integer({
      minimum: 0,
      description: 'Bytes of request bodies that are kept in memory at the same time; 0 for no limit.',
    }),
    trust_proxy: Type.Union(
      [Type.Array(Type.String({ minLength: 1 })), Type.Integer({ minimum: 0, maximum: 100 })],
      {
        description:
          "Proxies whose X-Forwarded-For tells the client's address: networks, the names loopback, linklocal and uniquelocal, or the number of proxies before the service.",
      },
    ),
  },
  { additionalProperties: false, description: 'How the service listens.' },
);

/** `view_manager`: templates and strategies. */
export const viewSettings = Type.Object(
  {
    template_map: Type.Record(Type.String(), Type.String(), {
      description: 'Template names and their files.',
    }),
    strategies: Type.Array(Type.String(), {
      description: 'Services that are view strategies, attached at start.',
    }),
    render_strategies: Type.Array(Type.String(), {
      description:
        'Services that are view strategies, attached at the render event, when something is rendered.',
    }),
    display_exceptions: Type.Boolean({ description: 'Shows stacks in problems. For development only.' }),
  },
  { additionalProperties: false, description: 'Templates, and the strategies that show results.' },
);

export const frameworkSchemas: Readonly<Record<string, TSchema>> = {
  server: serverSettings,
  view_manager: viewSettings,
};

export const frameworkDefaults: ConfigObject = {
  server: {
    host: '127.0.0.1',
    port: 8080,
    base_url: '',
    shutdown_timeout: 10,
    request_timeout: 60,
    inactivity_timeout: 30,
    max_connections_per_address: 0,
    max_body_memory: 67_108_864,
    trust_proxy: [],
  },
  view_manager: { template_map: {}, strategies: [], render_strategies: [], display_exceptions: false },
};
