// Printed from the migrated database by generate-row-types.ts; do not edit.

import type { Id } from '../kernel/ids.ts'
import type { Json } from './database.ts'

/** A row of `account_imports`. */
export type AccountImportRow = {
  account_id: Id<'account'>
  id: string
  content_id: string
  source_account_id: string
  exported_at: Date
  imported_at: Date
  imported_rows: number
}

/** A row of `accounts`. */
export type AccountRow = {
  id: Id<'account'>
  name: string
  time_zone: string
  created_at: Date
  updated_at: Date
  requeue_rejected_units: boolean
  require_second_factor: boolean
}

/** A row of `api_keys`. */
export type ApiKeyRow = {
  account_id: Id<'account'>
  id: Id<'apiKey'>
  name: string
  key_hash: Buffer
  key_prefix: string
  last_four: string
  scopes: string[]
  created_by: string | null
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
  created_at: Date
}

/** A row of `assembly_tasks`. */
export type AssemblyTaskRow = {
  account_id: Id<'account'>
  id: Id<'assemblyTask'>
  kind: 'print_assembly' | 'kit_assembly'
  status: 'pending' | 'in_progress' | 'completed' | 'cancelled'
  product_sku_id: Id<'sku'>
  product_name: string
  sku: string
  quantity: number
  quantity_completed: number
  quantity_rejected: number
  job_id: Id<'job'> | null
  assigned_to: Id<'user'> | null
  notes: string
  created_by: string
  created_at: Date
  updated_at: Date
  completed_at: Date | null
  status_rank: number
  order_item_id: Id<'orderItem'> | null
}

/** A row of `attempts`. */
export type AttemptRow = {
  account_id: Id<'account'>
  id: Id<'attempt'>
  job_id: Id<'job'>
  plate_number: number
  printer_id: Id<'printer'>
  hub_id: Id<'hub'>
  file_version_id: Id<'fileVersion'>
  fence: number
  phase: 'reserved' | 'transferring' | 'starting' | 'confirmed' | 'finished'
  outcome: 'done' | 'failed' | 'cancelled' | 'not_started' | 'unknown' | null
  reason_code: string | null
  evidence: Json | null
  actor: string
  reserved_at: Date
  confirmed_at: Date | null
  finished_at: Date | null
  updated_at: Date
  unknown_since: Date | null
  ejection: 'ordered' | 'hub_too_old' | 'format_not_supported' | 'no_gcode_for_model' | 'height_not_known' | 'too_flat' | 'too_tall' | null
  progress: number | null
  seen_at: Date | null
  time_note: string | null
  filament_map: Json | null
  other_slot: number | null
  stop_type: 'adhesion' | 'spaghetti' | 'layer_shift' | 'clog' | 'filament_runout' | 'thermal' | 'power_loss' | 'mechanical' | 'connection' | 'file' | 'cancelled_by_person' | 'other' | 'unknown' | null
}

/** A row of `automation_feeds`. */
export type AutomationFeedRow = {
  account_id: Id<'account'>
  id: Id<'automationFeed'>
  txid: number
  event_id: Id<'event'>
}

/** A row of `automation_rules`. */
export type AutomationRuleRow = {
  account_id: Id<'account'>
  id: Id<'automationRule'>
  name: string
  mode: 'on' | 'trial' | 'off'
  kinds: string[]
  least_severity: 'low' | 'medium' | 'high'
  locations: string[]
  printer_ids: string[]
  product_ids: string[]
  times: number
  within_minutes: number
  most_per_hour: number
  actions: Json
  created_by: string
  created_at: Date
  updated_at: Date
}

/** A row of `automation_runs`. */
export type AutomationRunRow = {
  account_id: Id<'account'>
  id: Id<'automationRun'>
  rule_id: Id<'automationRule'>
  event_id: Id<'event'>
  kind: string
  title: string
  path: string
  about: string
  outcome: 'ran' | 'trial' | 'counted' | 'held'
  steps: Json
  happened_at: Date
  created_at: Date
}

/** A row of `backup_codes`. */
export type BackupCodeRow = {
  user_id: Id<'user'>
  code_hash: string
}

/** A row of `backup_runs`. */
export type BackupRunRow = {
  id: Id<'backupRun'>
  cause: 'schedule' | 'person' | 'command'
  status: 'running' | 'done' | 'failed'
  folder: string
  started_at: Date
  ended_at: Date | null
  name: string | null
  total_bytes: number | null
  new_bytes: number | null
  file_count: number | null
  missing_file_count: number | null
  row_count: number | null
  is_encrypted: boolean | null
  error_code: string | null
  error: string | null
  copy_to: string | null
  copied_at: Date | null
  copy_error: string | null
  step: 'files' | 'tables' | 'restore' | 'check' | 'copy' | null
  step_done: number | null
  step_total: number | null
}

/** A row of `backup_schedule`. */
export type BackupScheduleRow = {
  only_row: boolean
  installation_id: string
  is_enabled: boolean
  hour: number
  keep_daily: number
  keep_weekly: number
  keep_monthly: number
  updated_at: Date
}

/** A row of `bom_children`. */
export type BomChildrenRow = {
  account_id: Id<'account'>
  id: Id<'bomLine'>
  sku_id: Id<'sku'>
  child_sku_id: Id<'sku'>
  quantity_required: number
  position: number
  created_at: Date
}

/** A row of `bom_materials`. */
export type BomMaterialRow = {
  account_id: Id<'account'>
  id: Id<'bomLine'>
  sku_id: Id<'sku'>
  material_id: Id<'material'>
  quantity_required: number
  position: number
  created_at: Date
}

