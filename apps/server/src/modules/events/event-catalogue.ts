import Type, { type Static, type TObject, type TProperties } from 'typebox'
import type { Json } from '../../db/database.ts'
import { nullable } from '../../http/schema.ts'
import type { IdKind } from '../../kernel/ids.ts'

/** Audience of an event: every member and key that may read, or the owners and admins and the person whom it is about. */
type EventAudience = 'everybody' | 'admins'

export interface EventDescription<Data extends TObject = TObject> {
  /** What `subject_id` names. */
  subject: IdKind
  audience: EventAudience
  /** What happened, for readers of the documentation. */
  summary: string
  data: Data
}

function event<Fields extends TProperties>(
  subject: IdKind,
  summary: string,
  fields: Fields,
): EventDescription<TObject<Fields>> {
  return { subject, audience: 'everybody', summary, data: Type.Object(fields, { additionalProperties: false }) }
}

/** What is about the ways in which people and keys get in. */
function guarded<Fields extends TProperties>(subject: IdKind, summary: string, fields: Fields) {
  return { ...event(subject, summary, fields), audience: 'admins' as const }
}

const text = Type.String()
const number = Type.Number()
const boolean = Type.Boolean()
const texts = Type.Array(Type.String())
const maybe = nullable(Type.String())
const maybeNumber = nullable(Type.Number())
const fields = { fields: texts }
const optional = Type.Optional

const ofAttempt = { printer_id: text, attempt_id: text, plate: number }
/** Fields of what was learnt later than it happened. */
const timed = { happened_at: optional(text), time_note: optional(text) }
const endOfAttempt = { ...ofAttempt, ...timed, reason: maybe, reason_code: maybe, plates_done: number }
/** Fields of a job that may end without an attempt. */
const endOfJob = {
  ...timed,
  printer_id: optional(text),
  attempt_id: optional(text),
  plate: optional(number),
  reason: optional(maybe),
  reason_code: optional(maybe),
  plates_done: optional(number),
}
const madeBy = { product_id: text, product_sku_id: maybe, print_file_id: text }
const turned = { printer_id: text, at_printer: optional(boolean), reason: optional(maybe) }
const ofTask = { task_type: text, printer_id: maybe }
const stock = { status: text, ready_stock: number }
const remaining = { kind: text, remaining_grams: optional(number), remaining_units: optional(number) }
const moved = { ...remaining, change: number, shortage: optional(number) }
const spool = { printer_id: text, slot: maybeNumber, type: text, color: text }
const doubt = { reason: text, file_name: optional(maybe), run_id: optional(maybe), is_running: optional(boolean) }
const article = { title: text, slug: text }
const health = { problems: texts, appeared: texts, gone: texts }
const assembled = { product_sku_id: text, completed: number, rejected: number }
const lines = Type.Array(Type.Object({ order_item_id: text, product_sku_id: maybe, quantity: number }))
const fulfilled = {
  status: text,
  lines,
  shipment_id: optional(text),
  packaging_missing: optional(Type.Array(Type.Object({ material_id: text, quantity: number }))),
}
const prints = Type.Array(
  Type.Object({ printer_id: text, attempt_id: text, file_name: maybe, outcome: maybe, happened_at: text }),
)

/** Words at the end of the names of types, each with its one meaning; the page of types prints them. */
export const wordsOfTypes = {
  created: 'The subject is there from now on, and its ID is found. A new job is `job.queued`.',
  updated:
    'Fields of the subject were edited. `data.fields` names those that have another value than before, at least one.',
  deleted: 'The subject is gone: its ID answers `NOT_FOUND` from now on.',
  _changed: 'The value that the name gives, such as a status, a role or the list of problems, has changed.',
} as const

