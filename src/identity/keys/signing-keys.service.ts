import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import type { Repository } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { AesGcmCipher } from '../../platform/crypto/aes-gcm-cipher.js';
import { lock } from '../../platform/database/advisory-locks.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { DatabasePollService, POLL_INTERVAL_MS } from '../../platform/scheduling/database-poll.service.js';
import type { Jwk } from './jwk-set.dto.js';
import { SIGNING_ALGORITHMS, type SigningAlgorithm, SigningKey } from './signing-key.entity.js';
import { promisify } from 'node:util';

/** A parsed key. It is parsed once, because parsing a PEM costs more than a signature. */
export interface LoadedSigningKey {
  kid: string;
  algorithm: SigningAlgorithm;
  publicKey: KeyObject;
  privateKey: KeyObject;
  /** The public key as published (RFC 7517 §4). */
  jwk: Jwk;
  createdAt: Date;
  /**
   * When this process first read it, in milliseconds since 1970; for a key that it read at its
   * start, the creation.
   */
  firstSeenAtMs: number;
}

/**
 * Milliseconds after which every process knows a key that this process knows: two of their reads.
 */
const PROCESS_PROPAGATION_MS = 2 * POLL_INTERVAL_MS;

/**
 * Milliseconds after which apps know a key: twice the time for which they and proxies may cache the
 * key set.
 */
export const CLIENT_PROPAGATION_MS = 600_000;

/**
 * The keys that sign tokens. The database stores them for all processes; the first start generates
 * them. Each process looks for new keys every second. A new key signs only after all verifiers had
 * the time to read it.
 */
@Injectable()
export class SigningKeysService implements OnModuleInit {
  private readonly cipher: AesGcmCipher;
  /** By `kid`, the newest first. */
  private keys = new Map<string, LoadedSigningKey>();
  private loading: Promise<void> | undefined;
  private loadedAtMs: number | undefined;
  private longestLifetimeSeconds = 0;

  constructor(
    @InjectRepository(SigningKey) private readonly repository: Repository<SigningKey>,
    private readonly transactions: TransactionService,
    private readonly databasePoll: DatabasePollService,
    settings: Settings,
  ) {
    this.cipher = new AesGcmCipher(settings.MASTER_SECRET, 'signing-keys');
  }

  async onModuleInit(): Promise<void> {
    await this.load();
    await this.createMissingKeys();
    this.databasePoll.register<{ kid: string }>({
      name: 'signing_keys',
      columns: ['kid'],
      from: 'signing_keys',
      receive: (rows) => this.loadIfChanged(rows.map(({ kid }) => kid)),
    });
  }

  /**
   * Registers the lifetime of tokens that these keys sign: a key stays until its last token has
   * expired.
   */
  registerTokenLifetime(seconds: number): void {
    this.longestLifetimeSeconds = Math.max(this.longestLifetimeSeconds, seconds);
  }

  /** The longest registered lifetime. */
  get longestTokenLifetimeSeconds(): number {
    return this.longestLifetimeSeconds;
  }

  /**
   * The key that signs now: the newest of its algorithm that all verifiers know, or else the
   * oldest.
   * @param propagationMs milliseconds until all verifiers know a key
   */
  getSigningKey(algorithm: SigningAlgorithm, propagationMs = PROCESS_PROPAGATION_MS): LoadedSigningKey {
    const keys = this.list().filter((key) => key.algorithm === algorithm);
    const key = keys.find(({ firstSeenAtMs }) => Date.now() - firstSeenAtMs >= propagationMs) ?? keys.at(-1);
    if (!key) throw new Error(`There is no ${algorithm} signing key.`);
    return key;
  }

  /** Whether this process knows a key. */
  has(kid: string): boolean {
    return this.keys.has(kid);
  }

  /**
   * Returns a key by its `kid`. An unknown key is read from the database, at most once a second.
   */
  async find(kid: string): Promise<LoadedSigningKey | undefined> {
    const known = this.keys.get(kid);
    if (known || Date.now() - (this.loadedAtMs ?? 0) < POLL_INTERVAL_MS) return known;
    await this.load();
    return this.keys.get(kid);
  }

  /** Returns all keys, the newest first. */
  list(): LoadedSigningKey[] {
    return [...this.keys.values()];
  }

  /** Loads the keys if others are stored, after a read that is in progress and may lack them. */
  private async loadIfChanged(kids: string[]): Promise<void> {
    if (kids.length === this.keys.size && kids.every((kid) => this.has(kid))) return;
    await this.loading?.catch(() => undefined);
    await this.load();
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
        'MASTER_SECRET does not decrypt the signing keys in this database. Set it to the secret that encrypted them.',
      );
    }
    const { kid, algorithm } = row;
    const publicKey = createPublicKey(row.publicKey);
    return {
      kid,
      algorithm,
      publicKey,
      privateKey: createPrivateKey(privateKey),
      jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: algorithm, use: 'sig' } as Jwk,
      createdAt: row.createdAt,
      firstSeenAtMs: this.loadedAtMs === undefined ? row.createdAt.getTime() : Date.now(),
    };
  }

  private async createMissingKeys(): Promise<void> {
    const missing = SIGNING_ALGORITHMS.filter((algorithm) => !this.list().some((k) => k.algorithm === algorithm));
    if (missing.length === 0) return;
    const generated = await Promise.all(missing.map((algorithm) => generateSigningKey(algorithm, this.cipher)));
    await this.transactions.run(async (tx) => {
      await lock(tx, 'signingKeys');
      for (const key of generated) {
        if (!(await tx.existsBy(SigningKey, { algorithm: key.algorithm }))) await tx.insert(SigningKey, key);
      }
    });
    await this.load();
  }
}

/** Generates a key pair to be stored. The cipher encrypts its private key. */
export async function generateSigningKey(algorithm: SigningAlgorithm, cipher: AesGcmCipher): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPairFor(algorithm);
  return {
    kid: computeThumbprint(publicKey),
    algorithm,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    encryptedPrivateKey: cipher.encrypt(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    createdAt: new Date(),
  };
}

function generateKeyPairFor(algorithm: SigningAlgorithm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  const generate = promisify(generateKeyPair);
  return algorithm === 'ES256' ? generate('ec', { namedCurve: 'P-256' }) : generate('rsa', { modulusLength: 2048 });
}

/** The members of the thumbprint input, in the order of RFC 7638 §3.2. */
const THUMBPRINT_MEMBERS = ['crv', 'e', 'kty', 'n', 'x', 'y'];

function computeThumbprint(publicKey: KeyObject): string {
  const jwk = publicKey.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify(jwk, THUMBPRINT_MEMBERS)).digest('base64url');
}