/** A row of `colors`. */
export type ColorRow = {
  account_id: Id<'account'>
  id: Id<'color'>
  color_name: string
  hex_code: string
  filament_type: string
  is_active: boolean
  created_at: Date
  updated_at: Date
}

/** A row of `commands`. */
export type CommandRow = {
  account_id: Id<'account'>
  id: Id<'command'>
  printer_id: Id<'printer'>
  hub_id: Id<'hub'>
  job_id: Id<'job'> | null
  attempt_id: Id<'attempt'> | null
  kind: 'print' | 'pause' | 'resume' | 'stop' | 'heaters' | 'light' | 'load_filament' | 'unload_filament'
  args: Json
  fence: number
  state: 'sent' | 'succeeded' | 'failed' | 'unknown'
  error_code: string | null
  error_message: string | null
  actor: string
  deadline: Date
  created_at: Date
  answered_at: Date | null
  routed_at: Date | null
}

/** A row of `component_uses`. */
export type ComponentUseRow = {
  account_id: Id<'account'>
  product_sku_id: Id<'sku'>
  material_id: Id<'material'>
  units: number
}

/** A row of `cost_settings`. */
export type CostSettingRow = {
  account_id: Id<'account'>
  currency: string
  machine_hour_price: number | null
  watts: number | null
  energy_price: number | null
  labour_hour_price: number | null
  plate_labour_seconds: number | null
  assembly_labour_seconds: number | null
  order_labour_seconds: number | null
  updated_at: Date
}

/** A row of `events`. */
export type EventRow = {
  account_id: Id<'account'>
  id: Id<'event'>
  type: string
  subject_id: string
  data: Json
  actor: string
  created_at: Date
  txid: number
}

/** A row of `failure_pictures`. */
export type FailurePictureRow = {
  account_id: Id<'account'>
  failure_id: Id<'printFailure'>
  sha256: string
  thumb_sha256: string
  size_bytes: number
  taken_at: Date
}

/** A row of `filament_prices`. */
export type FilamentPriceRow = {
  account_id: Id<'account'>
  filament_type: string
  price: number
}

/** A row of `filament_reservations`. */
export type FilamentReservationRow = {
  account_id: Id<'account'>
  id: Id<'filamentReservation'>
  attempt_id: Id<'attempt'>
  slot: number | null
  material_id: Id<'material'> | null
  milligrams: number
}

/** A row of `forecast_rounds`. */
export type ForecastRoundRow = {
  account_id: Id<'account'>
  asked_at: Date | null
  made_at: Date | null
}

/** A row of `gap_forecasts`. */
export type GapForecastRow = {
  account_id: Id<'account'>
  order_item_id: Id<'orderItem'>
  product_sku_id: Id<'sku'>
  p50_at: Date | null
  p90_at: Date | null
  reason: string | null
}

/** A row of `hub_connections`. */
export type HubConnectionRow = {
  account_id: Id<'account'>
  hub_id: Id<'hub'>
  epoch: number
  process_id: string | null
}

/** A row of `hub_join_codes`. */
export type HubJoinCodeRow = {
  account_id: Id<'account'>
  id: Id<'joinCode'>
  hub_id: Id<'hub'>
  code_hash: Buffer
  expires_at: Date
  used_at: Date | null
  created_at: Date
}

/** A row of `hubs`. */
export type HubRow = {
  account_id: Id<'account'>
  id: Id<'hub'>
  name: string
  token_hash: Buffer | null
  firmware_version: string
  hardware_version: string
  journal_position: number
  last_seen_at: Date | null
  claimed_at: Date | null
  created_at: Date
  updated_at: Date
  journal_id: string | null
  health: Json
  newest_reports: string[]
  public_key: string | null
  next_token_hash: Buffer | null
  token_renewed_at: Date | null
}

/** A row of `idempotency_keys`. */
export type IdempotencyKeyRow = {
  account_id: Id<'account'>
  api_key_id: string
  key: string
  request_hash: string
  state: 'in_progress' | 'completed'
  status_code: number | null
  body_sealed: Buffer | null
  claimed_at: Date
  order_ids: string[] | null
}

/** A row of `inventory_items`. */
export type InventoryItemRow = {
  account_id: Id<'account'>
  id: Id<'inventoryItem'>
  product_sku_id: Id<'sku'>
  ready_stock: number
  quantity_needs_assembly: number
  low_stock_threshold: number
  status: 'out_of_stock' | 'needs_assembly' | 'low_stock' | 'in_stock'
  is_active: boolean
  created_at: Date
  updated_at: Date
  image_url: string
  bin: string
}

/** A row of `invitations`. */
export type InvitationRow = {
  account_id: Id<'account'>
  id: Id<'invitation'>
  email: string
  role: 'owner' | 'admin' | 'operator' | 'viewer'
  token_hash: Buffer
  invited_by: string
  mailed_at: Date | null
  expires_at: Date
  accepted_at: Date | null
  accepted_by: Id<'user'> | null
  withdrawn_at: Date | null
  created_at: Date
}

/** A row of `job_forecasts`. */
export type JobForecastRow = {
  account_id: Id<'account'>
  job_id: Id<'job'>
  p50_at: Date | null
  p90_at: Date | null
  reason: string | null
  printer_id: Id<'printer'> | null
  starts_at: Date | null
}

