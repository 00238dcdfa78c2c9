import { Type, type Static } from '@sinclair/typebox';
import {
  defineRestService,
  type CollectionContext,
  type HandlerContext,
  type RestResource,
  type ServiceDefinition,
} from '../../hosting';
import type { AdminServices } from '../services';
import { AdminResource } from './resources/admin-resource';
import { actorOf, assertKept } from './resources/api-context';

const path = Type.String({
  description: 'The path, relative to the project root.',
  examples: ['data/shop.htpasswd'],
});
const parameter = Type.String({
  description: 'The path of the file, percent-encoded.',
  examples: ['data/shop.htpasswd'],
});
const kind = Type.Union([Type.Literal('htpasswd'), Type.Literal('htdigest')]);

const input = Type.Object({ path }, { additionalProperties: false });
const fields = Type.Object({
  path,
  kind,
  users: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'The number of users; null if the file is not shown here.',
  }),
  adapters: Type.Array(Type.String(), { description: 'The adapters that use it.' }),
  problem: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the file is not shown here, such as its place outside of the project; null if it is.',
  }),
});

type File = Static<typeof fields>;

/** Defines the REST service of the password files. */
export function passwordFileService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description: 'Password files below the project root. Hashes are never shown.',
    route: '/password-files[/:file]',
    route_identifier_name: 'file',
    entity_identifier_name: 'path',
    parameters: { file: parameter },
    fields,
    input,
    collection: {
      GET: { description: 'Lists the files that adapters use.' },
      POST: { description: 'Creates an empty file.', status_codes: [{ code: 409, message: 'Conflict' }] },
    },
    entity: { GET: { description: 'Shows a file.' } },
    resource: new PasswordFileResource(admin),
  });
}

class PasswordFileResource extends AdminResource implements RestResource<File, Static<typeof input>> {
  async fetchAll(): Promise<readonly File[]> {
    const entries = await this.admin.passwordFiles.list();
    return entries.map((entry) => ({
      path: entry.path,
      kind: entry.kind,
      users: entry.refusal === undefined ? entry.users : null,
      adapters: [...entry.adapters],
      problem: entry.refusal === undefined ? null : `${entry.path} ${entry.refusal}.`,
    }));
  }

  async fetch(file: string): Promise<File> {
    const view = await this.admin.passwordFiles.read(file);
    return {
      path: view.path,
      kind: view.kind,
      users: view.realms.reduce((sum, { users }) => sum + users.length, 0),
      adapters: view.adapters.map(({ adapter }) => adapter),
      problem: null,
    };
  }

  async create(data: Static<typeof input>, context: HandlerContext): Promise<File> {
    const change = await this.admin.passwordFiles.create(data.path, actorOf(context));
    await change.apply();
    return this.fetch(change.file);
  }
}

const user = Type.Object({
  user: Type.String({ description: 'The name.', examples: ['ada'] }),
  realm: Type.Union([Type.String(), Type.Null()], {
    description: 'Digest files only; null in Basic files.',
  }),
  algorithms: Type.Array(Type.String(), {
    description: 'Digest files only: the algorithms of the user.',
  }),
});
const newUser = Type.Object(
  {
    user: user.properties.user,
    realm: Type.Optional(Type.String({ description: 'Digest files only.' })),
    password: Type.String({ description: 'The new password.' }),
    algorithms: Type.Optional(
      Type.Array(Type.String({ examples: ['SHA-256'] }), {
        description:
          'Digest files only; defaults to those that the realm should offer, otherwise SHA-256 and MD5.',
      }),
    ),
  },
  { additionalProperties: false },
);

type User = Static<typeof user>;

/** Defines the REST service of the users of a password file. */
export function passwordUserService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description: 'The users of a password file. New passwords are valid immediately.',
    route: '/password-files/:file/users[/:user]',
    route_identifier_name: 'user',
    parameters: {
      file: parameter,
      user: Type.String({ description: 'The name of the user.', examples: ['ada'] }),
    },
    fields: user,
    input: newUser,
    collection: {
      GET: { description: 'Lists the users.' },
      POST: { description: 'Adds a user.', status_codes: [{ code: 409, message: 'Conflict' }] },
    },
    entity: {
      GET: { description: 'Shows a user.' },
      PUT: {
        description: 'Sets the password of a user.',
        fields: Type.Object(
          {
            user: Type.Optional(Type.String()),
            realm: newUser.properties.realm,
            password: newUser.properties.password,
            algorithms: newUser.properties.algorithms,
          },
          { additionalProperties: false },
        ),
      },
      DELETE: {
        description: 'Removes a user.',
        query: Type.Object({ realm: Type.Optional(Type.String({ description: 'Digest files only.' })) }),
        status_codes: [{ code: 409, message: 'Conflict' }],
      },
    },
    resource: new PasswordUserResource(admin),
  });
}

class PasswordUserResource extends AdminResource implements RestResource<User, Static<typeof newUser>> {
  async fetchAll(context: CollectionContext): Promise<readonly User[]> {
    return this.#users(context);
  }

  async fetch(name: string, context: HandlerContext): Promise<User | undefined> {
    return (await this.#users(context)).find((one) => one.user === name);
  }

  async create(
    { password, algorithms, ...who }: Static<typeof newUser>,
    context: HandlerContext,
  ): Promise<User> {
    const credentials = { password, algorithms };
    const change = await this.admin.passwordFiles.addUser(
      fileOf(context),
      who,
      credentials,
      actorOf(context),
    );
    await change.apply();
    const added = await this.#find(who, context);
    // A concurrent request may have removed the user already.
    return added ?? { user: who.user, realm: who.realm ?? null, algorithms: [] };
  }

  async update(
    name: string,
    data: Static<typeof newUser>,
    context: HandlerContext,
  ): Promise<User | undefined> {
    assertKept({ user: [data.user, name] });
    const who = { user: name, realm: data.realm };
    const { password, algorithms } = data;
    const credentials = { password, algorithms };
    const change = await this.admin.passwordFiles.setPassword(
      fileOf(context),
      who,
      credentials,
      actorOf(context),
    );
    await change.apply();
    return this.#find(who, context);
  }

  async delete(name: string, context: HandlerContext): Promise<void> {
    const { realm } = context.query;
    const who = { user: name, realm: typeof realm === 'string' ? realm : undefined };
    const change = await this.admin.passwordFiles.removeUser(fileOf(context), who, actorOf(context));
    await change.apply();
  }

  async #users(context: HandlerContext): Promise<readonly User[]> {
    const { realms } = await this.admin.passwordFiles.read(fileOf(context));
    return realms.flatMap(({ realm, users }) =>
      users.map(({ name, algorithms }) => ({ user: name, realm, algorithms: [...algorithms] })),
    );
  }

  async #find(
    who: { readonly user: string; readonly realm?: string | undefined },
    context: HandlerContext,
  ): Promise<User | undefined> {
    return (await this.#users(context)).find(
      ({ user: name, realm }) => name === who.user && (realm === null || realm === who.realm),
    );
  }
}

function fileOf({ parameters }: HandlerContext): string {
  return parameters.file ?? '';
}
