import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';

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
  'docs/agents.md': 'agents',
  'examples/mural-walk/README.md': 'example-app',
  'examples/pocket-map/README.md': 'browser-example',
  'docs/configuration.md': 'configuration',
  'docs/operations.md': 'operations',
  'docs/runbook.md': 'runbook',
  'docs/architecture.md': 'architecture',
  [`${DECISIONS_FOLDER}/README.md`]: 'decisions',
  'docs/security.md': 'security',
  'docs/certification.md': 'certification',
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

/** Resolves the links and images of the documents to addresses of the service. */
export class DocumentLinks {
  private readonly slugsByFile: Map<string, string>;

  /**
   * @param images the names of the images in the folder `docs`
   * @param basePath path of `BASE_URL`
   */
  constructor(
    documents: CatalogEntry[],
    private readonly images: string[],
    private readonly basePath: string,
  ) {
    this.slugsByFile = new Map(documents.map(({ file, slug }) => [file, slug]));
  }

  /**
   * Returns the address of a link target, or undefined if the service does not serve it. Addresses
   * of other sites and anchors of the same document stay unchanged.
   * @param file the document that contains the link
   */
  resolve(file: string, target: string): string | undefined {
    if (/^(https?:|#)/.test(target)) return target;
    const [path = '', anchor] = target.split('#');
    const linked = posix.join(posix.dirname(file), path);
    const address = this.findAddress(linked);
    if (address === undefined) return undefined;
    return `${this.basePath}/docs/${address}${anchor === undefined ? '' : `#${anchor}`}`;
  }

  private findAddress(file: string): string | undefined {
    const image = posix.basename(file);
    if (posix.dirname(file) === 'docs' && this.images.includes(image)) return `files/${image}`;
    return this.slugsByFile.get(file);
  }
}