/** A row of `job_options`. */
export type JobOptionRow = {
  account_id: Id<'account'>
  job_id: Id<'job'>
  position: number
  recipe_id: Id<'recipe'> | null
  print_file_id: Id<'printFile'>
  file_version_id: Id<'fileVersion'>
  file_name: string
  color: string
  filament_type: string
  material_type: string
  any_color: boolean
  quantity_per_print: number
  plates_total: number
  estimated_print_time_minutes: number | null
  filament_needed_grams: number | null
  also_makes: Json
}

/** A row of `job_outputs`. */
export type JobOutputRow = {
  account_id: Id<'account'>
  job_id: Id<'job'>
  product_sku_id: Id<'sku'>
  is_main: boolean
  units_per_plate: number
  units: number
  units_credited: number
  units_rejected: number
  requires_assembly: boolean
}

/** A row of `jobs`. */
export type JobRow = {
  account_id: Id<'account'>
  id: Id<'job'>
  status: 'queued' | 'processing' | 'printing' | 'paused' | 'completed' | 'failed' | 'cancelled'
  print_file_id: Id<'printFile'>
  file_version_id: Id<'fileVersion'>
  printer_id: Id<'printer'> | null
  product_id: Id<'product'> | null
  product_sku_id: Id<'sku'> | null
  product_name: string | null
  sku_name: string | null
  file_name: string
  color: string
  filament_type: string
  material_type: string
  number_of_units: number
  quantity_per_print: number
  requires_assembly: boolean
  plates_total: number
  plates_done: number
  progress_percentage: number | null
  estimated_print_time_minutes: number | null
  actual_print_time_minutes: number | null
  filament_needed_grams: number | null
  failure_reason: string | null
  created_by: string
  time_submitted: Date
  time_started: Date | null
  time_completed: Date | null
  created_at: Date
  updated_at: Date
  cancel_requested_at: Date | null
  cancel_requested_by: string | null
  units_rejected: number
  reprint_of: Id<'job'> | null
  priority: 'low' | 'normal' | 'high' | 'urgent'
  priority_rank: number
  due_date: Date | null
  queue_position: number
  any_color: boolean
  auto_assigned: boolean
  recipe_id: Id<'recipe'> | null
  option_position: number | null
  order_item_id: Id<'orderItem'> | null
}

/** A row of `kit_extras`. */
export type KitExtraRow = {
  account_id: Id<'account'>
  id: Id<'kitLine'>
  product_id: Id<'product'>
  sku_id: Id<'sku'> | null
  material_id: Id<'material'>
  quantity_required: number
  position: number
  created_at: Date
}

/** A row of `kit_part_components`. */
export type KitPartComponentRow = {
  account_id: Id<'account'>
  id: Id<'kitLine'>
  kit_part_id: Id<'kitPart'>
  material_id: Id<'material'>
  quantity_required: number
  notes: string
  position: number
}

/** A row of `kit_parts`. */
export type KitPartRow = {
  account_id: Id<'account'>
  id: Id<'kitPart'>
  product_id: Id<'product'>
  name: string
  print_file_id: Id<'printFile'> | null
  quantity_per_kit: number
  fixed_color: string
  fixed_hex_code: string
  requires_assembly: boolean
  is_active: boolean
  position: number
  created_at: Date
  updated_at: Date
}

/** A row of `listing_maps`. */
export type ListingMapRow = {
  account_id: Id<'account'>
  id: Id<'listingMap'>
  platform: 'shopify' | 'etsy' | 'woocommerce' | 'manual' | 'other'
  shop: string
  seller_sku: string
  listing_id: string
  variation: string
  product_sku_id: Id<'sku'>
  pack_size: number
  created_at: Date
  updated_at: Date
}

/** A row of `material_movements`. */
export type MaterialMovementRow = {
  account_id: Id<'account'>
  id: Id<'materialMovement'>
  material_id: Id<'material'>
  reason: 'added' | 'restocked' | 'consumed' | 'printed' | 'assembled' | 'shipped' | 'correction'
  change: number
  quantity_before: number
  quantity_after: number
  shortage: number
  job_id: Id<'job'> | null
  attempt_id: Id<'attempt'> | null
  notes: string
  actor: string
  created_at: Date
  assembly_task_id: Id<'assemblyTask'> | null
  shipment_id: Id<'shipment'> | null
  happened_at: Date | null
}

/** A row of `material_prices`. */
export type MaterialPriceRow = {
  account_id: Id<'account'>
  material_id: Id<'material'>
  price: number
  updated_at: Date
}

/** A row of `material_settings`. */
export type MaterialSettingRow = {
  account_id: Id<'account'>
  id: Id<'materialSettings'>
  checks_filament: boolean
  filament_margin: number
  created_at: Date
  updated_at: Date
}

/** A row of `materials`. */
export type MaterialRow = {
  account_id: Id<'account'>
  id: Id<'material'>
  kind: 'filament' | 'components' | 'packaging' | 'parts'
  type: string
  name: string
  color: string
  hex_code: string
  brand: string
  diameter: number | null
  size: string
  remaining: number
  low_threshold: number
  spool_weight: number | null
  status: 'in_stock' | 'low' | 'out_of_stock'
  location: string
  printer_id: Id<'printer'> | null
  slot: number | null
  loaded_at: Date | null
  created_at: Date
  updated_at: Date
}

/** A row of `members`. */
export type MemberRow = {
  account_id: Id<'account'>
  id: Id<'member'>
  user_id: Id<'user'>
  role: 'owner' | 'admin' | 'operator' | 'viewer'
  created_at: Date
  updated_at: Date
  sessions_ended_at: Date | null
}

/** A row of `model_prices`. */
export type ModelPriceRow = {
  account_id: Id<'account'>
  model: string
  machine_hour_price: number | null
  watts: number | null
}

