import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDatabaseUrl } from '../../src/platform/config/database-url.js';
import { readSecretFiles, SettingsError } from '../../src/platform/config/secret-files.js';
import { readSettings, type Settings } from '../../src/platform/config/settings.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';

const STRONG = 'd41f0b7c92e6a85370c4b1e98f2d65a7';

describe('MASTER_SECRET in production', () => {
  const read = (MASTER_SECRET: string, NODE_ENV = 'production'): Settings => readSettings({ MASTER_SECRET, NODE_ENV });

  it.each([STRONG, `${STRONG}0123456`, `${STRONG},${STRONG.replace('0', 'z')}`, 'Correct horse battery staple 0123'])(
    'accepts %s',
    (secret) => expect(read(secret).MASTER_SECRET).toHaveLength(secret.split(',').length),
  );

  it.each([
    ['with 31 characters', STRONG.slice(1)],
    ['with 9 different characters', '013572468'.repeat(4)],
    ['with a repeated part', `${STRONG}${STRONG}`],
    ['with an ascending run', `${STRONG}01234567`],
    ['with a descending run', `${STRONG}hgfedcba`],
    ['of both kinds', '0123456789abcdef0123456789abcdef'],
    ['with the word change', `${STRONG}CHANGE-me`],
    ['with the word example', `${STRONG} Example`],
    ['with the word placeholder', `${STRONG}placeholder`],
    ['with the word secret', `my-secret-${STRONG}`],
    ['of a list, at its end', `${STRONG},${'x'.repeat(32)}`],
    ['of a list, at its start', `${STRONG}secret,${STRONG}`],
    ['with an empty item', `${STRONG},`],
  ])('rejects one %s, and does not print it', (_, secret) => {
    const readWeak = (): unknown => read(secret);
    expect(readWeak).toThrow(/^MASTER_SECRET must be [^\n]*$/);
    expect(readWeak).not.toThrow(new RegExp(secret.slice(0, 9)));
  });

  it('has a weaker rule in development', () => {
    expect(read('a secret for now', 'development').MASTER_SECRET).toEqual(['a secret for now']);
  });
});

describe('A setting in a file', () => {
  let folder: TempFolder;

  beforeAll(async () => {
    folder = await createTempFolder();
  });
  afterAll(() => folder.remove());

  let count = 0;
  const write = async (content: string): Promise<string> => {
    const path = join(folder.path, `file-${++count}`);
    await writeFile(path, content);
    return path;
  };

  it.each(['', '\n', '\r\n'])('is read without the line end %j', async (end) => {
    const environment = { MASTER_SECRET_FILE: await write(STRONG + end) };
    expect(readSettings(environment).MASTER_SECRET).toEqual([STRONG]);
  });

  it('loses one line end only, and can have a list', async () => {
    const { MASTER_SECRET } = readSecretFiles({ MASTER_SECRET_FILE: await write('a \n\n') });
    expect(MASTER_SECRET).toBe('a \n');
    expect(readSettings({ MASTER_SECRET_FILE: await write(`${STRONG}, ${STRONG}\n`) }).MASTER_SECRET).toHaveLength(2);
  });

  it('can be DATABASE_URL, also for commands that read no other setting', async () => {
    const environment = {
      MASTER_SECRET: STRONG,
      NODE_ENV: 'test',
      DATABASE_URL_FILE: await write('postgres://db/map\n'),
    };
    expect(readSettings(environment).DATABASE_URL).toBe('postgres://db/map');
    expect(readDatabaseUrl(environment)).toBe('postgres://db/map');
  });

  it('can be set together with an empty value', async () => {
    const environment = { MASTER_SECRET: '', MASTER_SECRET_FILE: await write(STRONG) };
    expect(readSettings(environment).MASTER_SECRET).toEqual([STRONG]);
    expect(readSettings({ MASTER_SECRET: STRONG, MASTER_SECRET_FILE: '' }).MASTER_SECRET).toEqual([STRONG]);
  });

  it.each(['DATABASE_URL', 'MASTER_SECRET', 'SMTP_URL'])(
    'stops the start when %s and its file are both set, or the file is missing, unreadable or empty',
    async (name) => {
      const valid = { MASTER_SECRET: STRONG };
      const file = `${name}_FILE`;
      const path = await write('hidden-value');
      const both = (): unknown => readSettings({ ...valid, [name]: 'hidden-value', [file]: path });
      expect(both).toThrow(new SettingsError(`${name} and ${file} must not both be set.`));
      const others: NodeJS.ProcessEnv = name === 'MASTER_SECRET' ? {} : valid;
      for (const wrong of [join(folder.path, 'missing'), folder.path, await write(''), await write('\n')]) {
        const read = (): unknown => readSettings({ ...others, [file]: wrong });
        expect(read).toThrow(SettingsError);
        expect(read).toThrow(new RegExp(`^${file} names an? [^\\n]+\\.$`));
      }
    },
  );

  it('is checked by the rule of the setting, and is not printed', async () => {
    const read = async (): Promise<Settings> =>
      readSettings({ NODE_ENV: 'production', MASTER_SECRET_FILE: await write('hidden-value') });
    await expect(read()).rejects.toThrow(/^MASTER_SECRET must be/);
    await expect(read()).rejects.not.toThrow(/hidden/);
  });
});
