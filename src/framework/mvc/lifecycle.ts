/** The name of the route of the error reference, whose entries problems link to. */
export const ERRORS_ROUTE = 'errors';

/** The events of a request, in order. */
export const requestEvents = ['route', 'dispatch', 'render', 'response'] as const;

/** The events that are triggered when a listener throws. */
export const errorEvents = ['dispatch.error', 'render.error'] as const;

/** The events that the module `mvc-auth` triggers on `route`. */
export const authenticationEvents = [
  'authentication',
  'authentication.post',
  'authorization',
  'authorization.post',
] as const;

/** The events of an application. */
export const applicationEvents = ['bootstrap', 'reload', 'shutdown'] as const;

/**
 * The priorities of the built-in listeners; higher runs first. Modules attach their own between them.
 */
export const priorities = {
  route: {
    match: 1,
    /** Resolves the API version or the documentation target. */
    scope: -40,
    /** Looks up the endpoint of the method, which authentication and later listeners read. */
    endpoint: -45,
    authentication: -50,
    method: -100,
    authorization: -600,
    negotiation: -625,
    validation: -650,
  },
  dispatch: { handler: 1, cast: -10 },
  render: { strategies: 200, view: 1 },
  response: { representation: 200, fields: 100, send: -10_000 },
} as const;