/** Every type of event with what it is about, who is told and what it carries. A type keeps its meaning; fields may come. */
export const eventCatalogue = {
  'account.created': event('account', 'The account was made', { name: text, time_zone: text, owner_user_id: text }),
  'account.updated': event('account', 'Settings of the account were changed', fields),
  'account_export.started': guarded('account', 'An owner began to download all of the account', {}),
  'agent.used_tool': guarded('account', 'An agent used a tool of the MCP server, by the key that is the actor', {
    agent: text,
    tool: text,
    step: text,
  }),
  'api_key.created': guarded('apiKey', 'An API key was made', { name: text, scopes: texts }),
  'api_key.revoked': guarded('apiKey', 'An API key was revoked', { name: text }),
  'assembly_task.created': event('assemblyTask', 'Units are to be assembled', {
    product_sku_id: text,
    quantity: number,
    job_id: maybe,
  }),
  'assembly_task.updated': event('assemblyTask', 'An assembly task was changed', { product_sku_id: text, ...fields }),
  'assembly_task.advanced': event('assemblyTask', 'Some of the units were assembled or rejected', assembled),
  'assembly_task.completed': event('assemblyTask', 'The last units were assembled or rejected', assembled),
  'assembly_task.deleted': event('assemblyTask', 'An assembly task was deleted', {
    product_sku_id: text,
    status: text,
    quantity: number,
  }),
  'automation_rule.created': event('automationRule', 'An automation rule was added', { name: text, kinds: texts }),
  'automation_rule.updated': event('automationRule', 'An automation rule was changed', fields),
  'automation_rule.deleted': event('automationRule', 'An automation rule was deleted', { name: text }),
  'automation_rule.ran': event('automationRule', 'An automation rule carried out its actions', {
    run_id: text,
    kind: text,
    title: text,
    event_id: text,
    about: text,
  }),
  'color.created': event('color', 'A colour was added', { color_name: text, filament_type: maybe }),
  'color.updated': event('color', 'A colour was changed', fields),
  'color.deleted': event('color', 'A colour was deleted', { color_name: text }),
  'backup_schedule.updated': guarded('account', 'The backup schedule of the service was changed', fields),
  'cost_settings.updated': guarded('account', 'Settings of costs were changed', fields),
  'filament.loaded': event('material', 'A spool was loaded into a printer', spool),
  'filament.unloaded': event('material', 'A spool was taken off a printer', spool),
  'file.created': event('printFile', 'A print file was added', { name: text }),
  'file.updated': event('printFile', 'A print file was changed', {
    ...fields,
    name: optional(text),
    product_id: optional(maybe),
    number_of_units: optional(number),
    tags: optional(texts),
    folder: optional(text),
  }),
  'file.version_added': event('printFile', 'A version was added to a print file', { version_number: number }),
  'file.version_selected': event('printFile', 'New jobs print another version', { version_number: number }),
  'file.deleted': event('printFile', 'A print file was deleted', {}),
  'hub.created': event('hub', 'A hub was added', { name: text }),
  'hub.updated': event('hub', 'A hub was renamed', { ...fields, name: text }),
  'hub.join_code_made': event('hub', 'A join code was made for a hub', { expires_at: text }),
  'hub.joined': event('hub', 'A device joined as this hub', { name: text, has_key: boolean, was_online: boolean }),
  'hub.key_registered': event('hub', 'A hub told its key for the first time', {}),
  'hub.key_replaced': event('hub', 'A hub without credentials of printers told another key', {}),
  'hub.key_refused': event('hub', 'A machine with the token of a hub and another key was refused', {
    has_key: boolean,
  }),
  'hub.token_renewed': event('hub', 'The service renewed the token of a hub', {}),
  'hub.replaced': event('hub', 'Another machine took over the connection of a hub that was online', {
    agent_version: text,
  }),
  'hub.connected': event('hub', 'A hub connected', { agent_version: text }),
  'hub.disconnected': event('hub', 'A hub lost its connection', {}),
  'hub.health_changed': event('hub', 'Problems of a hub appeared or ended', health),
  'hub.service_restored': event('hub', 'A hub knows of newer prints: the service was restored from a backup', {
    printer_ids: texts,
    prints,
  }),
  'hub.deleted': event('hub', 'A hub was deleted', { name: text }),
  'inventory.adjusted': event('inventoryItem', 'Stock was adjusted by hand', {
    ...stock,
    change: number,
    reason: text,
  }),
  'inventory.low': event('inventoryItem', 'Stock became low', { ...stock, low_stock_threshold: number }),
  'inventory.updated': event('inventoryItem', 'An inventory item was changed, or taken out of use', fields),
  'inventory.threshold_set': event('inventoryItem', 'The threshold of low stock was set', {
    low_stock_threshold: number,
    status: text,
  }),
  'invitation.created': guarded('invitation', 'A person was invited', { role: text }),
  'invitation.accepted': guarded('invitation', 'A person who is a member already accepted an invitation', {
    user_id: text,
    was_member: boolean,
  }),
  'invitation.withdrawn': guarded('invitation', 'An invitation was withdrawn', { role: text, why: text }),
  'job.queued': event('job', 'A job was queued', {
    print_file_id: optional(text),
    printer_id: optional(maybe),
    reprint_of: optional(text),
    number_of_units: optional(number),
  }),
  'job.assigned': event('job', 'A job was given to a printer, or taken from it', {
    printer_id: maybe,
    previous_printer_id: optional(maybe),
    attempt_id: optional(text),
    by: optional(text),
  }),
  'job.updated': event('job', 'A queued job was changed', fields),
  'job.started': event('job', 'A plate of a job prints', {
    ...ofAttempt,
    ...timed,
    taken_back: optional(boolean),
  }),
  'job.not_started': event('job', 'A plate did not start; the job waits again', endOfAttempt),
  'job.fate_unknown': event('job', 'The outcome of a start is unknown', { ...ofAttempt, detail: maybe }),
  'job.second_copy': event('job', 'A plate is printed a second time', ofAttempt),
  'job.rules_set_aside': event('job', 'A person started a job although rules of matching spoke against it', {
    printer_id: text,
    attempt_id: text,
    rules: texts,
  }),
  'job.other_slot_seen': event('job', 'A printer draws from a slot that it was not told', {
    printer_id: text,
    attempt_id: text,
    slot: number,
    filament_map: Type.Unsafe<Json>(Type.Unknown()),
  }),
  'job.paused': event('job', 'A job was paused', turned),
  'job.resumed': event('job', 'A job was resumed', turned),
  'job.plate_completed': event('job', 'A plate is done; the job has more', endOfAttempt),
  'job.completed': event('job', 'A job is done', {
    ...endOfJob,
    by_person: optional(boolean),
    previous_status: optional(text),
  }),
  'job.failed': event('job', 'A print failed', endOfAttempt),
  'job.cancel_requested': event('job', 'A job is to be cancelled as soon as its hub can be asked', {
    printer_id: text,
    attempt_id: text,
  }),
  'job.cancelled': event('job', 'A job was cancelled', endOfJob),
  'job.restored': event('job', 'A cancelled job was put back into the queue', {
    printer_id: maybe,
    plates_done: number,
  }),
  'job.retried': event('job', 'A failed job was queued again', { printer_id: maybe, plates_done: number }),
  'job.units_rejected': event('job', 'Units of a plate were found bad', {
    printer_id: text,
    quantity_rejected: number,
    rejected: optional(Type.Array(Type.Object({ product_sku_id: text, quantity: number }))),
    reprint_job_id: maybe,
    failure_type: optional(text),
  }),
  'job.deleted': event('job', 'A job was deleted', { status: text, file_name: text, number_of_units: number }),
  'material.created': event('material', 'A material was added', { kind: text, type: text, name: text }),
  'material.updated': event('material', 'A material was changed', { kind: text, ...fields }),
  'material.deleted': event('material', 'A material was deleted', { kind: text, type: text, name: text }),
  'listing_map.created': event('listingMap', 'A listing of a shop was mapped to a SKU', {
    platform: text,
    product_sku_id: text,
    pack_size: number,
  }),
  'listing_map.updated': event('listingMap', 'A listing of a shop is mapped otherwise', fields),
  'listing_map.deleted': event('listingMap', 'The mapping of a listing of a shop was deleted', {
    platform: text,
    product_sku_id: text,
  }),
  'material.added': event('material', 'The first quantity of a material was booked', moved),
  'material.restocked': event('material', 'Material was restocked', moved),
  'material.consumed': event('material', 'Material was used by hand', moved),
  'material.assembled': event('material', 'An assembly used material', moved),
  'material.shipped': event('material', 'A parcel took packaging', moved),
  'material.printed': event('material', 'A print used material', moved),
  'material.correction': event('material', 'The remaining quantity was weighed or counted', moved),
  'material.low': event('material', 'A material became low', { ...remaining, status: text }),
  'material_settings.updated': event('account', 'Settings of materials were changed', fields),
  'material_price.updated': guarded('material', 'The price of a material was changed', fields),
  'member.joined': event('member', 'A person became a member', { user_id: text, role: text, invitation_id: text }),
  'member.role_changed': event('member', 'A member has another role', { user_id: text, from: text, to: text }),
  'member.shifts_changed': event('member', 'The week of a member has other shifts', { user_id: text, shifts: number }),
  'member.on_shift_changed': event(
    'member',
    'A member switched on shift or off for a while, or let their week count again',
    { user_id: text, is_on: nullable(boolean), until: maybe },
  ),
  'member.left': event('member', 'A member left', { user_id: text, role: text }),
  'member.removed': event('member', 'A member was removed', { user_id: text, role: text }),
  'mqtt_broker.updated': event(
    'mqttBroker',
    'The connection to an MQTT broker was set up, changed or switched',
    fields,
  ),
  'mqtt_broker.removed': event('mqttBroker', 'The connection to an MQTT broker was removed', {}),
  'mqtt_broker.failing': event(
    'mqttBroker',
    'The MQTT broker does not answer, or refuses the connection; it is tried again',
    {
      problem: text,
    },
  ),
  'mqtt_broker.recovered': event('mqttBroker', 'An MQTT broker that was failing is connected again', {}),
  'notification_channel.created': event('notificationChannel', 'A channel of notifications was added', {
    kind: text,
    name: text,
  }),
  'notification_channel.updated': event(
    'notificationChannel',
    'A channel of notifications was changed, paused or resumed by hand',
    fields,
  ),
  'notification_channel.tested': event('notificationChannel', 'A test was sent to a channel of notifications', {}),
  'notification_channel.paused': event(
    'notificationChannel',
    'A channel of notifications was paused: nothing was accepted for three days, or it is gone',
    { kind: text, reason: text },
  ),
  'notification_channel.deleted': event('notificationChannel', 'A channel of notifications was deleted', {
    name: text,
  }),
  'notification_rule.created': event('notificationRule', 'A rule of notifications was added', {
    name: text,
    kinds: texts,
  }),
  'notification_rule.updated': event('notificationRule', 'A rule of notifications was changed', fields),
  'notification_rule.deleted': event('notificationRule', 'A rule of notifications was deleted', { name: text }),
  'order.at_risk': event('order', 'An order is forecast to leave later than it must', {
    ship_by: text,
    leaves_at: text,
  }),
  'order.risk_ended': event('order', 'An order is forecast to leave in time again', {}),
  'order.late': event('order', 'An order has not left by the time it must', { ship_by: text }),
  'order.late_ended': event('order', 'A late order may leave later after all', {}),
  'order.created': event('order', 'An order was entered', {
    platform: text,
    items: number,
    total_revenue: number,
    currency: optional(text),
    unmapped: optional(number),
  }),
  'order.updated': event('order', 'An order was changed', {
    ...fields,
    status: optional(text),
    forced: optional(boolean),
    open_units: optional(number),
  }),
  'order.items_mapped': event('order', 'Lines of an order were mapped to a SKU', {
    product_sku_id: text,
    items: number,
    listing_map_id: maybe,
  }),
  'order.units_held': event('order', 'Units were held for a line of an order by hand, or released with 0', {
    order_item_id: text,
    product_sku_id: text,
    job_id: maybe,
    units: number,
  }),
  'order.items_returned': event('order', 'Units of an order came back', {
    lines: Type.Array(Type.Object({ order_item_id: text, product_sku_id: maybe, quantity: number, disposition: text })),
  }),
  'order_settings.updated': event('account', 'Settings of orders were changed', fields),
  'order.units_picked': event('order', 'Units were taken off the shelves for an order', { lines }),
  'order.partially_fulfilled': event('order', 'Some units of an order were taken from stock', fulfilled),
  'order.fulfilled': event('order', 'The last units of an order were taken from stock', fulfilled),
  'order.cancelled': event('order', 'An order was cancelled', { previous_status: text }),
  'order.customer_erased': event('order', 'The personal data of a customer was erased', {}),
  'print_failure.updated': event(
    'printFailure',
    'A failure was classified, annotated or resolved, or a picture of it was stored',
    {
      ...fields,
      job_id: text,
    },
  ),
  'printer.created': event('printer', 'A printer was added', {
    name: text,
    model: text,
    hub_id: maybe,
    connection_type: text,
  }),
  'printer.updated': event('printer', 'Settings of a printer were changed', fields),
  'printer.moved': event('printer', 'A printer was found at another address and is followed', {
    old_address: text,
    address: text,
    serial: text,
    evidence: text,
  }),
  'printer.commanded': {
    ...event('printer', 'A command to the machine that concerns no job; its arguments stand beside it', {}),
    data: Type.Object({ command: text, outcome: text, command_id: text }),
  },
  'printer.offline': event('printer', 'A printer in use is out of reach, by itself or with its hub', {
    cause: text,
    since: text,
    problems: texts,
  }),
  'printer.online': event('printer', 'A printer is in reach again, or for the first time', {
    since: text,
    status: text,
  }),
  'printer.error': event('printer', 'A printer in reach needs a person before it works', {
    reason: maybe,
    since: text,
    problems: texts,
  }),
  'printer.error_ended': event('printer', 'A printer does not report an error any more', { since: text, status: text }),
  'printer.maintenance_started': event('printer', 'Maintenance of a printer began', { maintenance_type: maybe }),
  'printer.maintenance_ended': event('printer', 'Maintenance of a printer ended', { maintenance_type: maybe }),
  'printer.health_changed': event('printer', 'Problems of a printer appeared or ended', health),
  'printer.plate_cleared': event('printer', 'A plate is clear', {
    how: text,
    job_id: maybe,
    attempt_id: optional(text),
    quantity_rejected: number,
  }),
  'printer.plate_to_check': event('printer', 'Several prints in a row pushed themselves off: a person is to look', {
    job_id: text,
    attempt_id: text,
    ejections: number,
  }),
  'printer.plate_unknown': event('printer', 'The state of a plate became unknown', doubt),
  'printer.foreign_print': event('printer', 'A printer ran a print that is not ours', doubt),
  'printer.unseen_time': event('printer', 'A printer may have printed while it was out of sight', doubt),
  'printer.deleted': event('printer', 'A printer was deleted', { name: text, model: text }),
  'product.created': event('product', 'A product was added', { name: text }),
  'product.kit_set': event('product', 'The parts and variants of a kit were set', {
    variants: texts,
    parts: texts,
    removed: texts,
  }),
  'product.removed': event('product', 'A product was deleted, or taken out of use because records name it', {
    name: text,
    deleted: boolean,
  }),
  'product.updated': event('product', 'A product was changed', fields),
  'product.image_added': event('product', 'An image was added to a product', { image_id: text }),
  'product.images_ordered': event('product', 'The images of a product have another order', { image_ids: texts }),
  'product.image_removed': event('product', 'An image was removed from a product', { image_id: text }),
  'push_device.added': guarded('notificationChannel', 'A person has a browser told of notifications', {
    user_id: text,
  }),
  'push_device.removed': guarded('notificationChannel', 'A browser of a person gets no more notifications', {
    user_id: text,
    why: text,
  }),
  'recipe.created': event('recipe', 'A recipe was added', madeBy),
  'recipe.updated': event('recipe', 'A recipe was changed', fields),
  'recipe.deleted': event('recipe', 'A recipe was deleted', madeBy),
  'scheduler.updated': event('account', 'Settings of the scheduler were changed', fields),
  'session.started': guarded('session', 'A person signed in', { user_id: text }),
  'session.entered': guarded('session', 'A session turned to this account', { user_id: text }),
  'session.left': guarded('session', 'A session turned to another account', { user_id: text }),
  'session.ended': guarded('session', 'A session ended', { user_id: text, why: text }),
  'shop.connected': event('shop', 'A shop was connected', { platform: text, name: text }),
  'shop.disconnected': event('shop', 'A shop was disconnected; its orders stay', { name: text }),
  'shop.failing': event('shop', 'A shop does not answer, or refuses its credentials; it is tried again', {
    kind: text,
  }),
  'shop.recovered': event('shop', 'A shop that was failing is read again', {}),
  'shop.updated': event('shop', 'A connected shop was changed, paused or resumed', fields),
  'spoolman.connected': event('spoolmanConnection', 'Spoolman was connected', { leader: text }),
  'spoolman.disconnected': event('spoolmanConnection', 'Spoolman was disconnected; its spools stay', {}),
  'spoolman.failing': event('spoolmanConnection', 'Spoolman does not answer; it is tried again', { problem: text }),
  'spoolman.recovered': event('spoolmanConnection', 'Spoolman that was failing is read again', {}),
  'spoolman.updated': event('spoolmanConnection', 'The connection to Spoolman was changed, paused or resumed', fields),
  'spoolman.usage_settled': event('spoolmanConnection', 'A person said whether Spoolman has some usage', {
    is_told_again: Type.Boolean(),
  }),
  'sku.bom_set': event('sku', 'The bill of materials of a SKU was set', {
    children: Type.Array(Type.Object({ product_sku_id: text, quantity: number })),
    materials: Type.Array(Type.Object({ material_id: text, quantity: number })),
  }),
  'sku.created': event('sku', 'A SKU was added', { product_id: text, sku: text }),
  'sku.removed': event('sku', 'A SKU was deleted, or taken out of use because records name it', {
    product_id: text,
    sku: text,
    deleted: boolean,
  }),
  'sku.updated': event('sku', 'A SKU was changed', fields),
  'smart_plug.added': event('smartPlug', 'A smart plug was given to a printer', { printer_id: text }),
  'smart_plug.updated': event('smartPlug', 'A smart plug was changed', fields),
  'smart_plug.removed': event('smartPlug', 'A smart plug was taken from its printer', { printer_id: text }),
  'smart_plug.switched': event('smartPlug', 'The power of a printer was switched', {
    printer_id: text,
    on: boolean,
    reason: text,
  }),
  'task_assignment_default.set': event('account', 'The default assignee of a type of task was set', {
    task_type: maybe,
    assigned_to: maybe,
  }),
  'user.backup_code_used': guarded('user', 'A person signed in with a backup code', {}),
  'user.backup_codes_renewed': guarded('user', 'A person made new backup codes', {}),
  'user.passkey_added': guarded('user', 'A person added a passkey', { passkey_id: text }),
  'user.passkey_removed': guarded('user', 'A person removed a passkey', { passkey_id: text }),
  'user.sessions_ended': guarded('user', 'The sessions of a person in the account were ended by another member', {
    ended_sessions: number,
  }),
  'user.password_changed': guarded('user', 'A person changed their password', { ended_sessions: number }),
  'user.password_link_made': guarded('user', 'A link to a new password was made', {}),
  'user.password_removed': guarded('user', 'A password that others may know was removed', {}),
  'user.password_reset': guarded('user', 'A person set a password by a link', {}),
  'user.provider_linked': guarded('user', 'A person signed in by a provider for the first time', { issuer: text }),
  'user.updated': guarded('user', 'A person has another name, or reads in another language', fields),
  'user.sign_in_failed': guarded('user', 'Sign-in failed several times', { attempts: number }),
  'user.totp_enabled': guarded('user', 'A person set up an authenticator app', {}),
  'user.totp_disabled': guarded('user', 'The authenticator app of a person was removed', {}),
  'webhook.created': event('webhook', 'A webhook was added', { event_types: texts }),
  'webhook.updated': event('webhook', 'A webhook was changed, paused or resumed by hand', fields),
  'webhook.secret_rotated': event('webhook', 'A webhook has a new secret; the former one ends then', {
    valid_until: text,
  }),
  'webhook.tested': event('webhook', 'A test call was sent to a webhook; it goes to that one alone', {}),
  'webhook.redelivered': event('webhook', 'Events are sent to a webhook again', { deliveries: number }),
  'webhook.paused': event(
    'webhook',
    'A webhook was paused: its receiver failed for three days, or said that it is gone',
    {
      reason: text,
      failing_since: maybe,
    },
  ),
  'webhook.deleted': event('webhook', 'A webhook was deleted', {}),
  'wiki_article.created': event('wikiArticle', 'An article was written', article),
  'wiki_article.updated': event('wikiArticle', 'An article was changed', { ...fields, revision: maybeNumber }),
  'wiki_article.published': event('wikiArticle', 'An article was published', article),
  'wiki_article.unpublished': event('wikiArticle', 'An article was taken back', article),
  'wiki_article.deleted': event('wikiArticle', 'An article was deleted', article),
  'worklist_task.created': event('worklistTask', 'A task was made, by a person or by a rule', {
    ...ofTask,
    assigned_to: optional(maybe),
    source: optional(text),
    jobs: optional(number),
  }),
  'worklist_task.updated': event('worklistTask', 'A task was changed', fields),
  'worklist_task.status_changed': event('worklistTask', 'A task has another status', {
    ...ofTask,
    status: text,
    previous_status: text,
    actual_time_minutes: optional(maybeNumber),
    source: optional(text),
  }),
  'worklist_task.assigned': event('worklistTask', 'A task was given to a member, or to none', {
    assigned_to: maybe,
    previously_assigned_to: maybe,
  }),
  'worklist_task.deleted': event('worklistTask', 'A task was deleted', { title: text, task_type: text, status: text }),
} as const satisfies Record<string, EventDescription>

export type EventType = keyof typeof eventCatalogue
export type EventData<T extends EventType> = Static<(typeof eventCatalogue)[T]['data']>

/** What happened: a type of the catalogue with its data. */
export type Happening<T extends EventType = EventType> = {
  [Each in T]: {
    type: Each
    subjectId: string
    /** What a reader needs besides the subject; never a secret, never personal data. */
    data: EventData<Each>
  }
}[T]

/** What happened and who did it, as in `Actor.label`. */
export type NewEvent<T extends EventType = EventType> = Happening<T> & { actor: string }

/** The descriptions in the order of the catalogue. */
export function listEventTypes(): [string, EventDescription][] {
  return Object.entries(eventCatalogue)
}
