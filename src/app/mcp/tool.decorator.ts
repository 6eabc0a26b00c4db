import { Reflector } from '@nestjs/core';
import type { IdempotencyKey } from '../../platform/idempotency/idempotent-writes.service.js';
import type { DtoClass, JsonSchema, SchemaSource } from '../../platform/openapi/json-schema.js';
import type { Scope } from '../../identity/scopes/scopes.js';

/** A tool of the MCP server. Its scope is that of `@RequireScope` at the same method. */
export interface ToolDescription {
  /** Name for models, in snake_case. */
  name: string;
  /** Name for people. */
  title: string;
  description: string;
  /** A scope that the tool requires beside that of `@RequireScope`. */
  additionalScope?: Scope;
  /** The schema of the argument `id`, if the tool has one. */
  id?: JsonSchema;
  /** The query of the API with the same arguments. */
  query?: DtoClass;
  /** The body of the API with the same arguments. */
  body?: DtoClass;
  /** Members of the query or the body that are no arguments, because the tool sets them. */
  omit?: string[];
  /** Whether the tool has the argument `idempotencyKey`. */
  acceptsIdempotencyKey?: boolean;
  /** Whether the tool can remove or replace something that others see or that the person made. */
  isDestructive?: boolean;
  output: SchemaSource;
  /** A sentence that follows the JSON in the text of each result. */
  notice?: string;
}

/** The arguments of a call, after their validation. */
export interface ToolArguments<Values extends object = object> {
  id: string;
  /** The query or the body. */
  values: Values;
  key: IdempotencyKey | undefined;
}

/** Declares a method as a tool: `(caller, arguments) => Promise<object>`. */
export const Tool = Reflector.createDecorator<ToolDescription>();
