/** Deeper than any tag nests. */
const deepest = 8

const break_ = Symbol('break')

/**
 * One data item of CBOR (RFC 8949) with where it ends. Maps have the names that their keys are written with; texts, bytes, numbers, lists
 * and maps are read, tags are passed over.
 *
 * @throws RangeError for bytes that are none, or that end too early
 */
export function readCbor(bytes: Buffer, at = 0): { value: unknown; end: number } {
  const reader = new CborReader(bytes, at)
  const value = reader.item(0)
  if (value === break_) throw new RangeError('CBOR begins with an end')
  return { value, end: reader.at }
}

class CborReader {
  readonly #bytes: Buffer
  at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  item(depth: number): unknown {
    if (depth > deepest) throw new RangeError('CBOR is nested too deeply')
    const first = this.#take(1).readUInt8()
    const [major, info] = [first >> 5, first & 31]
    if (major === 7) return this.#simple(info)
    const length = info === 31 && major >= 2 && major <= 5 ? undefined : this.#number(info)
    switch (major) {
      case 0:
        return length
      case 1:
        return -1 - (length ?? 0)
      case 2:
        return Buffer.concat(this.#chunks(length, depth))
      case 3:
        return Buffer.concat(this.#chunks(length, depth)).toString('utf8')
      case 4:
        return [...this.#items(length, depth)]
      case 5:
        return this.#map(length, depth)
      default:
        return this.item(depth + 1)
    }
  }

  #map(length: number | undefined, depth: number): Map<unknown, unknown> {
    const map = new Map<unknown, unknown>()
    let key: { value: unknown } | undefined
    for (const value of this.#items(length === undefined ? undefined : length * 2, depth)) {
      if (key === undefined) key = { value }
      else {
        map.set(key.value, value)
        key = undefined
      }
    }
    if (key !== undefined) throw new RangeError('a map of CBOR ends with a key')
    return map
  }

  *#items(length: number | undefined, depth: number): Generator<unknown> {
    for (let n = 0; length === undefined || n < length; n += 1) {
      const value = this.item(depth + 1)
      if (value === break_) {
        if (length === undefined) return
        throw new RangeError('CBOR ends too early')
      }
      yield value
    }
  }

  #chunks(length: number | undefined, depth: number): Buffer[] {
    if (length !== undefined) return [this.#take(length)]
    return [...this.#items(undefined, depth)].map((chunk) => {
      if (Buffer.isBuffer(chunk)) return chunk
      if (typeof chunk === 'string') return Buffer.from(chunk)
      throw new RangeError('a part of a text of CBOR is none')
    })
  }

  #simple(info: number): unknown {
    if (info === 20 || info === 21) return info === 21
    if (info === 22 || info === 23) return null
    if (info === 25) return halfOf(this.#take(2).readUInt16BE())
    if (info === 26) return this.#take(4).readFloatBE()
    if (info === 27) return this.#take(8).readDoubleBE()
    if (info === 31) return break_
    throw new RangeError(`CBOR has no simple value ${info}`)
  }

  #number(info: number): number {
    if (info < 24) return info
    if (info === 24) return this.#take(1).readUInt8()
    if (info === 25) return this.#take(2).readUInt16BE()
    if (info === 26) return this.#take(4).readUInt32BE()
    if (info === 27) return Number(this.#take(8).readBigUInt64BE())
    throw new RangeError(`CBOR has no length ${info}`)
  }

  #take(length: number): Buffer {
    const end = this.at + length
    if (end > this.#bytes.length) throw new RangeError('CBOR ends too early')
    const part = this.#bytes.subarray(this.at, end)
    this.at = end
    return part
  }
}

/** A number of half precision, as RFC 8949 reads it in its appendix D. */
function halfOf(bits: number): number {
  const exponent = (bits >> 10) & 31
  const mantissa = bits & 1023
  const size =
    exponent === 0
      ? mantissa * 2 ** -24
      : exponent === 31
        ? mantissa === 0
          ? Number.POSITIVE_INFINITY
          : Number.NaN
        : (mantissa + 1024) * 2 ** (exponent - 25)
  return bits & 0x8000 ? -size : size
}
