const KIB = 1024
const MIB = 1024 * KIB
const GIB = 1024 * MIB

/** Limits of what a file may ask of the reader. Sizes are counted while reading, never taken from the file's word. */
export interface Limits {
  /** Entries in an archive's directory. */
  maxEntries: number
  /** Unpacked bytes of one archive entry that is not G-code. */
  maxEntryBytes: number
  /** Unpacked bytes of one G-code entry. It is streamed, never held. */
  maxGcodeBytes: number
  /** Unpacked bytes of everything read from one archive. */
  maxUnpackedBytes: number
  /** Unpacked to packed bytes of an entry; looked at once an entry has given a mebibyte. */
  maxRatio: number
  /** Plates of one archive. */
  maxPlates: number
  /** A longer line is cut here, and reading goes on at the next line. */
  maxLineBytes: number
  maxXmlBytes: number
  maxXmlDepth: number
  /** Elements and attributes of one XML document together. */
  maxXmlParts: number
  maxJsonBytes: number
  /** One metadata block of a `.bgcode`, packed and unpacked. */
  maxMetadataBytes: number
  maxThumbnailBytes: number
  /** Width and height of a thumbnail. */
  maxThumbnailSide: number
  maxThumbnails: number
  /** Entries of a layer index; the layer count goes on. */
  maxLayers: number
  maxObjects: number
}

export const defaultLimits: Readonly<Limits> = Object.freeze({
  maxEntries: 10_000,
  maxEntryBytes: 64 * MIB,
  maxGcodeBytes: 2 * GIB,
  maxUnpackedBytes: 4 * GIB,
  maxRatio: 200,
  maxPlates: 100,
  maxLineBytes: 64 * KIB,
  maxXmlBytes: 8 * MIB,
  maxXmlDepth: 32,
  maxXmlParts: 100_000,
  maxJsonBytes: 16 * MIB,
  maxMetadataBytes: 16 * MIB,
  maxThumbnailBytes: 5 * MIB,
  maxThumbnailSide: 4096,
  maxThumbnails: 16,
  maxLayers: 100_000,
  maxObjects: 5_000,
})

/** The defaults with some of them replaced. */
export function resolveLimits(given: Partial<Limits> | undefined): Limits {
  return { ...defaultLimits, ...given }
}

/** Unpacked bytes below which a high ratio is harmless. */
export const ratioGraceBytes = MIB
