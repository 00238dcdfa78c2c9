import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { frameworkDefaults } from '../../src/framework/application/settings';
import { ROOT } from '../factories/platform';
import { run } from '../factories/processes/processes';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly { readonly secretRef: { readonly name: string; readonly optional: boolean } }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly startupProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface InitPodSpec {
  readonly initContainers: readonly [
    Pick<Container, 'securityContext' | 'volumeMounts'> & { readonly command: readonly string[] },
  ];
  readonly volumes: readonly { readonly name: string; readonly persistentVolumeClaim?: object }[];
}

interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly [Container];
  readonly volumes: readonly {
    readonly name: string;
    readonly configMap?: {
      readonly name: string;
      readonly items?: readonly { readonly key: string; readonly path: string }[];
    };
  }[];
}

const { drain_delay: drain, shutdown_timeout: shutdown } = frameworkDefaults.server as Record<string, number>;
/** Seconds that a stop takes at most, with the drain delay that the guide recommends for Kubernetes. */
const STOP_SECONDS = Math.max(drain ?? 0, 5) + 1 + Math.max(shutdown ?? 0, 15);

describe('The Kubernetes manifests', () => {
  const deployment = parse(read('deploy/kubernetes/deployment.yaml')) as {
    readonly spec: {
      readonly replicas: number;
      readonly selector: { readonly matchLabels: object };
      readonly template: {
        readonly metadata: { readonly labels: { readonly app: string } };
        readonly spec: PodSpec;
      };
    };
  };
  const pod = deployment.spec.template.spec;
  const [container] = pod.containers;
  const variable = (name: string): string | undefined =>
    container.env.find((one) => one.name === name)?.value;

  it('probe the operations port where the service listens', () => {
    const port = container.ports.find(({ name }) => name === 'operations')?.containerPort ?? 0;
    expect(variable('OPERATIONS_LISTEN')).toBe(`0.0.0.0:${port}`);
    expect(variable('PORT')).toBe(String(container.ports.find(({ name }) => name === 'http')?.containerPort));
    const { livenessProbe, readinessProbe, startupProbe } = container;
    expect([livenessProbe, readinessProbe, startupProbe].map(({ httpGet }) => httpGet)).toEqual([
      { path: '/live', port: 'operations' },
      { path: '/ready', port: 'operations' },
      { path: '/live', port: 'operations' },
    ]);
  });

  it('let the service stop by itself', () => {
    const [, seconds] = container.lifecycle.preStop.exec.command;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + STOP_SECONDS);
  });

  it('give no privileges, and mount what the service writes', () => {
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    // The service does not use the API of Kubernetes.
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([
      '/app/config',
      '/app/data',
      '/tmp',
    ]);
    expect(container.volumeMounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name));
  });

  it('mount a folder that the service can write for each file of the configuration that administrators change', () => {
    const text = read('deploy/kubernetes/deployment.yaml');
    const commented = [...text.matchAll(/^ +# - (\{.*\})$/gm)].map(
      ([, one = '']) =>
        parse(one) as { name: string; mountPath?: string; subPath?: string; emptyDir?: object },
    );
    const writable = commented.filter(({ emptyDir }) => emptyDir !== undefined).map(({ name }) => name);
    const folders = commented.flatMap(({ name, mountPath }) => (writable.includes(name) ? [mountPath] : []));
    const files = commented.filter(({ subPath }) => subPath !== undefined);
    expect(files.length).toBeGreaterThan(1);
    // Kubernetes creates the missing folders of a mount as root.
    for (const { mountPath = '' } of files) expect(folders).toContain(path.posix.dirname(mountPath));
  });

  it('read a secret and a ConfigMap with the names and keys of the guide', () => {
    const guide = read('docs/guides/production.md');
    const { name = '', items = [] } = pod.volumes.find((one) => one.name === 'config')?.configMap ?? {};
    const [, command = ''] =
      new RegExp(`^kubectl create configmap ${name} ([^]*?[^\\\\])\n`, 'm').exec(guide) ?? [];
    const files = [...command.matchAll(/--from-file=(\S+)=config\/(\S+)/g)];
    expect(files.map(([, key, file]) => ({ key, path: file }))).toEqual(items);
    const [source] = container.envFrom;
    expect(guide).toContain(`kubectl create secret generic ${source?.secretRef.name} `);
    // The example of a project needs none.
    expect(source?.secretRef.optional).toBe(true);
  });

  it('are applied from a copy in the project, whose image the guide replaces', () => {
    const guide = read('docs/guides/production.md').split('\n## Kubernetes\n')[1] ?? '';
    const [, target = ''] =
      /^cp -R node_modules\/apidesc-platform\/deploy\/kubernetes (\S+)$/m.exec(guide) ?? [];
    const [, applied] = /^kubectl apply --filename (\S+)$/m.exec(guide) ?? [];
    expect(applied).toBe(path.posix.join(target, 'kubernetes'));
    expect(guide).toContain(`\`image\` of \`${applied}/deployment.yaml\``);
  });

  it('have the volume of the configuration that an init container of the guide fills from the image', () => {
    const [, example = ''] =
      /```yaml\n(initContainers:[^]*?)```/.exec(read('docs/guides/production.md')) ?? [];
    const { initContainers, volumes } = parse(example) as InitPodSpec;
    const [{ command, securityContext, volumeMounts }] = initContainers;
    expect(volumes.map(({ name }) => name)).toEqual(['config']);
    expect(pod.volumes.map(({ name }) => name)).toContain('config');
    expect(volumeMounts).toEqual([{ name: 'config', mountPath: '/to' }]);
    expect(command).toEqual(['cp', '-R', '/app/config/.', '/to/']);
    expect(securityContext).toEqual(container.securityContext);
  });

  it('are found by Prometheus with the configuration of the guide, under the name of the job that the rules select', () => {
    const [, , kubernetes = ''] = read('docs/guides/operate.md').split('```yaml\n');
    const [{ job_name: job, relabel_configs: rules }] = (
      parse(kubernetes.split('```')[0] ?? '') as {
        readonly scrape_configs: readonly [
          { readonly job_name: string; readonly relabel_configs: readonly { readonly regex?: string }[] },
        ];
      }
    ).scrape_configs;
    const { app } = deployment.spec.template.metadata.labels;
    expect(rules[0]?.regex).toBe(`${app};${container.ports[1]?.name}`);
    const selected = [...read('deploy/prometheus-rules.yml').matchAll(/job="([^"]+)"/g)].map(
      ([, one]) => one,
    );
    expect(selected.length).toBeGreaterThan(0);
    expect(new Set(selected)).toEqual(new Set([job]));
  });

  it('need the variables of the cluster that the guide names', () => {
    const guide = /\nIn Kubernetes, [^]*?\n\n/.exec(read('docs/guides/scaling.md'))?.[0] ?? '';
    for (const name of variablesOf('deploy/cluster/cluster.global.json'))
      expect(guide).toContain(`\`${name}\``);
  });

  it('put each file of the configuration where the service reads it', () => {
    const items = pod.volumes.find(({ name }) => name === 'config')?.configMap?.items ?? [];
    expect(items.map((item) => item.path)).toEqual(['application.json', 'autoload/global.json']);
    // A ConfigMap permits no other keys.
    for (const { key } of items) expect(key).toMatch(/^[\w.-]+$/);
  });

  it('start one pod: nonces of one are unknown to another without the module cluster', () => {
    expect(deployment.spec.replicas).toBe(1);
  });

  it('select the pods of the deployment', () => {
    const service = parse(read('deploy/kubernetes/service.yaml')) as {
      readonly spec: {
        readonly selector: object;
        readonly ports: readonly { readonly targetPort: string }[];
      };
    };
    expect(service.spec.selector).toEqual(deployment.spec.template.metadata.labels);
    expect(service.spec.selector).toEqual(deployment.spec.selector.matchLabels);
    expect(container.ports.map(({ name }) => name)).toContain(service.spec.ports[0]?.targetPort);
  });
});

