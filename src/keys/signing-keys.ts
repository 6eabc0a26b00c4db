import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { Repository } from 'typeorm';
import { Settings } from '../config/settings.js';
import { SealedBox } from '../crypto/sealed-box.js';
import { Transactions } from '../database/transactions.js';
import { newSigningKey } from './new-signing-key.js';
import { SIGNING_ALGORITHMS, type SigningAlgorithm, SigningKey } from './signing-key.entity.js';

/** A key that is ready to use: parsed once, since parsing a PEM costs ten times a signature. */
export interface ReadyKey {
  kid: string;
  algorithm: SigningAlgorithm;
  publicKey: KeyObject;
  privateKey: KeyObject;
  /** The public half as others read it (RFC 7517 §4). */
  jwk: JsonWebKey;
  createdAt: Date;
  /** Since when this process knows it, in milliseconds; of those that it found at its start, since they were made. */
  knownSince: number;
}

/** Milliseconds between two looks into the database. */
const RELOAD_INTERVAL = 1_000;

/** Milliseconds after which what this process knows is known to every other one: two of their looks. */
const KNOWN_TO_US = 2 * RELOAD_INTERVAL;

/** Milliseconds after which apps know it as well: twice as long as they, and what is between, may keep the key set. */
export const KNOWN_TO_APPS = 600_000;

/**
 * The keys that sign tokens. They live in the database, so that all processes share them, and are made at the first
 * start. Each process looks for new ones every second, and signs with one when all who verify have had the time to see it.
 */
@Injectable()
export class SigningKeys implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(SigningKeys.name);
  private readonly box: SealedBox;
  /** By their ids, the newest first. */
  private keys = new Map<string, ReadyKey>();
  private loading: Promise<void> | undefined;
  private loadedAt: number | undefined;
  private reloading: NodeJS.Timeout | undefined;
  private reloadFailed = false;

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
    this.reloading = setInterval(() => void this.reload(), RELOAD_INTERVAL).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.reloading);
  }

  /**
   * The key that signs now: the newest of its algorithm that all who verify know. Where they may know none of them yet, the one
   * they have had longest to see.
   * @param known milliseconds that it takes until they do
   */
  current(algorithm: SigningAlgorithm, known = KNOWN_TO_US): ReadyKey {
    const keys = this.list().filter((key) => key.algorithm === algorithm);
    const key = keys.find(({ knownSince }) => Date.now() - knownSince >= known) ?? keys.at(-1);
    if (!key) throw new Error(`There is no ${algorithm} signing key.`);
    return key;
  }

  /** Whether there is a key of this id, as far as this process knows. */
  has(kid: string): boolean {
    return this.keys.has(kid);
  }

  /** The key of this id, looked for in the database where it is not known here. */
  async find(kid: string): Promise<ReadyKey | undefined> {
    const known = this.keys.get(kid);
    if (known || Date.now() - (this.loadedAt ?? 0) < RELOAD_INTERVAL) return known;
    await this.load();
    return this.keys.get(kid);
  }

  /** Every key, the newest first. */
  list(): ReadyKey[] {
    return [...this.keys.values()];
  }

  /** Nobody waits for this, and where it fails, as it does while the database is away, the keys known so far remain. */
  private async reload(): Promise<void> {
    try {
      await this.load();
      this.reloadFailed = false;
    } catch (error) {
      if (!this.reloadFailed) this.logger.warn(`Cannot look for new signing keys: ${(error as Error).message}`);
      this.reloadFailed = true;
    }
  }

  private load(): Promise<void> {
    this.loading ??= this.read().finally(() => (this.loading = undefined));
    return this.loading;
  }

  private async read(): Promise<void> {
    const rows = await this.repository.find({ order: { createdAt: 'DESC', kid: 'ASC' } });
    this.keys = new Map(rows.map((row) => [row.kid, this.keys.get(row.kid) ?? this.ready(row)]));
    this.loadedAt = Date.now();
  }

  private ready(row: SigningKey): ReadyKey {
    const privateKey = this.box.open(row.sealedPrivateKey);
    if (privateKey === undefined) {
      throw new Error(
        'MASTER_SECRET does not open the signing keys in this database. Start with the secret that they are sealed under.',
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
      knownSince: this.loadedAt === undefined ? row.createdAt.getTime() : Date.now(),
    };
  }

  private async makeMissing(): Promise<void> {
    const missing = SIGNING_ALGORITHMS.filter((algorithm) => !this.list().some((k) => k.algorithm === algorithm));
    if (missing.length === 0) return;
    const made = await Promise.all(missing.map((algorithm) => newSigningKey(algorithm, this.box)));
    await this.transactions.runAlone(async (tx) => {
      for (const key of made) {
        if (!(await tx.existsBy(SigningKey, { algorithm: key.algorithm }))) await tx.insert(SigningKey, key);
      }
    });
    await this.load();
  }
}
