import { Fragment, type VNode } from 'preact';
import type { JsonSchema } from '../../../platform/openapi/json-schema.js';
import { getComponentName } from './reference-document.js';

/** Keywords that the page shows behind the description of a value. */
const LIMITS = ['default', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'format'];

/** A member of an object, or a parameter of a request. */
interface Field {
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
  /** Where a parameter is: in the path, the query or a header. */
  location?: string;
}

interface FieldListProps {
  fields: Field[];
  requiredLabel: string;
}

/** Parameters or members with their types and meanings. */
export function FieldList({ fields, requiredLabel }: FieldListProps): VNode {
  return (
    <dl class="fields" lang="en">
      {fields.map(({ name, schema, isRequired, location }) => (
        <Fragment key={name}>
          <dt>
            <code>{name}</code> <SchemaType schema={schema} />
            {location !== undefined && <span> · {location}</span>}
            {isRequired && <em> · {requiredLabel}</em>}
          </dt>
          <dd>
            <InlineText text={schema.description ?? ''} />
            <Limits schema={schema} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** Returns the members of an object schema. */
export function listMembers({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }));
}

/** The type of a value. The name of an object is a link to its members. */
export function SchemaType({ schema }: { schema: JsonSchema }): VNode {
  if (schema.$ref !== undefined) return <ObjectLink name={getComponentName(schema.$ref)} />;
  if (schema.items) {
    return (
      <>
        array of <SchemaType schema={schema.items} />
      </>
    );
  }
  const alternatives = schema.anyOf ?? schema.allOf;
  if (!alternatives) return <span>{[schema.type ?? 'any'].flat().join(' or ')}</span>;
  return (
    <>
      {alternatives.map((alternative, index) => (
        <Fragment key={index}>
          {index > 0 && ' or '}
          <SchemaType schema={alternative} />
        </Fragment>
      ))}
    </>
  );
}

/** Returns the id of the section that shows an object. */
export function getObjectId(name: string): string {
  return `object-${name}`;
}

function ObjectLink({ name }: { name: string }): VNode {
  return <a href={`#${getObjectId(name)}`}>{name}</a>;
}

/** A text in which backquotes mark code. Line breaks of the source are spaces. */
export function InlineText({ text }: { text: string }): VNode {
  return (
    <>
      {text
        .split('`')
        .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part.replace(/\s+/g, ' ')))}
    </>
  );
}

function Limits({ schema }: { schema: JsonSchema }): VNode | null {
  const values = schema.enum ?? schema.items?.enum;
  const limits = LIMITS.filter((keyword) => schema[keyword] !== undefined);
  if (!values && limits.length === 0) return null;
  return (
    <span class="limits">
      {values?.map((value) => (
        <code key={value}>{String(value)}</code>
      ))}
      {limits.map((keyword) => (
        <code key={keyword}>{`${keyword}: ${String(schema[keyword])}`}</code>
      ))}
    </span>
  );
}