describe('The systemd unit', () => {
  const values = new Map(
    [...read('deploy/apidesc-platform.service').matchAll(/^(\w+)=(.*)$/gm)].map(
      ([, key = '', value = '']) => [key, value],
    ),
  );

  it('waits for notifications of systemd-notify, and until the service has stopped', () => {
    expect([values.get('Type'), values.get('NotifyAccess')]).toEqual(['notify', 'all']);
    expect(Number(values.get('TimeoutStopSec'))).toBeGreaterThan(STOP_SECONDS);
    expect(values.get('ExecReload')).toBe('/bin/kill -HUP $MAINPID');
  });

  it('refuses filtered system calls, such as chown when a file is replaced, and does not kill the service', () => {
    expect(values.get('SystemCallFilter')).toMatch(/^~@privileged\b/);
    expect(values.get('SystemCallErrorNumber')).toBe('EPERM');
  });

  it('keeps compiled code, which PrivateTmp would remove', () => {
    expect(values.get('PrivateTmp')).toBe('true');
    expect(values.get('Environment')).toBe(
      `NODE_COMPILE_CACHE=/var/cache/${values.get('CacheDirectory') ?? ''}`,
    );
  });

  it('lets the service write its configuration and data only', () => {
    const folder = values.get('WorkingDirectory') ?? '';
    expect(values.get('ProtectSystem')).toBe('strict');
    expect(values.get('ReadWritePaths')).toBe(`${folder}/config ${folder}/data`);
    const [, rotated = ''] = /^(\/\S+) \{$/m.exec(read('docs/guides/operate.md')) ?? [];
    expect(rotated.startsWith(`${folder}/data/`)).toBe(true);
  });
});

describe('The guide to production', () => {
  const guide = read('docs/guides/production.md');

  it('creates the user and the folders that the systemd unit needs, before it starts it', () => {
    const unit = read('deploy/apidesc-platform.service');
    const [, folders = ''] = /^ReadWritePaths=(.*)$/m.exec(unit) ?? [];
    const [, user = ''] = /^User=(.*)$/m.exec(unit) ?? [];
    const [, steps = ''] = /```sh\n(useradd[^`]*)```/.exec(guide) ?? [];
    expect(steps).toMatch(new RegExp(`^useradd .* ${user}$`, 'm'));
    expect(steps).toContain(`chown -R ${user}: ${folders}\n`);
    for (const folder of folders.split(' '))
      expect(steps).toMatch(new RegExp(`^mkdir -p .*${folder}(/| |$)`, 'm'));
    expect(steps).toMatch(/cp \S+\/apidesc-platform\.service .*\nsystemctl enable --now apidesc-platform\n$/);
  });

  it('names the file with the environment variables of the unit', () => {
    const [, file = ''] = /^EnvironmentFile=-(.*)$/m.exec(read('deploy/apidesc-platform.service')) ?? [];
    expect(guide).toContain(`set -a; . ${file}; set +a\n`);
    // A shell reads it, too.
    expect(guide).toContain(`\`${file}\`, with a line \`NAME='value'\` for each`);
  });

  it.each(['operate', 'production', 'scaling'])(
    'sends no signal to the process 0, a whole group (%s)',
    (name) => {
      // The main process of a unit that does not run.
      expect(read(`docs/guides/${name}.md`)).not.toMatch(/kill .*\$\(systemctl show/);
    },
  );

  it('keeps out of an image what a new project keeps out', () => {
    expect(/```dockerignore\n([^`]*)```/.exec(guide)?.[1]).toBe(read('templates/project/dockerignore'));
  });

  it.each([
    'templates/project/gitignore',
    'templates/project/dockerignore',
    'examples/issue-tracker/.gitignore',
    '.dockerignore',
  ])('has secrets in files that are not copied: %s', (name) => {
    const local = ['local.json', '*.local.json', '*.local.js'].map((one) => `config/autoload/${one}`);
    expect(read(name).split('\n')).toEqual(expect.arrayContaining(local));
  });

  it('gives a container the time that a stop takes by default', () => {
    const [, seconds] = /^docker run .*--stop-timeout (\d+) /m.exec(guide) ?? [];
    expect(Number(seconds)).toBeGreaterThan((drain ?? 0) + 1 + (shutdown ?? 0));
  });

  it('creates the folder of a certificate', () => {
    for (const [block] of guide.matchAll(/^```\n[^`]*certs\/[^`]*```$/gm))
      expect(block).toContain('mkdir -p certs\n');
  });
});

describe('The Dockerfile', () => {
  const text = read('Dockerfile');
  const [, runtime = ''] = text.split(/^(?=FROM .*(?<! AS build)$)/m);

  it('runs the server as a user without privileges, and checks its health', () => {
    expect(runtime).toMatch(/^USER node$/m);
    expect(runtime).toMatch(/^CMD \["node", "dist\/index\.js"\]$/m);
    expect(runtime).toMatch(/OPERATIONS_LISTEN=0\.0\.0\.0:9464/);
    expect(runtime).toContain("fetch('http://127.0.0.1:9464/live')");
  });

  it('copies what the repository has or the build writes, and nothing that is ignored', () => {
    const copied = [...runtime.matchAll(/^COPY (?:--\S+ )+\/app\/(\S+)/gm)].map(([, name = '']) => name);
    for (const name of copied) expect(existsSync(path.join(ROOT, name))).toBe(true);
    const ignored = read('.dockerignore').split('\n');
    expect(copied.filter((name) => ignored.includes(name))).toEqual(['node_modules', 'dist']);
  });

  it('of the guide makes config/ and data/ volumes that its user can write', () => {
    const [, guide = ''] = /```dockerfile\n([^`]*)```/.exec(read('docs/guides/production.md')) ?? [];
    expect(guide).toMatch(/^RUN mkdir -p data && chown -R node:node config data\nUSER node$/m);
    expect(guide).toContain('VOLUME ["/app/config", "/app/data"]');
  });
});

