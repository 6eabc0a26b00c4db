import type { TargetType } from '../../src/map/edits/edit.entity.js';
import { TargetLockError, TargetLocksService } from '../../src/map/edits/target-locks.service.js';
import { SeededRandom } from './seeded-random.js';
import type { ResponseBody, TestResponse, TestServer } from './test-server.js';

/** Ids that all editors choose from. */
export interface SharedIds {
  markers: string[];
  artists: string[];
  edits: string[];
  acceptedEdits: string[];
}

/** Errors that an editor can cause: another editor was faster, or the person is not allowed to. */
const EXPECTED_STATUSES = [200, 201, 204, 403, 404, 409, 410, 422];

/** A person that performs random operations on the map and on collections of its own. */
export class RandomEditor {
  /** The number of responses by operation and status. */
  readonly results = new Map<string, number>();
  private readonly random: SeededRandom;
  private readonly collections: string[] = [];
  private readonly ownEdits: string[] = [];
  private readonly operations: [weight: number, operation: string, perform: () => Promise<TestResponse | undefined>][] =
    [
      [20, 'suggest an update', () => this.suggestUpdate()],
      [6, 'suggest a creation', () => this.suggestCreation()],
      [6, 'suggest a deletion', () => this.suggestDeletion()],
      [8, 'suggest a change of an artist', () => this.suggestArtistChange()],
      [4, 'supersede', () => this.supersede()],
      [24, 'accept', () => this.decide('accept')],
      [4, 'reject', () => this.decide('reject')],
      [20, 'revert', () => this.decide('revert')],
      [4, 'withdraw', () => this.decide('withdraw')],
      [12, 'change a collection', () => this.changeCollection()],
      [2, 'lock', () => this.lock()],
    ];

  constructor(
    private readonly server: TestServer,
    private readonly token: string,
    private readonly ids: SharedIds,
    seed: number,
  ) {
    this.random = new SeededRandom(seed);
  }

  /** Performs one operation. @throws Error if the response has an unexpected status */
  async performOne(): Promise<void> {
    const total = this.operations.reduce((sum, [weight]) => sum + weight, 0);
    let rest = this.random.next() * total;
    const [, operation, perform] = this.operations.find(([weight]) => (rest -= weight) < 0)!;
    const response = await perform();
    if (response && !EXPECTED_STATUSES.includes(response.status)) {
      throw new Error(`${operation}: ${response.status} ${JSON.stringify(response.body)}`);
    }
    const result = `${operation} ${response?.status ?? 'skipped'}`;
    this.results.set(result, (this.results.get(result) ?? 0) + 1);
  }

  private get(path: string): Promise<TestResponse> {
    return this.server.request('GET', `/api${path}`, { token: this.token });
  }

  private post(path: string, body: unknown): Promise<TestResponse> {
    return this.server.request('POST', `/api${path}`, { token: this.token, body });
  }

  private async suggest(body: object): Promise<TestResponse> {
    const response = await this.post('/edits', body);
    if (response.status !== 201) return response;
    this.ids.edits.push(response.body.id as string);
    this.ownEdits.push(response.body.id as string);
    return response;
  }

  private async suggestUpdate(): Promise<TestResponse | undefined> {
    const { status, body } = await this.get(`/markers/${this.random.pickOne(this.ids.markers)}`);
    if (status !== 200) return undefined;
    return this.suggest({ ...toTarget('artwork', body), type: 'update', changes: this.createArtworkChanges() });
  }

  private suggestCreation(): Promise<TestResponse> {
    if (this.random.randomBoolean(0.2)) {
      return this.suggest({ type: 'create', targetType: 'artist', changes: { name: this.createName() } });
    }
    const changes = { ...this.createArtworkChanges(), title: this.createName(), location: this.createLocation() };
    return this.suggest({ type: 'create', targetType: 'artwork', changes });
  }

  private async suggestDeletion(): Promise<TestResponse | undefined> {
    const isArtist = this.random.randomBoolean(0.2);
    const path = isArtist ? `/artists/${this.pickArtist()}` : `/markers/${this.random.pickOne(this.ids.markers)}`;
    const { status, body } = await this.get(path);
    if (status !== 200) return undefined;
    return this.suggest({ ...toTarget(isArtist ? 'artist' : 'artwork', body), type: 'delete' });
  }