/** A row of `mqtt_brokers`. */
export type MqttBrokerRow = {
  account_id: Id<'account'>
  id: Id<'mqttBroker'>
  url: string
  settings_sealed: Buffer
  base_topic: string
  discovery_prefix: string
  allowed_commands: string[]
  is_active: boolean
  published: string[]
  connected_since: Date | null
  failing_since: Date | null
  problem: string | null
  lease_id: string | null
  leased_until: Date | null
  created_at: Date
  updated_at: Date
}

/** A row of `notification_channels`. */
export type NotificationChannelRow = {
  account_id: Id<'account'>
  id: Id<'notificationChannel'>
  kind: 'mail' | 'ntfy' | 'telegram' | 'discord' | 'slack' | 'matrix' | 'webhook' | 'web_push'
  name: string
  user_id: Id<'user'> | null
  target: string
  settings_sealed: Buffer
  endpoint_hash: Buffer | null
  paused_at: Date | null
  pause_reason: 'person' | 'failing' | 'gone' | null
  failures: number
  failing_since: Date | null
  retry_at: Date | null
  lease_id: string | null
  leased_until: Date | null
  created_by: string
  created_at: Date
  updated_at: Date
}

/** A row of `notification_feeds`. */
export type NotificationFeedRow = {
  account_id: Id<'account'>
  id: Id<'notificationFeed'>
  txid: number
  event_id: Id<'event'>
}

/** A row of `notification_rules`. */
export type NotificationRuleRow = {
  account_id: Id<'account'>
  id: Id<'notificationRule'>
  name: string
  is_active: boolean
  kinds: string[]
  least_severity: 'low' | 'medium' | 'high'
  locations: string[]
  printer_ids: string[]
  product_ids: string[]
  channel_ids: string[]
  user_ids: string[]
  to_acting_members: boolean
  quiet_from: string | null
  quiet_to: string | null
  time_zone: string
  urgent_passes: boolean
  digest_minutes: number
  created_by: string
  created_at: Date
  updated_at: Date
  to_on_shift: boolean
}

/** A row of `notification_states`. */
export type NotificationStateRow = {
  account_id: Id<'account'>
  channel_id: Id<'notificationChannel'>
  subject: string
  severity: 'low' | 'medium' | 'high'
}

/** A row of `notifications`. */
export type NotificationRow = {
  account_id: Id<'account'>
  id: Id<'notification'>
  channel_id: Id<'notificationChannel'>
  rule_id: string | null
  event_id: Id<'event'> | null
  kind: string
  subject: string
  severity: 'low' | 'medium' | 'high'
  title: string
  body: string
  path: string
  printer_id: Id<'printer'> | null
  task_id: Id<'worklistTask'> | null
  is_digest: boolean
  is_test: boolean
  status: 'pending' | 'sent' | 'failed' | 'dropped'
  attempts: number
  due_at: Date
  attempted_at: Date | null
  duration_ms: number | null
  status_code: number | null
  failure: string | null
  answer: string | null
  taken_at: Date | null
  created_at: Date
}

/** A row of `oidc_identities`. */
export type OidcIdentityRow = {
  issuer: string
  subject: string
  user_id: Id<'user'>
  created_at: Date
}

/** A row of `order_forecasts`. */
export type OrderForecastRow = {
  account_id: Id<'account'>
  order_id: Id<'order'>
  is_ready: boolean
  ready_p50_at: Date | null
  ready_p90_at: Date | null
  leaves_p90_at: Date | null
  promised_at: Date | null
  reason: string | null
  sku: string
  is_at_risk: boolean
  is_late: boolean
}

/** A row of `order_import_progress`. */
export type OrderImportProgressRow = {
  account_id: Id<'account'>
  id: string
  done_rows: number
  total_rows: number | null
  updated_at: Date
}

/** A row of `order_item_states`. */
export type OrderItemStateRow = {
  account_id: Id<'account'>
  order_item_id: Id<'orderItem'>
  state: 'reserved' | 'to_assemble' | 'on_live_job' | 'to_print' | 'blocked'
  position: number
  units: number
  expected_at: Date | null
  blockers: Json
  product_sku_id: Id<'sku'>
}

/** A row of `order_items`. */
export type OrderItemRow = {
  account_id: Id<'account'>
  id: Id<'orderItem'>
  order_id: Id<'order'>
  product_sku_id: Id<'sku'> | null
  sku: string
  product_name: string
  quantity: number
  unit_price: number
  total_price: number
  quantity_fulfilled: number
  fulfillment_status: 'pending' | 'partial' | 'fulfilled' | 'cancelled'
  notes: string
  created_at: Date
  updated_at: Date
  pack_size: number
  seller_sku: string
  listing_id: string
  variation: string
  mapped_by: Id<'listingMap'> | null
  personalisation: 'array'
  units: number | null
  external_id: string
}

/** A row of `order_picks`. */
export type OrderPickRow = {
  account_id: Id<'account'>
  order_item_id: Id<'orderItem'>
  order_id: Id<'order'>
  units: number
  actor: string
  picked_at: Date
}

/** A row of `order_progress`. */
export type OrderProgressRow = {
  account_id: Id<'account'>
  order_id: Id<'order'>
  status: 'pending' | 'processing' | 'printed' | 'assembled'
}

/** A row of `order_promises`. */
export type OrderPromiseRow = {
  account_id: Id<'account'>
  id: string
  order_id: Id<'order'>
  number: number
  ready_p50_at: Date
  ready_p90_at: Date
  promised_at: Date
  made_at: Date
}

