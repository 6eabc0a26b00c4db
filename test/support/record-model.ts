/**
 * A model of the writes of apps and of their undo: each write has effects on parts of collections,
 * an undo takes back effects, and the state is the last effect of each part that remains.
 */
export class RecordModel {
  private readonly writes: ModelWrite[] = [];

  /** Adds a write of an app with the parts that it sets. */
  write(lineId: string, app: number, collectionId: string, parts: Record<string, unknown>): void {
    const effects = Object.entries(parts).map(([part, value]) => ({ part, value, isUndone: false }));
    this.writes.push({ lineId, app, collectionId, effects });
  }

  /** Undoes a line if it can be. @returns whether something was undone */
  undo(lineId: string): boolean {
    const write = this.writes.find((other) => other.lineId === lineId)!;
    const steps = write.effects.every(({ isUndone }) => isUndone) ? undefined : this.plan(write);
    for (const effect of steps ?? []) effect.isUndone = true;
    return steps !== undefined;
  }

  /** Whether all effects of a line were undone; undefined if the model does not have it. */
  isUndone(lineId: string): boolean | undefined {
    const write = this.writes.find((other) => other.lineId === lineId);
    return write && !isInForce(write);
  }

  /** Returns the parts of a collection; undefined if it does not exist. */
  find(collectionId: string): Map<string, unknown> | undefined {
    const state = new Map<string, unknown>();
    for (const { effects } of this.listWrites(collectionId)) {
      for (const { part, value, isUndone } of effects) if (!isUndone) state.set(part, value);
    }
    return state.get('exists') === true ? state : undefined;
  }

  private listWrites(collectionId: string): ModelWrite[] {
    return this.writes.filter((write) => write.collectionId === collectionId);
  }

  /** Returns the effects to take back; undefined if something changed since. */
  private plan(write: ModelWrite): ModelEffect[] | undefined {
    const writes = this.listWrites(write.collectionId);
    const later = writes.slice(writes.indexOf(write) + 1).filter(isInForce);
    const [creates, deletes] = [true, false].map((value) =>
      write.effects.some((e) => e.part === 'exists' && e.value === value),
    );
    if (deletes) return write.effects;
    if (later.some(({ effects }) => effects.some((e) => e.part === 'exists' && e.value === false))) return undefined;
    const foreign = later.filter(({ app }) => app !== write.app);
    const own = later.filter(({ app }) => app === write.app);
    if (creates) return foreign.length > 0 ? undefined : [...write.effects, ...own.flatMap(({ effects }) => effects)];
    const isFree = ({ part }: ModelEffect): boolean => !foreign.some((other) => touches(other, part));
    const inForce = write.effects.filter(({ isUndone }) => !isUndone);
    const rest = inForce.filter((effect) => isFree(effect) || !effect.part.startsWith('item '));
    if (rest.length === 0 || !rest.every(isFree)) return undefined;
    const plans = own.filter((other) => rest.some(({ part }) => touches(other, part))).map((other) => this.plan(other));
    return plans.includes(undefined) ? undefined : [...rest, ...plans.flatMap((effects) => effects!)];
  }
}

interface ModelEffect {
  part: string;
  value: unknown;
  isUndone: boolean;
}

interface ModelWrite {
  lineId: string;
  app: number;
  collectionId: string;
  effects: ModelEffect[];
}

function isInForce({ effects }: ModelWrite): boolean {
  return effects.some(({ isUndone }) => !isUndone);
}

/** Whether an effect of a write on a part is in force. */
function touches({ effects }: ModelWrite, part: string): boolean {
  return effects.some((effect) => effect.part === part && !effect.isUndone);
}
