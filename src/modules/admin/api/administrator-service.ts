import { Type, type Static } from '@sinclair/typebox';
import {
  defineRestService,
  type HandlerContext,
  type RestResource,
  type ServiceDefinition,
} from '../../hosting';
import { withEditProblems } from '../actions/password-files/edit-problems';
import type { AdminServices } from '../services';
import type { AuditAction } from '../audit/audit-entry';
import { AdminResource } from './resources/admin-resource';
import { actorOf } from './resources/api-context';

const name = Type.String({ description: 'The name.', examples: ['ada'] });
const fields = Type.Object({ name });
const input = Type.Object(
  { name, password: Type.String({ description: 'The new password.' }) },
  { additionalProperties: false },
);

type Administrator = Static<typeof fields>;

/** Defines the REST service of the administrators. */
export function administratorService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description: 'The administrators of the platform.',
    route: '/administrators[/:administrator]',
    route_identifier_name: 'administrator',
    entity_identifier_name: 'name',
    parameters: { administrator: name },
    authorization: 'authenticated',
    fields,
    input,
    collection: {
      GET: { description: 'Lists the administrators.' },
      POST: { description: 'Adds an administrator.' },
    },
    entity: {
      GET: { description: 'Shows an administrator.' },
      PUT: {
        description: 'Sets the password of an administrator and ends their sessions.',
        fields: Type.Object(
          { name: Type.Optional(Type.String()), password: input.properties.password },
          { additionalProperties: false },
        ),
      },
      DELETE: { description: 'Removes an administrator, except the last one.' },
    },
    resource: new AdministratorResource(admin),
  });
}

class AdministratorResource
  extends AdminResource
  implements RestResource<Administrator, Static<typeof input>>
{
  async fetchAll(): Promise<readonly Administrator[]> {
    return (await this.admin.administrators.names()).map((one) => ({ name: one }));
  }

  async fetch(administrator: string): Promise<Administrator | undefined> {
    const names = await this.admin.administrators.names();
    return names.includes(administrator) ? { name: administrator } : undefined;
  }

  async create(data: Static<typeof input>, context: HandlerContext): Promise<Administrator> {
    await this.#audited('administrator_add', data.name, context, async () =>
      (await this.admin.administrators.set(data.name, data.password, 'new', actorOf(context))).apply(),
    );
    return { name: data.name };
  }

  async update(
    administrator: string,
    data: Static<typeof input>,
    context: HandlerContext,
  ): Promise<Administrator | undefined> {
    if ((await this.fetch(administrator)) === undefined) return undefined;
    await this.#audited('password_change', administrator, context, async () =>
      (
        await this.admin.administrators.set(administrator, data.password, 'existing', actorOf(context))
      ).apply(),
    );
    return { name: administrator };
  }

  async delete(administrator: string, context: HandlerContext): Promise<boolean> {
    if ((await this.fetch(administrator)) === undefined) return false;
    await this.#audited('administrator_remove', administrator, context, () =>
      this.admin.administrators.remove(administrator, actorOf(context)).apply(),
    );
    return true;
  }

  #audited(
    action: AuditAction,
    target: string,
    context: HandlerContext,
    work: () => Promise<void>,
  ): Promise<void> {
    const actor = actorOf(context);
    return this.admin.audit.run({ action, actor, target }, () => withEditProblems(work));
  }
}