/** A row of `order_returns`. */
export type OrderReturnRow = {
  account_id: Id<'account'>
  id: Id<'orderReturn'>
  order_id: Id<'order'>
  order_item_id: Id<'orderItem'>
  quantity: number
  units: number
  disposition: 'restock' | 'scrap' | 'remake'
  notes: string
  actor: string
  created_at: Date
}

/** A row of `order_settings`. */
export type OrderSettingRow = {
  account_id: Id<'account'>
  id: Id<'orderSettings'>
  currency: string | null
  handling_days: number | null
  working_days: number[]
  created_at: Date
  updated_at: Date
  auto_produce: 'off' | 'paid' | 'always'
  ship_lines_alone: boolean
}

/** A row of `orders`. */
export type OrderRow = {
  account_id: Id<'account'>
  id: Id<'order'>
  order_number: string
  platform: 'shopify' | 'etsy' | 'woocommerce' | 'manual' | 'other'
  status: 'pending' | 'processing' | 'printed' | 'assembled' | 'shipped' | 'fulfilled' | 'cancelled' | 'refunded'
  customer_name: string
  customer_email: string
  customer_phone: string
  order_date: Date
  items_total: number
  shipping_cost: number
  tax_amount: number
  discount_amount: number
  shipping_street: string
  shipping_city: string
  shipping_state: string
  shipping_zip: string
  shipping_country: string
  tracking_number: string
  tracking_url: string
  shipped_at: Date | null
  external_id: string
  notes: string
  created_at: Date
  updated_at: Date
  stated_total: number | null
  total_revenue: number
  shop: string
  currency: string | null
  priority: 'low' | 'normal' | 'high' | 'urgent'
  ship_by: Date | null
  external_id_repeated: boolean
  search_words: string
  is_paid: boolean
  customer_erased_at: Date | null
}

/** A row of `passkey_challenges`. */
export type PasskeyChallengeRow = {
  challenge: string
  purpose: 'register' | 'sign_in' | 'prove'
  user_id: Id<'user'> | null
  expires_at: Date
}

/** A row of `passkeys`. */
export type PasskeyRow = {
  id: Id<'passkey'>
  user_id: Id<'user'>
  credential_id: string
  public_key: Buffer
  sign_count: number
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Date | null
}

/** A row of `password_resets`. */
export type PasswordResetRow = {
  user_id: Id<'user'>
  token_hash: Buffer
  expires_at: Date
  created_at: Date
  is_shown: boolean
  shown_in: string | null
}

/** A row of `pegs`. */
export type PegRow = {
  account_id: Id<'account'>
  demand_kind: 'order_item' | 'restock'
  demand_id: string
  product_sku_id: Id<'sku'>
  supply_kind: 'ready_stock' | 'needs_assembly' | 'job' | 'assembly_task'
  supply_id: string
  units: number
}

/** A row of `pinned_pegs`. */
export type PinnedPegRow = {
  account_id: Id<'account'>
  id: string
  order_item_id: Id<'orderItem'>
  product_sku_id: Id<'sku'>
  supply_kind: 'ready_stock' | 'needs_assembly' | 'job'
  supply_id: string
  units: number
  actor: string
  created_at: Date
  updated_at: Date
}

/** A row of `plan_gaps`. */
export type PlanGapRow = {
  account_id: Id<'account'>
  order_item_id: Id<'orderItem'>
  product_sku_id: Id<'sku'>
  units: number
}

/** A row of `platform_fees`. */
export type PlatformFeeRow = {
  account_id: Id<'account'>
  platform: 'shopify' | 'etsy' | 'woocommerce' | 'manual' | 'other'
  share_ppm: number
  fixed: number
}

/** A row of `print_failures`. */
export type PrintFailureRow = {
  account_id: Id<'account'>
  id: Id<'printFailure'>
  job_id: Id<'job'>
  attempt_id: Id<'attempt'>
  printer_id: Id<'printer'>
  type: 'adhesion' | 'spaghetti' | 'layer_shift' | 'clog' | 'filament_runout' | 'thermal' | 'power_loss' | 'mechanical' | 'connection' | 'file' | 'cancelled_by_person' | 'other' | 'unknown'
  typed_by_person: boolean
  reason_code: string | null
  reason: string | null
  notes: string
  resolved_at: Date | null
  resolved_by: string | null
  occurred_at: Date
  updated_at: Date
  picture_wanted_until: Date | null
}

/** A row of `print_file_versions`. */
export type PrintFileVersionRow = {
  account_id: Id<'account'>
  id: Id<'fileVersion'>
  print_file_id: Id<'printFile'>
  version_number: number
  is_current_version: boolean
  notes: string
  original_name: string
  sha256: string
  file_size_bytes: number
  format: 'gcode' | 'bgcode' | 'gcode-3mf' | 'ufp' | 'project-3mf' | 'stl' | 'obj' | 'amf'
  is_sliced: boolean
  number_of_units: number
  print_time_seconds: number | null
  filament_weight_grams: number | null
  filament_length_meters: number | null
  filament_type: string | null
  filament_color: string | null
  printer_model: string | null
  nozzle_diameter: number | null
  layer_count: number | null
  bed_type: string | null
  print_profile: string | null
  object_count: number | null
  archive_plate: number | null
  nozzle_temp: number | null
  bed_temp: number | null
  thumbnail_sha256: string | null
  thumbnail_mime: string | null
  metadata: Json
  created_at: Date
  max_z_mm: number | null
  filaments: Json
  width_mm: number | null
  depth_mm: number | null
}

