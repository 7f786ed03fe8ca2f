import type { PrintPlan } from '../virtual-printer.ts'

/** A file on the USB drive, under the two names that it has there. */
interface DriveFile {
  longName: string
  /** Eight letters, a dot and three, as the drive keeps it. */
  shortName: string
  plan: PrintPlan
  sizeBytes: number
  /** Seconds since 1970. */
  storedAt: number
  /** Empty for files that are too large to be worth keeping. */
  content: Buffer
}

/** The files that were sent to a printer; it finds them under either name. */
export interface Drive {
  files(): DriveFile[]
  find(name: string): DriveFile | undefined
  put(longName: string, content: Buffer, plan: PrintPlan): DriveFile
  remove(file: DriveFile): void
  /** The short name of a file that lies on the drive or was started from another stick. */
  shortNameOf(longName: string): string
}

const KEPT_BYTES = 1024 * 1024

export function createDrive(): Drive {
  const files = new Map<string, DriveFile>()
  const shortNames = new Map<string, string>()

  const shortNameOf = (longName: string): string => {
    const known = shortNames.get(longName)
    if (known !== undefined) return known
    const taken = new Set(shortNames.values())
    const stem = longName
      .replace(/\.[^.]*$/, '')
      .replace(/[^A-Za-z0-9]/g, '')
      .slice(0, 6)
      .toUpperCase()
    const extension = /\.bgcode$/i.test(longName) ? 'BGC' : 'GCO'
    let number = 1
    while (taken.has(`${stem}~${number}.${extension}`)) number += 1
    const shortName = `${stem}~${number}.${extension}`
    shortNames.set(longName, shortName)
    return shortName
  }

  return {
    files: () => [...files.values()],
    find: (name) => files.get(name) ?? [...files.values()].find(({ shortName }) => shortName === name),
    put(longName, content, plan) {
      const kept = content.length <= KEPT_BYTES ? content : Buffer.alloc(0)
      const storedAt = Math.floor(Date.now() / 1_000)
      const shortName = shortNameOf(longName)
      const file = { longName, shortName, plan, sizeBytes: content.length, storedAt, content: kept }
      files.set(longName, file)
      return file
    },
    remove: ({ longName }) => void files.delete(longName),
    shortNameOf,
  }
}

/** A file as the v1 calls describe it. */
export function describeFile({ longName, shortName, sizeBytes, storedAt }: DriveFile): object {
  return {
    name: shortName,
    display_name: longName,
    path: '/usb',
    type: 'PRINT_FILE',
    read_only: false,
    size: sizeBytes,
    m_timestamp: storedAt,
    refs: refsOf(shortName),
  }
}

/** The drive as the v1 calls list it. */
export function describeFolder(files: readonly DriveFile[]): object {
  const children = files.map((file) => ({ ...describeFile(file), path: undefined, size: undefined }))
  return { name: 'usb', type: 'FOLDER', read_only: false, children }
}

/** The drive as `GET /api/files` lists it, the older call. */
export function describeOlder(files: readonly DriveFile[]): object {
  const children = files.map(({ longName, shortName }) => ({
    name: shortName,
    display: longName,
    path: `/usb/${shortName}`,
    origin: 'usb',
    refs: {
      resource: `/api/files/usb/${shortName}`,
      thumbnailSmall: `/thumb/s/usb/${shortName}`,
      thumbnailBig: `/thumb/l/usb/${shortName}`,
      download: `/usb/${shortName}`,
    },
  }))
  return { files: [{ name: 'USB', path: '/usb', display: 'USB', type: 'folder', origin: 'usb', children }] }
}

/** Answers where the pictures and the content of a file are. */
export function refsOf(shortName: string): object {
  return {
    icon: `/thumb/s/usb/${shortName}`,
    thumbnail: `/thumb/l/usb/${shortName}`,
    download: `/usb/${shortName}`,
  }
}
