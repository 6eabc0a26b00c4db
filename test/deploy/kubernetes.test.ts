import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import {
  type KubernetesObject,
  listObjectFiles,
  readKubernetesObjects,
  readKustomization,
  type YamlValue,
} from '../support/kubernetes-objects.js';
import { listSetSettings, listSettingNames } from '../support/setting-names.js';

describe('deploy/kubernetes', () => {
  let objects: KubernetesObject[];
  let deployment: KubernetesObject;
  /** The specifications of the pods of the Deployment and of the Job. */
  let podSpecs: YamlValue[];

  const findObject = (kind: string, name = 'street-art-map'): KubernetesObject =>
    objects.find((object) => object.kind === kind && object.metadata.name === name)!;

  beforeAll(async () => {
    objects = await readKubernetesObjects();
    deployment = findObject('Deployment');
    podSpecs = [deployment, findObject('Job', 'street-art-map-migration')].map(({ spec }) => spec.template.spec);
  });

  it('lists all files in the kustomization', async () => {
    expect((await readKustomization()).resources.sort()).toEqual((await listObjectFiles()).sort());
  });

  it('runs the image of this version, never latest', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const { images } = await readKustomization();
    expect(images).toEqual([
      { name: 'street-art-map', newName: 'registry.example.org/street-art-map', newTag: version },
    ]);
    for (const { containers } of podSpecs) expect(containers[0].image).toBe('street-art-map');
  });

  it('meets the restricted pod security standard, which the namespace enforces', () => {
    const { labels } = findObject('Namespace').metadata;
    expect(labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
    for (const spec of podSpecs) {
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec).not.toMatchObject({ hostNetwork: true });
      for (const { securityContext } of spec.containers)
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  it('reads secrets from files of a Secret', () => {
    for (const { containers, volumes } of podSpecs) {
      const [{ env, volumeMounts }] = containers;
      expect(env.map(({ name }: { name: string }) => name)).toEqual(
        expect.arrayContaining(['DATABASE_URL_FILE', 'MASTER_SECRET_FILE']),
      );
      const { name } = volumes.find(({ secret }: YamlValue) => secret?.secretName === 'street-art-map');
      const { mountPath } = volumeMounts.find((mount: YamlValue) => mount.name === name && mount.readOnly);
      for (const variable of env) {
        expect(variable.name).toMatch(/_FILE$/);
        expect(variable.value.startsWith(`${mountPath}/`)).toBe(true);
      }
    }
  });

  it('sets only settings of the service, and WORKERS not at all', async () => {
    const { configMapGenerator } = await readKustomization();
    const names = configMapGenerator[0]!.literals.map((line) => line.split('=', 1)[0]!);
    const files = podSpecs[0].containers[0].env.map(({ name }: { name: string }) => name);
    const set = listSetSettings([...names, ...files]);
    expect(set.filter((name) => !listSettingNames().includes(name))).toEqual([]);
    expect(set).toEqual(expect.arrayContaining(['BASE_URL', 'TRUST_PROXY', 'DATABASE_URL', 'MASTER_SECRET']));
    expect(set).not.toContain('WORKERS');
    expect(podSpecs[0].containers[0].envFrom).toEqual([{ configMapRef: { name: configMapGenerator[0]!.name } }]);
  });

  it('restarts a pod that is not alive, and sends requests only to pods that are ready', () => {
    const [{ startupProbe, livenessProbe, readinessProbe, ports }] = podSpecs[0].containers;
    expect(startupProbe.httpGet).toEqual({ path: '/health/live', port: 'http' });
    expect(livenessProbe.httpGet).toEqual({ path: '/health/live', port: 'http' });
    expect(readinessProbe.httpGet).toEqual({ path: '/health/ready', port: 'http' });
    expect(ports.map(({ name }: { name: string }) => name)).toEqual(['http', 'metrics']);
  });

  it('keeps pods in the Service during a failover of 30 s', () => {
    const { periodSeconds, failureThreshold } = podSpecs[0].containers[0].readinessProbe;
    expect((failureThreshold - 1) * periodSeconds).toBeGreaterThanOrEqual(30);
  });

  it('keeps pods running during a rollout and during maintenance of nodes', () => {
    expect(deployment.spec.replicas).toBeGreaterThan(1);
    expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
    expect(findObject('PodDisruptionBudget').spec.maxUnavailable).toBe(1);
    // preStop, idle connections, and the slowest request at shutdown
    expect(podSpecs[0].terminationGracePeriodSeconds).toBeGreaterThan(5 + 6 + 8);
  });

  it('lets ingress-nginx close idle connections before a stopping pod does', async () => {
    const { data } = parse(await readFile('deploy/ingress-nginx.yaml', 'utf8'));
    expect(data).toEqual({ 'upstream-keepalive-timeout': '5' }); // a pod closes them after 6 seconds
  });

  it('migrates with the command line', () => {
    expect(podSpecs[1].containers[0].command).toEqual(['node', 'dist/src/cli.js', 'migrate']);
    expect(podSpecs[1].restartPolicy).toBe('Never');
  });

  it('selects the pods of the Deployment everywhere', () => {
    const { labels } = deployment.spec.template.metadata;
    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(findObject('Service').spec.selector).toEqual(labels);
    expect(findObject('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
    expect(findObject('NetworkPolicy', 'requests').spec.podSelector.matchLabels).toEqual(labels);
  });

  it('denies all traffic that no policy allows', () => {
    expect(findObject('NetworkPolicy', 'deny-all').spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
  });
});