/** A row of `print_files`. */
export type PrintFileRow = {
  account_id: Id<'account'>
  id: Id<'printFile'>
  name: string
  product_id: Id<'product'> | null
  deleted_at: Date | null
  created_at: Date
  updated_at: Date
  tags: string[]
  folder: string
}

/** A row of `printer_marks`. */
export type PrinterMarkRow = {
  account_id: Id<'account'>
  id: string
  mark: string
}

/** A row of `printer_periods`. */
export type PrinterPeriodRow = {
  account_id: Id<'account'>
  printer_id: Id<'printer'>
  cause: 'printing' | 'transferring' | 'paused' | 'plate_not_clear' | 'no_matching_job' | 'filament' | 'not_started' | 'error' | 'offline' | 'maintenance' | 'inactive'
  attempt_id: Id<'attempt'> | null
  job_id: Id<'job'> | null
  started_at: Date
  ended_at: Date | null
}

/** A row of `printer_prices`. */
export type PrinterPriceRow = {
  account_id: Id<'account'>
  printer_id: Id<'printer'>
  machine_hour_price: number | null
  watts: number | null
}

/** A row of `printer_watches`. */
export type PrinterWatchRow = {
  account_id: Id<'account'>
  watched_until: Date
}

/** A row of `printers`. */
export type PrinterRow = {
  account_id: Id<'account'>
  id: Id<'printer'>
  hub_id: Id<'hub'> | null
  name: string
  model: string
  manufacturer: string
  location: string
  notes: string
  connection_type: 'virtual' | 'octoprint' | 'moonraker' | 'prusalink' | 'bambu' | 'elegoo' | 'creality'
  connection_sealed: Buffer
  nozzle_size: number | null
  current_color: string
  current_color_hex: string
  current_filament_type: string
  current_build_plate: string
  has_ams: boolean
  filament_level: number | null
  firmware_version: string
  auto_start: boolean
  is_active: boolean
  in_maintenance: boolean
  maintenance_type: string | null
  last_maintenance_date: Date | null
  total_print_seconds: number
  fence: number
  plate_state: 'clear' | 'occupied' | 'unknown'
  plate_job_id: Id<'job'> | null
  plate_changed_at: Date
  plate_changed_by: string
  plate_change_reason: 'new_printer' | 'print_started' | 'print_done' | 'print_failed' | 'print_cancelled' | 'foreign_print' | 'unseen_time' | 'plate_changed' | 'seen_not_started' | 'service_restored' | 'cleared_by_person' | 'cleared_by_task' | 'ejected' | 'ejection_check'
  created_at: Date
  updated_at: Date
  error_since: Date | null
  maintenance_interval_hours: number | null
  maintained_at_seconds: number
  power_group: string
  loaded_filament_grams: number | null
  ejection_cooldown_temp: number | null
  ejection_gcode: string | null
  ejection_check_after: number
  ejections_in_row: number
  health: Json
  connection_serial: string | null
  connection_host: string | null
  connection_port: number | null
  run_mark: string | null
  plate_run_mark: string | null
  plate_unknown_reason: string | null
  out_of_reach_since: Date | null
  fence_raised_at: Date | null
  told_offline: boolean
  told_error: boolean
  power_off_until: Date | null
}

/** A row of `product_images`. */
export type ProductImageRow = {
  account_id: Id<'account'>
  id: Id<'productImage'>
  product_id: Id<'product'>
  sort_order: number
  token: string
  content_type: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'
  sha256: string
  thumb_sha256: string
  created_at: Date
  updated_at: Date
  size_bytes: number
}

/** A row of `products`. */
export type ProductRow = {
  account_id: Id<'account'>
  id: Id<'product'>
  name: string
  description: string
  category: string
  requires_assembly: boolean
  requires_post_processing: boolean
  is_active: boolean
  created_at: Date
  updated_at: Date
  wiki_id: Id<'wikiArticle'> | null
}

/** A row of `push_keys`. */
export type PushKeyRow = {
  id: 'push_keys'
  public_key: string
  private_key_sealed: Buffer
  created_at: Date
}

/** A row of `recipe_outputs`. */
export type RecipeOutputRow = {
  account_id: Id<'account'>
  recipe_id: Id<'recipe'>
  product_sku_id: Id<'sku'>
  position: number
  units: number
}

/** A row of `recipes`. */
export type RecipeRow = {
  account_id: Id<'account'>
  id: Id<'recipe'>
  name: string
  product_id: Id<'product'>
  product_sku_id: Id<'sku'> | null
  print_file_id: Id<'printFile'>
  units_per_plate: number
  rank: number
  is_active: boolean
  notes: string
  created_at: Date
  updated_at: Date
}

/** A row of `replan_requests`. */
export type ReplanRequestRow = {
  account_id: Id<'account'>
  position: number
  product_sku_id: Id<'sku'> | null
  is_own: boolean
}

/** A row of `scarce_materials`. */
export type ScarceMaterialRow = {
  account_id: Id<'account'>
  material_id: Id<'material'>
}

/** A row of `scheduler_settings`. */
export type SchedulerSettingRow = {
  account_id: Id<'account'>
  id: Id<'schedulerSettings'>
  working_days: number[] | null
  working_from: string | null
  working_to: string | null
  heating_at_once: number | null
  heating_gap_seconds: number | null
  created_at: Date
  updated_at: Date
}

/** A row of `second_factors`. */
export type SecondFactorRow = {
  user_id: Id<'user'>
  secret_sealed: Buffer
  confirmed_at: Date | null
  last_step: number | null
  created_at: Date
}

