import { isObject } from './json';

/** What a member may be: how a report says that it is not, and the test. */
export const FORMS = {
  text: ['no text', (value: unknown) => typeof value === 'string'],
  truth: ['neither true nor false', (value: unknown) => typeof value === 'boolean'],
  object: ['no object', isObject],
  list: ['no list', Array.isArray],
  texts: ['no list of texts', listOf((one) => typeof one === 'string')],
  objects: ['no list of objects', listOf(isObject)],
  map: ['no object of objects', (value: unknown) => isObject(value) && Object.values(value).every(isObject)],
  /** Nobody gets in by a mistake. */
  security: ['no list of objects, so that a user is needed', listOf(isObject)],
  schema: ['no schema', (value: unknown) => isObject(value) || typeof value === 'boolean'],
  /** Looked at elsewhere, or lost whatever it is. */
  any: ['', () => true],
} as const;

/** The members of one kind of object that are taken over, or noted elsewhere. */
export type Shape = Readonly<Record<string, keyof typeof FORMS>>;

export const DOCUMENT: Shape = {
  openapi: 'any',
  info: 'object',
  servers: 'objects',
  paths: 'object',
  webhooks: 'any',
  components: 'object',
  security: 'security',
  tags: 'objects',
  externalDocs: 'any',
};

export const INFO: Shape = {
  title: 'any',
  version: 'any',
  summary: 'any',
  termsOfService: 'any',
  description: 'text',
  license: 'object',
  contact: 'object',
};

export const TAG: Shape = { name: 'text', description: 'text' };

export const COMPONENTS: Shape = {
  schemas: 'object',
  responses: 'object',
  parameters: 'object',
  requestBodies: 'object',
  pathItems: 'object',
  examples: 'object',
  headers: 'object',
  securitySchemes: 'object',
  links: 'object',
  callbacks: 'object',
};

/** Methods that a service may declare; HEAD and OPTIONS are answered by themselves. */
export const METHODS: readonly string[] = ['get', 'post', 'put', 'patch', 'delete'];

export const OTHER_METHODS: readonly string[] = ['head', 'options', 'trace'];

export const PATH: Shape = {
  ...Object.fromEntries([...METHODS, ...OTHER_METHODS].map((method) => [method, 'any'] as const)),
  summary: 'text',
  description: 'text',
  parameters: 'any',
};

export const OPERATION: Shape = {
  summary: 'text',
  description: 'text',
  operationId: 'text',
  tags: 'texts',
  deprecated: 'truth',
  security: 'security',
  parameters: 'any',
  requestBody: 'any',
  responses: 'object',
};

export const PARAMETER: Shape = {
  name: 'any',
  in: 'any',
  description: 'text',
  required: 'truth',
  deprecated: 'truth',
  allowEmptyValue: 'truth',
  style: 'text',
  explode: 'truth',
  schema: 'schema',
  content: 'object',
  example: 'any',
  examples: 'map',
};

export const BODY: Shape = { description: 'text', required: 'truth', content: 'object' };

export const ANSWER: Shape = { description: 'text', content: 'object', headers: 'any', links: 'any' };

export const MEDIA_TYPE: Shape = { schema: 'schema', example: 'any', examples: 'map', encoding: 'any' };

function listOf(test: (one: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(test);
}
