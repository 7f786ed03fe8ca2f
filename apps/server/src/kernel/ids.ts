import { hash, randomBytes } from 'node:crypto'

/** What an ID names, by its prefix. */
export const idPrefixes = {
  account: 'acc',
  user: 'usr',
  member: 'mem',
  apiKey: 'key',
  session: 'ses',
  event: 'evt',
  hub: 'hub',
  joinCode: 'jcd',
  printer: 'prn',
  upload: 'upl',
  printFile: 'fil',
  fileVersion: 'ver',
  product: 'prd',
  productImage: 'img',
  sku: 'sku',
  recipe: 'rcp',
  color: 'col',
  inventoryItem: 'inv',
  stockMovement: 'mov',
  bomLine: 'bom',
  kitPart: 'kpt',
  kitLine: 'kln',
  material: 'mat',
  spoolTag: 'stg',
  materialMovement: 'mmv',
  filamentReservation: 'fre',
  materialSettings: 'mst',
  order: 'ord',
  orderItem: 'itm',
  shipment: 'shp',
  shipmentItem: 'shi',
  orderReturn: 'ret',
  orderSettings: 'ost',
  listingMap: 'lmp',
  pinnedPeg: 'peg',
  orderPromise: 'prm',
  job: 'job',
  attempt: 'att',
  command: 'cmd',
  printFailure: 'flr',
  worklistTask: 'wlt',
  taskAssignmentDefault: 'tad',
  assemblyTask: 'asm',
  schedulerSettings: 'sch',
  frame: 'frm',
  process: 'prc',
  wikiArticle: 'wik',
  wikiSection: 'wsc',
  wikiImage: 'wim',
  invitation: 'ivn',
  passkey: 'psk',
  webhook: 'whk',
  webhookDelivery: 'whd',
  webhookFeed: 'whf',
  webhookLease: 'whl',
  backupRun: 'bkp',
  notificationChannel: 'nch',
  notificationRule: 'nrl',
  notificationFeed: 'nfd',
  notificationLease: 'nls',
  notification: 'ntf',
  automationRule: 'arl',
  automationFeed: 'afd',
  automationRun: 'arn',
  shop: 'sho',
  shopLease: 'shl',
  shopPush: 'spu',
  accountImport: 'aim',
  mqttBroker: 'mqb',
  mqttLease: 'mql',
  smartPlug: 'plg',
  spoolmanConnection: 'spm',
  spoolmanLease: 'sml',
  spoolmanUsage: 'smu',
  shift: 'shf',
} as const
export type IdKind = keyof typeof idPrefixes

declare const kindOfId: unique symbol

/** An ID that was made, read from a row or sent by a client as that of one kind: it is not taken for another's. */
export type Id<Kind extends IdKind> = string & { readonly [kindOfId]: Kind }

export type AccountId = Id<'account'>
export type UserId = Id<'user'>
export type MemberId = Id<'member'>
export type ApiKeyId = Id<'apiKey'>
export type SessionId = Id<'session'>
export type HubId = Id<'hub'>
export type PrinterId = Id<'printer'>
export type JobId = Id<'job'>
export type ColorId = Id<'color'>
export type ProductId = Id<'product'>
export type ProductImageId = Id<'productImage'>
export type SkuId = Id<'sku'>
export type RecipeId = Id<'recipe'>
export type InventoryItemId = Id<'inventoryItem'>
export type OrderId = Id<'order'>
export type OrderItemId = Id<'orderItem'>
export type ShipmentId = Id<'shipment'>
export type ListingMapId = Id<'listingMap'>
export type WikiArticleId = Id<'wikiArticle'>
export type WikiImageId = Id<'wikiImage'>
export type PrintFileId = Id<'printFile'>
export type FileVersionId = Id<'fileVersion'>
export type UploadId = Id<'upload'>
export type MaterialId = Id<'material'>
export type SpoolTagId = Id<'spoolTag'>
export type AttemptId = Id<'attempt'>
export type CommandId = Id<'command'>
export type PrintFailureId = Id<'printFailure'>
export type TaskId = Id<'worklistTask'>
export type KitPartId = Id<'kitPart'>
export type AssemblyTaskId = Id<'assemblyTask'>
export type EventId = Id<'event'>
export type InvitationId = Id<'invitation'>
export type PasskeyId = Id<'passkey'>
export type WebhookId = Id<'webhook'>
export type WebhookDeliveryId = Id<'webhookDelivery'>
export type BackupRunId = Id<'backupRun'>
export type NotificationChannelId = Id<'notificationChannel'>
export type NotificationRuleId = Id<'notificationRule'>
export type NotificationId = Id<'notification'>
export type AutomationRuleId = Id<'automationRule'>
export type ShopId = Id<'shop'>
export type ShopPushId = Id<'shopPush'>
export type MqttBrokerId = Id<'mqttBroker'>
export type SmartPlugId = Id<'smartPlug'>
export type SpoolmanUsageId = Id<'spoolmanUsage'>

