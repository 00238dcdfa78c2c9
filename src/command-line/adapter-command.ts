import type { Command } from 'commander';
import { type ConfigValue, isObject, type ConfigObject } from '../framework';
import { projectCommand, type ProjectOptions } from './project-command';
import type { CommandContext } from './command-context';
import { reportApplied } from './report';
import { UsageError } from './usage-error';

/** The kind of adapter whose options are options of the command. */
const HTTP_ADAPTER = 'HttpAdapter';

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
export function registerAdapter(program: Command, io: CommandContext): void {
  const adapter = program.command('adapter').description('list, add and remove authentication adapters');

  projectCommand(
    adapter,
    io,
    'list',
    'list the adapters with their kinds, realms and files',
    async ({ services }) => {
      for (const { name, type, realm, files, usedBy, isOnlyAdapter } of await services.adapters.list()) {
        const parts = [
          type,
          ...(realm === undefined ? [] : [`realm "${realm}"`]),
          ...files.map(({ path }) => path),
          isOnlyAdapter
            ? 'default adapter: guards every API that has no adapter'
            : usedBy.length === 0
              ? 'not mapped'
              : `guards ${usedBy.join(', ')}`,
        ];
        io.stdout.write(`${name}: ${parts.join('; ')}\n`);
      }
    },
    { readOnly: true },
  );

  projectCommand<AddOptions>(
    adapter,
    io,
    'add',
    'add an adapter',
    async ({ services, actor }, options, name = '') => {
      const { adapters, changes } = services;
      reportApplied(
        io,
        await changes.apply(await adapters.prepareCreate(name, options.kind, optionsOf(options)), actor),
      );
    },
  )
    .argument('<name>', 'name of the adapter')
    .option('--basic <file>', 'enable HTTP Basic with this htpasswd file')
    .option('--digest <file>', 'enable HTTP Digest with this htdigest file')
    .option('--realm <realm>', 'realm of Basic and Digest')
    .option('--nonce-timeout <seconds>', 'nonce lifetime in seconds', '3600')
    .option('--digest-domains <paths>', 'protection space of Digest: paths, separated by spaces', '')
    .option('--kind <kind>', 'kind of the adapter: HttpAdapter, or one that a module provides', HTTP_ADAPTER)
    .option('--options <json>', 'options of that kind, or further options of Basic and Digest');

  projectCommand(
    adapter,
    io,
    'remove',
    'remove an adapter that no API is mapped to',
    async ({ services, actor }, _, name = '') => {
      const { adapters, changes } = services;
      reportApplied(io, await changes.apply(await adapters.prepareRemove(name), actor));
    },
  ).argument('<name>', 'name of the adapter');
}

/** @throws UsageError if --options is not a JSON object, or options of Basic and Digest are missing */
function optionsOf(given: AddOptions): ConfigObject {
  const { basic, digest, realm, nonceTimeout, digestDomains, kind, options } = given;
  const schemes = [...(basic === undefined ? [] : ['basic']), ...(digest === undefined ? [] : ['digest'])];
  const all = {
    ...(schemes.length === 0 ? {} : { accept_schemes: schemes }),
    ...(realm === undefined ? {} : { realm }),
    ...(basic === undefined ? {} : { htpasswd: basic }),
    ...(digest === undefined
      ? {}
      : { htdigest: digest, digest_domains: digestDomains, nonce_timeout: nonceTimeout }),
    ...(options === undefined ? {} : parse(options)),
  };
  if (kind === HTTP_ADAPTER) assertSchemes(all);
  return all;
}

/** @throws UsageError that names the command-line options */
function assertSchemes(options: ConfigObject): void {
  const files = options.accept_schemes === undefined ? ['--basic <file> or --digest <file>'] : [];
  const missing = [...files, ...(options.realm === undefined ? ['--realm <realm>'] : [])];
  if (missing.length > 0) throw new UsageError(`Add ${missing.join(', and ')}.`);
}

function parse(text: string): ConfigObject {
  try {
    const value = JSON.parse(text) as ConfigValue;
    if (isObject(value)) return value;
  } catch {
    // Reported below, together with JSON that is not an object.
  }
  throw new UsageError(`--options must be a JSON object, such as '{"allow_downgrade": true}'.`);
}
