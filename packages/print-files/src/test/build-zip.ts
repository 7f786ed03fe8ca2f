import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a zip built for tests. The claims replace what the directory would truly say. */
export interface ZipEntryOptions {
  name: string
  bytes: Uint8Array | string
  isStored?: boolean
  claimedBytes?: number
  claimedCrc32?: number
  claimedMethod?: number
}

/** A zip archive, for tests only: writes whatever it is told to, lies and repeated names included. */
export function buildZip(entries: readonly ZipEntryOptions[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name)
    const bytes = Buffer.from(entry.bytes)
    const data = entry.isStored ? bytes : deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x0800, 2)
    common.writeUInt16LE(entry.claimedMethod ?? (entry.isStored ? 0 : 8), 4)
    // 1 January 2026, so that the same input gives the same bytes.
    common.writeUInt16LE(((2026 - 1980) << 9) | (1 << 5) | 1, 8)
    common.writeUInt32LE(entry.claimedCrc32 ?? crc32(bytes), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(entry.claimedBytes ?? bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    parts.push(Buffer.from([0x50, 0x4b, 3, 4]), common, name, data)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), common, tail, name)
    offset += 30 + name.length + data.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}