/** A row of `sessions`. */
export type SessionRow = {
  account_id: Id<'account'>
  id: Id<'session'>
  user_id: Id<'user'>
  token_hash: Buffer
  ip: string
  user_agent: string
  created_at: Date
  last_seen_at: Date
  expires_at: Date
  ended_at: Date | null
  proven_at: Date | null
}

/** A row of `shifts`. */
export type ShiftRow = {
  account_id: Id<'account'>
  id: Id<'shift'>
  user_id: Id<'user'>
  weekly: Json
  switched_on: boolean | null
  switched_until: Date | null
  updated_at: Date
}

/** A row of `shipment_items`. */
export type ShipmentItemRow = {
  account_id: Id<'account'>
  id: Id<'shipmentItem'>
  shipment_id: Id<'shipment'>
  order_id: Id<'order'>
  order_item_id: Id<'orderItem'>
  quantity: number
  units: number
}

/** A row of `shipments`. */
export type ShipmentRow = {
  account_id: Id<'account'>
  id: Id<'shipment'>
  order_id: Id<'order'>
  carrier: string
  tracking_number: string
  tracking_url: string
  packed_by: Id<'user'> | null
  shipped_at: Date
  created_at: Date
}

/** A row of `shop_orders`. */
export type ShopOrderRow = {
  account_id: Id<'account'>
  shop_id: Id<'shop'>
  external_id: string
  order_id: Id<'order'> | null
  content_hash: Buffer
  state: 'followed' | 'skipped' | 'refused'
  reason: string
  reread_at: Date | null
  created_at: Date
  updated_at: Date
}

/** A row of `shop_pushes`. */
export type ShopPushRow = {
  account_id: Id<'account'>
  id: Id<'shopPush'>
  shop_id: Id<'shop'>
  order_id: Id<'order'>
  shipment_id: Id<'shipment'>
  state: 'pending' | 'sent' | 'failed'
  attempts: number
  due_at: Date
  attempted_at: Date | null
  problem: string | null
  created_at: Date
}

/** A row of `shop_stock`. */
export type ShopStockRow = {
  account_id: Id<'account'>
  shop_id: Id<'shop'>
  listing: string
  told: number | null
  seen: number | null
  problem: string | null
  updated_at: Date
}

/** A row of `shops`. */
export type ShopRow = {
  account_id: Id<'account'>
  id: Id<'shop'>
  platform: 'woocommerce' | 'shopify' | 'etsy'
  name: string
  shop: string
  url: string
  settings_sealed: Buffer
  cursor: Json | null
  orders_since: Date
  personalisation_names: string[]
  pushes_fulfilment: boolean
  pushes_stock: boolean
  stock_buffer: number
  paused_at: Date | null
  due_at: Date
  last_read_at: Date | null
  stock_due_at: Date
  failures: number
  failing_since: Date | null
  retry_at: Date | null
  problem: string | null
  lease_id: string | null
  leased_until: Date | null
  created_by: string
  created_at: Date
  updated_at: Date
  tokens_sealed: Buffer | null
  renewing_until: Date | null
}

/** A row of `skus`. */
export type SkuRow = {
  account_id: Id<'account'>
  id: Id<'sku'>
  product_id: Id<'product'>
  sku: string
  color: string
  filament_type: string
  hex_code: string
  quantity: number
  is_active: boolean
  created_at: Date
  updated_at: Date
  kit_part_id: Id<'kitPart'> | null
  restock_point: number | null
  restock_to: number | null
  auto_produce: boolean
}

/** A row of `smart_plugs`. */
export type SmartPlugRow = {
  account_id: Id<'account'>
  id: Id<'smartPlug'>
  printer_id: Id<'printer'>
  command_topic: string
  payload_on: string
  payload_off: string
  state_topic: string
  off_after_minutes: number | null
  switches_on: boolean
  state: 'on' | 'off' | null
  state_at: Date | null
  created_at: Date
  updated_at: Date
}

/** A row of `spool_tags`. */
export type SpoolTagRow = {
  account_id: Id<'account'>
  id: Id<'spoolTag'>
  material_id: Id<'material'>
  kind: 'uid' | 'uuid'
  value: string
  created_at: Date
}

/** A row of `spoolman_connections`. */
export type SpoolmanConnectionRow = {
  account_id: Id<'account'>
  id: Id<'spoolmanConnection'>
  url: string
  leader: 'printyard' | 'spoolman'
  sends_usage: boolean
  paused_at: Date | null
  due_at: Date
  last_read_at: Date | null
  failures: number
  failing_since: Date | null
  retry_at: Date | null
  problem: string | null
  lease_id: string | null
  leased_until: Date | null
  created_by: string
  created_at: Date
  updated_at: Date
}

/** A row of `spoolman_spools`. */
export type SpoolmanSpoolRow = {
  account_id: Id<'account'>
  spool_id: number
  url: string
  material_id: Id<'material'> | null
  state: 'linked' | 'unweighed' | 'gone'
  sending_from: number | null
  sending_milligrams: number | null
  sending_at: Date | null
  created_at: Date
}

/** A row of `spoolman_usages`. */
export type SpoolmanUsageRow = {
  account_id: Id<'account'>
  id: Id<'spoolmanUsage'>
  spool_id: number
  milligrams: number
  state: 'pending' | 'sending' | 'unclear' | 'refused'
  problem: string | null
  created_at: Date
}

