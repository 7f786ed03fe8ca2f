/** Data codewords of each block, by version, at level M (ISO/IEC 18004, table 9). */
const blocksOf: Record<number, number[]> = { 1: [16], 2: [28], 3: [44], 4: [32, 32], 5: [43, 43] }
const alphanumeric = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:'
const quietModules = 4

const masks: ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
]

/**
 * The text of a clean QR code of versions 1 to 5 and level M, drawn as one path of an SVG. A reader of its own, so that
 * a code is not judged by the encoder that has made it.
 */
export function readCode(svg: string): string {
  const modules = modulesOf(svg)
  const size = modules.length
  const version = (size - 17) / 4
  const blocks = blocksOf[version]
  if (!blocks) throw new Error(`no QR code of versions 1 to 5: ${size} modules`)
  const at = (row: number, column: number) => modules[row]?.[column] === true
  const format = [0, 1, 2, 3, 4].reduce((bits, column) => bits * 2 + (at(8, column) ? 1 : 0), 0) ^ 0b10101
  if (format >> 3 !== 0) throw new Error('the code is not of level M')
  const mask = masks[format & 7] as (row: number, column: number) => boolean

  const bits: boolean[] = []
  let isUpward = true
  for (let right = size - 1; right > 0; right -= 2) {
    // The timing pattern takes a column of its own.
    if (right === 6) right = 5
    for (let step = 0; step < size; step += 1) {
      const row = isUpward ? size - 1 - step : step
      for (const column of [right, right - 1]) {
        if (!isFunction(size, version, row, column)) bits.push(at(row, column) !== mask(row, column))
      }
    }
    isUpward = !isUpward
  }
  return textOf(bitsOfData(bits, blocks))
}

/** True where no data stands: finders with their formats, timing, and the one alignment pattern of versions 2 to 5. */
function isFunction(size: number, version: number, row: number, column: number): boolean {
  const isFinder = (row < 9 && (column < 9 || column >= size - 8)) || (row >= size - 8 && column < 9)
  const middle = size - 7
  const isAlignment = version > 1 && Math.abs(row - middle) <= 2 && Math.abs(column - middle) <= 2
  return isFinder || isAlignment || row === 6 || column === 6
}

/** Blocks are dealt out codeword by codeword; what corrects errors comes after the data and is not needed. */
function bitsOfData(bits: boolean[], blocks: number[]): string {
  const longest = Math.max(...blocks)
  const dealt: string[][] = blocks.map(() => [])
  let next = 0
  for (let index = 0; index < longest; index += 1) {
    for (const block of dealt) {
      const codeword = bits.slice(next, next + 8).map((bit) => (bit ? '1' : '0'))
      block.push(codeword.join(''))
      next += 8
    }
  }
  return dealt.flat().join('')
}

function textOf(bits: string): string {
  let next = 0
  const take = (length: number) => {
    next += length
    return Number.parseInt(bits.slice(next - length, next), 2)
  }
  const bytes: number[] = []
  const add = (text: string) => bytes.push(...new TextEncoder().encode(text))
  while (bits.length - next >= 4) {
    const mode = take(4)
    if (mode === 0) break
    if (mode === 4) for (let left = take(8); left > 0; left -= 1) bytes.push(take(8))
    else if (mode === 2) {
      for (let left = take(9); left > 0; left -= 2) {
        const value = take(left > 1 ? 11 : 6)
        add(left > 1 ? `${alphanumeric[Math.floor(value / 45)]}${alphanumeric[value % 45]}` : `${alphanumeric[value]}`)
      }
    } else if (mode === 1) {
      for (let left = take(10); left > 0; left -= 3) {
        const digits = Math.min(left, 3)
        add(String(take(digits * 3 + 1)).padStart(digits, '0'))
      }
    } else throw new Error(`a segment of mode ${mode}`)
  }
  return new TextDecoder().decode(new Uint8Array(bytes))
}

/** Which modules the path fills, by the even-odd rule: a module is dark when a ray to its left crosses an odd number of edges. */
function modulesOf(svg: string): boolean[][] {
  const [, left, width] = /viewBox="(-\d+) -\d+ (\d+)/.exec(svg) ?? []
  if (Number(left) !== -quietModules) throw new Error(`no quiet zone of ${quietModules} modules: ${svg.slice(0, 120)}`)
  const size = Number(width) - 2 * quietModules
  const path = /d="([^"]+)"/.exec(svg)?.[1] ?? ''
  const edges = path.split('Z').flatMap((outline) => {
    const points = [...outline.matchAll(/(\d+) (\d+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }))
    return points.map((from, index) => ({ from, to: points[(index + 1) % points.length] ?? from }))
  })
  const upright = edges.filter(({ from, to }) => from.x === to.x)
  const isDark = (row: number, column: number) => {
    const [x, y] = [column + 0.5, row + 0.5]
    const crossed = upright.filter(
      ({ from, to }) => from.x < x && Math.min(from.y, to.y) < y && y < Math.max(from.y, to.y),
    )
    return crossed.length % 2 === 1
  }
  return Array.from({ length: size }, (_, row) => Array.from({ length: size }, (_, column) => isDark(row, column)))
}
