import { isObject } from '../../../framework';

/** The types of members: the message for a value of another type, and the test. */
export const FORMS = {
  text: ['not a string', (value: unknown) => typeof value === 'string'],
  truth: ['not a boolean', (value: unknown) => typeof value === 'boolean'],
  object: ['not an object', isObject],
  list: ['not a list', Array.isArray],
  texts: ['not a list of strings', isListOf((one) => typeof one === 'string')],
  objects: ['not a list of objects', isListOf(isObject)],
  map: [
    'not an object of objects',
    (value: unknown) => isObject(value) && Object.values(value).every(isObject),
  ],
  /** A malformed requirement must not open an operation. */
  security: ['not a list of objects (authentication is required)', isListOf(isObject)],
  schema: ['not a schema', (value: unknown) => isObject(value) || typeof value === 'boolean'],
  /** Checked elsewhere, or not imported. */
  any: ['', () => true],
} as const;

/** The members of one kind of object that are imported, or reported elsewhere. */
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

/** Methods that a service may declare; the platform handles HEAD and OPTIONS. */
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

export const RESPONSE: Shape = { description: 'text', content: 'object', headers: 'any', links: 'any' };

export const MEDIA_TYPE: Shape = { schema: 'schema', example: 'any', examples: 'map', encoding: 'any' };

function isListOf(test: (one: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(test);
}
