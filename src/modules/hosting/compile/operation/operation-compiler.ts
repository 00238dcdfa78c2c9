import type { TSchema } from '@sinclair/typebox';
import { andThen, oncePer, type MaybePromise, type MvcEvent } from '../../../../framework';
import { formatOf, type BodyLimits, type ResponseFormat } from '../../../content-negotiation';
import { withStoredContext } from '../../current-context';
import type { ServiceDefinition, ServiceReference } from '../../definition/definition';
import { resolveReferences } from './operation-references';
import { warnAboutTypes } from '../../definition/checks/declaration-warnings';
import type { OperationDefinition } from '../../definition/operation-definition';
import { requestVariants, responseSchema } from '../../members/schema-variants';
import { handlerOf } from './operation-handler';
import { filteredHypermedia, operationResponses, responseSchemas } from './operation-responses';
import { validationPolicyOf } from './operation-validation';
import type { HostedEndpoint, HostedService } from '../../hosted-endpoint';
import type { ServicePart } from '../../definition/service-part';
import type { Hypermedia } from '../../rest/hypermedia';
import type { StreamedAside } from '../../rest/stream-all';
import type { OperationSchemas } from '../../schema/operation-schemas';
import { requestBodies, type RequestBodies } from '../../schema/list-body';
import { withoutPageDefaults } from '../../schema/query-body';
import { requireResponse, responseTypesOf, selectorOf } from '../../responses/response-type';
import {
  DEFAULT_SELECTOR,
  defaultRequestTypes,
  JSON_TYPE,
  NO_REQUEST_TYPES,
  operationTypes,
  requestTypes,
} from '../../request-types';
import { parseSeconds } from '../../timeout';
import { withHooks } from '../../hooks/with-hooks';
import { streamTypesOf } from '../../streaming/streaming-handler';
import type { CompileContext } from '../compile-context';
import { negotiationOf, serviceNegotiation, type ServiceNegotiation } from './operation-negotiation';
import { mediaTypeOf } from '../../versions/version-of';

const VARIANT_SEPARATOR = '-';

/** The functions that differ between REST and RPC operations, and what they need. */
type OperationParts = Pick<HostedEndpoint, 'status' | 'handler' | 'conditional'> & {
  readonly hypermedia?: Hypermedia;
  readonly aside?: StreamedAside | undefined;
  readonly paging?: HostedEndpoint['paging'];
};

/** Compiles the operations of a service from what they have in common. */
export class OperationCompiler {
  readonly reference: ServiceReference;
  readonly context: CompileContext;
  readonly where: string;
  readonly accept: readonly string[];
  readonly contentTypes: readonly string[];
  readonly guard: HostedService['guard'];
  /** The response formats of the service, the default first. */
  readonly formats: readonly ResponseFormat[];
  readonly #definition: ServiceDefinition;
  readonly #negotiation: ServiceNegotiation;
  readonly #limits: BodyLimits;
  /** Operations share what is derived from the same schema. */
  readonly #responseOf = oncePer(responseSchema);
  readonly #requestOf = oncePer((schema: TSchema) => requestVariants(schema, this.#definition, true));
  readonly #patchOf = oncePer((schema: TSchema) => requestVariants(schema, this.#definition, false));

  constructor(
    reference: ServiceReference,
    definition: ServiceDefinition,
    context: CompileContext,
    where: string,
  ) {
    const { api, version } = reference;
    this.reference = reference;
    this.context = context;
    this.where = where;
    this.#definition = definition;
    const selected = context.selectors.get(definition.selector ?? DEFAULT_SELECTOR, where);
    const types = definition.selector === undefined ? [JSON_TYPE] : selected.mediaTypes;
    const vendorTypes = types.includes(JSON_TYPE) ? [mediaTypeOf(api, version)] : [];
    this.accept = Object.freeze(definition.accept ?? [...types, ...vendorTypes]);
    this.contentTypes = requestTypes(definition.content_type ?? defaultRequestTypes(this.accept));
    this.guard = context.guards.of(reference);
    const selector = selected.restrictedTo(this.accept, where);
    this.formats = selector.formats;
    this.#negotiation = serviceNegotiation(definition, selector, context.selectors);
    const { bodyDepth: depth, bodyMembers: members, exactNumbers } = this.#negotiation;
    this.#limits = { depth, members, exactNumbers };
  }

  /** The entity tag variant of a request: distinguishes API versions and response formats; empty for the defaults. */
  readonly variantOf = ({ responseFormat }: MvcEvent): string => {
    const { version } = this.reference;
    const defaultFormat = this.formats[0]?.name;
    return [
      ...(version === this.context.defaultVersion ? [] : [`v${version}`]),
      ...(responseFormat === undefined || responseFormat.name === defaultFormat
        ? []
        : [formatOf(responseFormat)]),
    ].join(VARIANT_SEPARATOR);
  };

