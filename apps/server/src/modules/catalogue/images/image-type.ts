import type { ProductImageRow } from '../../../db/rows.generated.ts'

export type ImageType = ProductImageRow['content_type']

/** Answers what kind of image these bytes begin like, whatever name or type they came with; undefined for all else. */
export function readImageType(bytes: Buffer): ImageType | undefined {
  const begins = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text
  if (begins('\xff\xd8\xff')) return 'image/jpeg'
  if (begins('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (begins('RIFF') && begins('WEBP', 8)) return 'image/webp'
  if (begins('GIF87a') || begins('GIF89a')) return 'image/gif'
  return undefined
}
