/**
 * The public face of the package `apidesc-platform`: what authors of APIs and modules import.
 */
import 'reflect-metadata';

export { ContainerModule, inject, injectable } from 'inversify';
export { Type, type Static } from '@sinclair/typebox';
export * from './framework';
export { JsonModel } from './modules/content-negotiation';
export {
  Api,
  ApiContent,
  ApiListContent,
  Field,
  Operation,
  Service,
  ServiceContent,
  type DocumentationContent,
} from './modules/documentation';
export {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  type ApiDefinition,
  type CollectionContext,
  type HandlerContext,
  type Page,
  type RestResource,
} from './modules/hosting';
export {
  type AdapterFactory,
  AuthenticatedIdentity,
  type AuthenticationAdapter,
  type AuthenticationAttempt,
  AuthenticationEvent,
  type AuthenticationRequest,
  type AuthenticationResult,
  AuthorizationEvent,
  type Identity,
} from './modules/mvc-auth';
export { startPlatform, type StartOptions } from './start';
