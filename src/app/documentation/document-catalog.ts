import { readdir } from 'node:fs/promises';

/** Folder that contains `docs` and the other documents: the repository, or `dist` after a build. */
export const DOCUMENTS_ROOT = new URL('../../../', import.meta.url);

const DECISIONS_FOLDER = 'docs/decisions';

/** A document and where it is served. */
export interface CatalogEntry {
  /** Path of the file below `DOCUMENTS_ROOT`. */
  file: string;
  /** Path of the page below `/docs/`. */
  slug: string;
  /** Whether the navigation lists the document. */
  isInNavigation: boolean;
}

/** Slugs of the documents that the navigation lists, in its order. README.md is not served. */
const SLUGS_BY_FILE: Record<string, string> = {
  'docs/quickstart.md': 'quickstart',
  'docs/app-developers.md': 'app-developers',
  'docs/reference.md': 'reference',
  'examples/mural-walk/README.md': 'example-app',
  'examples/pocket-map/README.md': 'browser-example',
  'docs/configuration.md': 'configuration',
  'docs/operations.md': 'operations',
  'docs/runbook.md': 'runbook',
  'docs/architecture.md': 'architecture',
  [`${DECISIONS_FOLDER}/README.md`]: 'decisions',
  'docs/security.md': 'security',
  'bench/README.md': 'benchmarks',
  'CONTRIBUTING.md': 'contributing',
  'SECURITY.md': 'security-policy',
  'CHANGELOG.md': 'changelog',
};

/** Returns the documents of the navigation in its order, then each decision record. */
export async function listDocuments(): Promise<CatalogEntry[]> {
  const listed = Object.entries(SLUGS_BY_FILE).map(([file, slug]) => ({ file, slug, isInNavigation: true }));
  const records = (await readdir(new URL(DECISIONS_FOLDER, DOCUMENTS_ROOT))).filter((name) => /^\d.*\.md$/.test(name));
  return [
    ...listed,
    ...records.sort().map((name) => ({
      file: `${DECISIONS_FOLDER}/${name}`,
      slug: `decisions/${name.replace(/\.md$/, '')}`,
      isInNavigation: false,
    })),
  ];
}

/** Returns the names of the images of the documents, which are in the folder `docs`. */
export async function listImages(): Promise<string[]> {
  return (await readdir(new URL('docs', DOCUMENTS_ROOT))).filter((name) => name.endsWith('.png'));
}
