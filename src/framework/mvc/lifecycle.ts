/** The name of the route that serves the error reference: problems refer to its entries. */
export const ERRORS_ROUTE = 'errors';

/** What happens to a request, in order. */
export const requestEvents = ['route', 'dispatch', 'render', 'response'] as const;

/** Triggered in place of going on, when a listener threw. */
export const errorEvents = ['dispatch.error', 'render.error'] as const;

/** What happens to an application. */
export const applicationEvents = ['bootstrap', 'reload', 'shutdown'] as const;

/**
 * The priorities of the listeners that make up the life of a request; higher runs first. Authors place their
 * own between them.
 */
export const priorities = {
  route: {
    match: 1,
    /** The API version, or whatever else the path and fields say of what is meant. */
    scope: -40,
    /** The endpoint of the method: authentication and what follows it read it. */
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
