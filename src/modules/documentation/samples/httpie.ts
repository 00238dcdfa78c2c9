import { addressOf, type SampleCall, type SampleCredentials } from './sample-call';
import { commandLine, jsonOf, quoted } from './shell';

/** A command line for HTTPie, which asks for the password by itself. */
export function httpieSample(call: SampleCall, origin: string): string {
  const { method, accept, body } = call;
  return commandLine([
    ['http', ...credentialsOf(call.credentials), method, quoted(addressOf(call, origin))].join(' '),
    ...(accept === undefined ? [] : [quoted(`Accept:${accept}`)]),
    ...headerOf(call.credentials),
    ...(body === undefined
      ? []
      : [quoted(`Content-Type:${body.type}`), `--raw ${quoted(jsonOf(body.value))}`]),
  ]);
}

function credentialsOf(credentials: SampleCredentials | undefined): readonly string[] {
  if (credentials === 'digest') return ['-A digest', '-a USER'];
  return credentials === 'basic' ? ['-a USER'] : [];
}

function headerOf(credentials: SampleCredentials | undefined): readonly string[] {
  return typeof credentials === 'object' ? [quoted(`Authorization:${credentials.scheme} CREDENTIALS`)] : [];
}
