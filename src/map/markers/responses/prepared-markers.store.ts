import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { buildRecordsetSql, query } from '../../../platform/database/query.js';
import { RenderedJson } from '../../../platform/http/rendered-json.js';
import { type MarkerResponse, toMarkerResponse } from '../marker.dto.js';
import type { Marker, MarkerKind } from '../marker.entity.js';
import { MarkerRelationsStore } from '../marker-relations.store.js';

/**
 * Format of the prepared responses. Increase it when `toMarkerResponse` changes: then the service
 * ignores the responses of older formats, and prepares them again.
 */
export const RESPONSE_FORMAT = 2;

/** Number of markers that are prepared together. */
const BATCH_SIZE = 200;

/** The response of a marker as JSON text. */
export type MarkerText = RenderedJson<MarkerResponse>;

/** A prepared response. */
interface PreparedRow {
  row_number: number;
  version: number;
  body: string | null;
}

/**
 * The responses of markers as JSON text, prepared in the transaction that writes the marker, so
 * that reads need neither entities nor relations. Triggers of the database make a response invalid
 * when a row changes that it shows. A marker without a valid response is mapped when it is read.
 */
@Injectable()
export class PreparedMarkersStore {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly relations: MarkerRelationsStore,
  ) {}

  /** Prepares the responses of markers from the current rows of the transaction. */
  async prepare(tx: EntityManager, ids: string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += BATCH_SIZE)
      await this.prepareBatch(tx, ids.slice(start, start + BATCH_SIZE));
  }

  /**
   * Prepares the next responses that are not valid.
   * @returns their number; 0 at the end
   */
  async prepareNext(tx: EntityManager): Promise<number> {
    const lock = tx.connection.options.type === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '';
    const sql = `SELECT s.marker_id FROM (SELECT row_number FROM marker_responses WHERE format < ${RESPONSE_FORMAT}
      ORDER BY format, row_number LIMIT ${BATCH_SIZE} ${lock}) r JOIN marker_search s ON s.row_number = r.row_number`;
    const rows = await query<{ marker_id: string }>(tx, sql);
    await this.prepare(
      tx,
      rows.map(({ marker_id }) => marker_id),
    );
    return rows.length;
  }

  /** Returns the number of responses that are not valid. */
  async countInvalid(): Promise<number> {
    const sql = `SELECT count(*) AS total FROM marker_responses WHERE format < ${RESPONSE_FORMAT}`;
    const [row] = await query<{ total: number | string }>(this.manager, sql);
    return Number(row!.total);
  }

  /** Returns the live markers among search hits, by row number. */
  async findByRowNumber(hits: { id: string; rowNumber: number }[]): Promise<Map<number, MarkerText>> {
    const rows = await query<PreparedRow>(this.manager, this.selectByRowNumberSql, {
      rowNumbers: this.toListParameter(hits),
    });
    const texts = new Map<number, MarkerText>();
    for (const { row_number, body } of rows) if (body !== null) texts.set(row_number, new RenderedJson([body]));
    if (texts.size === hits.length) return texts;
    const missing = hits.filter(({ rowNumber }) => !texts.has(rowNumber));
    const mapped = await this.mapLive(missing.map(({ id }) => id));
    for (const { id, rowNumber } of missing) if (mapped.has(id)) texts.set(rowNumber, mapped.get(id)!);
    return texts;
  }

  /** Returns the live markers among ids, by id. */
  async findByIds(ids: string[]): Promise<Map<string, MarkerText>> {
    if (ids.length === 0) return new Map();
    // Without `+`, SQLite can read all rows of the format by their index.
    const sql = `SELECT s.marker_id, r.body FROM marker_search s JOIN marker_responses r ON r.row_number = s.row_number
      WHERE s.marker_id IN (:...ids) AND +r.format = ${RESPONSE_FORMAT} AND r.body IS NOT NULL`;
    const rows = await query<{ marker_id: string; body: string }>(this.manager, sql, { ids });
    const texts = new Map(
      rows.map(({ marker_id, body }): [string, MarkerText] => [marker_id, new RenderedJson([body])]),
    );
    const missing = ids.filter((id) => !texts.has(id));
    return new Map([...texts, ...(await this.mapLive(missing))]);
  }

  /** Returns the number of live markers. */
  async countLive(): Promise<number> {
    const sql = 'SELECT count(*) AS total FROM marker_search WHERE live';
    const [row] = await query<{ total: number | string }>(this.manager, sql);
    return Number(row!.total);
  }

  /**
   * Returns the responses of live markers after a row number, in the order of their row numbers.
   * @returns `last` is the row number at which the page ends; undefined on the last page
   */
  async findPage(
    after: number,
    limit: number,
    kind?: MarkerKind,
  ): Promise<{ markers: MarkerResponse[]; last: number | undefined }> {
    const sql = `SELECT s.row_number, s.marker_id, CASE WHEN r.format = ${RESPONSE_FORMAT} THEN r.body END AS body
      FROM marker_search s LEFT JOIN marker_responses r ON r.row_number = s.row_number
      WHERE s.row_number > :after AND s.live ${kind === undefined ? '' : 'AND s.kind = :kind'}
      ORDER BY s.row_number LIMIT :limit`;
    const rows = await query<PreparedRow & { marker_id: string }>(this.manager, sql, { after, limit, kind });
    const mapped = await this.mapLive(rows.filter(({ body }) => body === null).map(({ marker_id }) => marker_id));
    const texts = rows.flatMap(({ marker_id, body }) => body ?? mapped.get(marker_id)?.text ?? []);
    const last = rows.length < limit ? undefined : rows.at(-1)!.row_number;
    return { markers: texts.map((text) => JSON.parse(text) as MarkerResponse), last };
  }

  /** Returns the prepared response of a live marker, if it is valid. */
  async findPrepared(id: string): Promise<MarkerText | undefined> {
    // As a join, SQLite would plan the statement again for each id (SQLITE_ENABLE_STAT4).
    const sql = `SELECT version, body FROM marker_responses
      WHERE row_number = (SELECT row_number FROM marker_search WHERE marker_id = :id) AND +format = ${RESPONSE_FORMAT}`;
    const [row] = await query<PreparedRow>(this.manager, sql, { id });
    return row && row.body !== null ? new RenderedJson([row.body], { id, version: row.version }) : undefined;
  }

  private async mapLive(ids: string[]): Promise<Map<string, MarkerText>> {
    const live = [...(await this.relations.findWithRelations(ids)).values()].filter(({ deletedAt }) => !deletedAt);
    return new Map(live.map((marker) => [marker.id, new RenderedJson([serializeMarker(marker)])]));
  }

  private async prepareBatch(tx: EntityManager, ids: string[]): Promise<void> {
    const markers = await this.relations.findWithRelations(ids, tx);
    const prepared = [...markers.values()].map((marker) => ({
      marker_id: marker.id,
      version: marker.version,
      body: marker.deletedAt ? null : serializeMarker(marker),
    }));
    const sql = `INSERT INTO marker_responses (row_number, format, version, body)
      SELECT s.row_number, ${RESPONSE_FORMAT}, CAST(input.version AS integer), input.body
      FROM ${buildRecordsetSql(tx, 'marker_id', 'version', 'body')}
      CROSS JOIN marker_search s WHERE s.marker_id = input.marker_id ORDER BY s.row_number
      ON CONFLICT (row_number) DO UPDATE SET format = excluded.format, version = excluded.version, body = excluded.body`;
    await query(tx, sql, { input: JSON.stringify(prepared) });
  }

  /** One statement for any number of hits, so that the database prepares it once. */
  private get selectByRowNumberSql(): string {
    return this.isPostgres
      ? `SELECT row_number, body FROM marker_responses WHERE row_number = ANY(CAST(:rowNumbers AS integer[])) AND format = ${RESPONSE_FORMAT}`
      : `SELECT r.row_number, r.body FROM json_each(:rowNumbers) d CROSS JOIN marker_responses r
           WHERE r.row_number = d.value AND r.format = ${RESPONSE_FORMAT}`;
  }

  private toListParameter(hits: { rowNumber: number }[]): string {
    const list = hits.map(({ rowNumber }) => rowNumber).join(',');
    return this.isPostgres ? `{${list}}` : `[${list}]`;
  }

  private get isPostgres(): boolean {
    return this.manager.connection.options.type === 'postgres';
  }
}

function serializeMarker(marker: Marker): string {
  return JSON.stringify(toMarkerResponse(marker));
}
