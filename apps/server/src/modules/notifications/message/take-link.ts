import { timingSafeEqual } from 'node:crypto'
import { type AccountId, type NotificationId, readId, type UserId } from '../../../kernel/ids.ts'
import type { SecretBox } from '../../../kernel/secret-box.ts'

/** A task can be taken by the link of a message for this long. */
export const takeLinkLifeMs = 24 * 3_600_000

interface Named {
  accountId: AccountId
  notificationId: NotificationId
  /** Person whom the message was for: the link acts in no other name, no matter who has the channel later. */
  userId: UserId
}

/** Answers what stands behind the `#` of the link: whom it is about, and the proof that this service made it. */
export function takeToken(secrets: Pick<SecretBox, 'sign'>, named: Named): string {
  return `${named.accountId}-${named.notificationId}-${named.userId}-${secrets.sign(signed(named))}`
}

/** The page that asks to confirm. The token stands behind the `#`: opening the address, as previews do, tells it to no server. */
export function takePath(token: string): string {
  return `/take#${token}`
}

/** Answers what a token names; undefined for one that this service did not make. */
export function readTakeToken(secrets: Pick<SecretBox, 'sign' | 'formerSigns'>, token: string): Named | undefined {
  // IDs have no hyphen, and a signature may.
  const [account = '', notification = '', user = '', ...rest] = token.split('-')
  const signature = rest.join('-')
  const accountId = readId('account', account)
  const notificationId = readId('notification', notification)
  const userId = readId('user', user)
  if (!accountId || !notificationId || !userId) return undefined
  const named = { accountId, notificationId, userId }
  const text = signed(named)
  const good = [secrets.sign(text), ...secrets.formerSigns(text)]
  return good.some((each) => isSame(each, signature)) ? named : undefined
}

const signed = ({ accountId, notificationId, userId }: Named) => `take ${accountId} ${notificationId} ${userId}`

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
