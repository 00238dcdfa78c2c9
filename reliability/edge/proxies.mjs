// Proxies of Debian in front of the service. Each adds `X-Front` to the requests that it forwards.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { accepts } from '../../scripts/ports.mjs';

const MODULES = '/usr/lib/apache2/modules';
const START_TIMEOUT_MS = 120_000;

/** By name: the program, and its arguments and files. */
export const PROXIES = {
  apache: {
    program: '/usr/sbin/apache2',
    package: 'apache2-bin',
    files: (folder, port, backend) => ({
      'apache.conf': [
        `ServerRoot "${folder}"`,
        `DefaultRuntimeDir "${folder}"`,
        `PidFile "${folder}/pid"`,
        `ErrorLog "${folder}/error.log"`,
        'ServerName 127.0.0.1',
        `Listen 127.0.0.1:${port}`,
        'User www-data',
        'Group www-data',
        ...['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'headers'].map(
          (name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`,
        ),
        'RequestHeader set X-Front apache',
        `ProxyPass / http://127.0.0.1:${backend}/ keepalive=On`,
      ].join('\n'),
    }),
    args: (folder) => ['-X', '-f', `${folder}/apache.conf`],
  },
  nginx: {
    program: '/usr/sbin/nginx',
    package: 'nginx',
    files: (folder, port, backend) => ({
      'nginx.conf': `
daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  upstream platform { server 127.0.0.1:${backend}; keepalive 16; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://platform; proxy_http_version 1.1;
      proxy_set_header Connection ""; proxy_set_header X-Front nginx; proxy_request_buffering off;
    }
  }
}`,
    }),
    args: (folder) => ['-p', folder, '-e', `${folder}/error.log`, '-c', `${folder}/nginx.conf`],
  },
  haproxy: {
    program: '/usr/sbin/haproxy',
    package: 'haproxy',
    files: (_, port, backend) => ({
      'haproxy.cfg': `
defaults
  mode http
  timeout connect 10s
  timeout client 10s
  timeout server 10s
  http-reuse always
frontend public
  bind 127.0.0.1:${port}
  http-request set-header X-Front haproxy
  default_backend platform
backend platform
  server s 127.0.0.1:${backend}
`,
    }),
    args: (folder) => ['-db', '-f', `${folder}/haproxy.cfg`],
  },
  caddy: {
    program: '/usr/bin/caddy',
    package: 'caddy',
    files: (_, port, backend) => ({
      Caddyfile: `{
  admin off
  auto_https off
}
http://127.0.0.1:${port}, http://a:${port}, http://b:${port}, http://:${port} {
  reverse_proxy 127.0.0.1:${backend} {
    header_up X-Front caddy
  }
}
`,
    }),
    args: (folder) => ['run', '--adapter', 'caddyfile', '--config', `${folder}/Caddyfile`],
  },
  varnish: {
    program: '/usr/sbin/varnishd',
    package: 'varnish',
    files: (_, __, backend) => ({
      'default.vcl': `vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "${backend}"; }
sub vcl_recv { set req.http.X-Front = "varnish"; return (pass); }
`,
    }),
    args: (folder, port) => [
      '-F',
      '-a',
      `127.0.0.1:${port}`,
      '-f',
      `${folder}/default.vcl`,
      '-n',
      `${folder}/work`,
      '-j',
      'none',
      '-T',
      'none',
    ],
  },
};

/** Starts a proxy in a folder. @throws Error with its output if it ends instead of listening */
export async function startProxy(name, folder, port, backend) {
  const { program, files, args } = PROXIES[name];
  mkdirSync(folder, { recursive: true });
  // Apache serves as another user.
  chmodSync(folder, 0o755);
  for (const [file, text] of Object.entries(files(folder, port, backend)))
    writeFileSync(path.join(folder, file), text);
  const child = spawn(program, args(folder, port), {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output = (output + chunk).slice(-5_000)));
  // Its whole process group: some have workers.
  const kill = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  process.once('exit', kill);
  const end = performance.now() + START_TIMEOUT_MS;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > end)
      throw new Error(`${name} did not start: ${output}`);
    await delay(50);
  }
  return { kill };
}

export const isInstalled = (name) => existsSync(PROXIES[name].program);
