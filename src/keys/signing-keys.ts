import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';
import type { Repository } from 'typeorm';
import { Settings } from '../config/settings.js';
import { SealedBox } from '../crypto/sealed-box.js';
import { Transactions } from '../database/transactions.js';
import { SigningKey, type SigningAlgorithm } from './signing-key.entity.js';

/** A key that is ready to use: parsed once, since parsing a PEM costs ten times a signature. */
export interface ReadyKey {
  kid: string;
  algorithm: SigningAlgorithm;
  publicKey: KeyObject;
  privateKey: KeyObject;
  /** The public half as others read it (RFC 7517 §4). */
  jwk: JsonWebKey;
  createdAt: Date;
}

/** Milliseconds between two looks into the database for a key that is not known here. */
const RELOAD_INTERVAL = 1_000;

/**
 * The keys that sign tokens. They live in the database, so that all processes share them, and are made at the first
 * start. A process that meets a key it does not know looks again, so that another's new key is known within a second.
 */
@Injectable()
export class SigningKeys implements OnModuleInit {
  private keys = new Map<string, ReadyKey>();
  private loading: Promise<void> | undefined;
  private loadedAt = 0;
  private readonly box: SealedBox;

  constructor(
    @InjectRepository(SigningKey) private readonly repository: Repository<SigningKey>,
    private readonly transactions: Transactions,
    settings: Settings,
  ) {
    this.box = new SealedBox(settings.MASTER_SECRET, 'signing-keys');
  }

  async onModuleInit(): Promise<void> {
    await this.load();
    await this.makeMissing();
  }

  /** The key that signs now: the newest of its algorithm. */
  current(algorithm: SigningAlgorithm): ReadyKey {
    const [newest] = this.list().filter((key) => key.algorithm === algorithm);
    if (!newest) throw new Error(`There is no ${algorithm} signing key.`);
    return newest;
  }

  /** The key of this id, looked for in the database where it is not known here. */
  async find(kid: string): Promise<ReadyKey | undefined> {
    const known = this.keys.get(kid);
    if (known || Date.now() - this.loadedAt < RELOAD_INTERVAL) return known;
    this.loading ??= this.load().finally(() => (this.loading = undefined));
    await this.loading;
    return this.keys.get(kid);
  }

  /** Every key, the newest first. */
  list(): ReadyKey[] {
    return [...this.keys.values()].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  }

  private async load(): Promise<void> {
    const rows = await this.repository.find();
    this.keys = new Map(rows.map((row) => [row.kid, this.keys.get(row.kid) ?? this.ready(row)]));
    this.loadedAt = Date.now();
  }

  private ready(row: SigningKey): ReadyKey {
    const privateKey = this.box.open(row.sealedPrivateKey);
    if (privateKey === undefined) {
      throw new Error(
        'MASTER_SECRET does not open the signing keys in this database. Start with the secret that they were made under.',
      );
    }
    const { kid, algorithm } = row;
    const publicKey = createPublicKey(row.publicKey);
    return {
      kid,
      algorithm,
      publicKey,
      privateKey: createPrivateKey(privateKey),
      jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: algorithm, use: 'sig' },
      createdAt: row.createdAt,
    };
  }

  private async makeMissing(): Promise<void> {
    const missing = (['ES256', 'RS256'] as const).filter(
      (algorithm) => !this.list().some((k) => k.algorithm === algorithm),
    );
    if (missing.length === 0) return;
    const made = await Promise.all(missing.map((algorithm) => this.make(algorithm)));
    await this.transactions.runAlone(async (tx) => {
      for (const key of made) {
        if (!(await tx.existsBy(SigningKey, { algorithm: key.algorithm }))) await tx.insert(SigningKey, key);
      }
    });
    await this.load();
  }

  private async make(algorithm: SigningAlgorithm): Promise<SigningKey> {
    const { publicKey, privateKey } = await generate(algorithm);
    return {
      kid: thumbprint(publicKey),
      algorithm,
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      sealedPrivateKey: this.box.seal(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
      createdAt: new Date(),
    };
  }
}

function generate(algorithm: SigningAlgorithm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  const generated = promisify(generateKeyPair);
  return algorithm === 'ES256' ? generated('ec', { namedCurve: 'P-256' }) : generated('rsa', { modulusLength: 2048 });
}

/** The members of a public key that its thumbprint is made of, in the order of RFC 7638 §3.2. */
const THUMBPRINT_MEMBERS = ['crv', 'e', 'kty', 'n', 'x', 'y'];

function thumbprint(publicKey: KeyObject): string {
  const jwk = publicKey.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify(jwk, THUMBPRINT_MEMBERS)).digest('base64url');
}
