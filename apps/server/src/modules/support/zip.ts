import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

export interface ZipEntry {
  /** A path with slashes, of ASCII. */
  name: string
  text: string
}

const deflate = promisify(deflateRaw)
const deflated = 8
/** 2.0, the first with folders and this compression. */
const neededVersion = 20
/** A regular file that its owner alone may read and write, as Unix says it. */
const ownersOnly = 0o100600 * 0x10000
const madeOnUnix = 0x0300
const utf8Names = 0x0800

/** A zip file of a few texts, as in PKWARE's APPNOTE 6.3: every desktop opens it without another program. */
export async function zipOf(entries: readonly ZipEntry[], at: Date): Promise<Buffer> {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, text } of entries) {
    const content = Buffer.from(text)
    const packed = await deflate(content)
    const path = Buffer.from(name)
    // What the local header and the directory both say.
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(neededVersion, 0)
    shared.writeUInt16LE(utf8Names, 2)
    shared.writeUInt16LE(deflated, 4)
    shared.writeUInt32LE(dosTime(at), 6)
    shared.writeUInt32LE(crc32(content), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(content.length, 18)
    shared.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([signature(0x04034b50), shared, path, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(ownersOnly, 6)
    rest.writeUInt32LE(offset, 10)
    const made = Buffer.alloc(2)
    made.writeUInt16LE(madeOnUnix | neededVersion)
    directory.push(Buffer.concat([signature(0x02014b50), made, shared, rest, path]))
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, listed, signature(0x06054b50), end])
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Time in the lower, date in the upper half, in steps of two seconds; in UTC. */
function dosTime(at: Date): number {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const date = ((Math.max(at.getUTCFullYear(), 1980) - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return ((date << 16) | time) >>> 0
}
