import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { idColumn, json, nullableColumn, timestampMs } from '../../../platform/database/columns.js';
import { Account } from '../account.entity.js';

/** PostgreSQL returns a bigint as text. A signature counter has 32 bits, so a number holds it. */
const counter = { type: 'bigint', transformer: { to: (value: unknown) => value, from: Number } } as const;

/** A passkey: a public key whose private key is on a device of the person (WebAuthn Level 2). */
@Entity('passkeys')
export class Passkey {
  @PrimaryColumn(idColumn)
  id!: string;

  /** Id of the credential on the device, in base64url; at most 1023 bytes. */
  @Index('passkeys_credential', { unique: true })
  @Column({ type: 'varchar', length: 1364 })
  credentialId!: string;

  @Index('passkeys_account')
  @Column(idColumn)
  accountId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'passkeys_account_fk' })
  account!: Relation<Account>;

  /** The name that the person chose. */
  @Column({ type: 'varchar', length: 100 })
  name!: string;

  /** COSE key in base64url (RFC 9052 §7). */
  @Column({ type: 'text' })
  publicKey!: string;

  /** Signature counter of the last sign-in; 0 if the device has none (WebAuthn §6.1.1). */
  @Column(counter)
  counter!: number;

  /** How the browser reaches the device: `internal`, `usb`, … */
  @Column(json)
  transports!: string[];

  /** Whether the device synchronizes the passkey with other devices. */
  @Column({ type: 'boolean' })
  backedUp!: boolean;

  @Column(timestampMs)
  createdAt!: Date;

  @Column(nullableColumn(timestampMs))
  lastUsedAt!: Date | null;
}

/** A challenge that was used. Its row prevents another use until the challenge expires. */
@Entity('used_passkey_challenges')
export class UsedPasskeyChallenge {
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column(nullableColumn(timestampMs))
  usedAt!: Date | null;

  @Index('used_passkey_challenges_expires')
  @Column(timestampMs)
  expiresAt!: Date;
}
