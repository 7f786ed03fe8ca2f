import { hash } from 'node:crypto'

/**
 * The strong tag of an answer: a digest of its bytes, so that it differs whenever they do, whichever rows they come from.
 * 162 bits, as text of visible ASCII in quotes.
 */
export function entityTag(body: string | Buffer): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`
}

/** What `If-Match` or `If-None-Match` lists: tags as they were sent, or anything that is there. */
export type TagList = '*' | string[]

/** One member of the list (RFC 9110, 8.8.3 and 5.6.1) with the comma behind it. Members may be empty. */
const member = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y

/** Undefined when the header is not what RFC 9110 says it is. */
export function readTagList(header: string): TagList | undefined {
  const text = header.trim()
  if (text === '*') return '*'
  const tags: string[] = []
  for (member.lastIndex = 0; member.lastIndex < text.length; ) {
    const found = member.exec(text)
    if (!found) return undefined
    if (found[1] !== undefined) tags.push(found[1])
  }
  return tags.length > 0 ? tags : undefined
}

/** For `If-Match`: a weak tag vouches for too little to write by. */
export function matchesStrongly(list: TagList, tag: string): boolean {
  return list === '*' || list.includes(tag)
}

/** For `If-None-Match`: proxies that change an encoding make a tag weak. */
export function matchesWeakly(list: TagList, tag: string): boolean {
  return list === '*' || list.some((each) => each.replace(/^W\//, '') === tag)
}
