import { getMetadataStorage, type ValidationError } from 'class-validator';
import type { ErrorDetail } from '../errors/request-errors.js';

/** A rule of a DTO member, as class-validator stores it. */
type ValidationRule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/**
 * The requirement of each class-validator rule that has no message. The message starts with the
 * path of the member.
 */
const REQUIREMENTS: Record<string, (constraint: never) => string> = {
  isArray: () => 'must be an array',
  isObject: () => 'must be an object',
  isString: () => 'must be a string',
  arrayMinSize: (min: number) => `must have at least ${min} ${min === 1 ? 'item' : 'items'}`,
  arrayMaxSize: (max: number) => `must have at most ${max} items`,
  arrayUnique: () => 'must not have the same item twice',
  isIn: (values: string[]) => (values.length === 1 ? `must be ${values[0]}` : `must be one of: ${values.join(', ')}`),
  isISO31661Alpha2: () => 'must be a country code of two letters (ISO 3166-1 alpha-2), such as FI',
};

/** Rules in the order in which they are reported: type, then size, then content. */
const RULE_ORDER = [
  ...['isArray', 'isObject', 'isString', 'isInt', 'isNumber', 'isUrl'],
  ...['arrayMinSize', 'arrayMaxSize', 'length', 'min', 'max'],
];

const LIST_PARAM_METADATA = Symbol('list-param');

/**
 * Marks a query parameter that holds a list. An error of one of its values has the path of the
 * parameter, because such a value has no position that a client knows.
 */
export const ListParam = (): PropertyDecorator => Reflect.metadata(LIST_PARAM_METADATA, true);

/**
 * Flattens validation errors to details. Each value has one detail at most, of the first rule that
 * it violates. The path of an array item ends with its position: `tags.3`.
 * @param parentPath the path of the parent object, with a trailing dot
 */
export function toErrorDetails(errors: ValidationError[], parentPath = ''): ErrorDetail[] {
  return errors.flatMap((error) => {
    const path = parentPath + error.property;
    const own = toOwnDetails(error, path);
    const nested = toErrorDetails(error.children ?? [], `${path}.`);
    return [...own, ...nested.filter((detail) => !own.some((parent) => isWithin(detail.path, parent.path)))];
  });
}

/** Limit of the path of an unknown member, which the client chooses. */
const MAX_UNKNOWN_PATH_LENGTH = 100;

/** Creates the detail of a member that the DTO does not have. */
export function createUnknownFieldDetail(fullPath: string): ErrorDetail {
  const path = fullPath.slice(0, MAX_UNKNOWN_PATH_LENGTH);
  return { path, code: 'unknown_member', message: `Unknown field: ${path}.` };
}

/** Returns the detail of the value itself, or those of its items if it is a valid array. */
function toOwnDetails({ target, property, value, constraints = {} }: ValidationError, path: string): ErrorDetail[] {
  if (constraints['whitelistValidation'] !== undefined) return [createUnknownFieldDetail(path)];
  const isItemRule = ({ each }: ValidationRule): boolean => each && Array.isArray(value);
  const rules = listRules(target!, property);
  const violated = rules.find((rule) => !isItemRule(rule) && isViolated(rule, value));
  if (violated) return [toDetail(path, violated, value)];
  const items: unknown[] = Array.isArray(value) ? value : [];
  const isParam = Reflect.hasMetadata(LIST_PARAM_METADATA, target!, property);
  const details = items.flatMap((item, index) => {
    const rule = rules.find((candidate) => isItemRule(candidate) && isViolated(candidate, item));
    return rule ? [toDetail(isParam ? path : `${path}.${index}`, rule, item)] : [];
  });
  return isParam ? details.slice(0, 1) : details;
}

function listRules(target: object, property: string): ValidationRule[] {
  const rank = ({ name }: ValidationRule): number => RULE_ORDER.indexOf(name!) + 1 || Infinity;
  return getMetadataStorage()
    .getTargetValidationMetadatas(target.constructor, '', true, false)
    .filter(({ propertyName, constraintCls }) => propertyName === property && constraintCls !== undefined)
    .sort((one, other) => (rank(one) < rank(other) ? -1 : Number(rank(one) > rank(other))));
}

/** Evaluates a rule again, because class-validator does not name the invalid item of an array. */
function isViolated({ constraintCls, constraints, propertyName }: ValidationRule, value: unknown): boolean {
  const args = { value, constraints, property: propertyName, targetName: '', object: {} };
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .some(({ instance }) => instance.validate(value, args) === false);
}

function toDetail(path: string, { name = '', message, constraints }: ValidationRule, value: unknown): ErrorDetail {
  const requirement = typeof message === 'string' ? message : REQUIREMENTS[name]!(constraints?.[0] as never);
  const code = name.replace(/[A-Z]/g, (upper) => `_${upper.toLowerCase()}`);
  return { path, code, message: `${path} ${value === undefined ? 'is missing' : requirement}.` };
}

function isWithin(path: string, parentPath: string): boolean {
  return path === parentPath || path.startsWith(`${parentPath}.`);
}