/** A row of `stock_movements`. */
export type StockMovementRow = {
  account_id: Id<'account'>
  id: Id<'stockMovement'>
  inventory_item_id: Id<'inventoryItem'>
  stock: 'ready' | 'needs_assembly'
  reason: 'job_completed' | 'units_rejected' | 'assembled' | 'used_in_assembly' | 'order_fulfilled' | 'manual' | 'inventory_count' | 'correction' | 'damaged' | 'returned'
  change: number
  quantity_before: number
  quantity_after: number
  job_id: Id<'job'> | null
  notes: string
  actor: string
  created_at: Date
  order_id: Id<'order'> | null
  assembly_task_id: Id<'assemblyTask'> | null
  happened_at: Date | null
}

/** A row of `task_assignment_defaults`. */
export type TaskAssignmentDefaultRow = {
  account_id: Id<'account'>
  id: Id<'taskAssignmentDefault'>
  task_type: 'assembly' | 'filament_change' | 'collection' | 'maintenance' | 'quality_check' | null
  assigned_to: Id<'user'>
  created_at: Date
  updated_at: Date
}

/** A row of `unit_rejects`. */
export type UnitRejectRow = {
  account_id: Id<'account'>
  job_id: Id<'job'>
  type: 'adhesion' | 'spaghetti' | 'layer_shift' | 'clog' | 'filament_runout' | 'thermal' | 'power_loss' | 'mechanical' | 'connection' | 'file' | 'cancelled_by_person' | 'other' | 'unknown'
  times: number
  units: number
}

/** A row of `uploads`. */
export type UploadRow = {
  account_id: Id<'account'>
  id: Id<'upload'>
  token_hash: Buffer
  file_name: string
  expected_bytes: number | null
  state: 'open' | 'received' | 'used'
  sha256: string | null
  size_bytes: number | null
  expires_at: Date
  created_at: Date
  file_id: Id<'printFile'> | null
}

/** A row of `users`. */
export type UserRow = {
  id: Id<'user'>
  email: string
  name: string
  password_hash: string | null
  created_at: Date
  updated_at: Date
  is_password_by_shown_link: boolean
  language: string | null
}

/** A row of `webhook_deliveries`. */
export type WebhookDeliveryRow = {
  account_id: Id<'account'>
  id: Id<'webhookDelivery'>
  webhook_id: Id<'webhook'>
  event_id: Id<'event'>
  event_type: string
  subject_id: string
  event_txid: number
  is_test: boolean
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  due_at: Date
  attempted_at: Date | null
  duration_ms: number | null
  status_code: number | null
  failure: string | null
  answer: string | null
  history: Json
  created_at: Date
}

/** A row of `webhook_feeds`. */
export type WebhookFeedRow = {
  account_id: Id<'account'>
  id: Id<'webhookFeed'>
  txid: number
  event_id: Id<'event'>
}

/** A row of `webhooks`. */
export type WebhookRow = {
  account_id: Id<'account'>
  id: Id<'webhook'>
  url: string
  description: string
  event_types: string[]
  subject_ids: string[]
  secrets_sealed: Buffer
  since_txid: number
  since_event_id: Id<'event'>
  paused_at: Date | null
  pause_reason: 'person' | 'failing' | 'gone' | null
  failures: number
  failing_since: Date | null
  retry_at: Date | null
  lease_id: string | null
  leased_until: Date | null
  created_by: string
  created_at: Date
  updated_at: Date
}

/** A row of `wiki_articles`. */
export type WikiArticleRow = {
  account_id: Id<'account'>
  id: Id<'wikiArticle'>
  title: string
  slug: string
  excerpt: string
  category: string
  tags: string[]
  product_id: Id<'product'> | null
  sku_id: Id<'sku'> | null
  is_published: boolean
  published_at: Date | null
  meta_title: string
  meta_description: string
  featured_image_url: string
  description: string
  estimated_time_minutes: number | null
  difficulty: 'easy' | 'medium' | 'hard' | null
  tools_required: string[]
  content: string
  sections: Json
  revision: number
  created_at: Date
  updated_at: Date
}

/** A row of `wiki_images`. */
export type WikiImageRow = {
  account_id: Id<'account'>
  id: Id<'wikiImage'>
  article_id: Id<'wikiArticle'>
  token: string
  content_type: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'
  sha256: string
  thumb_sha256: string
  size_bytes: number
  created_at: Date
}

/** A row of `wiki_revisions`. */
export type WikiRevisionRow = {
  account_id: Id<'account'>
  article_id: Id<'wikiArticle'>
  number: number
  fields: string[]
  article: Json
  actor: string
  created_at: Date
}

/** A row of `worklist_tasks`. */
export type WorklistTaskRow = {
  account_id: Id<'account'>
  id: Id<'worklistTask'>
  title: string
  subtitle: string
  description: string
  task_type: 'assembly' | 'filament_change' | 'collection' | 'maintenance' | 'quality_check'
  priority: 'low' | 'medium' | 'high'
  status: 'pending' | 'in_progress' | 'completed' | 'cancelled'
  printer_id: Id<'printer'> | null
  assigned_to: Id<'user'> | null
  estimated_time_minutes: number | null
  actual_time_minutes: number | null
  started_at: Date | null
  completed_at: Date | null
  due_date: Date | null
  created_by: string
  created_at: Date
  updated_at: Date
  filament_key: string | null
  source: 'person' | 'plate' | 'unknown_fate' | 'printer_error' | 'hub_silent' | 'print_hours' | 'assembly' | 'health' | 'out_of_reach' | 'second_copy' | 'filament' | 'product' | 'pick' | 'pack' | 'backup' | 'certificate'
  subject_id: string | null
  attempt_id: Id<'attempt'> | null
}