interface Service {
  readonly build?: { readonly args: Readonly<Record<string, string>> };
  readonly environment?: Readonly<Record<string, string>>;
  readonly profiles?: readonly string[];
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
  readonly volumes?: readonly string[];
  readonly depends_on?: unknown;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
}

/** The version of a driver that is tested. */
function driver(name: string): string {
  const { devDependencies } = JSON.parse(read('package.json')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  return `${name}@${devDependencies[name]}`;
}

/** The environment variables that a configuration file uses. */
function variablesOf(file: string): readonly string[] {
  return [...read(file).matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
}

describe('The compose file of the sample', () => {
  const { services, volumes } = parse(read('compose.yaml')) as Compose;
  const { platform, database } = services;
  const settings = 'deploy/postgres.global.json';

  it('starts the database alone, and the platform with its profile', () => {
    expect(database?.profiles).toBeUndefined();
    expect(platform?.profiles).toEqual(['platform']);
    expect(platform?.depends_on).toEqual({ database: { condition: 'service_healthy' } });
  });

  it('runs the platform with the driver that is tested, a read-only file system, and time to stop', () => {
    expect(platform?.build?.args).toEqual({ DRIVERS: driver('pg') });
    expect(platform?.read_only).toBe(true);
    expect(Number.parseInt(platform?.stop_grace_period ?? '', 10)).toBeGreaterThan((shutdown ?? 0) + 1);
  });

  it('sets the variables of the configuration that it mounts', () => {
    expect(platform?.volumes?.at(-1)).toBe(`./${settings}:/app/config/autoload/postgres.global.json:ro`);
    expect(variablesOf(settings)).toEqual(Object.keys(platform?.environment ?? {}));
    expect(Object.keys(volumes)).toEqual(expect.arrayContaining(['config', 'data', 'database']));
  });
});

describe('The files of a deployment with three nodes', () => {
  const compose = parse(read('deploy/cluster/compose.yaml'), { merge: true }) as Compose;
  const nodes = Object.entries(compose.services).filter(([name]) => name.startsWith('node-'));

  it('install the drivers that are tested', () => {
    const drivers = `${driver('ioredis')} ${driver('pg')}`;
    expect(nodes.map(([, { build }]) => build?.args.DRIVERS)).toEqual([drivers, drivers, drivers]);
  });

  it('set every variable of the configuration, and keep the files of each node apart', () => {
    const used = variablesOf('deploy/cluster/cluster.global.json');
    expect(used).toContain('DEPLOYMENT_KEY');
    for (const [name, { environment = {}, volumes = [] }] of nodes) {
      expect(Object.keys(environment)).toEqual(expect.arrayContaining(used));
      const own = volumes.slice(0, 2).map((volume) => volume.split(':')[0]);
      expect(own).toEqual([`${name}-config`, `${name}-data`]);
      expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(own));
    }
  });

  it('name the same nodes in the balancers', () => {
    const names = nodes.map(([name]) => `${name}:8080`);
    for (const file of ['haproxy.cfg', 'nginx.conf'])
      expect([...read(`deploy/cluster/${file}`).matchAll(/node-\d:\d+/g)].map(([found]) => found)).toEqual(
        names,
      );
  });
});

describe('The guide to reverse proxies', () => {
  it('shows the settings of nginx that the balancer of the cluster has, which are tested with real requests', () => {
    const [, guide = ''] = /```nginx\n([^`]*)```/.exec(read('docs/guides/operate.md')) ?? [];
    /** Without what is about several nodes. */
    const settingsOf = (text: string): readonly string[] =>
      [...text.matchAll(/^ *((?:client_max_body_size|proxy_)(?!pass|connect|next).*;)$/gm)].map(
        ([, directive = '']) => directive,
      );
    expect(settingsOf(guide).length).toBeGreaterThan(5);
    expect(settingsOf(guide)).toEqual(settingsOf(read('deploy/cluster/nginx.conf')));
  });
});

describe('The list of components', () => {
  it('is CycloneDX with every package that is installed or bundled, and its hash', async () => {
    const { output, code } = await run(process.execPath, [path.join(ROOT, 'scripts/components.mjs')]);
    expect(code).toBe(0);
    const list = JSON.parse(output) as {
      readonly bomFormat: string;
      readonly specVersion: string;
      readonly components: readonly {
        readonly name: string;
        readonly purl: string;
        readonly scope?: string;
        readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
      }[];
    };
    expect([list.bomFormat, list.specVersion]).toEqual(['CycloneDX', '1.5']);
    const { dependencies } = JSON.parse(read('package.json')) as { readonly dependencies: object };
    const bundled = (JSON.parse(read('scripts/bundled.json')) as readonly { readonly name: string }[]).map(
      ({ name }) => name,
    );
    const purls = list.components.map(({ purl }) => decodeURIComponent(purl));
    for (const name of [...Object.keys(dependencies), ...bundled])
      expect(purls.some((purl) => purl.startsWith(`pkg:npm/${name}@`))).toBe(true);
    // Binaries for other systems are optional; registries need not have them.
    for (const { scope, hashes } of list.components) {
      if (scope !== 'optional') expect(hashes).toHaveLength(1);
      for (const { alg, content } of hashes ?? []) {
        expect(alg).toBe('SHA-512');
        expect(content).toMatch(/^[0-9a-f]{128}$/);
      }
    }
  });
});