  /** Synchronous for an operation that refers to nothing by name. @throws ConfigurationError for an invalid one */
  endpoint(
    part: ServicePart,
    method: string,
    definition: OperationDefinition,
    schemas: OperationSchemas,
    { hypermedia, handler, status, conditional, aside, paging }: OperationParts,
  ): MaybePromise<HostedEndpoint> {
    const name = this.#nameOf(part, method);
    const { timeout, heartbeat } = this.#durations(definition, name);
    const bodies = this.#requestBodiesOf(method, schemas, aside);
    const contentTypes =
      bodies === null ? NO_REQUEST_TYPES : this.#contentTypesOf(part, method, definition, schemas);
    warnAboutTypes(contentTypes, name, this.context.warnings);
    const { unknown_response_members: unknown = 'drop' } = this.#definition;
    const responses = operationResponses(
      definition,
      schemas,
      { name, status, item: aside?.item, unknown, sentSchema: this.#responseOf },
      this.context,
    );
    const stream = streamTypesOf(definition, { part, method, name, service: this.#definition, aside });
    const handlerTypes = responseTypesOf(definition, part, name);
    const selector = selectorOf(handlerTypes ?? stream, aside === undefined ? [] : this.formats);
    const { reference } = this;
    const found = resolveReferences(
      { definition, isQuery: schemas.isQuery ?? false },
      { reference, part, method, name, timeout },
      this.#definition,
      this.context,
    );
    return andThen(found, ({ hooks, access, bodyValidators }) => {
      const hooked = (own: HostedEndpoint['handler']): HostedEndpoint['handler'] =>
        withHooks(own, hooks, reference, { part, method });
      const own = hooked(handler);
      // Without spreads, as in `resolveAccess`.
      const run = handlerOf(
        handlerTypes === undefined ? own : requireResponse(own, name),
        {
          name,
          timeout,
          heartbeat,
          stream,
          aside: aside && { ...aside, handler: hooked(aside.handler) },
          cacheControl: definition.cache_control,
          responses,
          usesOriginalResult: hypermedia?.usesOriginalResult ?? false,
        },
        this.context,
      );
      const { responseSchema, schemasByStatus, representationSchema } = responseSchemas(
        responses,
        this.formats[0],
        hypermedia,
      );
      const { api, version, service } = reference;
      // Without spreads, which would give each object a shape of its own: requests to many services read them all.
      const endpoint: HostedEndpoint = {
        // What each request reads comes first, next to each other in memory.
        handler: run,
        access: access.access,
        rateLimits: this.context.rateLimits.of({ api, version, service, part, method }),
        negotiation: this.context.negotiationPolicies.of(
          negotiationOf(this.#negotiation, selector, contentTypes, filteredHypermedia(hypermedia, responses)),
        ),
        validation: validationPolicyOf(this.context.validators, {
          reference,
          method,
          name,
          bodies,
          schemas,
          contentTypes,
          bodyValidators,
          timeout,
          service: this.#definition,
          limits: this.#limits,
        }),
        api,
        version,
        service,
        name,
        part,
        method,
        definition,
        guard: this.guard,
        policy: access.policy,
        requestSchema: bodies?.documented ?? null,
        responseSchema,
        schemasByStatus,
        representationSchema,
        itemSchema: responses.item?.schema,
        querySchema: schemas.query,
        paging,
        timeout,
        status,
        conditional,
      };
      return Object.freeze(this.context.contextStorage ? withStoredContext(endpoint) : endpoint);
    });
  }

  #requestBodiesOf(
    method: string,
    schemas: OperationSchemas,
    aside: StreamedAside | undefined,
  ): RequestBodies | null {
    return requestBodies(schemas, (schema) => {
      const { documented, validated } = method === 'PATCH' ? this.#patchOf(schema) : this.#requestOf(schema);
      // A stream refuses the members of pages, which a default would add.
      return aside === undefined || schemas.isQuery !== true
        ? { documented, validated }
        : { documented, validated: withoutPageDefaults(validated) };
    });
  }

  #contentTypesOf(
    part: ServicePart,
    method: string,
    { content_type: declared }: OperationDefinition,
    schemas: OperationSchemas,
  ): readonly string[] {
    return declared === undefined
      ? operationTypes(this.contentTypes, part, method, schemas)
      : requestTypes(declared);
  }

  #nameOf(part: ServicePart, method: string): string {
    const { api, version, service } = this.reference;
    // Joined, a name is one string; a template would keep its parts as well.
    return [`${api}-v${version}/${service}`, ...(part === 'rpc' ? [] : [part]), method].join(' ');
  }

  /** Seconds: those of the operation, the service, or the API or platform. */
  #durations(definition: OperationDefinition, name: string): { timeout: number; heartbeat: number } {
    const secondsOf = (key: 'timeout' | 'heartbeat'): number =>
      parseSeconds(key, definition[key] ?? this.#definition[key] ?? this.context[key], name);
    return { timeout: secondsOf('timeout'), heartbeat: secondsOf('heartbeat') };
  }
}
