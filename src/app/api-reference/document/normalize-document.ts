import type { OpenAPIObject } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';

type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;
type ResponsesObject = OperationObject['responses'];

/** Takes out what is said twice. */
export function normalizeDocument(document: OpenAPIObject): OpenAPIObject {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item) as OperationObject[]);
  // How a token or credentials are sent is said by what secures an operation (OpenAPI 3.1 §4.8.12.2).
  for (const operation of operations) {
    operation.parameters = operation.parameters?.filter((one) => !('name' in one && one.name === 'authorization'));
  }
  document.components!.responses = shareResponses(operations.map(({ responses }) => responses));
  return document;
}

/** Puts answers that several operations give in one place. @returns these, by name */
function shareResponses(all: ResponsesObject[]): NonNullable<NonNullable<OpenAPIObject['components']>['responses']> {
  const keys = all.flatMap((answers) => Object.values(answers)).map((answer) => JSON.stringify(answer));
  const names = new Map<string, string>();
  const shared: ReturnType<typeof shareResponses> = {};
  for (const answers of all) {
    for (const [status, answer] of Object.entries(answers)) {
      if (!answer || Number(status) < 300) continue;
      const key = JSON.stringify(answer);
      if (keys.indexOf(key) === keys.lastIndexOf(key)) continue;
      const name = names.get(key) ?? createComponentName(status, shared);
      names.set(key, name);
      shared[name] = answer;
      answers[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  return shared;
}

/** As the status is called, counted where several answers have it. */
function createComponentName(status: string, taken: object): string {
  const name = STATUS_CODES[status]!.replace(/\W/g, '');
  const others = Object.keys(taken).filter((other) => other.replace(/\d+$/, '') === name).length;
  return others === 0 ? name : `${name}${others + 1}`;
}
