import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from './deploy-tools.js';

/** Temporary folders of nginx, which only root can write by default. */
const TEMP_PATHS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** The ports of a copy of a configuration. */
export interface NginxPorts {
  http: number;
  tls: number;
  /** The ports of the processes of the service; by default one with the configured port. */
  upstream?: number[];
}

/**
 * Writes a copy of a configuration of nginx into a folder. The copy uses only files of this folder,
 * a self-made certificate, and ports of the loopback interface.
 * @param hasTls whether the port `tls` uses TLS
 * @returns the options of nginx that read it
 */
export async function writeNginxConfig(
  folder: string,
  file: string,
  ports: NginxPorts,
  hasTls = true,
): Promise<string[]> {
  await createCertificate(folder);
  const tempPaths = TEMP_PATHS.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ');
  const upstream = (ports.upstream ?? [3000]).map((port) => `server 127.0.0.1:${port} max_fails=0;`).join(' ');
  const replacements = [
    ['http {', `http { ${tempPaths}`],
    ['user www-data;', 'user root;'],
    ['pid /run/nginx.pid;', ''],
    ['/etc/ssl/street-art-map', folder],
    ['/var/log/nginx', folder],
    ['listen [::]:', '# listen [::]:'],
    ['listen 80;', `listen 127.0.0.1:${ports.http};`],
    ...(hasTls ? [] : ([['listen 443 ssl http2', 'listen 443 ']] as const)),
    ['listen 443 ', `listen 127.0.0.1:${ports.tls} `],
    ['server 172.30.56.11:3000 max_fails=0;', upstream],
    ['server 172.30.56.12:3000 max_fails=0;', ''],
    ['server 127.0.0.1:3000 max_fails=0;', upstream],
  ] as const;
  const text = replacements.reduce(
    (config, [configured, replacement]) => config.replaceAll(configured, replacement),
    await readFile(file, 'utf8'),
  );
  const config = join(folder, 'nginx.conf');
  await writeFile(config, text);
  return ['-p', folder, '-e', 'stderr', '-c', config, '-g', `daemon off; pid ${join(folder, 'nginx.pid')};`];
}

/** Creates a self-made certificate in a folder: `fullchain.pem`, with the key `privkey.pem`. */
export async function createCertificate(folder: string): Promise<void> {
  const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')];
  const subject = ['-subj', '/CN=map.example.org', '-addext', 'subjectAltName=DNS:map.example.org'];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject];
  await runTool('openssl', ...request, '-keyout', key, '-out', certificate);
}
