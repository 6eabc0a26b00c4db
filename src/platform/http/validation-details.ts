import { getMetadataStorage, type ValidationArguments, type ValidationError } from 'class-validator';
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

/** What a member of a request is called in a message. */
export type MemberKind = 'field' | 'parameter';

/**
 * Flattens validation errors to details. Each value has one detail at most, of the first rule that
 * it violates. The path of an array item ends with its position: `tags.3`.
 * @param parentPath the path of the parent object, with a trailing dot
 */
export function toErrorDetails(errors: ValidationError[], kind: MemberKind = 'field', parentPath = ''): ErrorDetail[] {
  return errors.flatMap((error) => {
    const path = parentPath + error.property;
    const own =
      error.constraints?.['whitelistValidation'] === undefined
        ? toOwnDetails(error, path)
        : [createUnknownMemberDetail(kind, path, findSimilarName(error.property, listNames(error.target!)))];
    const nested = toErrorDetails(error.children ?? [], kind, `${path}.`);
    return [...own, ...nested.filter((detail) => !own.some((parent) => isWithin(detail.path, parent.path)))];
  });
}

/** Limit of the path of an unknown member, which the client chooses. */
const MAX_UNKNOWN_PATH_LENGTH = 100;

/**
 * Creates the detail of a member that the DTO does not have.
 * @param similarName the name of a member beside it that the client may have meant
 */
export function createUnknownMemberDetail(kind: MemberKind, fullPath: string, similarName?: string): ErrorDetail {
  const path = fullPath.slice(0, MAX_UNKNOWN_PATH_LENGTH);
  const parentPath = fullPath.slice(0, fullPath.lastIndexOf('.') + 1);
  const hint = similarName === undefined ? '' : ` Did you mean ${parentPath}${similarName}?`;
  return { path, code: 'unknown_member', message: `Unknown ${kind}: ${path}.${hint}` };
}

/** Part of the letters that a name must share with an unknown one, in the same order. */
const MIN_SIMILARITY = 2 / 3;

/**
 * Returns the known name that is most similar to an unknown one, without regard to case. A longer
 * form, such as `longitude` of `lon`, is similar too.
 */
function findSimilarName(unknown: string, names: string[]): string | undefined {
  if (unknown.length > MAX_UNKNOWN_PATH_LENGTH) return undefined;
  const rated = names.map((name) => ({
    name,
    similarity: computeSimilarity(unknown.toLowerCase(), name.toLowerCase()),
  }));
  const [best] = rated.sort((one, other) => other.similarity - one.similarity);
  return best && best.similarity >= MIN_SIMILARITY ? best.name : undefined;
}

/** Returns the part of the letters in the longest common subsequence, 0 to 1. */
function computeSimilarity(one: string, other: string): number {
  if (other.length > 2 && one.startsWith(other)) return 1;
  let lengths = new Array<number>(other.length + 1).fill(0);
  for (const letter of one) {
    const next = [0];
    for (let at = 0; at < other.length; at++)
      next.push(letter === other[at] ? lengths[at]! + 1 : Math.max(lengths[at + 1]!, next[at]!));
    lengths = next;
  }
  return (2 * lengths[other.length]!) / (one.length + other.length);
}

function listNames(target: object): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(target.constructor, '', true, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}

/** Returns the detail of the value itself, or those of its items if it is a valid array. */
function toOwnDetails({ target, property, value }: ValidationError, path: string): ErrorDetail[] {
  const isItemRule = ({ each }: ValidationRule): boolean => each && Array.isArray(value);
  const rules = listRules(target!, property);
  const violated = rules.find((rule) => !isItemRule(rule) && isViolated(rule, value));
  if (violated) return [toDetail(path, violated, value, target!)];
  const items: unknown[] = Array.isArray(value) ? value : [];
  const isParam = Reflect.hasMetadata(LIST_PARAM_METADATA, target!, property);
  const details = items.flatMap((item, index) => {
    const rule = rules.find((candidate) => isItemRule(candidate) && isViolated(candidate, item));
    return rule ? [toDetail(isParam ? path : `${path}.${index}`, rule, item, target!)] : [];
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

/** @param object the object that has the member */
function toDetail(
  path: string,
  { name = '', message, constraints, propertyName: property }: ValidationRule,
  value: unknown,
  object: object,
): ErrorDetail {
  if (value === undefined) return { path, code: 'required', message: `${path} is missing.` };
  const args: ValidationArguments = { value, object, property, constraints, targetName: '' };
  const requirement =
    (typeof message === 'function' ? message(args) : message) ?? REQUIREMENTS[name]!(constraints?.[0] as never);
  const code = name.replace(/[A-Z]+/g, (upper) => `_${upper.toLowerCase()}`);
  return { path, code, message: `${path} ${requirement}.` };
}

function isWithin(path: string, parentPath: string): boolean {
  return path === parentPath || path.startsWith(`${parentPath}.`);
}
