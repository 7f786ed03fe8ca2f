/** Tar archives (POSIX ustar) of regular files, as far as an export needs them. */

export const blockBytes = 512

/** Two empty blocks. */
export const endOfArchive = Buffer.alloc(2 * blockBytes)

/** What eleven octal digits hold. */
const mostBytes = 8 ** 11 - 1

interface TarEntry {
  /** At most 100 bytes, with `/` between folders. */
  name: string
  size: number
  mtimeSeconds: number
}

export function headerOf({ name, size, mtimeSeconds }: TarEntry): Buffer {
  if (Buffer.byteLength(name) > 100 || size > mostBytes) {
    throw new RangeError(`${name} does not fit into a tar archive: it takes names of 100 bytes and files of 8 GiB.`)
  }
  const header = Buffer.alloc(blockBytes)
  header.write(name, 0)
  writeOctal(header, 0o600, { at: 100, digits: 7 })
  writeOctal(header, 0, { at: 108, digits: 7 })
  writeOctal(header, 0, { at: 116, digits: 7 })
  writeOctal(header, size, { at: 124, digits: 11 })
  writeOctal(header, mtimeSeconds, { at: 136, digits: 11 })
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  writeOctal(header, checksumOf(header), { at: 148, digits: 6 })
  header.write('\u0000 ', 154)
  return header
}

function writeOctal(header: Buffer, value: number, { at, digits }: { at: number; digits: number }): void {
  header.write(value.toString(8).padStart(digits, '0'), at)
}

/** The sum of all bytes, with spaces in place of the checksum itself. */
function checksumOf(header: Buffer): number {
  let sum = 0
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte
  return sum
}

/** Answers what a header says; undefined for an empty block, which ends the archive. @throws RangeError for what is none */
export function readHeader(header: Buffer): { name: string; size: number; isFile: boolean } | undefined {
  if (header.every((byte) => byte === 0)) return undefined
  if (readOctal(header, 148, 8) !== checksumOf(header)) throw new RangeError('is no tar archive, or is damaged')
  const prefix = readText(header, 345, 155)
  const name = readText(header, 0, 100)
  const type = header.toString('latin1', 156, 157)
  return {
    name: (prefix === '' ? name : `${prefix}/${name}`).replace(/^\.\//, ''),
    size: readOctal(header, 124, 12),
    isFile: type === '0' || type === '\u0000',
  }
}

function readText(header: Buffer, at: number, length: number): string {
  const bytes = header.subarray(at, at + length)
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? length : end)
}

function readOctal(header: Buffer, at: number, length: number): number {
  const text = readText(header, at, length).trim()
  if (!/^[0-7]+$/.test(text)) throw new RangeError('is no tar archive, or is damaged')
  return Number.parseInt(text, 8)
}
