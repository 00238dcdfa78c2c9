import type { Command } from 'commander';
import { isTree, StartError, type ConfigTree } from '../framework';
import { projectCommand, type ProjectOptions } from './project-command';
import type { ConfigIo } from './config-command';
import { tellApplied } from './outcome';

interface AddOptions extends ProjectOptions {
  readonly basic?: string;
  readonly digest?: string;
  readonly realm?: string;
  readonly nonceTimeout: string;
  readonly digestDomains: string;
  readonly kind: string;
  readonly options?: string;
}

/** Registers `adapter list`, `adapter add NAME` and `adapter remove NAME`. */
export function registerAdapter(program: Command, io: ConfigIo): void {
  const adapter = program.command('adapter').description('authentication adapters of the configuration');

  projectCommand(
    adapter,
    io,
    'list',
    'the adapters with their kinds, realms and files',
    async ({ services }) => {
      for (const { name, type, realm, files, usedBy } of await services.adapters.list()) {
        const parts = [
          type,
          ...(realm === undefined ? [] : [`realm "${realm}"`]),
          ...files.map(({ path }) => path),
          usedBy.length === 0 ? 'not mapped' : `guards ${usedBy.join(', ')}`,
        ];
        io.stdout.write(`${name}: ${parts.join('; ')}\n`);
      }
    },
  );

  projectCommand<AddOptions>(
    adapter,
    io,
    'add',
    'add an adapter',
    async ({ services, actor }, options, name = '') => {
      const { adapters, changes } = services;
      tellApplied(
        io,
        await changes.apply(await adapters.toCreate(name, options.kind, optionsOf(options)), actor),
      );
    },
  )
    .argument('<name>', 'what the map calls it')
    .option('--basic <file>', 'HTTP Basic over this htpasswd file')
    .option('--digest <file>', 'HTTP Digest over this htdigest file')
    .option('--realm <realm>', 'the realm of Basic and Digest')
    .option('--nonce-timeout <seconds>', 'how long a nonce of Digest is valid', '3600')
    .option('--digest-domains <paths>', 'the paths that a sign-in by Digest is for, with spaces between', '')
    .option('--kind <kind>', 'a kind that a module brings', 'HttpAdapter')
    .option('--options <json>', 'the options of that kind, or further ones of Basic and Digest');

  projectCommand(
    adapter,
    io,
    'remove',
    'remove an adapter that nothing is mapped to',
    async ({ services, actor }, _, name = '') => {
      const { adapters, changes } = services;
      tellApplied(io, await changes.apply(await adapters.toRemove(name), actor));
    },
  ).argument('<name>', 'the name of the adapter');
}

/** @throws StartError for options that are no JSON object */
function optionsOf({ basic, digest, realm, nonceTimeout, digestDomains, options }: AddOptions): ConfigTree {
  const schemes = [...(basic === undefined ? [] : ['basic']), ...(digest === undefined ? [] : ['digest'])];
  return {
    ...(schemes.length === 0 ? {} : { accept_schemes: schemes }),
    ...(realm === undefined ? {} : { realm }),
    ...(basic === undefined ? {} : { htpasswd: basic }),
    ...(digest === undefined
      ? {}
      : { htdigest: digest, digest_domains: digestDomains, nonce_timeout: nonceTimeout }),
    ...(options === undefined ? {} : parse(options)),
  };
}

function parse(text: string): ConfigTree {
  try {
    const value: unknown = JSON.parse(text);
    if (isTree(value)) return value;
  } catch {
    // Said below, as for what is JSON but no object.
  }
  throw new StartError(`--options must be a JSON object, such as '{"allow_downgrade": true}'.`);
}
