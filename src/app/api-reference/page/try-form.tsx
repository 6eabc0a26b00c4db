import type { VNode } from 'preact';
import { interpolate } from '../../../platform/i18n/interpolate.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import { type AddressedOperation, listExamples, type ReferenceParameter } from './reference-document.js';

interface TryFormProps {
  viewContext: ViewContext;
  operation: AddressedOperation;
}

/** The form that sends a request. It is hidden until the script of the page runs. */
export function TryForm({ viewContext, operation }: TryFormProps): VNode | null {
  const { reference } = viewContext.messages;
  const { method, path, operationId, parameters, requestBody } = operation;
  if (showsPage(operation)) return null;
  const [mediaType, content] = Object.entries(requestBody?.content ?? {}).at(-1) ?? [];
  const body = content && listExamples(content)[0]?.[1];
  return (
    <form
      class="try"
      data-scripted
      hidden
      data-method={method}
      data-path={path}
      data-media-type={mediaType}
      aria-label={interpolate(reference.tryOperation, { operation: operationId })}
    >
      <h3>{reference.tryIt}</h3>
      {parameters.map((parameter) => (
        <ParameterField key={parameter.name} operationId={operationId} parameter={parameter} />
      ))}
      {body !== undefined && (
        <div class="field">
          <label for={`${operationId}-body`}>{reference.body}</label>
          <textarea id={`${operationId}-body`} name="body" spellcheck={false} rows={4}>
            {mediaType === 'application/json' ? JSON.stringify(body, null, 2) : encodeForm(body as object)}
          </textarea>
        </div>
      )}
      <button type="submit">{reference.send}</button>
      <div class="result" role="status"></div>
    </form>
  );
}

function ParameterField({ operationId, parameter }: { operationId: string; parameter: ReferenceParameter }): VNode {
  const id = `${operationId}-${parameter.name}`;
  return (
    <div class="field">
      <label for={id}>
        <code>{parameter.name}</code>
      </label>
      <input
        type="text"
        id={id}
        name={parameter.name}
        data-in={parameter.in}
        required={parameter.required}
        placeholder={toPlaceholder(parameter)}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="none"
      />
    </div>
  );
}

/** Whether the browser has to go to the address: its responses are pages and redirects. */
function showsPage({ responses }: AddressedOperation): boolean {
  return '303' in responses;
}

function toPlaceholder({ schema }: ReferenceParameter): string | undefined {
  const example = schema['example'];
  return typeof example === 'string' || example === undefined ? example : JSON.stringify(example);
}

function encodeForm(values: object): string {
  return new URLSearchParams(values as Record<string, string>).toString();
}
