import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { parse, parseAllDocuments } from 'yaml';

const FOLDER = 'deploy/kubernetes';

/** Any value of a YAML file. */
export type YamlValue = ReturnType<typeof parse>;

/** An object of `deploy/kubernetes`. Its shape depends on its kind. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  spec?: YamlValue;
}

/** The parts of `kustomization.yaml` that the tests read. */
interface Kustomization {
  namespace: string;
  resources: string[];
  images: { name: string; newName: string; newTag: string }[];
  configMapGenerator: { name: string; literals: string[] }[];
}

/** Reads `kustomization.yaml`. */
export async function readKustomization(): Promise<Kustomization> {
  return parse(await readFile(join(FOLDER, 'kustomization.yaml'), 'utf8')) as Kustomization;
}

/** Returns the names of the files in `deploy/kubernetes` with objects. */
export async function listObjectFiles(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => name !== 'kustomization.yaml');
}

/** Reads the objects of all files in `deploy/kubernetes`. */
export async function readKubernetesObjects(): Promise<KubernetesObject[]> {
  const texts = await Promise.all((await listObjectFiles()).map((name) => readFile(join(FOLDER, name), 'utf8')));
  return texts.flatMap(parseKubernetesObjects);
}

/** Parses the objects of a YAML text. */
export function parseKubernetesObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text, { strict: true, uniqueKeys: true }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]!;
    return document.toJS() as KubernetesObject;
  });
}

/**
 * Compares objects with the schema of the Kubernetes API. The compiler checks them against the
 * types that `kubernetes-models` generates from the schema, so it also finds unknown fields. The
 * package is in `test/tools`.
 * @returns the messages of the compiler
 */
export function findSchemaErrors(objects: KubernetesObject[]): string[] {
  const lines = objects.map(({ apiVersion, kind, ...fields }, index) => {
    const value = JSON.stringify({ apiVersion, kind, ...fields });
    return `import type { I${kind} as T${index} } from 'kubernetes-models/${apiVersion}'; (${value}) satisfies T${index};`;
  });
  const file = resolve('test/tools/kubernetes-objects.ts');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const disk = { ...host };
  host.fileExists = (name) => name === file || disk.fileExists(name);
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, lines.join('\n'), version) : disk.getSourceFile(name, version);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