/** The ID in a text from outside that is to name a thing of this kind; undefined for a text that can name none. */
export function readId<Kind extends IdKind>(kind: Kind, text: string): Id<Kind> | undefined {
  return text.startsWith(`${idPrefixes[kind]}_`) ? (text as Id<Kind>) : undefined
}

/** Stands for a thing that a calculation supposes to be there, told from others by `mark`. It names nothing that is stored. */
export function supposedId<Kind extends IdKind>(kind: Kind, mark: string): Id<Kind> {
  return `${idPrefixes[kind]}_supposed_${mark}` as Id<Kind>
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Characters of the 48 bits of time, and of the 80 random bits after them. */
const [timeLength, randomLength] = [10, 16]

/** Random bits are kept in numbers of so many, four characters each: as one large number they would cost several times as much. */
const bitsPerPart = 20
const partLength = 4
const partEnd = 2 ** bitsPerPart

let lastMs = 0
/** The random bits of the last ID, the first part first. */
let lastRandom = [0, 0, 0, 0]
/** Its text without the last part, which alone changes within a millisecond. */
let lastHead = ''

/** The first ID that a thing of this time can have: all that are made earlier sort before it. */
export function firstIdOf(kind: IdKind, ms: number): string {
  return `${idPrefixes[kind]}_${base32(Math.max(0, ms), timeLength)}${base32(0, randomLength)}`
}

/**
 * A new ID: prefix, `_`, then 26 characters of base32: 48 bits of time in ms and 80 random bits (the layout of a ULID).
 * IDs made by one process sort in the order in which they were made, also within one millisecond.
 */
export function newId<Kind extends IdKind>(kind: Kind, nowMs: number = Date.now()): Id<Kind> {
  if (nowMs > lastMs) beginMillisecond(nowMs)
  else countUp()
  return `${idPrefixes[kind]}_${lastHead}${base32(lastRandom[3] ?? 0, partLength)}` as Id<Kind>
}

function beginMillisecond(ms: number): void {
  lastMs = ms
  const [first = 0, ...rest] = partsOf(randomBytes(10).toString('hex'))
  // The top bit stays clear, so that counting up within a millisecond cannot overflow.
  setRandom([first % (partEnd / 2), ...rest])
}

function countUp(): void {
  const [first = 0, second = 0, third = 0, last = 0] = lastRandom
  if (last + 1 < partEnd) lastRandom[3] = last + 1
  else if (third + 1 < partEnd) setRandom([first, second, third + 1, 0])
  else if (second + 1 < partEnd) setRandom([first, second + 1, 0, 0])
  else setRandom([first + 1, 0, 0, 0])
}

function setRandom(parts: number[]): void {
  lastRandom = parts
  lastHead = base32(lastMs, timeLength) + textOf(parts.slice(0, -1))
}

/**
 * The ID that always follows from the same text: for what is known by a name elsewhere, and may come more than once. It sorts before
 * all IDs of `newId`.
 */
export function derivedId<Kind extends IdKind>(kind: Kind, text: string): Id<Kind> {
  const parts = partsOf(hash('sha256', text).slice(0, 20))
  return `${idPrefixes[kind]}_${base32(0, timeLength)}${textOf(parts)}` as Id<Kind>
}

/** Answers when a thing was made, by its ID: ms since 1970. */
export function timeOfId(id: string): number {
  const time = id.slice(id.indexOf('_') + 1, -randomLength)
  return [...time].reduce((value, digit) => value * 32 + alphabet.indexOf(digit), 0)
}

/** The numbers of 20 bits that a text of hexadecimal digits stands for. */
const partsOf = (hex: string): number[] => (hex.match(/.{5}/g) ?? []).map((part) => Number.parseInt(part, 16))

const textOf = (parts: number[]): string => parts.map((part) => base32(part, partLength)).join('')

/** @param length in characters; the value needs no more */
function base32(value: number, length: number): string {
  let rest = value
  let text = ''
  for (let place = 0; place < length; place += 1) {
    text = (alphabet[rest % 32] ?? '') + text
    rest = Math.floor(rest / 32)
  }
  return text
}