  private async suggestArtistChange(): Promise<TestResponse | undefined> {
    const { status, body } = await this.get(`/artists/${this.pickArtist()}`);
    if (status !== 200) return undefined;
    const changes = this.random.pickOne([
      { name: this.createName() },
      { aliases: [this.createName()] },
      { bio: this.createName() },
      { name: this.createName(), aliases: null },
    ]);
    return this.suggest({ ...toTarget('artist', body), type: 'update', changes });
  }

  private async supersede(): Promise<TestResponse | undefined> {
    const { body } = await this.get('/edits/mine?status=open&limit=5&type=update&targetType=artwork');
    const edits = body.data as ResponseBody[];
    if (edits.length === 0) return undefined;
    const edit = this.random.pickOne(edits);
    const { status, body: marker } = await this.get(`/markers/${edit.targetId}`);
    if (status !== 200) return undefined;
    const changes = this.createArtworkChanges();
    return this.suggest({ ...toTarget('artwork', marker), type: 'update', changes, supersedes: edit.id });
  }

  /** Decides one of the latest edits. The person can withdraw only their own edits. */
  private async decide(action: 'accept' | 'reject' | 'revert' | 'withdraw'): Promise<TestResponse | undefined> {
    const { edits, acceptedEdits } = this.ids;
    const candidates = { accept: edits, reject: edits, revert: acceptedEdits, withdraw: this.ownEdits }[action];
    if (candidates.length === 0) return undefined;
    const id = this.random.pickOne(candidates.slice(-60));
    const response = await this.post(`/edits/${id}/${action}`, action === 'withdraw' ? {} : { comment: 'A reason.' });
    if (response.status !== 200) return response;
    const { target, revertEdit } = response.body;
    if (action === 'accept') acceptedEdits.push(id);
    if (revertEdit) acceptedEdits.push(revertEdit.id as string);
    if (target) this.rememberTarget(target.id as string);
    return response;
  }

  private rememberTarget(id: string): void {
    const list = id.startsWith('mrk_') ? this.ids.markers : this.ids.artists;
    if (!list.includes(id)) list.push(id);
  }

  private async changeCollection(): Promise<TestResponse> {
    if (this.collections.length < 2) {
      const response = await this.post('/collections', { name: this.createName() });
      this.collections.push(response.body.id as string);
      return response;
    }
    const path = `/collections/${this.random.pickOne(this.collections)}`;
    const markerIds = [...new Set([1, 2, 3].map(() => this.random.pickOne(this.ids.markers)))];
    const choice = this.random.next();
    if (choice < 0.5) return this.post(`${path}/items`, { items: markerIds.map((markerId) => ({ markerId })) });
    if (choice < 0.75) return this.post(`${path}/order`, { markerIds });
    const items = `/api${path}/items?markerIds=${markerIds.join()}`;
    return this.server.request('DELETE', items, { token: this.token });
  }

  /** Locks a marker and an artist, as the operator does. */
  private async lock(): Promise<undefined> {
    await this.lockTarget('artwork', this.random.pickOne(this.ids.markers));
    await this.lockTarget('artist', this.pickArtist());
  }

  private async lockTarget(targetType: TargetType, id: string): Promise<void> {
    const locked = this.server.get(TargetLocksService).setLocked(targetType, id, true);
    await locked.catch((error: unknown) => {
      if (!(error instanceof TargetLockError)) throw error; // deleted by another editor
    });
  }

  private createArtworkChanges(): object {
    const changes = [
      { title: this.createName() },
      { year: 1950 + Math.floor(this.random.next() * 70) },
      { description: this.random.randomBoolean(0.3) ? null : this.createName() },
      { tags: [this.createName(), this.createName()] },
      { artistIds: [...new Set([this.pickArtist(), this.pickArtist()])] },
      { status: this.random.pickOne(['present', 'damaged', 'gone']) },
      { location: this.createLocation() },
    ];
    return { ...this.random.pickOne(changes), ...this.random.pickOne(changes) };
  }

  /** Returns a location inside the region of the test or outside of it. */
  private createLocation(): { lat: number; lon: number } {
    const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
    return { lat: round(52 + this.random.next() * 0.3), lon: round(4.8 + this.random.next() * 0.8) };
  }

  private createName(): string {
    return `Name ${Math.floor(this.random.next() * 1e6)}`;
  }

  private pickArtist(): string {
    return this.random.pickOne(this.ids.artists);
  }
}

function toTarget(targetType: string, { id, version }: ResponseBody): object {
  return { targetType, targetId: id as string, baseVersion: version as number };
}
