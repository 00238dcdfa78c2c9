import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Response,
  Request,
  Server,
  toProblem,
  type MaybePromise,
  type RequestHandler,
} from '../../../src/framework';
import { problemResponse } from '../../../src/framework/http/server/problem-response';

/** Handles a request; what it throws becomes a bare problem. */
export type Answer = (request: Request, outgoing: ServerResponse) => MaybePromise<Response>;

/** An application that is a single function, for tests of the layer below applications. */
export class FunctionHandler implements RequestHandler {
  readonly #answer: Answer;
  disposed = false;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  handle(message: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    return this.#handle(new Request(message, outgoing), outgoing);
  }

  async #handle(request: Request, outgoing: ServerResponse): Promise<void> {
    try {
      (await this.#answer(request, outgoing)).send(outgoing, request.method);
    } catch (error) {
      problemResponse(toProblem(error)).send(outgoing, request.method);
    }
  }

  dispose(): Promise<void> {
    this.disposed = true;
    return Promise.resolve();
  }
}

/** A server with a function as application, on a free port of 127.0.0.1. */
export interface HandlerServer {
  readonly origin: string;
  readonly server: Server;
  readonly handler: FunctionHandler;
  stop(): Promise<void>;
}

export async function startHandler(answer: Answer): Promise<HandlerServer> {
  const handler = new FunctionHandler(answer);
  const server = new Server(handler);
  const { port } = await server.listen('127.0.0.1', 0);
  return { origin: `http://127.0.0.1:${port}`, server, handler, stop: () => server.close(0) };
}
