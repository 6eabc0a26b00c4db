/** Size of the cells at zoom level 0, in bits. Each level halves the cells. */
const CELL_BITS_AT_ZOOM_0 = 30;

/** Limit of cells in a response. */
const MAX_CELLS = 2_000;

/** The sums of the markers of a cell. Coordinates are in degrees × 10⁷. */
export interface CellSums {
  x: number;
  y: number;
  count: number;
  latSum: number;
  lonSum: number;
  /** Sum of the row numbers: the row number of the marker if the cell contains one. */
  rowNumberSum: number;
}

/**
 * Sums up markers by cells, and merges cells to larger ones when there are too many. A cell of n
 * bits is 2ⁿ × 10⁻⁷ degrees wide. Cells of different areas stay separate, so that no cell extends
 * across the 180th meridian.
 */
export class ClusterGrid {
  private cells = new Map<number, CellSums & { area: number }>();

  /** @param bits size of the cells, 10 or more */
  constructor(private bits: number) {}

  /** Creates the grid of a zoom level of a map. */
  static forZoom(zoom: number): ClusterGrid {
    return new ClusterGrid(CELL_BITS_AT_ZOOM_0 - zoom);
  }

  /** Size of the cells in bits. */
  get cellBits(): number {
    return this.bits;
  }

  /** The cells, by location. */
  get sums(): CellSums[] {
    return Array.from(Float64Array.from(this.cells.keys()).sort(), (key) => this.cells.get(key)!);
  }

  /** Makes the cells at least as large as given. */
  growTo(bits: number): void {
    while (this.bits < bits) this.grow();
  }

  /**
   * Adds cells of an area.
   * @param bits size of the added cells, not larger than those of the grid
   */
  add(area: number, bits: number, cells: CellSums[]): void {
    for (const cell of cells) {
      const scale = 2 ** (this.bits - bits);
      this.merge({ ...cell, area, x: Math.floor(cell.x / scale), y: Math.floor(cell.y / scale) });
      while (this.cells.size > MAX_CELLS) this.grow();
    }
  }

  private grow(): void {
    const cells = this.cells.values();
    this.bits++;
    this.cells = new Map();
    for (const cell of cells) this.merge({ ...cell, x: Math.floor(cell.x / 2), y: Math.floor(cell.y / 2) });
  }

  private merge(cell: CellSums & { area: number }): void {
    // With cells of 10 bits, `x` and `y` have fewer than 22 bits.
    const key = (cell.area * 2 ** 22 + cell.y) * 2 ** 22 + cell.x;
    const existing = this.cells.get(key);
    if (!existing) return void this.cells.set(key, cell);
    existing.count += cell.count;
    existing.latSum += cell.latSum;
    existing.lonSum += cell.lonSum;
    existing.rowNumberSum += cell.rowNumberSum;
  }
}
