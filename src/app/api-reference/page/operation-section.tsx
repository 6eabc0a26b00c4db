import { Fragment, type VNode } from 'preact';
import type { ViewContext } from '../../../platform/views/view-context.js';
import { SECURITY_SCHEMES } from '../operation-object.js';
import {
  type AddressedOperation,
  listExamples,
  type ReferenceContent,
  type ReferenceDocument,
  resolveResponse,
} from './reference-document.js';
import { FieldList, InlineText, listMembers, SchemaType } from './schema-view.js';
import { TryForm } from './forms.js';

interface OperationSectionProps {
  viewContext: ViewContext;
  document: ReferenceDocument;
  operation: AddressedOperation;
}

/** One operation, folded: scope, parameters, body, responses, and the form to try it. */
export function OperationSection({ viewContext, document, operation }: OperationSectionProps): VNode {
  const { method, path, operationId, summary, description, parameters, requestBody } = operation;
  const { reference, developer } = viewContext.messages;
  const fields = parameters.map(({ name, schema, required, in: location, ...parameter }) => ({
    name,
    schema: { ...schema, description: parameter.description },
    isRequired: required,
    location,
  }));
  return (
    <details class="operation" id={operationId}>
      <summary lang="en">
        <b class={`method ${method.toLowerCase()}`}>{method}</b> <code>{path}</code> <span>{summary}</span>
      </summary>
      <p lang="en">
        <InlineText text={description} />
      </p>
      <RequiredScope label={reference.scope} optionalLabel={reference.optional} operation={operation} />
      {fields.length > 0 && (
        <>
          <h3>{reference.parameters}</h3>
          <FieldList fields={fields} requiredLabel={developer.required} />
        </>
      )}
      {requestBody && (
        <>
          <h3>{reference.body}</h3>
          {/* All media types have the same schema. */}
          <Content
            content={Object.values(requestBody.content)[0]!}
            mediaTypes={Object.keys(requestBody.content)}
            requiredLabel={developer.required}
          />
        </>
      )}
      <Responses viewContext={viewContext} document={document} operation={operation} />
      <TryForm viewContext={viewContext} operation={operation} />
    </details>
  );
}

interface RequiredScopeProps {
  label: string;
  optionalLabel: string;
  operation: AddressedOperation;
}

/** The scope of the token; nothing for an operation without a token. */
function RequiredScope({ label, optionalLabel, operation: { security } }: RequiredScopeProps): VNode | null {
  const scopes = security.flatMap((requirement) => requirement[SECURITY_SCHEMES.token] ?? []);
  if (scopes.length === 0) return null;
  const isOptional = security.some((requirement) => Object.keys(requirement).length === 0);
  return (
    <p>
      {label} <code>{scopes.join(' ')}</code>
      {isOptional && ` (${optionalLabel})`}
    </p>
  );
}

interface ContentProps {
  content: ReferenceContent;
  mediaTypes: string[];
  requiredLabel: string;
}

/** The schema of a body, and its examples. */
function Content({ content, mediaTypes, requiredLabel }: ContentProps): VNode {
  const { schema } = content;
  const members = listMembers(schema);
  return (
    <>
      <p lang="en">
        <SchemaType schema={schema} />
        {mediaTypes.map((mediaType) => (
          <Fragment key={mediaType}>
            {' · '}
            <code>{mediaType}</code>
          </Fragment>
        ))}
      </p>
      {members.length > 0 && <FieldList fields={members} requiredLabel={requiredLabel} />}
      {listExamples(content).map(([name, value]) => (
        <Example key={name} label={`JSON: ${name}`} value={value} />
      ))}
    </>
  );
}

/** An example of a body. */
function Example({ label, value }: { label: string; value: unknown }): VNode {
  return (
    <pre tabIndex={0} role="group" aria-label={label}>
      <code>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</code>
    </pre>
  );
}

function Responses({ viewContext, document, operation }: OperationSectionProps): VNode {
  const { reference, developer } = viewContext.messages;
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolveResponse(document, response)] as const,
  );
  return (
    <>
      <h3>{reference.responses}</h3>
      <dl class="fields" lang="en">
        {responses.map(([status, { description }]) => (
          <Fragment key={status}>
            <dt>
              <code>{status}</code>
            </dt>
            <dd>
              <InlineText text={description} />
            </dd>
          </Fragment>
        ))}
      </dl>
      {responses
        .filter(([status, { content }]) => Number(status) < 300 && content)
        .map(([status, { content }]) => (
          <Content
            key={status}
            content={Object.values(content!)[0]!}
            mediaTypes={Object.keys(content!)}
            requiredLabel={developer.required}
          />
        ))}
    </>
  );
}
