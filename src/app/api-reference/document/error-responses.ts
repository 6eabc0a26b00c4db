import { ApiError } from '../../../platform/http/api-error.js';
import { OAuthError } from '../../../identity/oauth/oauth-error.js';
import { type ResponseHeaderName, RESPONSE_HEADERS, toHeaderRefs } from './response-headers.js';
import {
  arraySchema,
  registerSchema,
  objectSchema,
  optional,
  registerObjectSchema,
  type JsonSchema,
  stringSchema,
} from './json-schema.js';

/** An answer in OpenAPI. */
export interface ResponseObject {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }>;
}

/** An error that a route answers: the very one that the code throws. */
export type DocumentedError = ApiError | OAuthError;

const VALIDATION_DETAIL = objectSchema<{ path: string; code: string; message: string }>(
  'One thing that is wrong, and where.',
  {
    path: stringSchema('Where, with dots.', 'changes.title'),
    code: stringSchema('What, for your program.', 'is_string'),
    message: stringSchema('What, for a person.', 'changes.title must be a string.'),
  },
);

const CONFLICT_DETAIL = objectSchema<{
  field: string;
  from?: unknown;
  current?: unknown;
  to?: unknown;
  editId?: string;
}>('A field that somebody else has changed meanwhile. The values come only where the token lets you read them.', {
  field: stringSchema('Its name.', 'year'),
  from: optional({ description: 'What the author saw.', examples: [2013] }),
  current: optional({ description: 'What it is now.', examples: [2012] }),
  to: optional({ description: 'What the edit wants.', examples: [2014] }),
  editId: optional({
    type: ['string', 'null'],
    description: 'The later edit that changed it, where one is reverted.',
    examples: [null],
  }),
});

/** The body of errors outside the token and revoke endpoints. */
export const ERROR_RESPONSE = registerObjectSchema<{
  error: string;
  code?: string;
  reason?: string;
  details?: object[];
}>('Problem', 'What went wrong. Only where a scope is missing there is no code.', {
  error: stringSchema('A sentence for a person to read.', 'There is no such marker.'),
  code: optional(stringSchema('For your program.', 'not_found')),
  reason: optional(stringSchema('Why the person may not, where the code is `not_allowed`.', 'own_edit')),
  details: optional(arraySchema({ anyOf: [VALIDATION_DETAIL, CONFLICT_DETAIL] }, 'What exactly.')),
});

/** RFC 6749 §5.2. */
export const OAUTH_ERROR = registerObjectSchema<{ error: string; error_description: string }>(
  'OAuthProblem',
  'What went wrong, as OAuth says it.',
  {
    error: stringSchema('For your program.', 'invalid_grant'),
    error_description: stringSchema('For you: what to do next.', 'The refresh token has expired.'),
  },
);

/** What a page of ours says to a person. */
export const HTML_PAGE = registerSchema('Page', {
  type: 'string',
  description: 'A page for the person, in the language of their browser.',
  examples: ['<!doctype html>…'],
});

/** What each status says; which error it is stands in its body. */
const STATUS_DESCRIPTIONS: Record<number, string> = {
  400: 'The request is not as it should be.',
  401: 'The token, or the credentials of the app, are missing or no good.',
  403: 'The app lacks the scope, or the person may not do this.',
  404: 'There is none, or none that the caller may know of.',
  409: 'Something is not in the state that this needs.',
  410: 'It was deleted.',
  412: 'It is at another version by now.',
  413: 'The body is larger than 64 KiB.',
  415: 'The body is not JSON in UTF-8.',
  422: 'A rule of the map stands against it.',
  429: 'Too many calls. Try again after `Retry-After`.',
  500: 'Something went wrong on our side.',
  503: 'The service cannot reach its database. Try again after `Retry-After`.',
};

/** The answer of one status, with each error that has it. */
export function buildErrorResponse(
  status: number,
  refusals: DocumentedError[],
  headers: ResponseHeaderName[],
): ResponseObject {
  const bodies = refusals.map(toErrorBody);
  return {
    description: STATUS_DESCRIPTIONS[status]!,
    headers: toHeaderRefs(
      new Set([...headers, ...refusals.flatMap(({ headers: own }) => Object.keys(own).map(assertHeaderName))]),
    ),
    content: {
      'application/json': {
        schema: buildErrorSchema(bodies),
        examples: Object.fromEntries(bodies.map((body, at) => [createExampleName(bodies, at), { value: body }])),
      },
    },
  };
}

type ErrorBody = { error: string; code?: string; reason?: string };

function toErrorBody(refusal: DocumentedError): ErrorBody {
  if (refusal instanceof ApiError) return refusal.getResponse() as ErrorBody;
  return { error: refusal.code, error_description: refusal.description } as ErrorBody;
}

/** The shape of all errors, with the codes that there are here. */
function buildErrorSchema(bodies: ErrorBody[]): JsonSchema {
  const isOAuth = 'error_description' in bodies[0]!;
  const values = (member: keyof ErrorBody): JsonSchema => ({
    enum: [...new Set(bodies.flatMap(({ [member]: value }) => value ?? []))],
  });
  const members: (keyof ErrorBody)[] = isOAuth ? ['error'] : ['code', 'reason'];
  const told = members.filter((member) => bodies.some(({ [member]: value }) => value !== undefined));
  return {
    allOf: [
      isOAuth ? OAUTH_ERROR : ERROR_RESPONSE,
      { properties: Object.fromEntries(told.map((member) => [member, values(member)])) },
    ],
  };
}

/** What an example is called: as the error is, counted where there are several of one name. */
function createExampleName(bodies: ErrorBody[], at: number): string {
  const name = ({ error, code, reason }: ErrorBody): string =>
    reason ?? code ?? (/^\w+$/.test(error) ? error : 'missing_scope');
  const own = name(bodies[at]!);
  const before = bodies.slice(0, at).filter((body) => name(body) === own).length;
  return before === 0 ? own : `${own}_${before + 1}`;
}

function assertHeaderName(name: string): ResponseHeaderName {
  if (!(name in RESPONSE_HEADERS)) throw new Error(`The header ${name} is not described.`);
  return name as ResponseHeaderName;
}
