import { describe, expect, it } from '@jest/globals';
import { isUntested, listDocuments, readShellBlocks, UNTESTED_BLOCKS } from './documents.js';

/** Documents whose commands are run by another test in this folder. */
const TESTED_DOCUMENTS = ['README.md', 'docs/app-developers.md', 'docs/operations.md', 'docs/quickstart.md'];

describe('The commands of the documents', () => {
  it('are run by a test, except those that the list of untested blocks names', async () => {
    const documents = (await listDocuments()).filter((file) => !TESTED_DOCUMENTS.includes(file));
    const blocks = (await Promise.all(documents.map(readShellBlocks))).flat();
    expect(blocks.filter((block) => !isUntested(block))).toEqual([]);
  });

  it('match each entry in the list of untested blocks', async () => {
    for (const [file, starts] of Object.entries(UNTESTED_BLOCKS)) {
      const blocks = await readShellBlocks(file);
      const unused = starts.filter((start) => !blocks.some(({ code }) => code.startsWith(start)));
      expect({ file, unused }).toEqual({ file, unused: [] });
    }
  });
});
