import { type OpenPrintTag, readOpenPrintTag } from './open-print-tag.ts'

/** Key that tells a spool apart: the number of a chip on it, or its own, which chips hold. */
export const tagKinds = ['uid', 'uuid'] as const
export interface Tag {
  kind: (typeof tagKinds)[number]
  /** Hexadecimal digits, small. */
  value: string
}

/** What was read of a spool. */
interface ReadCode {
  tags: Tag[]
  /** What an OpenPrintTag says of it. */
  spool: OpenPrintTag['spool'] | undefined
}

/** Digits of the numbers of chips: 4 bytes of MIFARE Classic, 7 of stickers, 8 of ISO 15693. */
const uidDigits = [8, 14, 16]

/**
 * Answers what a reader or a printer says of a spool: the number of a chip, in digits with or without separators; the `tag_uid` or `tray_uuid`
 * that a Bambu printer reports; a UUID; or what an OpenPrintTag holds, in hexadecimal digits or base64. Undefined for anything else, and
 * for zeros, which printers report where there is no tag.
 */
export function readCode(code: string): ReadCode | undefined {
  const digits = code.replaceAll(/[\s:.-]/g, '').toLowerCase()
  if (!/^(?:[0-9a-f]{2})+$/.test(digits)) {
    return /^[\w+/-]+={0,2}$/.test(code.trim()) ? readTag(Buffer.from(code.trim(), 'base64')) : undefined
  }
  if (/^0+$/.test(digits)) return undefined
  if (uidDigits.includes(digits.length)) return { tags: [{ kind: 'uid', value: uidOf(digits) }], spool: undefined }
  if (digits.length === 32) return { tags: [{ kind: 'uuid', value: digits }], spool: undefined }
  return readTag(Buffer.from(digits, 'hex'))
}

function readTag(bytes: Buffer): ReadCode | undefined {
  const tag = readOpenPrintTag(bytes)
  if (tag === undefined) return undefined
  const { instanceUuid, spool } = tag
  return { tags: instanceUuid === undefined ? [] : [{ kind: 'uuid', value: instanceUuid }], spool }
}

function uidOf(digits: string): string {
  // A Bambu printer writes the four bytes of the chip and four more.
  if (digits.length === 16 && digits.endsWith('00000100')) return digits.slice(0, 8)
  // Every number of ISO 15693 begins with E0; some readers write it from its end on.
  const isReversed = digits.length === 16 && digits.endsWith('e0') && !digits.startsWith('e0')
  return isReversed ? Buffer.from(digits, 'hex').reverse().toString('hex') : digits
}
