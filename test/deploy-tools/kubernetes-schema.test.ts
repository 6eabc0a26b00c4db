import { beforeAll, describe, expect, it } from '@jest/globals';
import { runTool } from '../support/deploy-tools.js';
import {
  findSchemaErrors,
  type KubernetesObject,
  parseKubernetesObjects,
  readKubernetesObjects,
} from '../support/kubernetes-objects.js';

describe('The schema of the Kubernetes API', () => {
  let objects: KubernetesObject[];

  beforeAll(async () => {
    objects = await readKubernetesObjects();
  });

  it('matches all objects in deploy/kubernetes', () => {
    expect(objects.length).toBeGreaterThan(8);
    expect(findSchemaErrors(objects)).toEqual([]);
  });

  it('does not match unknown fields and wrong types', () => {
    const deployment = objects.find(({ kind }) => kind === 'Deployment')!;
    const [withTypo, withText] = [structuredClone(deployment), structuredClone(deployment)];
    withTypo.spec.template.spec.containers[0].readynessProbe = {};
    withText.spec.replicas = '3';
    expect(findSchemaErrors([withTypo, withText])).toEqual([
      expect.stringContaining('readynessProbe'),
      expect.stringContaining("'string' is not assignable"),
    ]);
  });

  it('matches the objects that kustomize builds', async () => {
    const built = parseKubernetesObjects(await runTool('kubectl', 'kustomize', 'deploy/kubernetes'));
    expect(findSchemaErrors(built)).toEqual([]);
    const configMap = built.find(({ kind }) => kind === 'ConfigMap')!;
    expect(configMap.metadata.name).toMatch(/^settings-\w+$/);
    const [{ image, envFrom }] = built.find(({ kind }) => kind === 'Deployment')!.spec.template.spec.containers;
    expect({ image, envFrom }).toEqual({
      image: expect.stringMatching(/^registry\.example\.org\/street-art-map:\d/),
      envFrom: [{ configMapRef: { name: configMap.metadata.name } }],
    });
  });
});
