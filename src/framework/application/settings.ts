import { Type, type TSchema } from '@sinclair/typebox';
import type { ConfigTree } from '../config/tree';

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
    shutdown_timeout: Type.Integer({
      minimum: 0,
      description: 'Seconds that requests in flight get when the service stops.',
    }),
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

export const frameworkDefaults: ConfigTree = {
  server: { host: '127.0.0.1', port: 8080, base_url: '', shutdown_timeout: 10 },
  view_manager: { template_map: {}, strategies: [], render_strategies: [], display_exceptions: false },
};
