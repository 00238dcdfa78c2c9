import type { Application, JsonObject } from '../../../framework';
import { Catalogue, type HostedEndpoint, type ServiceReference } from '../../hosting';
import { fieldsFromSchema, serviceDocumentation } from '../../documentation';
import type { AccessRule } from '../../mvc-auth';

/** The documentation of a service, for the preview of a change. */
export interface DocumentedService extends ServiceReference {
  readonly description: string;
  readonly operations: readonly DocumentedOperation[];
  /** Of an entity; empty for procedures. */
  readonly fields: readonly DocumentedField[];
}

interface DocumentedOperation {
  readonly method: string;
  /** With the base path and the version. */
  readonly path: string;
  readonly description: string;
  /** Who may call it. */
  readonly access: string;
  /** The query parameters. */
  readonly parameters: readonly DocumentedField[];
  /** The members of the request body. */
  readonly body: readonly DocumentedField[];
}

interface DocumentedField {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isReadOnly: boolean;
  readonly description: string;
}

/** Returns the documentation of a service in an application; undefined if it does not exist there. */
export async function documentationIn(
  { services }: Application,
  reference: ServiceReference | undefined,
): Promise<DocumentedService | undefined> {
  if (reference === undefined) return undefined;
  const catalogue = await services.get(Catalogue);
  const { api, version, service: name } = reference;
  const hosted = catalogue.version(api, version)?.services.find((one) => one.name === name);
  if (hosted === undefined) return undefined;
  const documented = serviceDocumentation(hosted);
  const prefix = `${catalogue.api(api)?.basePath ?? ''}/v${version}`;
  const operations = [...documented.getOperations(), ...documented.getEntityOperations()];
  return {
    api,
    version,
    service: name,
    description: hosted.description,
    operations: [...hosted.operations, ...hosted.entityOperations].flatMap((endpoint, at) => {
      const operation = operations[at];
      if (operation === undefined) return [];
      const method = operation.getHttpMethod();
      return documented
        .getPaths(operation)
        .map((path) => documentedOperation(endpoint, method, prefix + path));
    }),
    fields: hosted.fields === null ? [] : documentedFields(hosted.fields),
  };
}

function documentedOperation(endpoint: HostedEndpoint, method: string, path: string): DocumentedOperation {
  return {
    method,
    path,
    description: endpoint.definition.summary ?? endpoint.definition.description ?? '',
    access: describeAccess(endpoint.access),
    parameters: documentedFields(endpoint.querySchema),
    body: endpoint.requestSchema === null ? [] : documentedFields(endpoint.requestSchema),
  };
}

function describeAccess(rule: AccessRule): string {
  if (rule === 'guest') return 'everyone';
  if (rule === 'authenticated') return 'signed-in users';
  return 'policy' in rule ? `policy ${rule.policy}` : rule.join(', ') || 'nobody';
}

function documentedFields(schema: JsonObject): readonly DocumentedField[] {
  return fieldsFromSchema(schema, 1).map(({ name, type, required, description, schema: own }) => ({
    name,
    type,
    isRequired: required,
    isReadOnly: own.readOnly === true,
    description,
  }));
}
