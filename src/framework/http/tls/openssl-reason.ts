/** OpenSSL's message: `…:error:0A000076:SSL routines::no suitable signature algorithm:../deps/…:` */
const MESSAGE = /error:[0-9A-F]+:[^:]*:[^:]*:([^:]+)/;

/** Returns the readable part of an error of OpenSSL. */
export function openSslReason(error: unknown): string {
  const message = errorMessage(error);
  return MESSAGE.exec(message)?.[1] ?? message;
}
import { errorMessage } from '../../errors/error-message';
