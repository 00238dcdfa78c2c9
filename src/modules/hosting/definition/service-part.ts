/** The part of a service that an operation belongs to. */
export type ServicePart = 'collection' | 'entity' | 'rpc';
