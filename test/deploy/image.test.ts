import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';

/** An image with a tag other than `latest`, and a digest. */
const PINNED_IMAGE = /^[a-z]+:(?!latest)[\w.-]+@sha256:[0-9a-f]{64}$/;

const dockerfile = readFileSync('Dockerfile', 'utf8');
const compose = readFileSync('compose.yaml', 'utf8');

/** The instructions of the Dockerfile in their order, without comments. */
const instructions = dockerfile
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ name: line.split(' ', 1)[0]!, value: line.replace(/^\S+\s+/, '') }));
const valuesOf = (instruction: string): string[] =>
  instructions.filter(({ name }) => name === instruction).map(({ value }) => value);
/** The instructions of the stage that becomes the image. */
const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));

describe('The Dockerfile', () => {
  it('names each base image with tag and digest', () => {
    const images = valuesOf('FROM').map((value) => value.split(' ')[0]!);
    expect(images.length).toBeGreaterThan(1);
    expect(images.filter((image) => !PINNED_IMAGE.test(image))).toEqual([]);
  });

  it('uses the version of Node.js that the project pins', () => {
    const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const image of valuesOf('FROM')) expect(image).toMatch(new RegExp(`^node:${devDependencies.node}-`));
  });

  it('runs the service as a user that is not root, by number', () => {
    const users = lastStage.filter(({ name }) => name === 'USER').map(({ value }) => value);
    expect(users).toEqual(['1000:1000']);
  });

  it('copies only production dependencies into the image', () => {
    const copied = lastStage.filter(({ name, value }) => name === 'COPY' && value.includes('node_modules'));
    expect(copied.map(({ value }) => value)).toEqual(['--from=dependencies /app/node_modules node_modules']);
    const stage = dockerfile.slice(dockerfile.indexOf('AS dependencies'));
    expect(/^RUN (.*)$/m.exec(stage)![1]).toBe('npm ci --omit=dev');
  });

  it('has a health check that starts no Node.js', () => {
    expect(valuesOf('HEALTHCHECK')).toEqual([expect.stringMatching(/CMD \["\/app\/deploy\/health-check\.sh"\]$/)]);
    const script = readFileSync('deploy/health-check.sh', 'utf8').replace(/^\s*#.*$/gm, '');
    expect(script).not.toMatch(/node|curl|wget/);
    expect(readFileSync('.dockerignore', 'utf8')).toContain('!deploy/health-check.sh');
  });

  it('uses absolute folders, exec forms, COPY, and no package without a version', () => {
    expect(valuesOf('WORKDIR').filter((folder) => !folder.startsWith('/'))).toEqual([]);
    expect([...valuesOf('CMD'), ...valuesOf('ENTRYPOINT')].filter((command) => !command.startsWith('["'))).toEqual([]);
    expect(valuesOf('ADD')).toEqual([]);
    expect(valuesOf('RUN').filter((command) => /\b(sudo|cd |npm install|curl)\b/.test(command))).toEqual([]);
    const installations = valuesOf('RUN').filter((command) => command.includes('apt-get install'));
    expect(installations.filter((command) => !command.includes('--no-install-recommends'))).toEqual([]);
  });
});

describe('The images of compose.yaml', () => {
  it('have a tag and a digest, except the image that it builds', () => {
    const images = [...compose.matchAll(/^\s*image: (\S+)$/gm)].map(([, image]) => image!);
    expect(images.filter((image) => !PINNED_IMAGE.test(image))).toEqual(['street-art-map']);
  });
});
