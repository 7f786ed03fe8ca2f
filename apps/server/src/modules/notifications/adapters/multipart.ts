import { randomUUID } from 'node:crypto'
import type { Picture } from '../message/message.ts'

/** A body of fields and one picture, as `multipart/form-data`. */
export function multipart(fields: Record<string, string>, pictureField: string, picture: Picture) {
  const boundary = `printyard-${randomUUID()}`
  const head = (name: string, more: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  const parts = Object.entries(fields).map(([name, value]) => Buffer.from(`${head(name, '')}${value}\r\n`))
  const file = head(pictureField, `; filename="${picture.name}"\r\nContent-Type: ${picture.type}`)
  const body = Buffer.concat([...parts, Buffer.from(file), picture.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body }
}
