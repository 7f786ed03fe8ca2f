/** A spool at a gate. */
export interface GateSpool {
  type: string
  /** Six hexadecimal digits. */
  color: string
}

/** A filament changer that Happy Hare drives: its object `mmu`, and the one command that maps tools to gates. */
export class HappyHareChanger {
  readonly #gates: readonly (GateSpool | null)[]
  #toolGates: number[]
  #isDeaf = false

  constructor(gates: readonly (GateSpool | null)[]) {
    this.#gates = gates
    this.#toolGates = gates.map((_, gate) => gate)
  }

  /** The gate of each tool. */
  get toolGates(): readonly number[] {
    return this.#toolGates
  }

  /** Answers maps with ok and keeps the one that it has, as while something else moves filament. */
  ignoreMaps(): void {
    this.#isDeaf = true
  }

  /** What Klipper tells of it. */
  get object(): Record<string, unknown> {
    return {
      gate: -1,
      gate_status: this.#gates.map((spool) => (spool ? 1 : 0)),
      gate_material: this.#gates.map((spool) => spool?.type ?? ''),
      gate_color: this.#gates.map((spool) => spool?.color ?? ''),
      ttg_map: this.#toolGates,
    }
  }

  /** True when the line was its own. */
  run(line: string): boolean {
    const [, map] = /^MMU_TTG_MAP MAP="([\d,]+)" QUIET=1$/.exec(line.trim()) ?? []
    if (map === undefined) return false
    if (!this.#isDeaf) this.#toolGates = map.split(',').map(Number)
    return true
  }
}
