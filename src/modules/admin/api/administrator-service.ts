import { Type, type Static } from '@sinclair/typebox';
import { problem } from '../../../framework';
import {
  defineProcedure,
  defineRestService,
  defineRpcService,
  type HandlerContext,
  type RestResource,
  type ServiceDefinition,
} from '../../hosting';
import { alreadyExists } from '../actions/password-files/user-edits';
import { withEditProblems } from '../actions/password-files/edit-problems';
import { accountErrors } from '../accounts/new-password';
import { invalid } from '../changes/field-errors';
import type { ListedAdministrator } from '../accounts/administrators';
import { ADMIN_ROLES, type AdminRole } from '../accounts/roles';
import type { AdminServices } from '../services';
import type { AuditAction } from '../audit/audit-entry';
import { AdminResource } from './resources/admin-resource';
import { actorOf, assertKept, CREATION_STATUSES } from './resources/api-context';

const name = Type.String({ description: 'The name.', examples: ['ada'] });
const role = Type.Union(
  ADMIN_ROLES.map((one) => Type.Literal(one)),
  { description: 'What the administrator may do.' },
);
const fields = Type.Object({
  name,
  role,
  second_factor: Type.Boolean({ description: 'Whether signing in requires a one-time password.' }),
});
const input = Type.Object(
  {
    name,
    password: Type.String({ description: 'The new password: at least 8 characters, at most 72 bytes.' }),
    role: Type.Optional(Type.Union(role.anyOf, { description: 'Defaults to `viewer`.' })),
  },
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
    fields,
    input,
    collection: {
      GET: { description: 'Lists the administrators.' },
      POST: { description: 'Adds an administrator.', status_codes: CREATION_STATUSES },
    },
    entity: {
      GET: { description: 'Shows an administrator.' },
      PATCH: {
        description: 'Sets the role of an administrator.',
        fields: Type.Object({ role }, { additionalProperties: false }),
      },
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
    return (await this.admin.administrators.list()).map((one) => entityOf(one));
  }

  async fetch(administrator: string): Promise<Administrator | undefined> {
    const found = (await this.admin.administrators.list()).find((one) => one.name === administrator);
    return found && entityOf(found);
  }

  async create(data: Static<typeof input>, context: HandlerContext): Promise<Administrator> {
    const { name: one, password, role: its = 'viewer' } = data;
    await this.#audited('administrator_add', one, context, async () => {
      assertAccount(one, password);
      const { administrators } = this.admin;
      if ((await administrators.names()).includes(one))
        throw alreadyExists('administrator', '/name', one, 'Choose another name.');
      const options = { actor: actorOf(context), role: its };
      await (await administrators.set(one, password, 'new', options)).apply();
    });
    return { name: one, role: its, second_factor: false };
  }

  async update(
    administrator: string,
    { name: sent, password }: Static<typeof input>,
    context: HandlerContext,
  ): Promise<Administrator | undefined> {
    if ((await this.fetch(administrator)) === undefined) return undefined;
    assertKept({ name: [sent, administrator] });
    await this.#audited('password_change', administrator, context, async () => {
      assertAccount(administrator, password);
      const options = { actor: actorOf(context) };
      await (await this.admin.administrators.set(administrator, password, 'existing', options)).apply();
    });
    return await this.fetch(administrator);
  }

  async patch(
    administrator: string,
    { role: to }: { readonly role?: AdminRole | null },
    context: HandlerContext,
  ): Promise<Administrator | undefined> {
    const before = await this.fetch(administrator);
    // A patch without a role changes nothing (RFC 7396).
    if (before === undefined || to === undefined || to === null) return before;
    await this.#audited('role_change', administrator, context, () =>
      this.admin.administrators.setRole(administrator, to, actorOf(context)).apply(),
    );
    return await this.fetch(administrator);
  }

  async delete(administrator: string, context: HandlerContext): Promise<boolean> {
    if ((await this.fetch(administrator)) === undefined) return false;
    await this.#audited('administrator_remove', administrator, context, async () =>
      (await this.admin.administrators.remove(administrator, actorOf(context))).apply(),
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
    return this.admin.audit.run({ action, actor, target }, () => withEditProblems(work, ACCOUNT));
  }
}

/** Where the errors of an administrator are in a request. */
const ACCOUNT = { user: '/name', other: '' };

/** @throws Problem 422 for an invalid name or password */
function assertAccount(one: string, password: string): void {
  const errors = accountErrors(one, password);
  if (errors.length > 0) throw invalid(errors);
}

function entityOf({ name: one, role: its, hasSecondFactor }: ListedAdministrator): Administrator {
  return { name: one, role: its, second_factor: hasSecondFactor };
}

/** Defines the procedure that removes the second factor of an administrator. */
export function secondFactorService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'The second factor of an administrator.',
    route: '/administrators/:administrator/second-factor',
    parameters: { administrator: name },
    methods: {
      DELETE: defineProcedure({
        description: 'Removes the second factor: the password alone is then enough to sign in.',
        status_codes: [{ code: 404, message: 'Not Found' }],
        handler: async (context) => {
          const { administrator = '' } = context.parameters;
          const { administrators, audit } = admin();
          const names = await administrators.names();
          if (!names.includes(administrator))
            throw problem('name_not_found', { kind: 'administrator', name: administrator, names });
          const actor = actorOf(context);
          await audit.run({ action: 'second_factor_remove', actor, target: administrator }, () =>
            withEditProblems(
              () => administrators.setSecondFactor(administrator, undefined, actor).apply(),
              ACCOUNT,
            ),
          );
        },
      }),
    },
  });
}
