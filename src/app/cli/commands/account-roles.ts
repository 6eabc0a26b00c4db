import { Option } from 'commander';
import type { Role } from '../../../identity/accounts/account.entity.js';

/**
 * The roles, repeated here because the entity loads TypeORM. The compiler reports a missing or
 * unknown role.
 */
const ROLE_NAMES = Object.keys({ member: true, trusted: true, moderator: true } satisfies Record<Role, true>);

/** Builds the option `--role`. */
export function buildRoleOption(): Option {
  return new Option('--role <role>', 'permissions on the map').choices(ROLE_NAMES);
}

/** Builds the options that name the regions of a role. */
export function buildRegionOptions(): Option[] {
  return [
    new Option('--region <region...>', 'region in which the role is valid, by name or ID; can be repeated'),
    new Option('--everywhere', 'the role is valid on the whole map').conflicts('region'),
  ];
}
