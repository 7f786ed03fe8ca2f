import type { IncomingMessage } from 'node:http'
import { AppError } from '../../kernel/errors.ts'
import type { Look } from './first-looks.ts'

/** Far more than the longest cursor with every filter. */
const mostUrlBytes = 8_000

/** Keys, cookies and tags are far shorter together. */
const mostHeaderBytes = 16_000

/** What Node reads of address and header fields before it gives up, unable to say which of them is too long. */
export const mostHeadBytes = 64 * 1024

/** Answers 414 to an address, and 431 to header fields, that are longer than anything of ours. */
export const refuseLongHeads: Look = ({ raw }) => {
  if (isUrlTooLong(raw)) throw urlTooLong()
  let bytes = 0
  for (const text of raw.rawHeaders) bytes += text.length + 2
  if (bytes > mostHeaderBytes) throw headersTooLarge()
}

/** The router refuses a long part of an address before any hook runs. */
export function isUrlTooLong({ url = '' }: IncomingMessage): boolean {
  return url.length > mostUrlBytes
}

export function urlTooLong(): AppError {
  return new AppError('URI_TOO_LONG', { limit: mostUrlBytes })
}

function headersTooLarge(): AppError {
  return new AppError('HEADERS_TOO_LARGE', { limit: mostHeaderBytes })
}
