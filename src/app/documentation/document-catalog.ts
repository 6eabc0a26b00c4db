import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';

/** Folder that contains `docs` and the other documents: the repository, or `dist` after a build. */
export const DOCUMENTS_ROOT = new URL('../../../', import.meta.url);

const DECISIONS_FOLDER = 'docs/decisions';

/** Folder of the images. The sources of the diagrams (`.mmd`) are beside them and not served. */
export const IMAGES_FOLDER = 'docs/images';

/** A document and where it is served. */
export interface CatalogEntry {
  /** Path of the file below `DOCUMENTS_ROOT`. */
  file: string;
  /** Path of the page below `/docs/`. */
  slug: string;
  /** Group in which the navigation lists the document; undefined for a decision record. */
  group?: DocumentGroup;
}

/** A group of documents, by the task of their readers. */
export type DocumentGroup = 'buildApp' | 'runService' | 'securityAndDesign';

/** Slugs of the documents of each group, in the order of the navigation. It omits README.md. */
const SLUGS_BY_GROUP: Record<DocumentGroup, Record<string, string>> = {
  buildApp: {
    'docs/quickstart.md': 'quickstart',
    'docs/connect.md': 'connect',
    'docs/client-libraries.md': 'client-libraries',
    'docs/map-api.md': 'map-api',
    'docs/edits.md': 'edits',
    'docs/agents.md': 'agents',
    'docs/reference.md': 'reference',
    'docs/errors.md': 'errors',
    'docs/limits.md': 'limits',
    'docs/roles.md': 'roles',
    'docs/glossary.md': 'glossary',
    'examples/mural-walk/README.md': 'example-app',
    'examples/pocket-map/README.md': 'browser-example',
  },
  runService: {
    'docs/install.md': 'install',
    'docs/operate.md': 'operate',
    'docs/monitor.md': 'monitor',
    'docs/runbook.md': 'runbook',
    'docs/scale.md': 'scale',
    'docs/configuration.md': 'configuration',
    'docs/commands.md': 'commands',
    'bench/README.md': 'benchmarks',
    'docs/comparison.md': 'comparison',
  },
  securityAndDesign: {
    'docs/security.md': 'security',
    'docs/account-security.md': 'account-security',
    'docs/rfc-9700.md': 'rfc-9700',
    'SECURITY.md': 'security-policy',
    'docs/certification.md': 'certification',
    'docs/architecture.md': 'architecture',
    [`${DECISIONS_FOLDER}/README.md`]: 'decisions',
    'CONTRIBUTING.md': 'contributing',
    'CHANGELOG.md': 'changelog',
  },
};

/** The groups, in the order of the navigation. */
export const DOCUMENT_GROUPS = Object.keys(SLUGS_BY_GROUP) as DocumentGroup[];

/** Returns the documents of the navigation in its order, then each decision record. */
export async function listDocuments(): Promise<CatalogEntry[]> {
  const listed = DOCUMENT_GROUPS.flatMap((group) =>
    Object.entries(SLUGS_BY_GROUP[group]).map(([file, slug]) => ({ file, slug, group })),
  );
  const records = (await readdir(new URL(DECISIONS_FOLDER, DOCUMENTS_ROOT))).filter((name) => /^\d.*\.md$/.test(name));
  return [
    ...listed,
    ...records.sort().map((name) => ({
      file: `${DECISIONS_FOLDER}/${name}`,
      slug: `decisions/${name.replace(/\.md$/, '')}`,
    })),
  ];
}

/** Returns the names of the images of the documents. */
export async function listImages(): Promise<string[]> {
  return (await readdir(new URL(IMAGES_FOLDER, DOCUMENTS_ROOT))).filter((name) => /\.(png|svg)$/.test(name));
}

/** Resolves the links and images of the documents to addresses of the service. */
export class DocumentLinks {
  private readonly slugsByFile: Map<string, string>;

  /**
   * @param images the names of the images in `IMAGES_FOLDER`
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
    if (posix.dirname(file) === IMAGES_FOLDER && this.images.includes(image)) return `files/${image}`;
    return this.slugsByFile.get(file);
  }
}
