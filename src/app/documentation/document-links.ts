import { posix } from 'node:path';
import type { CatalogEntry } from './document-catalog.js';

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
