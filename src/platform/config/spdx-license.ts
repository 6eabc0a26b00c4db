import { createRequire } from 'node:module';

let licenseIds: Set<string> | undefined;

/**
 * Whether a value is an id of the SPDX License List, which includes the licenses of Creative
 * Commons. Deprecated ids are not part of the list. The first call loads it.
 */
export function isSpdxLicense(id: unknown): boolean {
  licenseIds ??= new Set(createRequire(import.meta.url)('spdx-license-ids') as string[]);
  return licenseIds.has(id as string);
}
