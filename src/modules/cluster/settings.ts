import { Type, type Static } from '@sinclair/typebox';
import type { ConfigObject } from '../../framework';

export const CLUSTER_KEY = 'platform-cluster';

const KEY_HINT =
  'Write a text of at least 32 characters from `openssl rand -base64 32`, such as "${DEPLOYMENT_KEY}", or the file that contains it, such as "file:${CREDENTIALS_DIRECTORY}/deployment_key".';

const key = Type.String({ minLength: 1, hint: KEY_HINT });

/** `platform-cluster` */
export const clusterSettings = Type.Object(
  {
    redis: Type.Optional(
      Type.Object(
        {
          url: Type.String({
            minLength: 1,
            secret: true,
            restart: true,
            description:
              'The URL of the Redis or Valkey server that all nodes share: redis://user:password@host:6379/0, or rediss:// for TLS.',
          }),
        },
        { additionalProperties: false, description: 'The state that the nodes share.' },
      ),
    ),
    postgres: Type.Optional(
      Type.Object(
        {
          url: Type.String({
            minLength: 1,
            secret: true,
            restart: true,
            description:
              'The URL of the PostgreSQL database that keeps the configuration with the store "postgres": postgres://user:password@host:5432/database.',
          }),
        },
        { additionalProperties: false, description: 'The database of the configuration store.' },
      ),
    ),
    prefix: Type.String({
      pattern: '^[A-Za-z0-9_.:-]{1,100}$',
      restart: true,
      description:
        'Begins the names of all keys in Redis, and names the schema in PostgreSQL. Each deployment on one server needs its own.',
    }),
    deployment_key: Type.Optional(
      Type.Union([key, Type.Array(key, { minItems: 2, maxItems: 2 })], {
        secret: true,
        restart: true,
        description:
          'The secret of the deployment, the same on all nodes: at least 32 characters, or "file:" and the path of a file with them. A list has the current key, then the previous one, which is still accepted.',
        hint: KEY_HINT,
      }),
    ),
    store: Type.Union([Type.Literal('file'), Type.Literal('redis'), Type.Literal('postgres')], {
      restart: true,
      description:
        'Where the configuration is kept: "file", in the files of each node; "redis" or "postgres", for all nodes, whose URL is then required.',
    }),
  },
  { additionalProperties: false, description: 'What the nodes of a deployment share.' },
);

export type ClusterSettings = Static<typeof clusterSettings>;

export const clusterDefaults: ConfigObject = {
  [CLUSTER_KEY]: { prefix: 'apidesc-platform', store: 'file' },
};
