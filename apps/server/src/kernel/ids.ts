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
let lastMs = 0
let lastRandom = 0n

/** The first ID that a thing of this time can have: all that are made earlier sort before it. */
export function firstIdOf(kind: IdKind, ms: number): string {
  return `${idPrefixes[kind]}_${base32(BigInt(Math.max(0, ms)) << 80n)}`
}

/**
 * A new ID: prefix, `_`, then 26 characters of base32: 48 bits of time in ms and 80 random bits (the layout of a ULID).
 * IDs made by one process sort in the order in which they were made, also within one millisecond.
 */
export function newId<Kind extends IdKind>(kind: Kind, nowMs: number = Date.now()): Id<Kind> {
  if (nowMs > lastMs) {
    lastMs = nowMs
    // The top bit stays clear, so that counting up within a millisecond cannot overflow.
    lastRandom = BigInt(`0x${randomBytes(10).toString('hex')}`) >> 1n
  } else {
    lastRandom += 1n
  }
  return `${idPrefixes[kind]}_${base32((BigInt(lastMs) << 80n) | lastRandom)}` as Id<Kind>
}

/**
 * The ID that always follows from the same text: for what is known by a name elsewhere, and may come more than once. It sorts before
 * all IDs of `newId`.
 */
export function derivedId<Kind extends IdKind>(kind: Kind, text: string): Id<Kind> {
  const bits = BigInt(`0x${hash('sha256', text).slice(0, 20)}`)
  return `${idPrefixes[kind]}_${base32(bits)}` as Id<Kind>
}

/** Answers when a thing was made, by its ID: ms since 1970. */
export function timeOfId(id: string): number {
  const text = id.slice(id.indexOf('_') + 1)
  const bits = [...text].reduce((value, digit) => (value << 5n) | BigInt(alphabet.indexOf(digit)), 0n)
  return Number(bits >> 80n)
}

function base32(bits: bigint): string {
  let value = bits
  let text = ''
  for (let i = 0; i < 26; i++) {
    text = alphabet[Number(value & 31n)] + text
    value >>= 5n
  }
  return text
}
