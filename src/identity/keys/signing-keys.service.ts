import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { Repository } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { AesGcmCipher } from '../../platform/crypto/aes-gcm-cipher.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { generateSigningKey } from './generate-signing-key.js';
import { SIGNING_ALGORITHMS, type SigningAlgorithm, SigningKey } from './signing-key.entity.js';

/** A key that is ready to use: parsed once, since parsing a PEM costs ten times a signature. */
export interface LoadedSigningKey {
  kid: string;
  algorithm: SigningAlgorithm;
  publicKey: KeyObject;
  privateKey: KeyObject;
  /** The public half as others read it (RFC 7517 §4). */
  jwk: JsonWebKey;
  createdAt: Date;
  /** Since when this process knows it, in milliseconds; of those that it found at its start, since they were made. */
  firstSeenAtMs: number;
}

/** Milliseconds between two looks into the database. */
const RELOAD_INTERVAL_MS = 1_000;

/** Milliseconds after which what this process knows is known to every other one: two of their looks. */
const PROCESS_PROPAGATION_MS = 2 * RELOAD_INTERVAL_MS;

/** Milliseconds after which apps know it as well: twice as long as they, and what is between, may keep the key set. */
export const CLIENT_PROPAGATION_MS = 600_000;

/**
 * The keys that sign tokens. They live in the database, so that all processes share them, and are made at the first
 * start. Each process looks for new ones every second, and signs with one when all who verify have had the time to see it.
 */
@Injectable()
export class SigningKeysService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(SigningKeysService.name);
  private readonly cipher: AesGcmCipher;
  /** By their ids, the newest first. */
  private keys = new Map<string, LoadedSigningKey>();
  private loading: Promise<void> | undefined;
  private loadedAtMs: number | undefined;
  private reloadTimer: NodeJS.Timeout | undefined;
  private reloadFailed = false;

  constructor(
    @InjectRepository(SigningKey) private readonly repository: Repository<SigningKey>,
    private readonly transactions: TransactionService,
    settings: Settings,
  ) {
    this.cipher = new AesGcmCipher(settings.MASTER_SECRET, 'signing-keys');
  }

  async onModuleInit(): Promise<void> {
    await this.load();
    await this.createMissingKeys();
    this.reloadTimer = setInterval(() => void this.reload(), RELOAD_INTERVAL_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.reloadTimer);
  }

  /**
   * The key that signs now: the newest of its algorithm that all who verify know. Where they may know none of them yet, the one
   * they have had longest to see.
   * @param known milliseconds that it takes until they do
   */
  getSigningKey(algorithm: SigningAlgorithm, known = PROCESS_PROPAGATION_MS): LoadedSigningKey {
    const keys = this.list().filter((key) => key.algorithm === algorithm);
    const key = keys.find(({ firstSeenAtMs }) => Date.now() - firstSeenAtMs >= known) ?? keys.at(-1);
    if (!key) throw new Error(`There is no ${algorithm} signing key.`);
    return key;
  }

  /** Whether there is a key of this id, as far as this process knows. */
  has(kid: string): boolean {
    return this.keys.has(kid);
  }

  /** The key of this id, looked for in the database where it is not known here. */
  async find(kid: string): Promise<LoadedSigningKey | undefined> {
    const known = this.keys.get(kid);
    if (known || Date.now() - (this.loadedAtMs ?? 0) < RELOAD_INTERVAL_MS) return known;
    await this.load();
    return this.keys.get(kid);
  }

  /** Every key, the newest first. */
  list(): LoadedSigningKey[] {
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
    this.loading ??= this.loadFromDatabase().finally(() => (this.loading = undefined));
    return this.loading;
  }

  private async loadFromDatabase(): Promise<void> {
    const rows = await this.repository.find({ order: { createdAt: 'DESC', kid: 'ASC' } });
    this.keys = new Map(rows.map((row) => [row.kid, this.keys.get(row.kid) ?? this.toLoadedSigningKey(row)]));
    this.loadedAtMs = Date.now();
  }

  private toLoadedSigningKey(row: SigningKey): LoadedSigningKey {
    const privateKey = this.cipher.decrypt(row.encryptedPrivateKey);
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
      firstSeenAtMs: this.loadedAtMs === undefined ? row.createdAt.getTime() : Date.now(),
    };
  }

  private async createMissingKeys(): Promise<void> {
    const missing = SIGNING_ALGORITHMS.filter((algorithm) => !this.list().some((k) => k.algorithm === algorithm));
    if (missing.length === 0) return;
    const made = await Promise.all(missing.map((algorithm) => generateSigningKey(algorithm, this.cipher)));
    await this.transactions.runExclusive(async (tx) => {
      for (const key of made) {
        if (!(await tx.existsBy(SigningKey, { algorithm: key.algorithm }))) await tx.insert(SigningKey, key);
      }
    });
    await this.load();
  }
}
