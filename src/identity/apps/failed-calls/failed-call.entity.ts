import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { idColumn, json, nullableColumn, timestampMs } from '../../../platform/database/columns.js';

/** The values that a rule accepts, and where they come from. */
export interface AcceptedValues {
  /** The app's registration, this service, the resource, or the authorization request of a code. */
  source: 'registered' | 'supported' | 'required' | 'requested';
  values: readonly string[];
}

/** A value that a call sent. Secrets and personal data are redacted; an empty value is missing. */
export interface SentValue {
  value: string;
  /** Milliseconds since 1970. */
  sentAt: number;
}

/** Failed calls of an app that broke the same rule at the same endpoint. */
@Entity('failed_calls')
@Index('failed_calls_app', ['appId', 'lastFailedAt'])
export class FailedCall {
  /** Digest of the app, the endpoint, the error code and the rule. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column(idColumn)
  appId!: string;

  @Column(timestampMs)
  firstFailedAt!: Date;

  @Column(timestampMs)
  lastFailedAt!: Date;

  @Column({ type: 'integer' })
  count!: number;

  /** Method and path: `POST /api/oauth/token`. */
  @Column({ type: 'varchar', length: 200 })
  endpoint!: string;

  /** Error code of the response. */
  @Column({ type: 'varchar', length: 60 })
  errorCode!: string;

  /** Message of the last response, with details for the developer. Secrets are redacted. */
  @Column({ type: 'text' })
  reason!: string;

  /** What the rule accepted at the last call; null if there is nothing to compare. */
  @Column(nullableColumn(json))
  accepted!: AcceptedValues | null;

  /** The last distinct values that the calls sent, the newest first. */
  @Column(json)
  sentValues!: SentValue[];
}

/** Number of distinct sent values that are stored for each rule. */
const MAX_SENT_VALUES = 5;

/** Returns the failed calls of two records about the same rule as one record. */
export function mergeFailedCalls(first: FailedCall, second: FailedCall): FailedCall {
  const [earlier, later] = first.lastFailedAt <= second.lastFailedAt ? [first, second] : [second, first];
  return {
    ...later,
    firstFailedAt: first.firstFailedAt <= second.firstFailedAt ? first.firstFailedAt : second.firstFailedAt,
    count: first.count + second.count,
    sentValues: mergeSentValues([...later.sentValues, ...earlier.sentValues]),
  };
}

function mergeSentValues(sentValues: SentValue[]): SentValue[] {
  const newestFirst = [...sentValues].sort((first, second) => second.sentAt - first.sentAt);
  const isFirstOccurrence = ({ value }: SentValue, index: number): boolean =>
    newestFirst.findIndex((other) => other.value === value) === index;
  return newestFirst.filter(isFirstOccurrence).slice(0, MAX_SENT_VALUES);
}
