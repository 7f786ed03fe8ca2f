import { hash } from 'node:crypto'

/**
 * Count and digest of the rows of a table in any order: a table that was loaded from a copy holds its rows in other places than
 * the one it was copied from. The digest is the sum of the SHA-256 of each row, in four lanes of 64 bits that wrap.
 */
export class RowDigest {
  rows = 0
  readonly #lanes = new BigUint64Array(4)

  add(row: Buffer): void {
    this.rows += 1
    const digest = hash('sha256', row, 'buffer')
    for (let lane = 0; lane < 4; lane += 1) {
      this.#lanes[lane] = (this.#lanes[lane] ?? 0n) + digest.readBigUInt64BE(lane * 8)
    }
  }

  /** 64 hex digits; the same for the same rows. */
  get hex(): string {
    return Array.from(this.#lanes, (lane) => lane.toString(16).padStart(16, '0')).join('')
  }
}
