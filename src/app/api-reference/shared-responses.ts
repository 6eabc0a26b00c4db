import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { OperationObject } from './operation-object.js';
import type { ResponseObject } from './responses.js';

/** A response that several operations have. */
interface SharedResponse {
  status: string;
  response: ResponseObject;
  operations: OperationObject[];
}

/**
 * Replaces responses that several operations have by references.
 * @returns the components that these refer to, by name
 */
export function shareResponses(operations: OperationObject[]): Record<string, ResponseObject> {
  const shared = [...groupResponses(operations).values()].filter((group) => group.operations.length > 1);
  const components: Record<string, ResponseObject> = {};
  for (const group of shared) {
    const name = createComponentName(group, shared);
    if (components[name]) throw new Error(`Two shared responses have the name ${name}.`);
    components[name] = group.response;
    for (const { responses } of group.operations) {
      responses[group.status] = { $ref: `#/components/responses/${name}` };
    }
  }
  return components;
}

function groupResponses(operations: OperationObject[]): Map<string, SharedResponse> {
  const groups = new Map<string, SharedResponse>();
  for (const operation of operations) {
    for (const [status, response] of Object.entries(operation.responses) as [string, ResponseObject][]) {
      if (Number(status) < 300) continue;
      const key = JSON.stringify([status, response]);
      const group = groups.get(key) ?? { status, response, operations: [] };
      group.operations.push(operation);
      groups.set(key, group);
    }
  }
  return groups;
}

/**
 * Returns the family and the status. If other responses have the same family and status, the first
 * error codes that only this one has follow.
 */
function createComponentName(group: SharedResponse, all: SharedResponse[]): string {
  const name = getFamily(group) + STATUS_CODES[group.status]!.replace(/\W/g, '');
  const codeLists = all
    .filter((other) => other !== group && other.status === group.status && getFamily(other) === getFamily(group))
    .map(({ response }) => listErrorNames(response));
  const isCommon = (code: string): boolean => codeLists.every((codes) => codes.includes(code));
  const [codes, ...others] = [listErrorNames(group.response), ...codeLists].map((list) =>
    list.filter((code) => !isCommon(code)),
  );
  const isUnique = (length: number): boolean =>
    others.every((other) => !isDeepStrictEqual(other.slice(0, length), codes!.slice(0, length)));
  const lengths = [...codes!.keys(), codes!.length];
  return name + codes!.slice(0, lengths.find(isUnique)).map(toPascalCase).join('');
}

/**
 * Returns the tag of the operations; if they have several, `Page`, `Public` for routes without a
 * token, or nothing.
 */
function getFamily({ response: { content, headers }, operations }: SharedResponse): string {
  const [tag, ...otherTags] = new Set(operations.map(({ tags }) => tags[0].replace(/\W/g, '')));
  if (otherTags.length === 0) return tag!;
  if (content?.['text/html']) return 'Page';
  return !content || headers['RateLimit'] ? '' : 'Public';
}

function listErrorNames({ content }: ResponseObject): string[] {
  return Object.keys(content?.['application/json']?.examples ?? {});
}

function toPascalCase(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
