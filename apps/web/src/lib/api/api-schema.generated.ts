// Printed by generate-api-schema.ts from the API descriptions. Do not edit.

export type Account = {
  created_at: string
  id: string
  mail_may_go_unencrypted: boolean
  name: string
  requeue_rejected_units: boolean
  require_second_factor: boolean
  time_zone: string
}

export type AddedVersion = {
  created_at: string
  file: PrintFileDetail
  id: string
  is_current_version: boolean
  notes: string
  version_number: number
  versions: Array<{
    created_at: string
    id: string
    is_current_version: boolean
    notes: string
    version_number: number
  }>
}

export type AdjustInventoryItemRequest = {
  adjustment: number
  notes?: string | undefined
  reason?: "manual" | "inventory_count" | "correction" | "damaged" | "returned" | undefined
}

export type AgentCall = {
  agent: string
  step: "look" | "dry_run" | "act"
  tool: string
}

export type ApiKey = {
  created_at: string
  created_by: string | null
  created_by_name: string | null
  expires_at: string | null
  id: string
  last_four: string
  last_used_at: string | null
  name: string
  prefix: string
  revoked_at: string | null
  scopes: Array<"read" | "write" | "control">
}

export type AssembleSkusRequest = {
  assigned_to?: string | undefined
  notes?: string | undefined
  quantity?: number | undefined
}

export type AssemblyPart = {
  available: number
  bin: string
  image_url: string
  material_id: string | null
  missing: number
  name: string
  needed: number
  per_unit: number
  product_sku_id: string | null
  sku: string
}

export type AssemblyStats = {
  by_status: {
    cancelled: {
      count: number
      total_quantity: number
    }
    completed: {
      count: number
      total_quantity: number
    }
    in_progress: {
      count: number
      total_quantity: number
    }
    pending: {
      count: number
      total_quantity: number
    }
  }
  cancelled: number
  completed: number
  in_progress: number
  pending: number
  total_units_awaiting: number
  units_completed: number
  units_open: number
  units_rejected: number
}

export type AssemblyTask = {
  assigned_to: string | null
  completed_at: string | null
  created_at: string
  id: string
  kind: "print_assembly" | "kit_assembly"
  notes: string
  product_name: string
  product_sku_id: string
  quantity: number
  quantity_completed: number
  quantity_rejected: number
  sku: string
  status: "pending" | "in_progress" | "completed" | "cancelled"
  updated_at: string
}

export type AssemblyTaskDetail = {
  assigned_to: string | null
  completed_at: string | null
  created_at: string
  for_orders: Array<{
    order_id: string
    order_item_id: string
    order_number: string
    personalisation: Array<{
      name: string
      value: string
    }>
    product_sku_id: string
    ship_by: string | null
    units: number
  }>
  id: string
  image_url: string
  kind: "print_assembly" | "kit_assembly"
  notes: string
  parts: Array<AssemblyPart>
  product_name: string
  product_sku_id: string
  quantity: number
  quantity_completed: number
  quantity_rejected: number
  sku: string
  status: "pending" | "in_progress" | "completed" | "cancelled"
  updated_at: string
  wiki_article: {
    category: string
    content: string
    created_at: string
    description: string
    difficulty: "easy" | "medium" | "hard" | null
    estimated_time_minutes: number | null
    excerpt: string
    featured_image_url: string
    id: string
    is_published: boolean
    meta_description: string
    meta_title: string
    product_id: string | null
    published_at: string | null
    sections: Array<WikiSection>
    sku_id: string | null
    slug: string
    tags: Array<string>
    title: string
    tools_required: Array<string>
    updated_at: string
  } | null
}

export type AssignJobRequest = {
  printer_id: string | null
}

export type AssignTaskRequest = {
  assigned_to: string | null
}

export type AttachedPrinterAnswer = {
  id: string
  model: string
  name: string
  status: "idle" | "printing" | "paused" | "maintenance" | "error" | "offline"
}

export type AutomationRule = {
  actions: Array<{
    channel_ids?: Array<string> | undefined
    do: "send_message" | "call_webhook" | "create_task" | "start_maintenance" | "set_order_priority" | "produce"
    priority?: "low" | "normal" | "high" | "urgent" | undefined
    text?: string | undefined
    webhook_id?: string | undefined
  }>
  created_at: string
  id: string
  kinds: Array<"needs_person" | "print_done" | "print_failed" | "printer_silent" | "printer_error" | "order_received" | "order_at_risk" | "order_late" | "stock_low" | "filament_low" | "hub_gone" | "backup_failed" | "receiver_paused">
  least_severity: "low" | "medium" | "high"
  locations: Array<string>
  mode: "on" | "trial" | "off"
  most_per_hour: number
  name: string
  printer_ids: Array<string>
  product_ids: Array<string>
  times: number
  updated_at: string
  within_minutes: number
}

export type AutomationRun = {
  created_at: string
  event_id: string
  happened_at: string
  id: string
  kind: string
  outcome: "ran" | "trial" | "counted" | "held"
  path: string
  rule_id: string
  rule_name: string | null
  steps: Array<{
    detail: string
    do: "send_message" | "call_webhook" | "create_task" | "start_maintenance" | "set_order_priority" | "produce"
    result: "done" | "refused" | "not_needed" | "not_done"
  }>
  title: string
}

export type Backup = {
  cause: "schedule" | "person" | "command"
  copied_at: string | null
  copy_error: string | null
  copy_to: string | null
  ended_at: string | null
  error: string | null
  file_count: number | null
  folder: string
  id: string
  is_encrypted: boolean | null
  missing_file_count: number | null
  name: string | null
  new_bytes: number | null
  progress: {
    done: number
    step: "files" | "tables" | "restore" | "check" | "copy"
    total: number | null
    unit: "bytes" | "rows"
  } | null
  row_count: number | null
  started_at: string
  status: "running" | "done" | "failed"
  total_bytes: number | null
}

export type BackupCodes = {
  backup_codes: Array<string>
}

export type BackupSchedule = {
  hour: number
  is_enabled: boolean
  keep_daily: number
  keep_monthly: number
  keep_weekly: number
  next_at: string | null
}

export type Backups = {
  backups: Array<Backup>
  copies: {
    error: string | null
    failed_at: string | null
    last_copied_at: string | null
    last_name: string | null
    to: string
  } | null
  folder: string
  is_encrypted: boolean
  is_in_data_folder: boolean
  schedule: BackupSchedule
}

export type BegunTotp = {
  otpauth_url: string
  secret: string
}

export type BoardPrinter = {
  id: string
  job: {
    file_name: string
    id: string
    picture_of: string | null
    plate_number: number
    plates_total: number
    print_file_id: string
    product_name: string | null
    sku_name: string | null
    units: number
  } | null
  next_job: {
    id: string
    name: string
  } | null
  slots: Array<{
    color: string
    color_hex: string
    is_active: boolean
    is_empty: boolean
    name: string
    type: string
  }>
}

export type BulkJobs = {
  queued: number
  refused: number
  results: Array<{
    error?: {
      code: string
      details?: unknown | undefined
      message: string
    } | undefined
    index: number
    job?: JobDetail | undefined
    success: boolean
  }>
}

export type CancelJobRequest = {
  failure_type?: "adhesion" | "spaghetti" | "layer_shift" | "clog" | "filament_runout" | "thermal" | "power_loss" | "mechanical" | "connection" | "file" | "cancelled_by_person" | "other" | "unknown" | undefined
  only_queued?: boolean | undefined
  seen_over?: boolean | undefined
}

export type CancelledLine = {
  cancelled: number
  order_item_id: string
  returned: number
  shipped: number
  sku: string
  units: number
}

export type CancelledOrder = {
  created_at: string
  customer_email: string
  customer_name: string
  customer_phone: string
  discount_amount: number
  external_id: string
  id: string
  items: Array<OrderItem>
  lines: Array<CancelledLine>
  notes: string
  order_date: string
  order_number: string
  platform: "shopify" | "etsy" | "woocommerce" | "manual" | "other"
  shipped_at: string | null
  shipping_city: string
  shipping_cost: number
  shipping_country: string
  shipping_state: string
  shipping_street: string
  shipping_zip: string
  status: "pending" | "processing" | "printed" | "assembled" | "shipped" | "fulfilled" | "cancelled" | "refunded"
  tax_amount: number
  total_revenue: number
  tracking_number: string
  tracking_url: string
  updated_at: string
}

export type ChangedListingMap = {
  created_at: string
  id: string
  listing_id: string
  mapped_items: number
  pack_size: number
  platform: "shopify" | "etsy" | "woocommerce" | "manual" | "other"
  product_name: string
  product_sku_id: string
  seller_sku: string
  shop: string
  sku: string
  updated_at: string
  variation: string
}

export type CheckComponentAvailabilityRequest = {
  components?: Array<{
    component_type: string
    quantity_needed: number
  }> | undefined
  items?: Array<{
    id: string
    quantity: number
  }> | undefined
}

export type Color = {
  color_name: string
  created_at: string
  filament_type: string
  hex_code: string
  id: string
  is_active: boolean
}

export type CompleteAssemblyTaskRequest = {
  notes?: string | undefined
  quantity_completed?: number | undefined
  quantity_rejected?: number | undefined
}

export type CompleteJobRequest = {
  actual_print_time_minutes?: number | undefined
}

export type CompletedAssembly = {
  assigned_to: string | null
  completed_at: string | null
  created_at: string
  id: string
  kind: "print_assembly" | "kit_assembly"
  notes: string
  product_name: string
  product_sku_id: string
  quantity: number
  quantity_completed: number
  quantity_rejected: number
  sku: string
  status: "pending" | "in_progress" | "completed" | "cancelled"
  task: AssemblyTask
  updated_at: string
}

export type Component = {
  brand: string
  color: string
  created_at: string
  diameter: number | null
  id: string
  location: string
  low_threshold: number
  name: string
  remaining_units: number
  size: string
  status: "in_stock" | "low" | "out_of_stock"
  type: string
  updated_at: string
}

export type ComponentAvailability = {
  available: boolean
  components: Array<ComponentTypeNeed>
  has_shortage: boolean
  items: Array<ComponentNeed>
}

export type ComponentNeed = {
  id: string
  name: string
  needed: number
  remaining: number
  shortage: number
}

export type ComponentTypeNeed = {
  component_id: string | null
  component_type: string
  has_shortage: boolean
  quantity_available: number
  quantity_needed: number
  shortage_amount: number
}

export type ConnectionTest = {
  certificate_fingerprint: string | null
  firmware_version: string | null
  is_certificate_vouched: boolean | null
  model: string | null
  ok: boolean
  problem: {
    message: string
    reason: "address_invalid" | "address_not_allowed" | "unreachable" | "refused" | "no_answer" | "credentials_missing" | "credentials_wrong" | "developer_mode_off" | "lan_mode_off" | "certificate_unknown" | "certificate_changed" | "serial_missing" | "serial_differs" | "not_this_family" | "unsupported_firmware" | "too_many_connections" | "busy" | "print_out_of_reach" | "printer_not_connected" | "clock_skew" | "commands_refused" | "firmware_stopped" | "print_error" | "storage_missing" | "storage_faulty" | "storage_full" | "hub_clock_skew" | "hub_storage_low" | "hub_storage_full" | "hub_plain_text" | "hub_replaced" | "not_supported" | "unknown"
    remedy: string
  } | null
  serial: string | null
}

export type ConsumeComponentRequest = {
  notes?: string | undefined
  quantity: number
  reason?: "manual_adjustment" | "damaged" | "other" | undefined
}

export type ConsumePackagingRequest = {
  notes?: string | undefined
  quantity: number
  reason?: "manual_adjustment" | "damaged" | "other" | undefined
}

export type ConsumePartRequest = {
  notes?: string | undefined
  quantity: number
  reason?: "manual_adjustment" | "damaged" | "other" | undefined
}

export type ConsumeSpoolRequest = {
  notes?: string | undefined
  quantity: number
  reason?: "manual_adjustment" | "damaged" | "other" | undefined
}

export type ConsumedComponent = {
  brand: string
  color: string
  component: Component
  consumed: MaterialConsumption
  created_at: string
  diameter: number | null
  id: string
  location: string
  low_threshold: number
  name: string
  remaining_units: number
  size: string
  status: "in_stock" | "low" | "out_of_stock"
  type: string
  updated_at: string
}

export type ConsumedFilamentSpool = {
  available_grams: number
  brand: string
  color: string
  consumed: MaterialConsumption
  created_at: string
  diameter: number | null
  filament: FilamentSpool
  hex_code: string
  id: string
  location: string
  low_threshold: number
  printer_id: string | null
  remaining_grams: number
  reserved_grams: number
  slot: number | null
  spool_weight_grams: number | null
  status: "in_stock" | "low" | "out_of_stock"
  type: string
  updated_at: string
}

export type ConsumedPackaging = {
  brand: string
  color: string
  consumed: MaterialConsumption
  created_at: string
  diameter: number | null
  id: string
  location: string
  low_threshold: number
  name: string
  packaging: Packaging
  remaining_units: number
  size: string
  status: "in_stock" | "low" | "out_of_stock"
  type: string
  updated_at: string
}

export type ConsumedPart = {
  brand: string
  color: string
  consumed: MaterialConsumption
  created_at: string
  diameter: number | null
  id: string
  location: string
  low_threshold: number
  name: string
  part: Part
  remaining_units: number
  size: string
  status: "in_stock" | "low" | "out_of_stock"
  type: string
  updated_at: string
}

export type ControlAnswer = {
  action: "pause" | "resume" | "stop" | "clear_bed"
  command_id: string | null
  pending?: string | undefined
  printer_id: string
  status: "idle" | "printing" | "paused" | "maintenance" | "error" | "offline"
}

export type ControlPrinterRequest = {
  action: "pause" | "resume" | "stop" | "clear_bed"
  failure_type?: "adhesion" | "spaghetti" | "layer_shift" | "clog" | "filament_runout" | "thermal" | "power_loss" | "mechanical" | "connection" | "file" | "cancelled_by_person" | "other" | "unknown" | undefined
  quantity_rejected?: number | undefined
  rejected?: Array<{
    product_sku_id: string
    quantity: number
  }> | undefined
  seen_over?: boolean | undefined
}

export type CostOf = {
  known: string
  parts: Array<CostPart>
  total: string | null
  unknown: Array<UnknownInput>
}

export type CostPart = {
  is_known: boolean
  known: string
  part: "filament" | "machine" | "energy" | "labour" | "components" | "packaging" | "platform_fee"
}

export type CostSettings = {
  assembly_labour_seconds: number | null
  currency: string
  energy_price: string | null
  filaments: Array<{
    filament_type: string
    price: string
  }>
  labour_hour_price: string | null
  machine_hour_price: string | null
  models: Array<{
    machine_hour_price: string | null
    model: string
    watts: number | null
  }>
  order_labour_seconds: number | null
  plate_labour_seconds: number | null
  platform_fees: Array<{
    fixed: string
    percent: string
    platform: "shopify" | "etsy" | "woocommerce" | "manual" | "other"
  }>
  printers: Array<{
    machine_hour_price: string | null
    printer_id: string
    watts: number | null
  }>
  watts: number | null
}

export type CreateAgentCallRequest = {
  agent: string
  step: "look" | "dry_run" | "act"
  tool: string
}

export type CreateArticleRequest = {
  category?: string | undefined
  content?: string | undefined
  description?: string | undefined
  difficulty?: "easy" | "medium" | "hard" | null | undefined
  estimated_time_minutes?: number | null | undefined
  excerpt?: string | undefined
  featured_image_url?: string | undefined
  is_published?: boolean | undefined
  meta_description?: string | undefined
  meta_title?: string | undefined
  product_id?: string | null | undefined
  sections?: Array<{
    content?: string | undefined
    description?: string | undefined
    id?: string | undefined
    image_url?: string | undefined
    notes?: string | undefined
    number?: number | null | undefined
    order?: number | undefined
    title?: string | undefined
    type: "subtitle" | "step" | "note" | "warning"
    warnings?: Array<string> | undefined
  }> | undefined
  sku_id?: string | null | undefined
  slug?: string | null | undefined
  tags?: Array<string> | undefined
  title: string
  tools_required?: Array<string> | undefined
}

export type CreateAssemblyTaskRequest = {
  assigned_to?: string | undefined
  finished_good_id?: string | undefined
  kind?: "print_assembly" | "kit_assembly" | undefined
  notes?: string | undefined
  product_sku_id?: string | undefined
  quantity?: number | undefined
}

export type CreateColorRequest = {
  color_name: string
  filament_type?: string | undefined
  hex_code: string
  is_active?: boolean | undefined
}

export type CreateComponentRequest = {
  brand?: string | null | undefined
  color?: string | null | undefined
  diameter?: number | null | undefined
  location?: string | null | undefined
  low_threshold?: number | null | undefined
  name?: string | undefined
  remaining_units?: number | undefined
  size?: string | null | undefined
  type?: string | undefined
}

export type CreateFileRequest = {
  folder?: string | undefined
  name?: string | undefined
  notes?: string | undefined
  number_of_units?: number | undefined
  plate?: number | undefined
  product_id?: string | undefined
  storage_key?: string | undefined
  upload_token?: string | undefined
}

export type CreateFileVersionRequest = {
  notes?: string | undefined
  plate?: number | undefined
  set_as_current?: boolean | undefined
  storage_key?: string | undefined
  upload_token?: string | undefined
}

export type CreateHubRequest = {
  name: string
}

export type CreateInventoryItemRequest = {
  image_url?: string | null | undefined
  low_stock_threshold?: number | undefined
  product_sku_id: string
  ready_stock?: number | undefined
}

export type CreateListingMapRequest = {
  listing_id?: string | undefined
  pack_size?: number | undefined
  platform: "shopify" | "etsy" | "woocommerce" | "manual" | "other"
  product_sku_id: string
  seller_sku?: string | undefined
  shop?: string | undefined
  variation?: string | undefined
}

export type CreateOrderItemHoldRequest = {
  job_id?: string | undefined
  product_sku_id?: string | undefined
  units: number
}

export type CreateOrderPickRequest = {
  bin?: string | undefined
}

export type CreateOrderRequest = {
  allow_unmapped?: boolean | undefined
  currency?: string | undefined
  customer_email?: string | undefined
  customer_name?: string | undefined
  customer_phone?: string | undefined
  discount_amount?: number | undefined
  external_id?: string | undefined
  is_paid?: boolean | undefined
  items: Array<{
    listing_id?: string | undefined
    notes?: string | undefined
    personalisation?: Array<{
      name: string
      value: string
    }> | undefined
    product_name?: string | undefined
    product_sku_id?: string | undefined
    quantity: number
    sku?: string | undefined
    unit_price: number
    variation?: string | undefined
  }>
  notes?: string | undefined
  order_date?: string | undefined
  order_number?: string | undefined
  platform?: "shopify" | "etsy" | "woocommerce" | "manual" | "other" | undefined
  priority?: "low" | "normal" | "high" | "urgent" | undefined
  ship_by?: string | null | undefined
  shipping_city?: string | undefined
  shipping_cost?: number | undefined
  shipping_country?: string | undefined
  shipping_state?: string | undefined
  shipping_street?: string | undefined
  shipping_zip?: string | undefined
  shop?: string | undefined
  tax_amount?: number | undefined
  total_revenue?: number | undefined
}

export type CreateOrderReturnRequest = {
  items: Array<{
    disposition: "restock" | "scrap" | "remake"
    item_id: string
    notes?: string | undefined
    quantity: number
  }>
}

export type CreatePackagingRequest = {
  brand?: string | null | undefined
  color?: string | null | undefined
  diameter?: number | null | undefined
  location?: string | null | undefined
  low_threshold?: number | null | undefined
  name?: string | undefined
  remaining_units?: number | undefined
  size?: string | null | undefined
  type?: string | undefined
}

export type CreatePartRequest = {
  brand?: string | null | undefined
  color?: string | null | undefined
  diameter?: number | null | undefined
  location?: string | null | undefined
  low_threshold?: number | null | undefined
  name?: string | undefined
  remaining_units?: number | undefined
  size?: string | null | undefined
  type?: string | undefined
}

export type CreatePrinterRequest = {
  auto_start?: boolean | undefined
  connection?: Record<string, unknown> | undefined
  connection_type: "virtual" | "octoprint" | "moonraker" | "prusalink" | "bambu" | "elegoo" | "creality"
  current_build_plate?: string | undefined
  current_color?: string | undefined
  current_color_hex?: string | undefined
  current_filament_type?: string | undefined
  ejection?: {
    check_after?: number | undefined
    cooldown_temp?: number | undefined
    gcode?: string | null | undefined
  } | null | undefined
  has_ams?: boolean | undefined
  hub_id?: string | null | undefined
  loaded_filament_grams?: number | null | undefined
  location?: string | null | undefined
  maintenance_interval_hours?: number | null | undefined
  manufacturer?: string | undefined
  model: string
  name: string
  notes?: string | null | undefined
  nozzle_size?: number | null | undefined
  power_group?: string | undefined
}

export type CreateProductKitRequest = {
  bundle_extras?: Array<{
    inventory_item_id: string
    quantity_required: number
  }> | undefined
  category?: string | null | undefined
  description?: string | null | undefined
  name: string
  parts: Array<{
    components?: Array<{
      inventory_item_id: string
      notes?: string | undefined
      quantity_required: number
    }> | undefined
    fixed_color?: string | null | undefined
    fixed_hex_code?: string | null | undefined
    name: string
    part_id?: string | undefined
    print_file_id?: string | null | undefined
    quantity_per_kit: number
    requires_assembly?: boolean | undefined
  }>
  requires_post_processing?: boolean | undefined
  variants: Array<{
    bundle_extras?: Array<{
      inventory_item_id: string
      quantity_required: number
    }> | undefined
    color: string
    filament_type?: string | null | undefined
    hex_code?: string | null | undefined
    low_stock_threshold?: number | undefined
    sku?: string | undefined
    sku_id?: string | undefined
  }>
  wiki_id?: string | null | undefined
}

export type CreateProductRequest = {
  category?: string | null | undefined
  description?: string | null | undefined
  name: string
  requires_assembly?: boolean | undefined
  requires_post_processing?: boolean | undefined
  wiki_id?: string | null | undefined
}

export type CreateProductionProduceRequest = {
  dry_run?: boolean | undefined
  due_before?: string | undefined
  order_ids?: Array<string> | undefined
  sku_ids?: Array<string> | undefined
}

export type CreateRecipeRequest = {
  also_makes?: Array<{
    product_sku_id: string
    units: number
  }> | undefined
  is_active?: boolean | undefined
  name?: string | undefined
  notes?: string | null | undefined
  print_file_id: string
  product_id?: string | undefined
  product_sku_id?: string | null | undefined
  rank?: number | undefined
  units_per_plate?: number | undefined
}

export type CreateSkusRequest = {
  color?: string | undefined
  filament_type?: string | undefined
  hex_code?: string | null | undefined
  low_stock_threshold?: number | undefined
  product_id: string
  quantity?: number | undefined
  sku: string
}

export type CreateSpoolRequest = {
  brand?: string | null | undefined
  color?: string | null | undefined
  diameter?: number | null | undefined
  hex_code?: string | null | undefined
  location?: string | null | undefined
  low_threshold?: number | null | undefined
  remaining_grams?: number | undefined
  spool_weight_grams?: number | null | undefined
  type: string
}

export type CreateSpoolTagRequest = {
  code: string
  uid?: string | undefined
}

export type CreateTaskRequest = {
  apply_default_assignee?: boolean | undefined
  assigned_to?: string | undefined
  description?: string | undefined
  due_date?: string | undefined
  estimated_time_minutes?: number | undefined
  printer_id?: string | undefined
  priority?: "low" | "medium" | "high" | undefined
  subtitle?: string | undefined
  task_type: "assembly" | "filament_change" | "collection" | "maintenance" | "quality_check"
  title: string
}

export type CreateUploadUrlRequest = {
  content_type?: string | undefined
  filename: string
  size_bytes?: number | undefined
}

export type CreateWebhookRequest = {
  description?: string | null | undefined
  event_types?: Array<string> | undefined
  subject_ids?: Array<string> | undefined
  url: string
}

export type DefaultAssignee = {
  assigned_to: string
  is_member: boolean
  task_type: "assembly" | "filament_change" | "collection" | "maintenance" | "quality_check" | null
}

export type DeletedAssemblyTask = {
  deleted: boolean
  id: string
}

export type DeletedColor = {
  deleted: boolean
  id: string
}

export type DeletedFile = {
  deleted: boolean
  id: string
}

export type DeletedHub = {
  deleted: boolean
  id: string
}

export type DeletedInventoryItem = {
  deleted: boolean
  id: string
}

export type DeletedJob = {
  deleted: boolean
  id: string
}

export type DeletedMaterial = {
  deleted: boolean
  id: string
}

export type DeletedPrinter = {
  deleted: boolean
  id: string
}

export type DeletedProductImage = {
  deleted: boolean
  id: string
}

export type DeletedRecipe = {
  deleted: boolean
  id: string
}

export type DeletedWikiArticle = {
  deleted: boolean
  id: string
}

export type DeletedWorklistTask = {
  deleted: boolean
  id: string
}

export type DeviceCommand = {
  command_id: string
  kind: "heaters" | "light" | "load_filament" | "unload_filament"
  pending?: string | undefined
  printer_id: string
  status: "idle" | "printing" | "paused" | "maintenance" | "error" | "offline"
}

export type DiscoverPrintersRequest = {
  address?: string | undefined
} | null

export type DiscoveredPrinter = {
  address: string | null
  adopted_printer_id: string | null
  connection_type: "virtual" | "octoprint" | "moonraker" | "prusalink" | "bambu" | "elegoo" | "creality"
  evidence: Array<string>
  first_seen_at: string
  id: string
  last_seen_at: string
  model: string | null
  name: string
  port: number | null
  serial: string | null
}

export type DiscoveryStarted = {
  hub_id: string
  started_at: string
}

export type EnqueueJobRequest = {
  any_color?: boolean | undefined
  color?: string | undefined
  due_date?: string | undefined
  filament_type?: string | undefined
  material_type?: string | undefined
  number_of_units?: number | undefined
  print_file_id?: string | undefined
  printer_id?: string | undefined
  priority?: "low" | "normal" | "high" | "urgent" | undefined
  product_id?: string | undefined
  product_sku_id?: string | undefined
  quantity_per_print?: number | undefined
  recipe_id?: string | undefined
  requires_assembly?: boolean | undefined
}

export type EnqueueJobsRequest = {
  jobs: Array<unknown>
}

export type Event = {
  actor: string
  created_at: string
  data: unknown
  id: string
  subject_id: string
  type: string
}

export type Failure = {
  error: FailureError
  success: boolean
}

export type FailureAnalytics = {
  by_printer: Array<{
    count: number
    printer_id: string
    printer_name: string
  }>
  by_type: Array<{
    count: number
    failure_type: "adhesion" | "spaghetti" | "layer_shift" | "clog" | "filament_runout" | "thermal" | "power_loss" | "mechanical" | "connection" | "file" | "cancelled_by_person" | "other" | "unknown"
    type: "adhesion" | "spaghetti" | "layer_shift" | "clog" | "filament_runout" | "thermal" | "power_loss" | "mechanical" | "connection" | "file" | "cancelled_by_person" | "other" | "unknown"
  }>
  daily_trend: Array<{
    count: number
    date: string
  }>
  date_range: {
    from: string
    to: string
  }
  recent: Array<PrintFailure>
  resolution_rate: number
  resolved: number
  summary: {
    resolution_rate: number
    resolved: number
    total_failures: number
    unresolved: number
  }
  total_failures: number
  unresolved: number
}

export type FailureError = {
  code: string
  details?: unknown | undefined
  message: string
}

export type FarmDay = {
  from: string
  now: string
  printers: Array<{
    periods: Array<{
      cause: "printing" | "transferring" | "paused" | "plate_not_clear" | "filament" | "no_matching_job" | "not_started" | "error" | "offline" | "maintenance" | "inactive"
      ended_at: string
      job_id: string | null
      job_name: string | null
      started_at: string
    }>
    printer_id: string
  }>
  to: string
  week: Array<{
    busy_percent: number | null
    date: string
  }>
}

export type FilamentSpool = {
  available_grams: number
  brand: string
  color: string
  created_at: string
  diameter: number | null
  hex_code: string
  id: string
  location: string
  low_threshold: number
  printer_id: string | null
  remaining_grams: number
  reserved_grams: number
  slot: number | null
  spool_weight_grams: number | null
  status: "in_stock" | "low" | "out_of_stock"
  type: string
  updated_at: string
}

export type FileFolders = {
  folders: Array<{
    files: number
    folder: string
  }>
}

export type FileTags = {
  tags: Array<{
    files: number
    tag: string
  }>
}

export type FileUses = {
  jobs: {
    completed: number
    failed: number
    last_ended_at: string | null
    unfinished: number
  }
  recipes: Array<{
    id: string
    name: string
    product_id: string
    product_name: string
    product_sku_id: string | null
    sku: string | null
    units_per_plate: number
  }>
}

export type FulfillOrderRequest = {
  carrier?: string | undefined
  items?: Array<{
    item_id: string
    quantity: number
  }> | undefined
  notify_customer?: boolean | undefined
  packed_by?: string | undefined
  tracking_number?: string | undefined
  tracking_url?: string | undefined
}

export type FulfilledLine = {
  fulfillment_status: "pending" | "partial" | "fulfilled" | "cancelled"
  missing: number
  needed: number
  order_item_id: string
  product_sku_id: string
  sku: string
  taken: number
}

export type Fulfilment = {
  created_at: string
  customer_email: string
  customer_name: string
  customer_phone: string
  discount_amount: number
  external_id: string
  fulfillment_errors: Array<string>
  id: string
  items: Array<OrderItem>
  lines: Array<FulfilledLine>
  notes: string
  order: Order
  order_date: string
  order_number: string
  packaging: Array<TakenPackaging>
  platform: "shopify" | "etsy" | "woocommerce" | "manual" | "other"
  shipment_id: string
  shipped_at: string | null
  shipping_city: string
  shipping_cost: number
  shipping_country: string
  shipping_state: string
  shipping_street: string
  shipping_zip: string
  status: "pending" | "processing" | "printed" | "assembled" | "shipped" | "fulfilled" | "cancelled" | "refunded"
  tax_amount: number
  total_revenue: number
  tracking_number: string
  tracking_url: string
  updated_at: string
}

export type HoursOfDay = {
  by_printer: Array<{
    hours: Array<{
      hour: number
      printing_minutes: number
      wall_minutes: number
    }>
    printer_id: string
    printer_name: string
  }>
  from: string
  printers: number
  to: string
}

export type Hub = {
  claimed_at: string | null
  created_at: string
  firmware_version: string
  hardware_version: string
  id: string
  is_online: boolean
  is_stale: boolean
  last_seen_at: string | null
  name: string
  printer_count: number
  printers: Array<AttachedPrinterAnswer>
  updated_at: string
}

export type IdleTime = {
  by_printer: Array<{
    idle_minutes: number
    minutes: {
      error: number
      filament: number
      inactive: number
      maintenance: number
      no_matching_job: number
      not_started: number
      offline: number
      paused: number
      plate_not_clear: number
      printing: number
      transferring: number
    }
    printer_id: string
    printer_name: string
    wall_minutes: number
  }>
  causes: Array<{
    cause: "printing" | "transferring" | "paused" | "plate_not_clear" | "filament" | "no_matching_job" | "not_started" | "error" | "offline" | "maintenance" | "inactive"
    description: string
    minutes: number
  }>
  from: string
  idle_minutes: number
  printers: number
  to: string
  wall_minutes: number
}

export type ImportedRow = {
  errors: Array<{
    column: string | null
    field: string
    message: string
  }>
  order_id: string | null
  order_number: string
  outcome: "created" | "exists" | "skipped" | "refused"
  product_sku_id: string | null
  reason: string | null
  row: number
  unmapped: boolean
}

export type InventoryAlert = {
  available: number
  bin: string
  color: string
  created_at: string
  id: string
  image_url: string
  is_active: boolean
  low_stock_threshold: number
  material: string
  product_name: string
  product_sku_id: string
  ready_stock: number
  reserved: number
  sku: string
  status: "out_of_stock" | "needs_assembly" | "low_stock" | "in_stock"
  updated_at: string
}

export type InventoryItem = {
  color: string
  created_at: string
  id: string
  image_url: string
  is_active: boolean
  low_stock_threshold: number
  material: string
  product_sku_id: string
  ready_stock: number
  sku: string
  status: "out_of_stock" | "needs_assembly" | "low_stock" | "in_stock"
  updated_at: string
}

export type InventoryItemDetail = {
  available: number
  available_to_build: number
  bin: string
  color: string
  created_at: string
  effective_status: "out_of_stock" | "needs_assembly" | "low_stock" | "in_stock"
  id: string
  image_url: string
  is_active: boolean
  is_composite: boolean
  low_stock_threshold: number
  material: string
  parts_on_hand: Array<{
    color: string
    enough_for_one_kit: boolean
    on_hand: number
    part_name: string
    part_sku_id: string
    quantity_per_kit: number
  }>
  product_id: string
  product_name: string
  product_sku_id: string
  ready_stock: number
  reserved: number
  sku: string
  status: "out_of_stock" | "needs_assembly" | "low_stock" | "in_stock"
  updated_at: string
}

export type InventoryReport = {
  date_range: {
    from: string
    to: string
  }
  filament_inventory: Array<{
    color: string
    low_threshold: number
    remaining_grams: number
    status: string
    type: string
  }>
  low_stock_items: Array<{
    color: string
    id: string
    low_stock_threshold: number
    product_name: string
    sku: string
    stock_level: number
  }>
  material_usage: Array<{
    material_type: string
    total_usage: number
  }>
  summary: {
    low_filament_spools: number
    low_stock_skus: number
    total_material_types: number
  }
  usage_trend: Array<{
    date: string
    usage: number
  }>
}

export type InventoryStats = {
  by_status: {
    in_stock: number
    low_stock: number
    needs_assembly: number
    out_of_stock: number
  }
  total_items: number
  total_needs_assembly: number
  total_ready: number
}

export type Invitation = {
  created_at: string
  email: string
  expires_at: string
  id: string
  invited_by: string
  mailed: boolean
  role: "owner" | "admin" | "operator" | "viewer"
}

export type InvitationLook = {
  account_name: string
  email: string
  role: "owner" | "admin" | "operator" | "viewer"
  user_exists: boolean
}

export type InvitationsToAccept = {
  email: string | null
  invitations: Array<{
    account_name: string
    id: string
    role: "owner" | "admin" | "operator" | "viewer"
  }>
}

export type Job = {
  actual_print_time_minutes: number | null
  color: string
  created_at: string | null
  estimated_print_time_minutes: number | null
  failure_reason: string | null
  filament_type: string
  file_name: string
  id: string
  material_type: string
  number_of_units: number
  printer_id: string | null
  product_id: string | null
  product_name: string | null
  product_sku_id: string | null
  progress_percentage: number | null
  status: "queued" | "processing" | "printing" | "paused" | "completed" | "failed" | "cancelled" | null
  time_completed: string | null
  time_started: string | null
  time_submitted: string | null
  updated_at: string | null
}

export type JobCost = {
  actual: CostOf
  actual_per_good_unit: {
    known: string
    parts: Array<CostPart>
    total: string | null
    unknown: Array<UnknownInput>
  } | null
  currency: string
  estimate: PlannedJobCost
  good_units: number | null
  plates: Array<PrintedPlateCost>
}

export type JobDetail = {
  actual_print_time_minutes: number | null
  color: string
  created_at: string | null
  estimated_print_time_minutes: number | null
  failure_reason: string | null
  filament_needed_grams: number | null
  filament_type: string
  file_name: string
  id: string
  material_type: string
  number_of_units: number
  printer_id: string | null
  printer_model: string | null
  printer_name: string | null
  product_id: string | null
  product_name: string | null
  product_sku_id: string | null
  progress_percentage: number | null
  sku_name: string | null
  status: "queued" | "processing" | "printing" | "paused" | "completed" | "failed" | "cancelled" | null
  time_completed: string | null
  time_started: string | null
  time_submitted: string | null
  updated_at: string | null
}

export type JobExplanation = {
  any_color: boolean
  due_date: string | null
  earliest_start_at: string | null
  failing_rules: Array<{
    printers: number
    rule: "printer_active" | "in_service" | "auto_start" | "hub_online" | "reachable" | "no_known_problem" | "idle" | "no_live_attempt" | "plate_clear" | "printer_not_pausing" | "job_not_pausing" | "assigned_here" | "model_matches" | "nozzle_matches" | "build_plate_matches" | "filament_tool_matches" | "filament_type_matches" | "filament_color_matches" | "enough_filament" | "filament_places_match" | "file_fits_printer" | "finishes_in_working_hours" | "heating_slot"
  }>
  job_id: string
  jobs_before: number
  printers: Array<{
    can_start: boolean
    earliest_start_at: string | null
    printer_id: string
    printer_name: string
    rules: Array<{
      binds: "anybody" | "scheduler" | null
      may_be_set_aside: boolean
      passes: boolean
      passes_at: string | null
      remedy: "moment" | "auto_start" | "enter_equipment" | "clear_plate" | "load_filament" | "change_build_plate" | "change_nozzle" | "wait" | "look_at_printer" | "none" | null
      rule: "printer_active" | "in_service" | "auto_start" | "hub_online" | "reachable" | "no_known_problem" | "idle" | "no_live_attempt" | "plate_clear" | "printer_not_pausing" | "job_not_pausing" | "assigned_here" | "model_matches" | "nozzle_matches" | "build_plate_matches" | "filament_tool_matches" | "filament_type_matches" | "filament_color_matches" | "enough_filament" | "filament_places_match" | "file_fits_printer" | "finishes_in_working_hours" | "heating_slot"
      sentence: string
      shortages: Array<{
        available_grams: number
        color: string
        filament_type: string
        missing_grams: number
        needed_grams: number
        slot: number | null
        spool: {
          available_grams: number
          id: string
          location: string
          printer_id: string | null
        } | null
      }>
    }>
  }>
  printers_ready: number
  printers_total: number
  priority: "low" | "normal" | "high" | "urgent"
  queue_position: number
  reason: "printer_active" | "in_service" | "auto_start" | "hub_online" | "reachable" | "no_known_problem" | "idle" | "no_live_attempt" | "plate_clear" | "printer_not_pausing" | "job_not_pausing" | "assigned_here" | "model_matches" | "nozzle_matches" | "build_plate_matches" | "filament_tool_matches" | "filament_type_matches" | "filament_color_matches" | "enough_filament" | "filament_places_match" | "file_fits_printer" | "finishes_in_working_hours" | "heating_slot" | "starts_now" | "not_queued" | "no_printers"
  remedy: {
    kind: "moment" | "auto_start" | "enter_equipment" | "clear_plate" | "load_filament" | "change_build_plate" | "change_nozzle" | "wait" | "look_at_printer" | "none"
    printer_id: string
    printer_name: string
  } | null
  sentence: string
  status: "queued" | "processing" | "printing" | "paused" | "completed" | "failed" | "cancelled"
}

export type JobPlan = {
  any_color: boolean
  attempts: Array<{
    actor: string
    actor_name: string | null
    camera_picture_at: string | null
    confirmed_at: string | null
    failure_id: string | null
    filament_map: Array<{
      filament: number
      slot: number | null
    }> | null
    finished_at: string | null
    id: string
    other_slot: number | null
    outcome: "done" | "failed" | "cancelled" | "not_started" | "unknown" | null
    phase: "reserved" | "transferring" | "starting" | "confirmed" | "finished"
    plate_number: number
    printer_id: string
    printer_name: string | null
    reason_code: string | null
    reserved_at: string
    time_note: string | null
  }>
  cancel_requested: boolean
  created_by: string
  created_by_name: string | null
  due_date: string | null
  events: Array<{
    actor: string
    actor_name: string | null
    created_at: string
    data: unknown
    id: string
    type: string
  }>
  file_deleted: boolean
  file_version_number: number
  for_orders: Array<{
    order_id: string
    order_item_id: string
    order_number: string
    personalisation: Array<{
      name: string
      value: string
    }>
    product_sku_id: string
    ship_by: string | null
    units: number
  }>
  is_assigned: boolean
  job_id: string
  needs_look: boolean
  options: Array<{
    estimated_print_time_minutes: number | null
    file_name: string
    is_taken: boolean
    plates_total: number
    printer_model: string | null
    recipe_id: string | null
    units_per_plate: number
  }>
  outputs: Array<{
    is_main: boolean
    product_name: string
    product_sku_id: string
    requires_assembly: boolean
    sku: string
    units: number
    units_credited: number
    units_per_plate: number
    units_rejected: number
  }>
  plates_done: number
  plates_total: number
  print_file_id: string
  print_time: {
    factor: number
    finish_p50_at: string | null
    finish_p90_at: string | null
    learnt_from: "file" | "model" | "none"
    plate_p50_seconds: number
    plate_p90_seconds: number | null
    samples: number
  } | null
  priority: "low" | "normal" | "high" | "urgent"
  quantity_per_print: number
  recipe_id: string | null
  reprint_of: string | null
  requires_assembly: boolean
  units_rejected: number
}

export type JobPreview = {
  earliest_start_at: string | null
  estimated_print_time_minutes: number | null
  filament_needed_grams: number | null
  file_name: string
  finish_p50_at: string | null
  finish_p90_at: string | null
  free_printer_id: string | null
  free_printer_name: string | null
  jobs_before: number
  plates_total: number
  printers_fitting: number
  printers_ready: number
  printers_total: number
  printers_with_other_filament: number
  product_name: string | null
  product_sku_id: string | null
  reason: "printer_active" | "in_service" | "auto_start" | "hub_online" | "reachable" | "no_known_problem" | "idle" | "no_live_attempt" | "plate_clear" | "printer_not_pausing" | "job_not_pausing" | "assigned_here" | "model_matches" | "nozzle_matches" | "build_plate_matches" | "filament_tool_matches" | "filament_type_matches" | "filament_color_matches" | "enough_filament" | "filament_places_match" | "file_fits_printer" | "finishes_in_working_hours" | "heating_slot" | "starts_now" | "not_queued" | "no_printers"
  remedy: {
    kind: "moment" | "auto_start" | "enter_equipment" | "clear_plate" | "load_filament" | "change_build_plate" | "change_nozzle" | "wait" | "look_at_printer" | "none"
    printer_id: string
    printer_name: string
  } | null
  sentence: string
  sku_name: string | null
}

export type JobStats = {
  by_status: {
    cancelled: number
    completed: number
    failed: number
    paused: number
    printing: number
    processing: number
    queued: number
  }
  print_minutes: number
  success_rate: number | null
  units_completed: number
}

export type JoinHubRequest = {
  code: string
  public_key?: string | undefined
}

export type JoinedHub = {
  hub_id: string
  name: string
  token: string
}

export type KitPart = {
  components: Array<{
    component_name: string
    component_type: string
    id: string
    inventory_item_id: string
    kind: "components" | "packaging"
    notes: string
    quantity_required: number
  }>
  file_name: string | null
  fixed_color: string
  fixed_hex_code: string
  name: string
  part_id: string
  print_file_id: string | null
  quantity_per_kit: number
  requires_assembly: boolean
  variants: Array<{
    child_color: string
    child_on_hand: number
    child_sku: string
    child_sku_id: string
    kit_color: string
    kit_sku_id: string
  }>
}

export type LastHour = {
  samples: Array<{
    at: string
    bed: number | null
    bed_target: number | null
    chamber: number | null
    nozzle: number | null
    nozzle_target: number | null
  }>
}

export type LightCommand = {
  command_id: string
  kind: "heaters" | "light" | "load_filament" | "unload_filament"
  pending?: string | undefined
  printer_id: string
  state: boolean
  status: "idle" | "printing" | "paused" | "maintenance" | "error" | "offline"
}

export type ListedAssemblyTask = {
  assigned_to: string | null
  completed_at: string | null
  created_at: string
  for_orders: Array<{
    order_id: string
    order_item_id: string
    order_number: string
    personalisation: Array<{
      name: string
      value: string
    }>
    product_sku_id: string
    ship_by: string | null
    units: number
  }>
  id: string
  kind: "print_assembly" | "kit_assembly"
  notes: string
  product_name: string
  product_sku_id: string
  quantity: number
  quantity_completed: number
  quantity_rejected: number
  sku: string
  status: "pending" | "in_progress" | "completed" | "cancelled"
  updated_at: string
}

export type ListedHub = {
  claimed_at: string | null
  created_at: string
  firmware_version: string
  hardware_version: string
  health: Array<{
    blocks_starts: boolean
    certificate_fingerprint: string | null
    message: string
    problem: "address_invalid" | "address_not_allowed" | "unreachable" | "refused" | "no_answer" | "credentials_missing" | "credentials_wrong" | "developer_mode_off" | "lan_mode_off" | "certificate_unknown" | "certificate_changed" | "serial_missing" | "serial_differs" | "not_this_family" | "unsupported_firmware" | "too_many_connections" | "busy" | "print_out_of_reach" | "printer_not_connected" | "clock_skew" | "commands_refused" | "firmware_stopped" | "print_error" | "storage_missing" | "storage_faulty" | "storage_full" | "hub_clock_skew" | "hub_storage_low" | "hub_storage_full" | "hub_plain_text" | "hub_replaced" | "not_supported" | "unknown"
    remedy: string
    since: string
  }>
  id: string
  is_online: boolean
  is_stale: boolean
  last_seen_at: string | null
  name: string
  printer_count: number
  printers: Array<AttachedPrinterAnswer>
  updated_at: string
}

export type ListingMap = {
  created_at: string
  id: string
  listing_id: string
  pack_size: number
  platform: "shopify" | "etsy" | "woocommerce" | "manual" | "other"
  product_name: string
  product_sku_id: string
  seller_sku: string
  shop: string
  sku: string
  updated_at: string
  variation: string
}

export type LivePrinter = {
  bed_temp: number | null
  chamber_temp: number | null
  current_color: string | null
  current_color_hex: string | null
  current_filament_type: string | null
  file_name: string | null
  health_problem: string | null
  hub_id: string | null
  hub_online: boolean
  id: string
  in_maintenance: boolean
  is_active: boolean
  is_foreign: boolean
  last_known: {
    file_name: string | null
    progress: number | null
    remaining_time_minutes: number | null
    reported_at: string
    status: "idle" | "printing" | "paused" | "maintenance" | "error" | "offline"
  } | null
  layer_num: number | null
  light_on: boolean | null
  loaded_filament_grams: number | null
  location: string
  model: string
  name: string
  nozzle_temp: number | null
  plate_state: "clear" | "occupied" | "unknown"
  progress: number | null
  remaining_time_minutes: number | null
  status: "idle" | "printing" | "paused" | "maintenance" | "error" | "offline"
  status_reason: string | null
  target_bed_temp: number | null
  target_nozzle_temp: number | null
  total_layers: number | null
}

export type LivePrinterStatus = {
  bed_temp: number | null
  chamber_temp: number | null
  current_color: string | null
  current_color_hex: string | null
  current_filament_type: string | null
  current_job_id: string | null
  hub_online: boolean
  last_telemetry_at: string | null
  layer_num: number | null
  nozzle_temp: number | null
  printer_id: string
  progress: number | null
  remaining_time_minutes: number | null
  status: "idle" | "printing" | "paused" | "maintenance" | "error" | "offline" | null
  target_bed_temp: number | null
  target_nozzle_temp: number | null
  total_layers: number | null
}

export type LoadFilamentRequest = {
  slot?: number | null | undefined
  temperature?: number | null | undefined
}

export type MapOrderItemRequest = {
  pack_size?: number | undefined
  product_sku_id: string
  remember?: boolean | undefined
}

export type MarginFigures = {
  cost: string | null
  known_cost: string
  margin: string | null
  margin_at_most: string | null
  margin_percent: string | null
  revenue: string | null
  unknown: Array<UnknownInput>
}

export type MarginOf = {
  cost: CostOf
  margin: string | null
  margin_at_most: string | null
  margin_percent: string | null
  revenue: string | null
}

export type MarginReport = {
  by_order: Array<OrderMargin>
  by_sku: Array<SkuMargin>
  currency: string
  daily: Array<{
    date: string
    estimate: MarginFigures
    orders: number
  }>
  date_range: {
    from: string
    to: string
  }
  orders_left_off: number
  skus_left_off: number
  summary: {
    actual: {
      cost: string | null
      known_cost: string
      margin: string | null
      margin_at_most: string | null
      margin_percent: string | null
      revenue: string | null
      unknown: Array<UnknownInput>
    } | null
    estimate: MarginFigures
    orders: number
    other_currency_orders: number
    shipped_orders: number
  }
}

export type MaterialConsumption = {
  new_quantity: number
  notes: string
  previous_quantity: number
  quantity: number
  reason: "manual_adjustment" | "damaged" | "other"
}

export type MaterialForecast = {
  filament: Array<{
    any_color: boolean
    available_grams: number
    color: string
    daily_use_grams: number
    days_left: number | null
    needed_grams: number
    on_hand_grams: number
    plates: number
    plates_without_weight: number
    to_buy_grams: number
    type: string
  }>
  items: Array<{
    color: string
    kind: "components" | "packaging"
    material_id: string
    name: string
    needed_units: number
    on_hand_units: number
    to_buy_units: number
    type: string
  }>
  printers: Array<{
    printer_id: string
    printer_name: string
    spools: Array<{
      color: string
      material_id: string
      missing_grams: number
      queued_grams: number
      remaining_grams: number
      reserved_grams: number
      runs_out_in: "running_print" | "queued_jobs" | null
      slot: number
      type: string
    }>
  }>
}

export type MaterialMovement = {
  actor: string
  actor_name: string | null
  assembly_task_id: string | null
  attempt_id: string | null
  change: number
  created_at: string
  happened_at: string | null
  id: string
  job_id: string | null
  job_name: string | null
  notes: string
  order_id: string | null
  order_number: string | null
  quantity_after: number
  quantity_before: number
  reason: "added" | "restocked" | "consumed" | "printed" | "assembled" | "shipped" | "correction"
  shipment_id: string | null
  shortage: number
}

export type MaterialPrice = {
  currency: string
  material_id: string
  price: string | null
  type_price: string | null
  unit: "kilogram" | "piece"
}

export type MaterialSettings = {
  checks_filament: boolean
  filament_margin_grams: number
}

export type Member = {
  created_at: string
  email: string | null
  id: string
  name: string
  role: "owner" | "admin" | "operator" | "viewer"
  user_id: string
}

export type MqttBroker = {
  allowed_commands: Array<"pause" | "resume" | "stop" | "light">
  base_topic: string
  connected_since: string | null
  discovery_prefix: string
  failing_since: string | null
  has_ca: boolean
  has_password: boolean
  has_username: boolean
  id: string | null
  is_active: boolean
  problem: string | null
  status: "off" | "connecting" | "connected" | "failing"
  url: string
}

export type MqttBrokerTest = {
  ok: boolean
  problem: string | null
}

export type NamedEvent = {
  actor: string
  actor_name: string | null
  created_at: string
  data: unknown
  id: string
  subject_id: string
  type: string
}

export type NewApiKey = {
  created_at: string
  created_by: string | null
  created_by_name: string | null
  expires_at: string | null
  id: string
  key: string
  last_four: string
  last_used_at: string | null
  name: string
  prefix: string
  revoked_at: string | null
  scopes: Array<"read" | "write" | "control">
}

export type NewHub = {
  ca_fingerprint: string | null
  claimed_at: string | null
  created_at: string
  firmware_version: string
  hardware_version: string
  id: string
  is_online: boolean
  is_stale: boolean
  join_code: string
  join_code_expires_at: string
  last_seen_at: string | null
  name: string
  printer_count: number
  printers: Array<AttachedPrinterAnswer>
  updated_at: string
}

export type NewInvitation = {
  created_at: string
  email: string
  expires_at: string
  id: string
  invited_by: string
  mailed: boolean
  role: "owner" | "admin" | "operator" | "viewer"
  url?: string | undefined
}

export type NewJoinCode = {
  ca_fingerprint: string | null
  hub_id: string
  join_code: string
  join_code_expires_at: string
}

export type NewNotificationChannel = {
  created_at: string
  created_by: string
  failing_since: string | null
  id: string
  kind: "mail" | "ntfy" | "telegram" | "discord" | "slack" | "matrix" | "webhook"
  name: string
  pause_reason: "person" | "failing" | "gone" | null
  paused_at: string | null
  secret: string | null
  status: "active" | "failing" | "paused"
  target: string
  updated_at: string
  user_id: string | null
}

export type NewShop = {
  created_at: string
  created_by: string
  failed_parcels: number
  failing_since: string | null
  id: string
  last_read_at: string | null
  name: string
  needs_authorisation: boolean
  orders: number
  orders_since: string
  paused_at: string | null
  personalisation_names: Array<string>
  platform: "woocommerce" | "shopify" | "etsy"
  problem: string | null
  pushes_fulfilment: boolean
  pushes_stock: boolean
  refused_orders: number
  retry_at: string | null
  shop: string
  status: "active" | "failing" | "paused"
  stock_buffer: number
  updated_at: string
  url: string
  waiting_parcels: number
  webhook_path: string
  webhook_secret: string
}

export type NewWebhook = {
  created_at: string
  created_by: string
  description: string
  event_types: Array<string>
  failing_since: string | null
  id: string
  pause_reason: "person" | "failing" | "gone" | null
  paused_at: string | null
  retry_at: string | null
  secret: string
  status: "active" | "failing" | "paused"
  subject_ids: Array<string>
  updated_at: string
  url: string
}

export type Notification = {
  answer: string | null
  attempted_at: string | null
  attempts: number
  body: string
  channel_id: string
  channel_kind: "mail" | "ntfy" | "telegram" | "discord" | "slack" | "matrix" | "webhook" | "web_push" | null
  channel_name: string | null
  created_at: string
  due_at: string | null
  duration_ms: number | null
  failure: "retry" | "gone" | "refused" | null
  id: string
  is_test: boolean
  kind: string
  path: string
  severity: "low" | "medium" | "high"
  status: "pending" | "sent" | "failed" | "dropped"
  status_code: number | null
  taken_at: string | null
  title: string
}

export type NotificationChannel = {
  created_at: string
  created_by: string
  failing_since: string | null
  id: string
  kind: "mail" | "ntfy" | "telegram" | "discord" | "slack" | "matrix" | "webhook"
  name: string
  pause_reason: "person" | "failing" | "gone" | null
  paused_at: string | null
  status: "active" | "failing" | "paused"
  target: string
  updated_at: string
  user_id: string | null
}

export type NotificationRule = {
  channel_ids: Array<string>
  created_at: string
  digest_minutes: number
  id: string
  is_active: boolean
  kinds: Array<"needs_person" | "print_done" | "print_failed" | "printer_silent" | "printer_error" | "order_received" | "order_at_risk" | "order_late" | "stock_low" | "filament_low" | "hub_gone" | "backup_failed" | "receiver_paused">
  least_severity: "low" | "medium" | "high"
  locations: Array<string>
  name: string
  printer_ids: Array<string>
  product_ids: Array<string>
  quiet_from: string | null
  quiet_to: string | null
  time_zone: string
  to_acting_members: boolean
  to_on_shift: boolean
  updated_at: string
  urgent_passes: boolean
  user_ids: Array<string>
}

export type OfferedTask = {
  person_name: string
  title: string
}

export type Order = {
  created_at: string
  customer_email: string
  customer_name: string
  customer_phone: string
  discount_amount: number
  external_id: string
  id: string
  items: Array<OrderItem>
  notes: string
  order_date: string
  order_number: string
  platform: "shopify" | "etsy" | "woocommerce" | "manual" | "other"
  shipped_at: string | null
  shipping_city: string
  shipping_cost: number
  shipping_country: string
  shipping_state: string
  shipping_street: string
  shipping_zip: string
  status: "pending" | "processing" | "printed" | "assembled" | "shipped" | "fulfilled" | "cancelled" | "refunded"
  tax_amount: number
  total_revenue: number
  tracking_number: string
  tracking_url: string
  updated_at: string
}

export type OrderCost = {
  actual: {
    cost: CostOf
    margin: string | null
    margin_at_most: string | null
    margin_percent: string | null
    revenue: string | null
  } | null
  currency: string
  estimate: MarginOf
  lines: Array<OrderLineCost>
  order_currency: string
}

export type OrderDetails = {
  currency: string
  external_id: string
  id: string
  is_paid: boolean
  items: Array<OrderItemDetails>
  order_date: string
  order_number: string
  platform: "shopify" | "etsy" | "woocommerce" | "manual" | "other"
  priority: "low" | "normal" | "high" | "urgent"
  promise: {
    first_promised_at: string | null
    is_at_risk: boolean
    is_ready: boolean
    message: string
    promised_at: string | null
    ready_p50_at: string | null
    ready_p90_at: string | null
    unknown_because: "unmapped" | "no_recipe" | "recipe_fits_no_printer" | "missing_component" | "sku_inactive" | "bom_cycle" | "too_many_parts" | "not_planned" | "no_printer" | "unknown_print_time" | "too_few_prints" | null
  } | null
  ship_by: string | null
  shop: string
  status: "pending" | "processing" | "printed" | "assembled" | "shipped" | "fulfilled" | "cancelled" | "refunded"
  updated_at: string
}

export type OrderImport = {
  dry_run: boolean
  format: "printyard" | "shopify" | "etsy" | "woocommerce"
  ignored_columns: Array<string>
  orders: {
    created: number
    exists: number
    refused: number
    skipped: number
  }
  rows: Array<ImportedRow>
  unmapped_items: number
}

export type OrderImportProgress = {
  done_rows: number
  total_rows: number | null
}

export type OrderItem = {
  created_at: string
  fulfillment_status: "pending" | "partial" | "fulfilled" | "cancelled"
  id: string
  notes: string
  product_name: string
  product_sku_id: string
  quantity: number
  quantity_fulfilled: number
  sku: string
  total_price: number
  unit_price: number
}

export type OrderItemDetails = {
  fulfillment_status: "pending" | "partial" | "fulfilled" | "cancelled"
  id: string
  listing_id: string
  listing_map_id: string | null
  notes: string
  pack_size: number
  personalisation: Array<{
    name: string
    value: string
  }>
  product_name: string
  product_sku_id: string | null
  quantity: number
  seller_sku: string
  sku: string
  state: "mapped" | "unmapped"
  units: number
  units_fulfilled: number
  variation: string
}

export type OrderLineCost = {
  actual: {
    cost: CostOf
    margin: string | null
    margin_at_most: string | null
    margin_percent: string | null
    revenue: string | null
  } | null
  estimate: MarginOf
  item_id: string
  name: string
  product_sku_id: string | null
  units: number
}

export type OrderMargin = {
  actual: {
    cost: string | null
    known_cost: string
    margin: string | null
    margin_at_most: string | null
    margin_percent: string | null
    revenue: string | null
    unknown: Array<UnknownInput>
  } | null
  currency: string
  date: string
  estimate: MarginFigures
  order_id: string
  order_number: string
  platform: "shopify" | "etsy" | "woocommerce" | "manual" | "other"
}

export type OrderPageMeta = {
  count: number
  limit: number
  next_cursor?: string | null | undefined
  offset: number
  total: number
}

export type OrderPicks = {
  lines: Array<{
    bin: string
    color: string
    is_due: boolean
    item_id: string
    on_shelf: number
    picked: number
    product_name: string
    product_sku_id: string | null
    sku: string
    units: number
  }>
  order_id: string
  stage: "pick" | "pack" | "none"
}

export type OrderPlan = {
  expected_at: string | null
  lines: Array<PlanLine>
  order_id: string
  promise: {
    first_promised_at: string | null
    is_at_risk: boolean
    is_ready: boolean
    message: string
    promised_at: string | null
    ready_p50_at: string | null
    ready_p90_at: string | null
    unknown_because: "unmapped" | "no_recipe" | "recipe_fits_no_printer" | "missing_component" | "sku_inactive" | "bom_cycle" | "too_many_parts" | "not_planned" | "no_printer" | "unknown_print_time" | "too_few_prints" | null
  } | null
}

export type OrderProductImagesRequest = {
  image_ids?: Array<string> | undefined
  order?: Array<string> | undefined
}

export type OrderReturn = {
  actor: string
  created_at: string
  disposition: "restock" | "scrap" | "remake"
  id: string
  item_id: string
  notes: string
  order_id: string
  quantity: number
  units: number
}

export type OrderSettings = {
  auto_produce: "off" | "paid" | "always"
  currency: string
  handling_days: number | null
  ship_lines_alone: boolean
  time_zone: string
  working_days: Array<number>
}

export type OrderStats = {
  average_order_value: number
  by_currency: Array<RevenueByCurrency>
  by_platform: OrdersByPlatform
  by_status: OrdersByStatus
  currency: string
  last_30_days: RecentOrders
  pending_fulfillment: number
  total_orders: number
  total_revenue: number
  units_to_fulfill: number
}

export type OrderSummary = {
  created_at: string
  currency: string
  customer_email: string
  customer_name: string
  customer_phone: string
  discount_amount: number
  external_id: string
  id: string
  is_paid: boolean
  notes: string
  order_date: string
  order_number: string
  platform: "shopify" | "etsy" | "woocommerce" | "manual" | "other"
  priority: "low" | "normal" | "high" | "urgent"
  promise: {
    first_promised_at: string | null
    is_at_risk: boolean
    is_ready: boolean
    message: string
    promised_at: string | null
    ready_p50_at: string | null
    ready_p90_at: string | null
    unknown_because: "unmapped" | "no_recipe" | "recipe_fits_no_printer" | "missing_component" | "sku_inactive" | "bom_cycle" | "too_many_parts" | "not_planned" | "no_printer" | "unknown_print_time" | "too_few_prints" | null
  } | null
  ship_by: string | null
  shipped_at: string | null
  shipping_city: string
  shipping_cost: number
  shipping_country: string
  shipping_state: string
  shipping_street: string
  shipping_zip: string
  shop: string
  status: "pending" | "processing" | "printed" | "assembled" | "shipped" | "fulfilled" | "cancelled" | "refunded"
  tax_amount: number
  total_revenue: number
  tracking_number: string
  tracking_url: string
  unmapped_items: number
  updated_at: string
}

export type OrdersByPlatform = {
  etsy: number
  manual: number
  other: number
  shopify: number
  woocommerce: number
}

export type OrdersByStatus = {
  assembled: number
  cancelled: number
  fulfilled: number
  pending: number
  printed: number
  processing: number
  refunded: number
  shipped: number
}

export type Overview = {
  alerts: {
    low_stock: number
  }
  date: string
  hubs: {
    online: number
    total: number
  }
  jobs: {
    pending: number
    printing: number
    processing: number
    queued: number
    today_completed: number
    today_failed: number
  }
  printers: {
    error: number
    idle: number
    maintenance: number
    offline: number
    paused: number
    printing: number
    total: number
  }
  tasks: {
    assembly: number
    collection: number
    filament_change: number
    pending: number
  }
}

export type OwnKey = {
  account_id: string
  account_name: string
  expires_at: string | null
  id: string | null
  name: string | null
  scopes: Array<"read" | "write" | "control">
}

export type OwnSession = {
  created_at: string
  id: string
  ip: string
  is_current: boolean
  last_seen_at: string
  user_agent: string
}

export type Packaging = {
  brand: string
  color: string
  created_at: string
  diameter: number | null
  id: string
  location: string
  low_threshold: number
  name: string
  remaining_units: number
  size: string
  status: "in_stock" | "low" | "out_of_stock"
  type: string
  updated_at: string
}

export type PageMeta = {
  count: number
  limit: number
  next_cursor?: string | null | undefined
  offset: number
}

export type Part = {
  brand: string
  color: string
  created_at: string
  diameter: number | null
  id: string
  location: string
  low_threshold: number
  name: string
  remaining_units: number
  size: string
  status: "in_stock" | "low" | "out_of_stock"
  type: string
  updated_at: string
}

export type Passkey = {
  created_at: string
  id: string
  last_used_at: string | null
  name: string
}

export type Passkeys = {
  available: boolean
  passkeys: Array<Passkey>
}

export type PlanBlocker = {
  material_id: string | null
  message: string
  product_sku_id: string | null
  reason: "unmapped" | "no_recipe" | "recipe_fits_no_printer" | "missing_component" | "sku_inactive" | "bom_cycle" | "too_many_parts"
  sku: string
}

export type PlanGroup = {
  blockers: Array<PlanBlocker>
  expected_at: string | null
  ready_p50_at: string | null
  ready_p90_at: string | null
  state: "shipped" | "picked" | "reserved" | "to_assemble" | "on_live_job" | "to_print" | "blocked" | "cancelled"
  units: number
  unknown_because: "unmapped" | "no_recipe" | "recipe_fits_no_printer" | "missing_component" | "sku_inactive" | "bom_cycle" | "too_many_parts" | "not_planned" | "no_printer" | "unknown_print_time" | "too_few_prints" | null
}

export type PlanLine = {
  blocked: number
  cancelled: number
  from_assembly: number
  from_stock: number
  groups: Array<PlanGroup>
  on_live_jobs: number
  order_id: string
  order_item_id: string
  order_number: string
  picked: number
  product_name: string
  product_sku_id: string | null
  shipped: number
  sku: string
  to_print: number
  units: number
}

export type PlannedAssembly = {
  assembly_task_id: string | null
  order_item_id: string | null
  product_sku_id: string
  sku: string
  units: number
}

export type PlannedJob = {
  due_date: string | null
  job_id: string | null
  outputs: Array<PlannedOutput>
  plates: number
  recipe_ids: Array<string>
  serves: Array<PlannedServing>
  surplus: Array<PlannedOutput>
}

export type PlannedJobCost = {
  plate: CostOf
  whole: CostOf
}

export type PlannedOutput = {
  product_sku_id: string
  sku: string
  units: number
}

export type PlannedServing = {
  order_item_id: string | null
  product_sku_id: string
  units: number
}

export type PreviewJobRequest = {
  any_color?: boolean | undefined
  color?: string | undefined
  due_date?: string | undefined
  filament_type?: string | undefined
  material_type?: string | undefined
  number_of_units?: number | undefined
  print_file_id?: string | undefined
  printer_id?: string | undefined
  priority?: "low" | "normal" | "high" | "urgent" | undefined
  product_id?: string | undefined
  product_sku_id?: string | undefined
  quantity_per_print?: number | undefined
  recipe_id?: string | undefined
  requires_assembly?: boolean | undefined
}

export type PrintFailure = {
  camera_picture_at: string | null
  file_name: string
  id: string
  job_id: string
  notes: string
  occurred_at: string
  picture_of: string | null
  print_file_id: string
  printer_id: string
  printer_name: string
  reason: string | null
  reason_code: string | null
  resolved: boolean
  resolved_at: string | null
  type: "adhesion" | "spaghetti" | "layer_shift" | "clog" | "filament_runout" | "thermal" | "power_loss" | "mechanical" | "connection" | "file" | "cancelled_by_person" | "other" | "unknown"
}

export type PrintFile = {
  created_at: string
  curr_bed_type: string | null
  default_print_profile: string | null
  filament_length_meters: number | null
  filament_type: string | null
  filament_weight_grams: number | null
  file_size_bytes: number
  folder: string
  has_thumbnail: boolean
  id: string
  is_sliced: boolean
  layer_count: number | null
  name: string
  nozzle_diameter: number | null
  number_of_units: number
  object_count: number | null
  print_time_seconds: number | null
  printer_model_id: string | null
  product_id: string | null
  tags: Array<string>
  updated_at: string
  warnings: Array<string>
}

export type PrintFileDetail = {
  created_at: string
  curr_bed_type: string | null
  default_print_profile: string | null
  filament_length_meters: number | null
  filament_type: string | null
  filament_weight_grams: number | null
  file_size_bytes: number
  folder: string
  has_thumbnail: boolean
  id: string
  is_sliced: boolean
  layer_count: number | null
  name: string
  nozzle_diameter: number | null
  number_of_units: number
  object_count: number | null
  print_time_seconds: number | null
  printer_model_id: string | null
  product_id: string | null
  same_as: {
    id: string
    name: string
  } | null
  tags: Array<string>
  updated_at: string
  versions: Array<{
    created_at: string
    id: string
    is_current_version: boolean
    notes: string
    version_number: number
  }>
  warnings: Array<string>
}

export type PrintedPlateCost = {
  attempt_id: string
  cost: CostOf
  finished_at: string
  outcome: "done" | "failed" | "cancelled"
  plate: number
  printer_id: string
  printer_name: string
  started_at: string
}

export type Printer = {
  created_at: string
  current_build_plate: string
  current_color: string
  current_color_hex: string
  current_filament_type: string
  has_ams: boolean
  id: string
  is_active: boolean
  location: string
  manufacturer: string
  model: string
  name: string
  nozzle_size: number | null
  status: "idle" | "printing" | "paused" | "maintenance" | "error" | "offline"
  updated_at: string
}

export type PrinterDetail = {
  auto_start: boolean
  connection_type: "virtual" | "octoprint" | "moonraker" | "prusalink" | "bambu" | "elegoo" | "creality"
  created_at: string
  current_build_plate: string
  current_color: string
  current_color_hex: string
  current_filament_type: string
  ejection: {
    check_after: number
    cooldown_temp: number
    gcode: string | null
  } | null
  ejections_in_row: number
  filament_level: number | null
  firmware_version: string
  foreign_print: string | null
  has_ams: boolean
  health: Array<{
    blocks_starts: boolean
    certificate_fingerprint: string | null
    message: string
    problem: "address_invalid" | "address_not_allowed" | "unreachable" | "refused" | "no_answer" | "credentials_missing" | "credentials_wrong" | "developer_mode_off" | "lan_mode_off" | "certificate_unknown" | "certificate_changed" | "serial_missing" | "serial_differs" | "not_this_family" | "unsupported_firmware" | "too_many_connections" | "busy" | "print_out_of_reach" | "printer_not_connected" | "clock_skew" | "commands_refused" | "firmware_stopped" | "print_error" | "storage_missing" | "storage_faulty" | "storage_full" | "hub_clock_skew" | "hub_storage_low" | "hub_storage_full" | "hub_plain_text" | "hub_replaced" | "not_supported" | "unknown"
    remedy: string
    since: string
  }>
  hub_id: string | null
  id: string
  in_maintenance: boolean
  is_active: boolean
  last_maintenance_date: string | null
  loaded_filament_grams: number | null
  location: string
  maintenance_interval_hours: number | null
  maintenance_type: string | null
  manufacturer: string
  model: string
  name: string
  notes: string
  nozzle_size: number | null
  plate_change_reason: "new_printer" | "print_started" | "print_done" | "print_failed" | "print_cancelled" | "foreign_print" | "unseen_time" | "plate_changed" | "seen_not_started" | "cleared_by_person" | "cleared_by_task" | "ejected" | "ejection_check" | "service_restored"
  plate_changed_at: string
  plate_changed_by: string
  plate_job_id: string | null
  plate_state: "clear" | "occupied" | "unknown"
  plate_unknown_reason: string | null
  power_group: string
  slots: Array<{
    filament_color_hex: string | null
    filament_type: string | null
    is_active: boolean
    is_empty: boolean
    name: string
    remaining_percent: number | null
    slot: number
  }> | null
  status: "idle" | "printing" | "paused" | "maintenance" | "error" | "offline"
  total_print_time: number
  updated_at: string
}

export type PrinterModel = {
  build_volume: {
    depth: number
    height: number
    width: number
  } | null
  can_eject: boolean
  connection_types: Array<"virtual" | "octoprint" | "moonraker" | "prusalink" | "bambu" | "elegoo" | "creality">
  default_nozzle_size: number
  filament_changer: string | null
  is_enclosed: boolean
  manufacturer: string
  max_bed_temp: number
  max_chamber_temp: number | null
  max_nozzle_temp: number
  name: string
  other_names: Array<string>
  tool_count: number
}

export type PrinterTimeline = {
  from: string
  next_from: string | null
  printer_id: string
  segment_count: number
  segments: Array<{
    attempt_id: string | null
    cause: "printing" | "transferring" | "paused" | "plate_not_clear" | "filament" | "no_matching_job" | "not_started" | "error" | "offline" | "maintenance" | "inactive"
    ended_at: string
    is_open: boolean
    job_id: string | null
    started_at: string
  }>
  to: string
  totals: Array<{
    cause: "printing" | "transferring" | "paused" | "plate_not_clear" | "filament" | "no_matching_job" | "not_started" | "error" | "offline" | "maintenance" | "inactive"
    description: string
    minutes: number
    seconds: number
  }>
  wall_minutes: number
  wall_seconds: number
}

export type PrinterTransfer = {
  hub_online: boolean
  printer_id: string
  transfer: {
    job_id: string | null
    sent_bytes: number
    total_bytes: number
  } | null
}

export type PrintersReport = {
  date_range: {
    from: string
    to: string
  }
  printers: Array<{
    busy_percent: number | null
    completed: number
    failed: number
    failure_count: number
    id: string
    in_maintenance: boolean
    model: string
    name: string
    status: string
    success_rate: number
    total_jobs: number
    total_print_hours: number
    total_print_minutes: number
    utilization_percent: number
  }>
  summary: {
    average_success_rate: number
    average_utilization: number
    busy_percent: number | null
    total_jobs: number
    total_print_hours: number
    total_print_minutes: number
    total_printers: number
  }
}

export type ProduceOrderRequest = {
  dry_run?: boolean | undefined
}

export type Product = {
  category: string
  components: Array<ProductComponent>
  created_at: string
  description: string
  id: string
  image_url: string | null
  images: Array<ProductImage>
  is_active: boolean
  kit: {
    bundle_extras: Array<{
      created_at: string
      id: string
      inventory_item_id: string
      item_name: string
      kind: "components" | "packaging"
      quantity_required: number
      remaining: number
      sku_id: string | null
    }>
    bundle_extras_by_variant: Record<string, Array<{
      created_at: string
      id: string
      inventory_item_id: string
      item_name: string
      kind: "components" | "packaging"
      quantity_required: number
      remaining: number
      sku_id: string | null
    }>>
    parts: Array<KitPart>
  } | null
  name: string
  requires_assembly: boolean
  requires_post_processing: boolean
  skus: Array<Sku>
  updated_at: string
  wiki_id: string | null
}

export type ProductCategory = {
  category: string
  product_count: number
}

export type ProductComponent = {
  component_name: string
  component_type: string
  id: string
  notes: string
  quantity_required: number
}

export type ProductImage = {
  id: string
  sort_order: number
  thumb_url: string
  url: string
}

export type Production = {
  assembly_tasks: Array<PlannedAssembly>
  dry_run: boolean
  jobs: Array<PlannedJob>
  lines: Array<PlanLine>
  lines_left_out: number
  refused: Array<RefusedProduction>
  shortages: Array<PlanBlocker>
  unmatched_items: Array<UnmatchedItem>
}

export type ProductionNeed = {
  blocked: number
  blockers: Array<PlanBlocker>
  color: string
  due_at: string | null
  filament_type: string
  image_url: string
  is_assembled: boolean
  is_makeable: boolean
  orders: Array<WaitingOrder>
  orders_waiting: number
  product_id: string
  product_name: string
  product_sku_id: string
  shelf_units: number
  sku: string
  to_print: number
}

export type ProductionReport = {
  by_printer: Array<{
    jobs_completed: number
    jobs_failed: number
    printer_id: string
    printer_name: string
    total_print_time_minutes: number
    units_produced: number
    units_rejected: number
  }>
  by_sku: Array<{
    jobs_completed: number
    jobs_failed: number
    product_name: string
    product_sku_id: string
    sku: string
    total_print_time_minutes: number
    units_produced: number
    units_rejected: number
  }>
  daily: Array<{
    date: string
    jobs_completed: number
    jobs_failed: number
    revenue_cents: number | null
    total_print_time_minutes: number
    units_produced: number
    units_rejected: number
  }>
  date_range: {
    from: string
    to: string
  }
  summary: {
    completion_rate: number
    jobs_completed: number
    jobs_failed: number
    revenue_cents: number | null
    total_print_time_hours: number
    units_produced: number
    units_rejected: number
  }
}

export type PromisesReport = {
  by_platform: Array<{
    changed: number
    late: number
    late_days_average: number | null
    late_days_worst: number | null
    late_open: number
    orders: number
    platform: "shopify" | "etsy" | "woocommerce" | "manual" | "other"
    within: number
    within_percent: number | null
  }>
  by_week: Array<{
    changed: number
    late: number
    late_days_average: number | null
    late_days_worst: number | null
    late_open: number
    orders: number
    week: string
    within: number
    within_percent: number | null
  }>
  date_range: {
    from: string
    to: string
  }
  late_orders: Array<{
    late_days: number
    order_id: string
    order_number: string
    platform: "shopify" | "etsy" | "woocommerce" | "manual" | "other"
    promised_at: string
    shipped_at: string | null
  }>
  summary: {
    changed: number
    late: number
    late_days_average: number | null
    late_days_worst: number | null
    late_open: number
    orders: number
    within: number
    within_percent: number | null
  }
}

export type Proof = {
  methods: Array<"password" | "code" | "passkey" | "provider">
  proven_until: string | null
}

export type PushDevice = {
  created_at: string
  endpoint_id: string
  failing_since: string | null
  id: string
  name: string
  push_service: string
}

export type PushKey = {
  public_key: string
}

export type QueueCounts = {
  filament_types: Array<string>
  running: number
  waiting: number
}

export type QueueEntry = {
  any_color: boolean
  due_date: string | null
  estimated_minutes: number | null
  estimated_start_at: string | null
  failing_rules: Array<"printer_active" | "in_service" | "auto_start" | "hub_online" | "reachable" | "no_known_problem" | "idle" | "no_live_attempt" | "plate_clear" | "printer_not_pausing" | "job_not_pausing" | "assigned_here" | "model_matches" | "nozzle_matches" | "build_plate_matches" | "filament_tool_matches" | "filament_type_matches" | "filament_color_matches" | "enough_filament" | "filament_places_match" | "file_fits_printer" | "finishes_in_working_hours" | "heating_slot">
  file_name: string
  is_assigned: boolean
  job_id: string
  plates_left: number
  priority: "low" | "normal" | "high" | "urgent"
  queue_position: number
}

export type QueueTimeline = {
  done_p50_at: string | null
  done_p90_at: string | null
  forecast_made_at: string | null
  has_more: boolean
  jobs: Array<TimelineJob>
  now: string
  printers: Array<{
    id: string
    in_maintenance: boolean
    model: string
    name: string
  }>
  unknown_jobs: number
  working_hours: Array<{
    from: string
    to: string
  }>
}

export type QueuedJob = {
  any_color: boolean
  cancel_requested: boolean
  color: string
  due_date: string | null
  estimated_print_time_minutes: number | null
  failure_reason: string | null
  filament_type: string
  file_name: string
  finish_p50_at: string | null
  finish_p90_at: string | null
  id: string
  is_assigned: boolean
  needs_look: boolean
  number_of_units: number
  plates_done: number
  plates_total: number
  print_file_id: string
  printer_id: string | null
  printer_name: string | null
  priority: "low" | "normal" | "high" | "urgent"
  product_name: string | null
  progress_percentage: number | null
  quantity_per_print: number
  queue_position: number
  sku_name: string | null
  status: "queued" | "processing" | "printing" | "paused" | "completed" | "failed" | "cancelled"
  time_started: string | null
  time_submitted: string
  waiting: {
    earliest_start_at: string | null
    reason: "printer_active" | "in_service" | "auto_start" | "hub_online" | "reachable" | "no_known_problem" | "idle" | "no_live_attempt" | "plate_clear" | "printer_not_pausing" | "job_not_pausing" | "assigned_here" | "model_matches" | "nozzle_matches" | "build_plate_matches" | "filament_tool_matches" | "filament_type_matches" | "filament_color_matches" | "enough_filament" | "filament_places_match" | "file_fits_printer" | "finishes_in_working_hours" | "heating_slot" | "starts_now" | "not_queued" | "no_printers"
    remedy: {
      kind: "moment" | "auto_start" | "enter_equipment" | "clear_plate" | "load_filament" | "change_build_plate" | "change_nozzle" | "wait" | "look_at_printer" | "none"
      printer_id: string
      printer_name: string
    } | null
    sentence: string
  } | null
}

export type RecentOrders = {
  avg_order_value: number
  by_currency: Array<RecentOrdersByCurrency>
  total_discount: number
  total_orders: number
  total_revenue: number
  total_shipping: number
  total_tax: number
}

export type RecentOrdersByCurrency = {
  avg_order_value: number
  currency: string
  total_discount: number
  total_orders: number
  total_revenue: number
  total_shipping: number
  total_tax: number
}

export type Recipe = {
  also_makes: Array<{
    product_sku_id: string
    units: number
  }>
  created_at: string
  file_deleted: boolean
  file_name: string
  id: string
  is_active: boolean
  name: string
  notes: string
  print_file_id: string
  printer_model: string | null
  product_id: string
  product_sku_id: string | null
  rank: number
  units_per_plate: number
  updated_at: string
}

export type RedeliverWebhookRequest = {
  also_delivered?: boolean | undefined
  from: string
  to?: string | undefined
}

export type RedeliveredEvents = {
  continue_from: string | null
  deliveries: number
}

export type RefusedProduction = {
  code: string
  message: string
  product_sku_id: string | null
  sku: string
}

export type RemovedAutomationRule = {
  deleted: boolean
  id: string
}

export type RemovedMqttBroker = {
  deleted: boolean
}

export type RemovedNotificationChannel = {
  deleted: boolean
  id: string
}

export type RemovedNotificationRule = {
  deleted: boolean
  id: string
}

export type RemovedProduct = {
  deleted: boolean
  id: string
}

export type RemovedPushDevice = {
  deleted: boolean
  id: string
}

export type RemovedShop = {
  deleted: boolean
  id: string
}

export type RemovedSku = {
  deleted: boolean
  id: string
}

export type RemovedSmartPlug = {
  deleted: boolean
  id: string
}

export type RemovedSpoolTag = {
  deleted: boolean
  id: string
}

export type RemovedSpoolman = {
  disconnected: boolean
}

export type ResetLink = {
  expires_at: string
  mailed: boolean
  url?: string | undefined
}

export type ResolveJobRequest = {
  notes?: string | undefined
  outcome: "printed" | "failed" | "not_started"
  plate_is_clear?: boolean | undefined
}

export type RestockComponentRequest = {
  notes?: string | undefined
  quantity: number
}

export type RestockPackagingRequest = {
  notes?: string | undefined
  quantity: number
}

export type RestockPartRequest = {
  notes?: string | undefined
  quantity: number
}

export type RestockSpoolRequest = {
  notes?: string | undefined
  quantity: number
}

export type ReturnedOrder = {
  order: Order
  returns: Array<OrderReturn>
}

export type RevenueByCurrency = {
  average_order_value: number
  currency: string
  total_orders: number
  total_revenue: number
}

export type RevenueReport = {
  by_platform: Array<{
    orders: number
    platform: string
    revenue_cents: number
  }>
  by_sku: Array<{
    orders: number
    revenue_cents: number
    sku: string
    units: number
  }>
  currencies: Array<{
    currency: string
    orders: number
  }>
  currency: string
  daily: Array<{
    date: string
    orders: number
    revenue_cents: number
  }>
  date_range: {
    from: string
    to: string
  }
  summary: {
    average_order_value: number
    order_count: number
    total_revenue_cents: number
  }
}

export type RevokedApiKey = {
  id: string
  name: string
  revoked_at: string
}

export type RotateWebhookSecretRequest = {
  overlap_hours?: number | undefined
}

export type RotatedSecret = {
  former_valid_until: string
  id: string
  secret: string
}

export type ScanSpoolTagRequest = {
  code: string
  uid?: string | undefined
}

export type ScannedTag = {
  material_id: string | null
  says: {
    brand: string | null
    color: string | null
    diameter: number | null
    hex_code: string | null
    remaining_grams: number | null
    spool_weight_grams: number | null
    type: string | null
  } | null
  tags: Array<ScannedTagNumber>
}

export type ScannedTagNumber = {
  kind: "uid" | "uuid"
  value: string
}

export type SchedulerSettings = {
  heating_at_once: number | null
  heating_gap_seconds: number | null
  time_zone: string
  working_hours: {
    days: Array<number>
    from: string
    to: string
  } | null
}

export type SearchGroup = {
  has_more: boolean
  hits: Array<{
    detail: string
    id: string
    status: string | null
    title: string
  }>
  kind: "printer" | "job" | "order" | "product" | "sku" | "file" | "article" | "person"
}

export type Session = {
  account: {
    id: string
    name: string
    time_zone: string
  }
  accounts: Array<{
    id: string
    name: string
    role: "owner" | "admin" | "operator" | "viewer"
  }>
  may_make_keys: boolean
  member_id: string
  must_add_factor: boolean
  role: "owner" | "admin" | "operator" | "viewer"
  scopes: Array<"read" | "write" | "control">
  session_id: string
  user: {
    email: string
    id: string
    language: string | null
    name: string
    totp_enabled: boolean
  }
  version: string
}

export type SetInventoryItemThresholdRequest = {
  low_stock_threshold: number
}

export type SetJobProductRequest = {
  product_sku_id: string | null
}

export type SetPrinterHeatersRequest = {
  bed?: number | undefined
  chamber?: number | undefined
  nozzle?: number | undefined
}

export type SetPrinterMaintenanceRequest = {
  in_maintenance: boolean
  maintenance_type?: string | null | undefined
}

export type SetProductKitRequest = {
  bundle_extras?: Array<{
    inventory_item_id: string
    quantity_required: number
  }> | undefined
  category?: string | null | undefined
  description?: string | null | undefined
  name: string
  parts: Array<{
    components?: Array<{
      inventory_item_id: string
      notes?: string | undefined
      quantity_required: number
    }> | undefined
    fixed_color?: string | null | undefined
    fixed_hex_code?: string | null | undefined
    name: string
    part_id?: string | undefined
    print_file_id?: string | null | undefined
    quantity_per_kit: number
    requires_assembly?: boolean | undefined
  }>
  requires_post_processing?: boolean | undefined
  variants: Array<{
    bundle_extras?: Array<{
      inventory_item_id: string
      quantity_required: number
    }> | undefined
    color: string
    filament_type?: string | null | undefined
    hex_code?: string | null | undefined
    low_stock_threshold?: number | undefined
    sku?: string | undefined
    sku_id?: string | undefined
  }>
  wiki_id?: string | null | undefined
}

export type SetSkusBomRequest = {
  children?: Array<{
    child_sku_id: string
    quantity_required: number
  }> | undefined
  inventory?: Array<{
    inventory_item_id: string
    quantity_required: number
  }> | undefined
}

export type SetTaskAssignmentDefaultsRequest = {
  assigned_to: string | null
  task_type: "assembly" | "filament_change" | "collection" | "maintenance" | "quality_check" | null
}

export type SetTaskStatusRequest = {
  failure_type?: "adhesion" | "spaghetti" | "layer_shift" | "clog" | "filament_runout" | "thermal" | "power_loss" | "mechanical" | "connection" | "file" | "cancelled_by_person" | "other" | "unknown" | undefined
  quantity_rejected?: number | undefined
  rejected?: Array<{
    product_sku_id: string
    quantity: number
  }> | undefined
  seen_over?: boolean | undefined
  status: "pending" | "in_progress" | "completed" | "cancelled"
}

export type SetUpState = {
  code_needed: boolean
  needed: boolean
}

export type SettledUsage = {
  id: string
  is_told_again: boolean
}

export type ShelfLevel = {
  auto_produce: boolean
  color: string
  filament_type: string
  image_url: string
  is_assembled: boolean
  is_makeable: boolean
  missing: number
  on_the_way: number
  product_id: string
  product_name: string
  product_sku_id: string
  ready: number
  restock_point: number
  restock_to: number
  sku: string
}

export type Shifts = {
  members: Array<ShiftsOfMember>
  time_zone: string
  told: "on_shift" | "none_on_shift" | "no_shifts"
  told_user_ids: Array<string>
}

export type ShiftsOfMember = {
  member_id: string
  name: string
  on_shift_until: string | null
  role: "owner" | "admin" | "operator" | "viewer"
  shifts: Array<{
    day: number
    from: string
    to: string
  }>
  switched_on: boolean | null
  switched_until: string | null
  user_id: string
}

export type Shipment = {
  carrier: string
  id: string
  items: Array<{
    item_id: string
    quantity: number
    units: number
  }>
  order_id: string
  packed_by: string | null
  shipped_at: string
  tracking_number: string
  tracking_url: string
}

export type Shop = {
  created_at: string
  created_by: string
  failed_parcels: number
  failing_since: string | null
  id: string
  last_read_at: string | null
  name: string
  needs_authorisation: boolean
  orders: number
  orders_since: string
  paused_at: string | null
  personalisation_names: Array<string>
  platform: "woocommerce" | "shopify" | "etsy"
  problem: string | null
  pushes_fulfilment: boolean
  pushes_stock: boolean
  refused_orders: number
  retry_at: string | null
  shop: string
  status: "active" | "failing" | "paused"
  stock_buffer: number
  updated_at: string
  url: string
  waiting_parcels: number
  webhook_path: string
}

export type ShopAsked = {
  asked: boolean
  id: string
}

export type ShopAuthorisation = {
  url: string
}

export type ShopTest = {
  ok: boolean
  problem: string | null
  shop_name: string | null
}

export type ShopTrouble = {
  at: string
  kind: "order" | "parcel" | "stock"
  name: string
  order_id: string | null
  problem: string
}

export type ShopTroubles = {
  troubles: Array<ShopTrouble>
}

export type SignedInUser = {
  email: string
  id: string
  language: string | null
  name: string
}

export type SignedOut = {
  ended_sessions: number
}

export type Sku = {
  color: string
  created_at: string
  filament_type: string
  finished_goods_stock: number
  hex_code: string
  id: string
  is_active: boolean
  is_composite: boolean
  low_stock_threshold: number
  product_id: string
  quantity: number
  sku: string
  stock_level: number
  updated_at: string
}

export type SkuBom = {
  available_to_build: number
  children: Array<{
    child_color: string
    child_is_composite: boolean
    child_ready_stock: number
    child_sku: string
    child_sku_id: string
    quantity_required: number
  }>
  inventory: Array<{
    inventory_item_id: string
    item_name: string
    kind: "components" | "packaging"
    quantity_required: number
    remaining: number
    unit: string
  }>
  is_composite: boolean
  sku_id: string
}

export type SkuCost = {
  actual: CostOf
  currency: string
  estimate: CostOf
  good_units: number
}

export type SkuDetail = {
  auto_produce: boolean
  available_to_build: number
  color: string
  created_at: string
  effective_status: "out_of_stock" | "needs_assembly" | "low_stock" | "in_stock"
  filament_type: string
  finished_goods_stock: number
  hex_code: string
  id: string
  is_active: boolean
  is_composite: boolean
  low_stock_threshold: number
  product_id: string
  quantity: number
  recipes: Array<{
    file_name: string
    id: string
    name: string
    print_file_id: string
    printer_model: string | null
    units_per_plate: number
  }>
  restock_point: number | null
  restock_to: number | null
  sku: string
  stock_level: number
  updated_at: string
}

export type SkuMargin = {
  actual: {
    cost: string | null
    known_cost: string
    margin: string | null
    margin_at_most: string | null
    margin_percent: string | null
    revenue: string | null
    unknown: Array<UnknownInput>
  } | null
  estimate: MarginFigures
  product_sku_id: string | null
  shipped_units: number
  sku: string
  units: number
}

export type SmartPlug = {
  command_topic: string
  id: string
  off_after_minutes: number | null
  payload_off: string
  payload_on: string
  printer_id: string
  printer_name: string
  state: "on" | "off" | null
  state_at: string | null
  state_topic: string
  switches_on: boolean
}

export type SmartPlugs = {
  plugs: Array<SmartPlug>
}

export type SpoolTag = {
  created_at: string
  id: string
  kind: "uid" | "uuid"
  value: string
}

export type SpoolTags = {
  tags: Array<SpoolTag>
}

export type SpoolmanAsked = {
  asked: boolean
}

export type SpoolmanConnection = {
  created_at: string
  failing_since: string | null
  gone_spools: number
  last_read_at: string | null
  leader: "spoolman" | "printyard"
  paused_at: string | null
  problem: string | null
  retry_at: string | null
  sends_usage: boolean
  spools: number
  status: "active" | "failing" | "paused"
  unweighed_spools: number
  updated_at: string
  url: string
  waiting_usages: number
}

export type SpoolmanState = {
  connection: {
    created_at: string
    failing_since: string | null
    gone_spools: number
    last_read_at: string | null
    leader: "spoolman" | "printyard"
    paused_at: string | null
    problem: string | null
    retry_at: string | null
    sends_usage: boolean
    spools: number
    status: "active" | "failing" | "paused"
    unweighed_spools: number
    updated_at: string
    url: string
    waiting_usages: number
  } | null
}

export type SpoolmanTest = {
  ok: boolean
  problem: string | null
  version: string | null
}

export type SpoolmanUsage = {
  created_at: string
  grams: number
  id: string
  material_id: string | null
  problem: string | null
  spool_id: number
  state: "unclear" | "refused"
}

export type StartJobRequest = {
  set_aside?: Array<"nozzle_matches" | "build_plate_matches" | "filament_type_matches" | "filament_color_matches" | "enough_filament" | "filament_places_match"> | undefined
}

export type StockAdjustment = {
  adjustment: number
  available: number
  bin: string
  color: string
  created_at: string
  id: string
  image_url: string
  is_active: boolean
  is_low_stock: boolean
  low_stock_threshold: number
  material: string
  new_status: "out_of_stock" | "needs_assembly" | "low_stock" | "in_stock"
  new_stock: number
  previous_status: "out_of_stock" | "needs_assembly" | "low_stock" | "in_stock"
  previous_stock: number
  product_sku_id: string
  ready_stock: number
  reason: "manual" | "inventory_count" | "correction" | "damaged" | "returned"
  reserved: number
  reserved_missing: number
  sku: string
  status: "out_of_stock" | "needs_assembly" | "low_stock" | "in_stock"
  updated_at: string
}

export type StockMovement = {
  actor: string
  actor_name: string | null
  assembly_task_id: string | null
  change: number
  created_at: string
  happened_at: string | null
  id: string
  job_id: string | null
  job_name: string | null
  notes: string
  order_id: string | null
  order_number: string | null
  quantity_after: number
  quantity_before: number
  reason: "job_completed" | "units_rejected" | "assembled" | "used_in_assembly" | "order_fulfilled" | "manual" | "inventory_count" | "correction" | "damaged" | "returned"
  stock: "ready" | "needs_assembly"
}

export type StockedItem = {
  available: number
  bin: string
  color: string
  created_at: string
  id: string
  image_url: string
  is_active: boolean
  low_stock_threshold: number
  material: string
  product_sku_id: string
  ready_stock: number
  reserved: number
  sku: string
  status: "out_of_stock" | "needs_assembly" | "low_stock" | "in_stock"
  updated_at: string
}

export type StopJobRequest = {
  failure_type?: "adhesion" | "spaghetti" | "layer_shift" | "clog" | "filament_runout" | "thermal" | "power_loss" | "mechanical" | "connection" | "file" | "cancelled_by_person" | "other" | "unknown" | undefined
  only_queued?: boolean | undefined
  seen_over?: boolean | undefined
}

export type SwitchPrinterLightRequest = {
  state: boolean
}

export type SwitchedSmartPlug = {
  id: string
  on: boolean
}

export type TakenPackaging = {
  inventory_item_id: string
  item_name: string
  missing: number
  needed: number
  taken: number
}

export type TestConnectionRequest = {
  connection: Record<string, unknown>
  connection_type: "virtual" | "octoprint" | "moonraker" | "prusalink" | "bambu" | "elegoo" | "creality"
}

export type TimelineJob = {
  done_p50_at: string | null
  done_p90_at: string | null
  due_date: string | null
  id: string
  is_assigned: boolean
  message: string
  name: string
  printer_id: string | null
  starts_at: string | null
  status: "queued" | "processing" | "printing" | "paused" | "completed" | "failed" | "cancelled"
  unknown_because: "unmapped" | "no_recipe" | "recipe_fits_no_printer" | "missing_component" | "sku_inactive" | "bom_cycle" | "too_many_parts" | "not_planned" | "no_printer" | "unknown_print_time" | "too_few_prints" | null
}

export type UnknownInput = {
  input: "machine_hour_price" | "watts" | "energy_price" | "labour_hour_price" | "plate_labour_seconds" | "assembly_labour_seconds" | "order_labour_seconds" | "filament_price" | "material_price" | "platform_fee" | "print_time" | "filament_weight" | "filament_usage" | "recipe" | "mapping" | "prints" | "currency"
  parts: Array<"filament" | "machine" | "energy" | "labour" | "components" | "packaging" | "platform_fee">
  subject: string
  subject_id: string | null
  subject_kind: "account" | "printer" | "printer_model" | "filament_type" | "material" | "print_file" | "job" | "sku" | "order" | "platform"
}

export type UnloadFilamentRequest = {
  slot?: number | null | undefined
  temperature?: number | null | undefined
}

export type UnmatchedItem = {
  blockers: Array<PlanBlocker>
  order_item_id: string
  units: number
}

export type UnwantedAssembly = {
  created_at: string
  id: string
  product_name: string
  sku: string
  units: number
}

export type UnwantedJob = {
  created_at: string
  file_name: string
  id: string
  plates: number
  product_name: string
  sku: string
  units: number
}

export type UnwantedWork = {
  assembly_task_ids: Array<string>
  assembly_tasks: Array<UnwantedAssembly>
  job_ids: Array<string>
  jobs: Array<UnwantedJob>
}

export type UpdateArticleRequest = {
  category?: string | undefined
  content?: string | undefined
  description?: string | undefined
  difficulty?: "easy" | "medium" | "hard" | null | undefined
  estimated_time_minutes?: number | null | undefined
  excerpt?: string | undefined
  featured_image_url?: string | undefined
  meta_description?: string | undefined
  meta_title?: string | undefined
  product_id?: string | null | undefined
  sections?: Array<{
    content?: string | undefined
    description?: string | undefined
    id?: string | undefined
    image_url?: string | undefined
    notes?: string | undefined
    number?: number | null | undefined
    order?: number | undefined
    title?: string | undefined
    type: "subtitle" | "step" | "note" | "warning"
    warnings?: Array<string> | undefined
  }> | undefined
  sku_id?: string | null | undefined
  slug?: string | undefined
  tags?: Array<string> | undefined
  title?: string | undefined
  tools_required?: Array<string> | undefined
}

export type UpdateAssemblyTaskRequest = {
  assigned_to?: string | null | undefined
  notes?: string | null | undefined
  quantity?: number | undefined
  status?: "pending" | "in_progress" | "completed" | "cancelled" | undefined
}

export type UpdateColorRequest = {
  color_name?: string | undefined
  filament_type?: string | undefined
  hex_code?: string | undefined
  is_active?: boolean | undefined
}

export type UpdateComponentRequest = {
  brand?: string | null | undefined
  color?: string | null | undefined
  diameter?: number | null | undefined
  location?: string | null | undefined
  low_threshold?: number | null | undefined
  name?: string | undefined
  remaining_units?: number | undefined
  size?: string | null | undefined
  type?: string | undefined
}

export type UpdateFileRequest = {
  folder?: string | undefined
  name?: string | undefined
  number_of_units?: number | undefined
  product_id?: string | null | undefined
  tags?: Array<string> | undefined
}

export type UpdateHubRequest = {
  name: string
}

export type UpdateInventoryItemRequest = {
  assembly_status?: "printed" | "needs_assembly" | "assembled" | undefined
  bin?: string | null | undefined
  image_url?: string | null | undefined
  is_active?: boolean | undefined
  low_stock_threshold?: number | undefined
}

export type UpdateJobRequest = {
  any_color?: boolean | undefined
  color?: string | undefined
  due_date?: string | null | undefined
  filament_type?: string | undefined
  material_type?: string | undefined
  position?: {
    after?: string | undefined
    before?: string | undefined
  } | undefined
  printer_id?: string | null | undefined
  priority?: "low" | "normal" | "high" | "urgent" | undefined
}

export type UpdateListingMapRequest = {
  pack_size?: number | undefined
  product_sku_id?: string | undefined
}

export type UpdateOrderRequest = {
  currency?: string | undefined
  customer_email?: string | undefined
  customer_name?: string | undefined
  customer_phone?: string | undefined
  discount_amount?: number | undefined
  external_id?: string | undefined
  force?: boolean | undefined
  is_paid?: boolean | undefined
  notes?: string | undefined
  order_date?: string | undefined
  order_number?: string | undefined
  platform?: "shopify" | "etsy" | "woocommerce" | "manual" | "other" | undefined
  priority?: "low" | "normal" | "high" | "urgent" | undefined
  ship_by?: string | null | undefined
  shipping_city?: string | undefined
  shipping_cost?: number | undefined
  shipping_country?: string | undefined
  shipping_state?: string | undefined
  shipping_street?: string | undefined
  shipping_zip?: string | undefined
  shop?: string | undefined
  status?: "pending" | "processing" | "printed" | "assembled" | "shipped" | "fulfilled" | "cancelled" | "refunded" | undefined
  tax_amount?: number | undefined
  tracking_number?: string | undefined
  tracking_url?: string | undefined
}

export type UpdateOrderSettingsRequest = {
  auto_produce?: "off" | "paid" | "always" | undefined
  currency?: string | undefined
  handling_days?: number | null | undefined
  ship_lines_alone?: boolean | undefined
  working_days?: Array<number> | undefined
}

export type UpdatePackagingRequest = {
  brand?: string | null | undefined
  color?: string | null | undefined
  diameter?: number | null | undefined
  location?: string | null | undefined
  low_threshold?: number | null | undefined
  name?: string | undefined
  remaining_units?: number | undefined
  size?: string | null | undefined
  type?: string | undefined
}

export type UpdatePartRequest = {
  brand?: string | null | undefined
  color?: string | null | undefined
  diameter?: number | null | undefined
  location?: string | null | undefined
  low_threshold?: number | null | undefined
  name?: string | undefined
  remaining_units?: number | undefined
  size?: string | null | undefined
  type?: string | undefined
}

export type UpdatePrintFailureRequest = {
  notes?: string | undefined
  resolved?: boolean | undefined
  type?: "adhesion" | "spaghetti" | "layer_shift" | "clog" | "filament_runout" | "thermal" | "power_loss" | "mechanical" | "connection" | "file" | "cancelled_by_person" | "other" | "unknown" | undefined
}

export type UpdatePrinterRequest = {
  auto_start?: boolean | undefined
  connection?: Record<string, unknown> | undefined
  current_build_plate?: string | undefined
  current_color?: string | undefined
  current_color_hex?: string | undefined
  current_filament_type?: string | undefined
  ejection?: {
    check_after?: number | undefined
    cooldown_temp?: number | undefined
    gcode?: string | null | undefined
  } | null | undefined
  has_ams?: boolean | undefined
  hub_id?: string | null | undefined
  is_active?: boolean | undefined
  loaded_filament_grams?: number | null | undefined
  location?: string | null | undefined
  maintenance_interval_hours?: number | null | undefined
  manufacturer?: string | undefined
  name?: string | undefined
  notes?: string | null | undefined
  nozzle_size?: number | null | undefined
  pinned_fingerprint?: string | undefined
  power_group?: string | undefined
  seen_over?: boolean | undefined
}

export type UpdateProductRequest = {
  category?: string | null | undefined
  description?: string | null | undefined
  is_active?: boolean | undefined
  name?: string | undefined
  requires_assembly?: boolean | undefined
  requires_post_processing?: boolean | undefined
  wiki_id?: string | null | undefined
}

export type UpdateRecipeRequest = {
  also_makes?: Array<{
    product_sku_id: string
    units: number
  }> | undefined
  is_active?: boolean | undefined
  name?: string | undefined
  notes?: string | null | undefined
  print_file_id?: string | undefined
  product_sku_id?: string | null | undefined
  rank?: number | undefined
  units_per_plate?: number | undefined
}

export type UpdateSchedulerSettingsRequest = {
  heating_at_once?: number | null | undefined
  heating_gap_seconds?: number | null | undefined
  working_hours?: {
    days: Array<number>
    from: string
    to: string
  } | null | undefined
}

export type UpdateSettingsRequest = {
  checks_filament?: boolean | undefined
  filament_margin_grams?: number | undefined
}

export type UpdateSkusRequest = {
  auto_produce?: boolean | undefined
  color?: string | undefined
  filament_type?: string | undefined
  hex_code?: string | null | undefined
  is_active?: boolean | undefined
  low_stock_threshold?: number | undefined
  quantity?: number | undefined
  restock_point?: number | null | undefined
  restock_to?: number | null | undefined
  sku?: string | undefined
}

export type UpdateSpoolRequest = {
  brand?: string | null | undefined
  color?: string | null | undefined
  diameter?: number | null | undefined
  hex_code?: string | null | undefined
  location?: string | null | undefined
  low_threshold?: number | null | undefined
  printer_id?: string | null | undefined
  remaining_grams?: number | undefined
  slot?: number | undefined
  spool_weight_grams?: number | null | undefined
  type?: string | undefined
}

export type UpdateTaskRequest = {
  description?: string | undefined
  due_date?: string | null | undefined
  estimated_time_minutes?: number | null | undefined
  printer_id?: string | null | undefined
  priority?: "low" | "medium" | "high" | undefined
  subtitle?: string | undefined
  task_type?: "assembly" | "filament_change" | "collection" | "maintenance" | "quality_check" | undefined
  title?: string | undefined
}

export type UpdateWebhookRequest = {
  description?: string | null | undefined
  event_types?: Array<string> | undefined
  is_active?: boolean | undefined
  subject_ids?: Array<string> | undefined
  url?: string | undefined
}

export type UploadUrl = {
  content_type: string
  expires_at: string
  expires_in: number
  file_id: string
  filename: string
  max_bytes: number
  storage_key: string
  token: string
  upload_token: string
  upload_url: string
}

export type Uploaded = {
  size_bytes: number
}

export type Usage = {
  quotas: Array<{
    limit: number
    quota: "hubs" | "printers" | "files" | "uploads" | "storage_mb" | "jobs" | "orders" | "listing_maps" | "products" | "skus" | "recipes" | "colors" | "materials" | "tasks" | "assembly_tasks" | "wiki_articles" | "wiki_revisions" | "members" | "api_keys" | "webhooks" | "notification_channels" | "notification_rules" | "automation_rules" | "shops" | "event_streams"
    used: number
    what: string
  }>
}

export type WaitingGroup = {
  jobs: number
  nozzle: number | null
  printers: Array<{
    id: string
    name: string
  }>
  remedy: "moment" | "auto_start" | "enter_equipment" | "clear_plate" | "load_filament" | "change_build_plate" | "change_nozzle" | "wait" | "look_at_printer" | "none"
  rule: "printer_active" | "in_service" | "auto_start" | "hub_online" | "reachable" | "no_known_problem" | "idle" | "no_live_attempt" | "plate_clear" | "printer_not_pausing" | "job_not_pausing" | "assigned_here" | "model_matches" | "nozzle_matches" | "build_plate_matches" | "filament_tool_matches" | "filament_type_matches" | "filament_color_matches" | "enough_filament" | "filament_places_match" | "file_fits_printer" | "finishes_in_working_hours" | "heating_slot"
}

export type WaitingOrder = {
  blocked: number
  order_id: string
  order_number: string
  ship_by: string | null
  to_print: number
}

export type Webhook = {
  created_at: string
  created_by: string
  description: string
  event_types: Array<string>
  failing_since: string | null
  id: string
  pause_reason: "person" | "failing" | "gone" | null
  paused_at: string | null
  retry_at: string | null
  status: "active" | "failing" | "paused"
  subject_ids: Array<string>
  updated_at: string
  url: string
}

export type WebhookAttempt = {
  attempted_at: string
  duration_ms: number | null
  failure: "status" | "redirect" | "timeout" | "connection" | "dns" | "tls" | "address_refused" | "event_removed" | "secret_unreadable" | null
  status_code: number | null
}

export type WebhookDelivery = {
  answer: string | null
  attempted_at: string | null
  attempts: number
  created_at: string
  due_at: string | null
  duration_ms: number | null
  event_id: string
  event_type: string
  failure: "status" | "redirect" | "timeout" | "connection" | "dns" | "tls" | "address_refused" | "event_removed" | "secret_unreadable" | null
  history: Array<WebhookAttempt>
  id: string
  is_test: boolean
  status: "pending" | "delivered" | "failed"
  status_code: number | null
  subject_id: string
  webhook_id: string
}

export type WikiArticle = {
  category: string
  content: string
  created_at: string
  description: string
  difficulty: "easy" | "medium" | "hard" | null
  estimated_time_minutes: number | null
  excerpt: string
  featured_image_url: string
  id: string
  is_published: boolean
  meta_description: string
  meta_title: string
  product_id: string | null
  published_at: string | null
  sections: Array<WikiSection>
  sku_id: string | null
  slug: string
  tags: Array<string>
  title: string
  tools_required: Array<string>
  updated_at: string
}

export type WikiArticleSummary = {
  category: string
  created_at: string
  description: string
  difficulty: "easy" | "medium" | "hard" | null
  estimated_time_minutes: number | null
  excerpt: string
  featured_image_url: string
  id: string
  is_published: boolean
  meta_description: string
  meta_title: string
  product_id: string | null
  published_at: string | null
  sku_id: string | null
  slug: string
  tags: Array<string>
  title: string
  tools_required: Array<string>
  updated_at: string
}

export type WikiCategory = {
  article_count: number
  category: string
}

export type WikiImage = {
  id: string
  thumb_url: string
  url: string
}

export type WikiRevision = {
  actor: string
  actor_name: string | null
  created_at: string
  fields: Array<string>
  number: number
}

export type WikiRevisionDetail = {
  actor: string
  actor_name: string | null
  article: {
    category: string
    content: string
    description: string
    difficulty: "easy" | "medium" | "hard" | null
    estimated_time_minutes: number | null
    excerpt: string
    featured_image_url: string
    meta_description: string
    meta_title: string
    product_id: string | null
    sections: Array<WikiSection>
    sku_id: string | null
    slug: string
    tags: Array<string>
    title: string
    tools_required: Array<string>
  }
  created_at: string
  fields: Array<string>
  number: number
}

export type WikiSection = {
  content: string
  description: string
  id: string
  image_url: string
  notes: string
  number: number | null
  order: number
  title: string
  type: "subtitle" | "step" | "note" | "warning"
  warnings: Array<string>
}

export type WorkCard = {
  actual_time_minutes: number | null
  assembly_id: string | null
  assigned_to: string | null
  assignee_name: string | null
  completed_at: string | null
  created_at: string
  description: string
  due_date: string | null
  estimated_time_minutes: number | null
  filament_key: string | null
  id: string
  job: {
    color: string
    filament_type: string
    file_name: string
    id: string
    is_fate_unknown: boolean
    plate_number: number | null
    plates_total: number
    product_name: string | null
    units_per_plate: number
    was_seen_printing: boolean
  } | null
  order_id: string | null
  printer: {
    id: string
    location: string
    model: string
    name: string
    plate_state: "clear" | "occupied" | "unknown"
  } | null
  printer_id: string | null
  priority: "low" | "medium" | "high"
  source: "person" | "plate" | "unknown_fate" | "printer_error" | "hub_silent" | "print_hours" | "assembly" | "health" | "out_of_reach" | "second_copy" | "filament" | "product" | "pick" | "pack" | "backup" | "certificate"
  started_at: string | null
  status: "pending" | "in_progress" | "completed" | "cancelled"
  subtitle: string
  task_type: "assembly" | "filament_change" | "collection" | "maintenance" | "quality_check"
  title: string
  updated_at: string
  wishes: Array<{
    order_id: string
    order_number: string
    personalisation: Array<{
      name: string
      value: string
    }>
    product_name: string
    units: number
  }>
}

export type WorklistStats = {
  by_priority: {
    high: number
    low: number
    medium: number
  }
  by_status: {
    cancelled: number
    completed: number
    in_progress: number
    pending: number
  }
  by_type: {
    assembly: number
    collection: number
    filament_change: number
    maintenance: number
    quality_check: number
  }
  open: number
  overdue: number
  unassigned: number
}

export type WorklistTask = {
  actual_time_minutes: number | null
  completed_at: string | null
  created_at: string
  description: string
  due_date: string | null
  estimated_time_minutes: number | null
  id: string
  printer_id: string | null
  priority: "low" | "medium" | "high"
  started_at: string | null
  status: "pending" | "in_progress" | "completed" | "cancelled"
  subtitle: string
  task_type: "assembly" | "filament_change" | "collection" | "maintenance" | "quality_check"
  title: string
  updated_at: string
}

export type YieldReport = {
  by_file: Array<{
    file_name: string
    plate_yield: number | null
    plates_done: number
    plates_failed: number
    plates_stopped: number
    print_file_id: string
    unit_yield: number | null
    units_good: number
    units_rejected: number
  }>
  by_material: Array<{
    material: string
    plate_yield: number | null
    plates_done: number
    plates_failed: number
    plates_stopped: number
    unit_yield: number | null
    units_good: number
    units_rejected: number
  }>
  by_printer: Array<{
    plate_yield: number | null
    plates_done: number
    plates_failed: number
    plates_stopped: number
    printer_id: string
    printer_name: string
    unit_yield: number | null
    units_good: number
    units_rejected: number
  }>
  date_range: {
    from: string
    to: string
  }
  reasons: Array<{
    count: number
    cumulative_share: number
    reason: "adhesion" | "spaghetti" | "layer_shift" | "clog" | "filament_runout" | "thermal" | "power_loss" | "mechanical" | "connection" | "file" | "cancelled_by_person" | "other" | "unknown" | "rejected_on_plate" | "rejected_in_assembly"
    share: number
    units_lost: number
  }>
  summary: {
    plate_yield: number | null
    plates_done: number
    plates_failed: number
    plates_stopped: number
    unit_yield: number | null
    units_good: number
    units_rejected: number
  }
}

export interface ApiRoutes {
  'DELETE /api-keys/{id}': { params: { id: string }; data: RevokedApiKey }
  'DELETE /assembly/{id}': { params: { id: string }; data: DeletedAssemblyTask }
  'DELETE /automation-rules/{id}': { params: { id: string }; data: RemovedAutomationRule }
  'DELETE /colors/{id}': { params: { id: string }; data: DeletedColor }
  'DELETE /files/{id}': { params: { id: string }; data: DeletedFile }
  'DELETE /hubs/{id}': { params: { id: string }; data: DeletedHub }
  'DELETE /inventory/{id}': { params: { id: string }; data: DeletedInventoryItem }
  'DELETE /invitations/{id}': { params: { id: string }; data: {
      deleted: boolean
      id: string
    } }
  'DELETE /jobs/{id}': { params: { id: string }; data: DeletedJob }
  'DELETE /listing-maps/{id}': { params: { id: string }; data: ListingMap }
  'DELETE /materials/components/{id}': { params: { id: string }; data: DeletedMaterial }
  'DELETE /materials/filament/{id}': { params: { id: string }; data: DeletedMaterial }
  'DELETE /materials/filament/{id}/tags/{tag_id}': { params: { id: string; tag_id: string }; data: RemovedSpoolTag }
  'DELETE /materials/packaging/{id}': { params: { id: string }; data: DeletedMaterial }
  'DELETE /materials/parts/{id}': { params: { id: string }; data: DeletedMaterial }
  'DELETE /members/{id}': { params: { id: string }; data: {
      deleted: boolean
      id: string
    } }
  'DELETE /members/{id}/sessions': { params: { id: string }; data: {
      ended_sessions: number
    } }
  'DELETE /mqtt/broker': { data: RemovedMqttBroker }
  'DELETE /notification-channels/{id}': { params: { id: string }; data: RemovedNotificationChannel }
  'DELETE /notification-rules/{id}': { params: { id: string }; data: RemovedNotificationRule }
  'DELETE /orders/{id}': { params: { id: string }; data: CancelledOrder }
  'DELETE /passkeys/{id}': { params: { id: string }; data: Record<string, unknown> }
  'DELETE /printers/{id}': { params: { id: string }; query: { seen_over?: boolean | undefined }; data: DeletedPrinter }
  'DELETE /products/{id}': { params: { id: string }; data: RemovedProduct }
  'DELETE /products/{id}/images/{imageId}': { params: { id: string; imageId: string }; data: DeletedProductImage }
  'DELETE /push-devices/{id}': { params: { id: string }; data: RemovedPushDevice }
  'DELETE /recipes/{id}': { params: { id: string }; data: DeletedRecipe }
  'DELETE /sessions/{id}': { params: { id: string }; data: Record<string, unknown> }
  'DELETE /shifts/switch': { data: ShiftsOfMember }
  'DELETE /shops/{id}': { params: { id: string }; data: RemovedShop }
  'DELETE /skus/{id}': { params: { id: string }; data: RemovedSku }
  'DELETE /smart-plugs/{id}': { params: { id: string }; data: RemovedSmartPlug }
  'DELETE /spoolman': { data: RemovedSpoolman }
  'DELETE /webhooks/{id}': { params: { id: string }; data: {
      deleted: boolean
      id: string
    } }
  'DELETE /wiki/{idOrSlug}': { params: { idOrSlug: string }; data: DeletedWikiArticle }
  'DELETE /worklist/{id}': { params: { id: string }; data: DeletedWorklistTask }
  'GET /account': { data: Account }
  'GET /account/export': { data: unknown }
  'GET /account/usage': { data: Usage }
  'GET /analytics/failures': { query: { from?: string | undefined; to?: string | undefined; resolved?: boolean | undefined; format?: "json" | "csv" | undefined; by?: "day" | "type" | "printer" | undefined }; data: FailureAnalytics }
  'GET /analytics/failures/{id}/picture': { params: { id: string }; query: { size?: "full" | "small" | undefined }; data: unknown }
  'GET /analytics/hours': { query: { from?: string | undefined; to?: string | undefined; limit?: number | undefined }; data: HoursOfDay }
  'GET /analytics/idle': { query: { from?: string | undefined; to?: string | undefined; limit?: number | undefined }; data: IdleTime }
  'GET /analytics/inventory': { query: { from?: string | undefined; to?: string | undefined; format?: "json" | "csv" | undefined; by?: "day" | "material" | "sku" | undefined }; data: InventoryReport }
  'GET /analytics/overview': { data: Overview }
  'GET /analytics/printers': { query: { from?: string | undefined; to?: string | undefined; format?: "json" | "csv" | undefined }; data: PrintersReport }
  'GET /analytics/production': { query: { from?: string | undefined; to?: string | undefined; format?: "json" | "csv" | undefined; by?: "day" | "printer" | "sku" | undefined; printer_id?: string | undefined; product_id?: string | undefined }; data: ProductionReport }
  'GET /analytics/promises': { query: { from?: string | undefined; to?: string | undefined; format?: "json" | "csv" | undefined; by?: "week" | "platform" | "order" | undefined }; data: PromisesReport }
  'GET /analytics/revenue': { query: { from?: string | undefined; to?: string | undefined; format?: "json" | "csv" | undefined; by?: "day" | "platform" | "sku" | undefined; currency?: string | undefined }; data: RevenueReport }
  'GET /analytics/yield': { query: { from?: string | undefined; to?: string | undefined; format?: "json" | "csv" | undefined; by?: "file" | "printer" | "material" | "reason" | undefined }; data: YieldReport }
  'GET /api-keys': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; created_by?: string | undefined }; data: Array<ApiKey> }
  'GET /assembly': { query: { status?: "pending" | "in_progress" | "completed" | "cancelled" | undefined; kind?: "print_assembly" | "kit_assembly" | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<ListedAssemblyTask> }
  'GET /assembly/stats': { data: AssemblyStats }
  'GET /assembly/{id}': { params: { id: string }; data: AssemblyTaskDetail }
  'GET /audit': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; actor?: string | undefined; type?: string | undefined; subject?: string | undefined; from?: string | undefined; to?: string | undefined }; data: Array<NamedEvent> }
  'GET /automation-rules': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<AutomationRule> }
  'GET /automation-rules/{id}': { params: { id: string }; data: AutomationRule }
  'GET /automation-runs': { query: { rule_id?: string | undefined; outcome?: "ran" | "trial" | "counted" | "held" | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<AutomationRun> }
  'GET /backups': { data: Backups }
  'GET /colors': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; filament_type?: string | undefined; is_active?: boolean | undefined }; data: Array<Color> }
  'GET /costs/jobs/{id}': { params: { id: string }; data: JobCost }
  'GET /costs/margin': { query: { from?: string | undefined; to?: string | undefined; format?: "json" | "csv" | undefined; by?: "order" | "sku" | "day" | undefined }; data: MarginReport }
  'GET /costs/materials/{id}': { params: { id: string }; data: MaterialPrice }
  'GET /costs/orders/{id}': { params: { id: string }; data: OrderCost }
  'GET /costs/settings': { data: CostSettings }
  'GET /costs/skus/{id}': { params: { id: string }; data: SkuCost }
  'GET /events': { query: { limit?: number | undefined; after?: string | undefined; type?: string | undefined; subject?: string | undefined }; data: Array<Event> }
  'GET /events/stream': { query: { after?: string | undefined }; data: unknown }
  'GET /files': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; product_id?: string | undefined; printer_model_id?: string | undefined; model_id?: string | undefined; filament_type?: string | undefined; search?: string | undefined; tag?: string | undefined; folder?: string | undefined; order_by?: "newest" | "changed" | "name" | undefined }; data: Array<PrintFile> }
  'GET /files/folders': { data: FileFolders }
  'GET /files/tags': { data: FileTags }
  'GET /files/{id}': { params: { id: string }; data: PrintFileDetail }
  'GET /files/{id}/content': { params: { id: string }; data: unknown }
  'GET /files/{id}/thumbnail': { params: { id: string }; data: unknown }
  'GET /files/{id}/uses': { params: { id: string }; data: FileUses }
  'GET /hubs': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<ListedHub> }
  'GET /hubs/{id}': { params: { id: string }; data: Hub }
  'GET /hubs/{id}/discovered': { params: { id: string }; query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<DiscoveredPrinter> }
  'GET /inventory': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; low_stock?: boolean | undefined; product_sku_id?: string | undefined; is_active?: boolean | undefined; sku?: string | undefined; material?: string | undefined; status?: "out_of_stock" | "needs_assembly" | "low_stock" | "in_stock" | undefined; search?: string | undefined; bin?: string | undefined }; data: Array<StockedItem> }
  'GET /inventory/alerts': { data: Array<InventoryAlert> }
  'GET /inventory/stats': { data: InventoryStats }
  'GET /inventory/{id}': { params: { id: string }; data: InventoryItemDetail }
  'GET /inventory/{id}/movements': { params: { id: string }; query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<StockMovement> }
  'GET /invitations': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<Invitation> }
  'GET /jobs': { query: { status?: "queued" | "processing" | "printing" | "paused" | "completed" | "failed" | "cancelled" | undefined; printer_id?: string | undefined; print_file_id?: string | undefined; product_sku_id?: string | undefined; is_late?: boolean | undefined; from?: string | undefined; to?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<Job> }
  'GET /jobs/history': { query: { status?: "queued" | "processing" | "printing" | "paused" | "completed" | "failed" | "cancelled" | undefined; printer_id?: string | undefined; print_file_id?: string | undefined; product_sku_id?: string | undefined; ended_as?: "completed" | "failed" | "cancelled" | undefined; of_printer_id?: string | undefined; of_file_id?: string | undefined; from?: string | undefined; to?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<Job> }
  'GET /jobs/queue': { query: { part?: "waiting" | "running" | undefined; search?: string | undefined; of_printer_id?: string | undefined; filament_type?: string | undefined; priority?: "low" | "normal" | "high" | "urgent" | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<QueuedJob> }
  'GET /jobs/queue/counts': { query: { search?: string | undefined; of_printer_id?: string | undefined; filament_type?: string | undefined; priority?: "low" | "normal" | "high" | "urgent" | undefined }; data: QueueCounts }
  'GET /jobs/queue/remedies': { data: Array<WaitingGroup> }
  'GET /jobs/queue/timeline': { data: QueueTimeline }
  'GET /jobs/stats': { query: { from?: string | undefined; to?: string | undefined }; data: JobStats }
  'GET /jobs/{id}': { params: { id: string }; data: JobDetail }
  'GET /jobs/{id}/explain': { params: { id: string }; query: { limit?: number | undefined }; data: JobExplanation }
  'GET /jobs/{id}/plan': { params: { id: string }; data: JobPlan }
  'GET /key': { data: OwnKey }
  'GET /listing-maps': { query: { platform?: "shopify" | "etsy" | "woocommerce" | "manual" | "other" | undefined; shop?: string | undefined; product_sku_id?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<ListingMap> }
  'GET /listing-maps/{id}': { params: { id: string }; data: ListingMap }
  'GET /materials/components': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; status?: "in_stock" | "low" | "out_of_stock" | undefined; type?: string | undefined; material_type?: string | undefined; color?: string | undefined; low_stock?: boolean | undefined }; data: Array<Component> }
  'GET /materials/components/{id}': { params: { id: string }; data: Component }
  'GET /materials/components/{id}/movements': { params: { id: string }; query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<MaterialMovement> }
  'GET /materials/filament': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; status?: "in_stock" | "low" | "out_of_stock" | undefined; type?: string | undefined; material_type?: string | undefined; color?: string | undefined; low_stock?: boolean | undefined; printer_id?: string | undefined }; data: Array<FilamentSpool> }
  'GET /materials/filament/{id}': { params: { id: string }; data: FilamentSpool }
  'GET /materials/filament/{id}/movements': { params: { id: string }; query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<MaterialMovement> }
  'GET /materials/filament/{id}/tags': { params: { id: string }; data: SpoolTags }
  'GET /materials/forecast': { query: { by?: "purchase" | "filament" | "printer" | undefined; format?: "json" | "csv" | undefined }; data: MaterialForecast }
  'GET /materials/packaging': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; status?: "in_stock" | "low" | "out_of_stock" | undefined; type?: string | undefined; material_type?: string | undefined; color?: string | undefined; low_stock?: boolean | undefined }; data: Array<Packaging> }
  'GET /materials/packaging/{id}': { params: { id: string }; data: Packaging }
  'GET /materials/packaging/{id}/movements': { params: { id: string }; query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<MaterialMovement> }
  'GET /materials/parts': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; status?: "in_stock" | "low" | "out_of_stock" | undefined; type?: string | undefined; material_type?: string | undefined; color?: string | undefined; low_stock?: boolean | undefined }; data: Array<Part> }
  'GET /materials/parts/{id}': { params: { id: string }; data: Part }
  'GET /materials/parts/{id}/movements': { params: { id: string }; query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<MaterialMovement> }
  'GET /materials/settings': { data: MaterialSettings }
  'GET /members': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<Member> }
  'GET /mqtt/broker': { data: MqttBroker }
  'GET /notification-channels': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<NotificationChannel> }
  'GET /notification-channels/{id}': { params: { id: string }; data: NotificationChannel }
  'GET /notification-rules': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<NotificationRule> }
  'GET /notification-rules/{id}': { params: { id: string }; data: NotificationRule }
  'GET /notifications': { query: { status?: "pending" | "sent" | "failed" | "dropped" | undefined; channel_id?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<Notification> }
  'GET /oidc': { data: {
      configured: boolean
      name: string
    } }
  'GET /oidc/callback': { data: unknown }
  'GET /oidc/invitations': { data: InvitationsToAccept }
  'GET /order-imports/{id}': { params: { id: string }; data: OrderImportProgress }
  'GET /orders': { query: { status?: "pending" | "processing" | "printed" | "assembled" | "shipped" | "fulfilled" | "cancelled" | "refunded" | undefined; platform?: "shopify" | "etsy" | "woocommerce" | "manual" | "other" | undefined; shop?: string | undefined; search?: string | undefined; unmapped?: boolean | undefined; at_risk?: boolean | undefined; ship_before?: string | undefined; from?: string | undefined; to?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<OrderSummary> }
  'GET /orders/settings': { data: OrderSettings }
  'GET /orders/stats': { data: OrderStats }
  'GET /orders/{id}': { params: { id: string }; data: Order }
  'GET /orders/{id}/details': { params: { id: string }; data: OrderDetails }
  'GET /orders/{id}/packing-slip': { params: { id: string }; query: { shipment_id?: string | undefined }; data: unknown }
  'GET /orders/{id}/picking-list': { params: { id: string }; data: unknown }
  'GET /orders/{id}/picks': { params: { id: string }; data: OrderPicks }
  'GET /orders/{id}/plan': { params: { id: string }; data: OrderPlan }
  'GET /orders/{id}/returns': { params: { id: string }; data: Array<OrderReturn> }
  'GET /orders/{id}/shipments': { params: { id: string }; data: Array<Shipment> }
  'GET /passkeys': { data: Passkeys }
  'GET /printer-models': { query: { search?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<PrinterModel> }
  'GET /printers': { query: { is_active?: boolean | undefined; status?: "idle" | "printing" | "paused" | "maintenance" | "error" | "offline" | undefined; location?: string | undefined; search?: string | undefined; name?: string | undefined; has_problems?: boolean | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<Printer> }
  'GET /printers/board': { data: Array<BoardPrinter> }
  'GET /printers/day': { data: FarmDay }
  'GET /printers/live': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<LivePrinter> }
  'GET /printers/{id}': { params: { id: string }; data: PrinterDetail }
  'GET /printers/{id}/events': { params: { id: string }; query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<NamedEvent> }
  'GET /printers/{id}/last-hour': { params: { id: string }; data: LastHour }
  'GET /printers/{id}/queue': { params: { id: string }; query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<QueueEntry> }
  'GET /printers/{id}/snapshot': { params: { id: string }; data: unknown }
  'GET /printers/{id}/status': { params: { id: string }; data: LivePrinterStatus }
  'GET /printers/{id}/timeline': { params: { id: string }; query: { from?: string | undefined; to?: string | undefined; limit?: number | undefined }; data: PrinterTimeline }
  'GET /printers/{id}/transfer': { params: { id: string }; data: PrinterTransfer }
  'GET /production/needs': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; for?: "orders" | "shelf" | undefined; due_before?: string | undefined; is_blocked?: boolean | undefined; search?: string | undefined }; data: Array<ProductionNeed> }
  'GET /production/shelf': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; search?: string | undefined }; data: Array<ShelfLevel> }
  'GET /production/unwanted': { data: UnwantedWork }
  'GET /products': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; search?: string | undefined; category?: string | undefined; is_active?: boolean | undefined }; data: Array<Product> }
  'GET /products/categories': { data: Array<ProductCategory> }
  'GET /products/{id}': { params: { id: string }; data: Product }
  'GET /products/{id}/images': { params: { id: string }; data: Array<ProductImage> }
  'GET /proof': { data: Proof }
  'GET /push-devices': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<PushDevice> }
  'GET /push-key': { data: PushKey }
  'GET /recipes': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; product_id?: string | undefined; product_sku_id?: string | undefined; print_file_id?: string | undefined; is_active?: boolean | undefined }; data: Array<Recipe> }
  'GET /recipes/{id}': { params: { id: string }; data: Recipe }
  'GET /scheduler/settings': { data: SchedulerSettings }
  'GET /search': { query: { q: string }; data: Array<SearchGroup> }
  'GET /session': { data: Session }
  'GET /sessions': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<OwnSession> }
  'GET /setup': { data: SetUpState }
  'GET /shifts': { data: Shifts }
  'GET /shops': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<Shop> }
  'GET /shops/{id}': { params: { id: string }; data: Shop }
  'GET /shops/{id}/troubles': { params: { id: string }; data: ShopTroubles }
  'GET /skus': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; product_id?: string | undefined; color?: string | undefined; filament_type?: string | undefined; low_stock?: boolean | undefined; is_active?: boolean | undefined; search?: string | undefined }; data: Array<Sku> }
  'GET /skus/{id}': { params: { id: string }; data: SkuDetail }
  'GET /skus/{id}/bom': { params: { id: string }; data: SkuBom }
  'GET /smart-plugs': { data: SmartPlugs }
  'GET /spoolman': { data: SpoolmanState }
  'GET /spoolman/usages': { data: Array<SpoolmanUsage> }
  'GET /webhooks': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<Webhook> }
  'GET /webhooks/{id}': { params: { id: string }; data: Webhook }
  'GET /webhooks/{id}/deliveries': { params: { id: string }; query: { status?: "pending" | "delivered" | "failed" | undefined; event_type?: string | undefined; subject?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<WebhookDelivery> }
  'GET /webhooks/{id}/deliveries/{deliveryId}': { params: { id: string; deliveryId: string }; data: WebhookDelivery }
  'GET /wiki': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined; category?: string | undefined; tag?: string | undefined; is_published?: boolean | undefined; product_id?: string | undefined; search?: string | undefined }; data: Array<WikiArticleSummary> }
  'GET /wiki/categories': { query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<WikiCategory> }
  'GET /wiki/{idOrSlug}': { params: { idOrSlug: string }; data: WikiArticle }
  'GET /wiki/{id}/revisions': { params: { id: string }; query: { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<WikiRevision> }
  'GET /wiki/{id}/revisions/{number}': { params: { id: string; number: string }; data: WikiRevisionDetail }
  'GET /work-cards': { query: { state?: "open" | "done_today" | undefined; assignee?: "me" | "nobody" | undefined; task_type?: "assembly" | "filament_change" | "collection" | "maintenance" | "quality_check" | undefined; printer_id?: string | undefined; location?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<WorkCard> }
  'GET /work-cards/{id}': { params: { id: string }; data: WorkCard }
  'GET /worklist': { query: { status?: "pending" | "in_progress" | "completed" | "cancelled" | undefined; task_type?: "assembly" | "filament_change" | "collection" | "maintenance" | "quality_check" | undefined; assigned_to?: string | undefined; printer_id?: string | undefined; limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined }; data: Array<WorklistTask> }
  'GET /worklist/assignment-defaults': { data: Array<DefaultAssignee> }
  'GET /worklist/stats': { data: WorklistStats }
  'GET /worklist/{id}': { params: { id: string }; data: WorklistTask }
  'PATCH /account': { body: {
      name?: string | undefined
      requeue_rejected_units?: boolean | undefined
      require_second_factor?: boolean | undefined
      time_zone?: string | undefined
    }; data: Account }
  'PATCH /analytics/failures/{id}': { params: { id: string }; body: UpdatePrintFailureRequest; data: PrintFailure }
  'PATCH /assembly/{id}': { params: { id: string }; body: UpdateAssemblyTaskRequest; data: AssemblyTaskDetail }
  'PATCH /automation-rules/{id}': { params: { id: string }; body: {
      actions?: Array<{
        channel_ids?: Array<string> | undefined
        do: "send_message" | "call_webhook" | "create_task" | "start_maintenance" | "set_order_priority" | "produce"
        priority?: "low" | "normal" | "high" | "urgent" | undefined
        text?: string | undefined
        webhook_id?: string | undefined
      }> | undefined
      kinds?: Array<"needs_person" | "print_done" | "print_failed" | "printer_silent" | "printer_error" | "order_received" | "order_at_risk" | "order_late" | "stock_low" | "filament_low" | "hub_gone" | "backup_failed" | "receiver_paused"> | undefined
      least_severity?: "low" | "medium" | "high" | undefined
      locations?: Array<string> | undefined
      mode?: "on" | "trial" | "off" | undefined
      most_per_hour?: number | undefined
      name?: string | undefined
      printer_ids?: Array<string> | undefined
      product_ids?: Array<string> | undefined
      times?: number | undefined
      within_minutes?: number | undefined
    }; data: AutomationRule }
  'PATCH /backups/schedule': { body: {
      hour?: number | undefined
      is_enabled?: boolean | undefined
      keep_daily?: number | undefined
      keep_monthly?: number | undefined
      keep_weekly?: number | undefined
    }; data: BackupSchedule }
  'PATCH /colors/{id}': { params: { id: string }; body: UpdateColorRequest; data: Color }
  'PATCH /costs/settings': { body: {
      assembly_labour_seconds?: number | null | undefined
      currency?: string | undefined
      energy_price?: string | null | undefined
      filaments?: Array<{
        filament_type: string
        price: string
      }> | undefined
      labour_hour_price?: string | null | undefined
      machine_hour_price?: string | null | undefined
      models?: Array<{
        machine_hour_price: string | null
        model: string
        watts: number | null
      }> | undefined
      order_labour_seconds?: number | null | undefined
      plate_labour_seconds?: number | null | undefined
      platform_fees?: Array<{
        fixed: string
        percent: string
        platform: "shopify" | "etsy" | "woocommerce" | "manual" | "other"
      }> | undefined
      printers?: Array<{
        machine_hour_price: string | null
        printer_id: string
        watts: number | null
      }> | undefined
      watts?: number | null | undefined
    }; data: CostSettings }
  'PATCH /files/{id}': { params: { id: string }; body: UpdateFileRequest; data: PrintFileDetail }
  'PATCH /hubs/{id}': { params: { id: string }; body: UpdateHubRequest; data: Hub }
  'PATCH /inventory/{id}': { params: { id: string }; body: UpdateInventoryItemRequest; data: InventoryItemDetail }
  'PATCH /jobs/{id}': { params: { id: string }; body: UpdateJobRequest; data: JobDetail }
  'PATCH /listing-maps/{id}': { params: { id: string }; body: UpdateListingMapRequest; data: ListingMap }
  'PATCH /materials/components/{id}': { params: { id: string }; body: UpdateComponentRequest; data: Component }
  'PATCH /materials/filament/{id}': { params: { id: string }; body: UpdateSpoolRequest; data: FilamentSpool }
  'PATCH /materials/packaging/{id}': { params: { id: string }; body: UpdatePackagingRequest; data: Packaging }
  'PATCH /materials/parts/{id}': { params: { id: string }; body: UpdatePartRequest; data: Part }
  'PATCH /materials/settings': { body: UpdateSettingsRequest; data: MaterialSettings }
  'PATCH /members/{id}': { params: { id: string }; body: {
      role: "owner" | "admin" | "operator" | "viewer"
    }; data: Member }
  'PATCH /mqtt/broker': { body: {
      allowed_commands?: Array<"pause" | "resume" | "stop" | "light"> | undefined
      base_topic?: string | undefined
      ca?: string | null | undefined
      discovery_prefix?: string | undefined
      is_active?: boolean | undefined
      password?: string | null | undefined
      url?: string | undefined
      username?: string | null | undefined
    }; data: MqttBroker }
  'PATCH /notification-channels/{id}': { params: { id: string }; body: {
      chat_id?: string | undefined
      is_active?: boolean | undefined
      name?: string | undefined
      room_id?: string | undefined
      server?: string | undefined
      token?: string | undefined
      topic?: string | undefined
      url?: string | undefined
      user_id?: string | null | undefined
    }; data: NotificationChannel }
  'PATCH /notification-rules/{id}': { params: { id: string }; body: {
      channel_ids?: Array<string> | undefined
      digest_minutes?: number | undefined
      is_active?: boolean | undefined
      kinds?: Array<"needs_person" | "print_done" | "print_failed" | "printer_silent" | "printer_error" | "order_received" | "order_at_risk" | "order_late" | "stock_low" | "filament_low" | "hub_gone" | "backup_failed" | "receiver_paused"> | undefined
      least_severity?: "low" | "medium" | "high" | undefined
      locations?: Array<string> | undefined
      name?: string | undefined
      printer_ids?: Array<string> | undefined
      product_ids?: Array<string> | undefined
      quiet_from?: string | null | undefined
      quiet_to?: string | null | undefined
      time_zone?: string | undefined
      to_acting_members?: boolean | undefined
      to_on_shift?: boolean | undefined
      urgent_passes?: boolean | undefined
      user_ids?: Array<string> | undefined
    }; data: NotificationRule }
  'PATCH /orders/settings': { body: UpdateOrderSettingsRequest; data: OrderSettings }
  'PATCH /orders/{id}': { params: { id: string }; body: UpdateOrderRequest; data: Order }
  'PATCH /passkeys/{id}': { params: { id: string }; body: {
      name: string
    }; data: Passkey }
  'PATCH /printers/{id}': { params: { id: string }; body: UpdatePrinterRequest; data: PrinterDetail }
  'PATCH /products/{id}': { params: { id: string }; body: UpdateProductRequest; data: Product }
  'PATCH /recipes/{id}': { params: { id: string }; body: UpdateRecipeRequest; data: Recipe }
  'PATCH /scheduler/settings': { body: UpdateSchedulerSettingsRequest; data: SchedulerSettings }
  'PATCH /shops/{id}': { params: { id: string }; body: {
      access_token?: string | undefined
      client_id?: string | undefined
      client_secret?: string | undefined
      consumer_key?: string | undefined
      consumer_secret?: string | undefined
      is_active?: boolean | undefined
      keystring?: string | undefined
      name?: string | undefined
      personalisation_names?: Array<string> | undefined
      pushes_fulfilment?: boolean | undefined
      pushes_stock?: boolean | undefined
      shared_secret?: string | undefined
      signing_secret?: string | undefined
      stock_buffer?: number | undefined
    }; data: Shop }
  'PATCH /skus/{id}': { params: { id: string }; body: UpdateSkusRequest; data: SkuDetail }
  'PATCH /smart-plugs/{id}': { params: { id: string }; body: {
      command_topic?: string | undefined
      off_after_minutes?: number | null | undefined
      payload_off?: string | undefined
      payload_on?: string | undefined
      state_topic?: string | undefined
      switches_on?: boolean | undefined
    }; data: SmartPlug }
  'PATCH /spoolman': { body: {
      is_active?: boolean | undefined
      leader?: "spoolman" | "printyard" | undefined
      sends_usage?: boolean | undefined
      url?: string | undefined
    }; data: SpoolmanConnection }
  'PATCH /webhooks/{id}': { params: { id: string }; body: UpdateWebhookRequest; data: Webhook }
  'PATCH /wiki/{idOrSlug}': { params: { idOrSlug: string }; body: UpdateArticleRequest; data: WikiArticle }
  'PATCH /worklist/{id}': { params: { id: string }; body: UpdateTaskRequest; data: WorklistTask }
  'POST /agent-calls': { body: CreateAgentCallRequest; data: AgentCall }
  'POST /api-keys': { body: {
      expires_in_days?: number | null | undefined
      name: string
      scopes: Array<"read" | "write" | "control">
    }; data: NewApiKey }
  'POST /assembly': { body: CreateAssemblyTaskRequest; data: AssemblyTask }
  'POST /assembly/{id}/complete': { params: { id: string }; optionalBody: CompleteAssemblyTaskRequest; data: CompletedAssembly }
  'POST /automation-rules': { body: {
      actions: Array<{
        channel_ids?: Array<string> | undefined
        do: "send_message" | "call_webhook" | "create_task" | "start_maintenance" | "set_order_priority" | "produce"
        priority?: "low" | "normal" | "high" | "urgent" | undefined
        text?: string | undefined
        webhook_id?: string | undefined
      }>
      kinds: Array<"needs_person" | "print_done" | "print_failed" | "printer_silent" | "printer_error" | "order_received" | "order_at_risk" | "order_late" | "stock_low" | "filament_low" | "hub_gone" | "backup_failed" | "receiver_paused">
      least_severity?: "low" | "medium" | "high" | undefined
      locations?: Array<string> | undefined
      mode?: "on" | "trial" | "off" | undefined
      most_per_hour?: number | undefined
      name: string
      printer_ids?: Array<string> | undefined
      product_ids?: Array<string> | undefined
      times?: number | undefined
      within_minutes?: number | undefined
    }; data: AutomationRule }
  'POST /backups': { data: Backups }
  'POST /colors': { body: CreateColorRequest; data: Color }
  'POST /files': { body: CreateFileRequest; data: PrintFileDetail }
  'POST /files/upload-url': { body: CreateUploadUrlRequest; data: UploadUrl }
  'POST /files/{id}/versions': { params: { id: string }; body: CreateFileVersionRequest; data: AddedVersion }
  'POST /hubs': { body: CreateHubRequest; data: NewHub }
  'POST /hubs/{id}/discover': { params: { id: string }; body: DiscoverPrintersRequest; data: DiscoveryStarted }
  'POST /hubs/{id}/join-code': { params: { id: string }; data: NewJoinCode }
  'POST /hubs/{id}/test-connection': { params: { id: string }; body: TestConnectionRequest; data: ConnectionTest }
  'POST /inventory': { body: CreateInventoryItemRequest; data: InventoryItem }
  'POST /inventory/{id}/adjust': { params: { id: string }; body: AdjustInventoryItemRequest; data: StockAdjustment }
  'POST /invitations': { body: {
      email: string
      role: "owner" | "admin" | "operator" | "viewer"
    }; data: NewInvitation }
  'POST /invitations/accept': { body: {
      code?: string | undefined
      name?: string | undefined
      password: string
      token: string
    }; data: Session }
  'POST /invitations/look': { body: {
      token: string
    }; data: InvitationLook }
  'POST /jobs': { body: EnqueueJobRequest; data: JobDetail }
  'POST /jobs/bulk': { body: EnqueueJobsRequest; data: BulkJobs }
  'POST /jobs/preview': { body: PreviewJobRequest; data: JobPreview }
  'POST /jobs/{id}/assign': { params: { id: string }; body: AssignJobRequest; data: JobDetail }
  'POST /jobs/{id}/cancel': { params: { id: string }; optionalBody: CancelJobRequest; data: JobDetail }
  'POST /jobs/{id}/complete': { params: { id: string }; optionalBody: CompleteJobRequest; data: JobDetail }
  'POST /jobs/{id}/pause': { params: { id: string }; data: JobDetail }
  'POST /jobs/{id}/resolve': { params: { id: string }; body: ResolveJobRequest; data: JobDetail }
  'POST /jobs/{id}/restore': { params: { id: string }; data: JobDetail }
  'POST /jobs/{id}/resume': { params: { id: string }; data: JobDetail }
  'POST /jobs/{id}/retry': { params: { id: string }; data: JobDetail }
  'POST /jobs/{id}/start': { params: { id: string }; optionalBody: StartJobRequest; data: JobDetail }
  'POST /jobs/{id}/stop': { params: { id: string }; optionalBody: StopJobRequest; data: JobDetail }
  'POST /listing-maps': { body: CreateListingMapRequest; data: ChangedListingMap }
  'POST /materials/components': { body: CreateComponentRequest; data: Component }
  'POST /materials/components/check-availability': { body: CheckComponentAvailabilityRequest; data: ComponentAvailability }
  'POST /materials/components/{id}/consume': { params: { id: string }; body: ConsumeComponentRequest; data: ConsumedComponent }
  'POST /materials/components/{id}/restock': { params: { id: string }; body: RestockComponentRequest; data: Component }
  'POST /materials/filament': { body: CreateSpoolRequest; data: FilamentSpool }
  'POST /materials/filament/scan': { body: ScanSpoolTagRequest; data: ScannedTag }
  'POST /materials/filament/{id}/consume': { params: { id: string }; body: ConsumeSpoolRequest; data: ConsumedFilamentSpool }
  'POST /materials/filament/{id}/restock': { params: { id: string }; body: RestockSpoolRequest; data: FilamentSpool }
  'POST /materials/filament/{id}/tags': { params: { id: string }; body: CreateSpoolTagRequest; data: SpoolTags }
  'POST /materials/packaging': { body: CreatePackagingRequest; data: Packaging }
  'POST /materials/packaging/{id}/consume': { params: { id: string }; body: ConsumePackagingRequest; data: ConsumedPackaging }
  'POST /materials/packaging/{id}/restock': { params: { id: string }; body: RestockPackagingRequest; data: Packaging }
  'POST /materials/parts': { body: CreatePartRequest; data: Part }
  'POST /materials/parts/{id}/consume': { params: { id: string }; body: ConsumePartRequest; data: ConsumedPart }
  'POST /materials/parts/{id}/restock': { params: { id: string }; body: RestockPartRequest; data: Part }
  'POST /members/{id}/reset-link': { params: { id: string }; data: ResetLink }
  'POST /mqtt/broker/test': { data: MqttBrokerTest }
  'POST /notification-channels': { body: {
      chat_id?: string | undefined
      kind: "mail" | "ntfy" | "telegram" | "discord" | "slack" | "matrix" | "webhook"
      name: string
      room_id?: string | undefined
      server?: string | undefined
      token?: string | undefined
      topic?: string | undefined
      url?: string | undefined
      user_id?: string | undefined
    }; data: NewNotificationChannel }
  'POST /notification-channels/{id}/test': { params: { id: string }; data: Notification }
  'POST /notification-rules': { body: {
      channel_ids?: Array<string> | undefined
      digest_minutes?: number | undefined
      is_active?: boolean | undefined
      kinds: Array<"needs_person" | "print_done" | "print_failed" | "printer_silent" | "printer_error" | "order_received" | "order_at_risk" | "order_late" | "stock_low" | "filament_low" | "hub_gone" | "backup_failed" | "receiver_paused">
      least_severity?: "low" | "medium" | "high" | undefined
      locations?: Array<string> | undefined
      name: string
      printer_ids?: Array<string> | undefined
      product_ids?: Array<string> | undefined
      quiet_from?: string | null | undefined
      quiet_to?: string | null | undefined
      time_zone?: string | undefined
      to_acting_members?: boolean | undefined
      to_on_shift?: boolean | undefined
      urgent_passes?: boolean | undefined
      user_ids?: Array<string> | undefined
    }; data: NotificationRule }
  'POST /oidc/invitations/accept': { body: {
      invitation_id: string
    }; data: Session }
  'POST /oidc/start': { body: {
      invitation?: string | undefined
    }; data: {
      url: string
    } }
  'POST /orders': { body: CreateOrderRequest; data: Order }
  'POST /orders/import': { query: { format?: "printyard" | "shopify" | "etsy" | "woocommerce" | undefined; shop?: string | undefined; currency?: string | undefined; dry_run?: boolean | undefined; progress_id?: string | undefined }; body: Blob; data: OrderImport }
  'POST /orders/{id}/erase-customer': { params: { id: string }; data: Order }
  'POST /orders/{id}/fulfill': { params: { id: string }; optionalBody: FulfillOrderRequest; data: Fulfilment }
  'POST /orders/{id}/items/{itemId}/fulfill': { params: { id: string; itemId: string }; data: Fulfilment }
  'POST /orders/{id}/items/{itemId}/hold': { params: { id: string; itemId: string }; body: CreateOrderItemHoldRequest; data: OrderPlan }
  'POST /orders/{id}/items/{itemId}/map': { params: { id: string; itemId: string }; body: MapOrderItemRequest; data: OrderDetails }
  'POST /orders/{id}/picks': { params: { id: string }; optionalBody: CreateOrderPickRequest; data: OrderPicks }
  'POST /orders/{id}/plan': { params: { id: string }; data: Production }
  'POST /orders/{id}/produce': { params: { id: string }; optionalBody: ProduceOrderRequest; data: Production }
  'POST /orders/{id}/returns': { params: { id: string }; body: CreateOrderReturnRequest; data: ReturnedOrder }
  'POST /passkeys': { body: {
      name: string
      response: {
        authenticatorAttachment?: "platform" | "cross-platform" | undefined
        clientExtensionResults: Record<string, unknown>
        id: string
        rawId: string
        response: {
          attestationObject: string
          clientDataJSON: string
          transports?: Array<string> | undefined
        }
        type: "public-key"
      }
    }; data: Passkey }
  'POST /passkeys/options': { data: {
      options: Record<string, unknown>
    } }
  'POST /passkeys/sign-in': { body: {
      response: {
        authenticatorAttachment?: "platform" | "cross-platform" | undefined
        clientExtensionResults: Record<string, unknown>
        id: string
        rawId: string
        response: {
          authenticatorData: string
          clientDataJSON: string
          signature: string
          userHandle?: string | undefined
        }
        type: "public-key"
      }
    }; data: Session }
  'POST /passkeys/sign-in/options': { data: {
      options: Record<string, unknown>
    } }
  'POST /password/forgot': { body: {
      email: string
    }; data: Record<string, unknown> }
  'POST /password/reset': { body: {
      password: string
      token: string
    }; data: Record<string, unknown> }
  'POST /printers': { body: CreatePrinterRequest; data: PrinterDetail }
  'POST /printers/{id}/control': { params: { id: string }; body: ControlPrinterRequest; data: ControlAnswer }
  'POST /printers/{id}/filament/load': { params: { id: string }; body: LoadFilamentRequest; data: DeviceCommand }
  'POST /printers/{id}/filament/unload': { params: { id: string }; body: UnloadFilamentRequest; data: DeviceCommand }
  'POST /printers/{id}/heaters': { params: { id: string }; body: SetPrinterHeatersRequest; data: DeviceCommand }
  'POST /printers/{id}/light': { params: { id: string }; body: SwitchPrinterLightRequest; data: LightCommand }
  'POST /production/produce': { optionalBody: CreateProductionProduceRequest; data: Production }
  'POST /products': { body: CreateProductRequest; data: Product }
  'POST /products/kit': { body: CreateProductKitRequest; data: Product }
  'POST /products/{id}/images': { params: { id: string }; body: FormData; data: ProductImage }
  'POST /proof': { body: {
      code?: string | undefined
      password?: string | undefined
    }; data: Proof }
  'POST /proof/passkey': { body: {
      response: {
        authenticatorAttachment?: "platform" | "cross-platform" | undefined
        clientExtensionResults: Record<string, unknown>
        id: string
        rawId: string
        response: {
          authenticatorData: string
          clientDataJSON: string
          signature: string
          userHandle?: string | undefined
        }
        type: "public-key"
      }
    }; data: Proof }
  'POST /proof/passkey/options': { data: {
      options: Record<string, unknown>
    } }
  'POST /proof/provider': { data: {
      url: string
    } }
  'POST /push-devices': { body: {
      endpoint: string
      keys: {
        auth: string
        p256dh: string
      }
      name: string
    }; data: PushDevice }
  'POST /push-devices/{id}/test': { params: { id: string }; data: Notification }
  'POST /recipes': { body: CreateRecipeRequest; data: Recipe }
  'POST /setup': { body: {
      account_name: string
      code?: string | undefined
      email: string
      name: string
      password: string
      time_zone?: string | undefined
    }; data: Session }
  'POST /shifts/switch': { body: {
      is_on: boolean
      until: string
    }; data: ShiftsOfMember }
  'POST /shops': { body: {
      access_token?: string | undefined
      client_id?: string | undefined
      client_secret?: string | undefined
      consumer_key?: string | undefined
      consumer_secret?: string | undefined
      keystring?: string | undefined
      name: string
      orders_since?: string | undefined
      personalisation_names?: Array<string> | undefined
      platform: "woocommerce" | "shopify" | "etsy"
      pushes_fulfilment?: boolean | undefined
      pushes_stock?: boolean | undefined
      shared_secret?: string | undefined
      shop?: string | undefined
      signing_secret?: string | undefined
      stock_buffer?: number | undefined
      url: string
    }; data: NewShop }
  'POST /shops/authorised': { body: {
      code: string
      state: string
    }; data: Shop }
  'POST /shops/{id}/authorise': { params: { id: string }; data: ShopAuthorisation }
  'POST /shops/{id}/read': { params: { id: string }; data: ShopAsked }
  'POST /shops/{id}/test': { params: { id: string }; data: ShopTest }
  'POST /sign-in': { body: {
      code?: string | undefined
      email: string
      password: string
    }; data: Session }
  'POST /sign-out': { data: Record<string, unknown> }
  'POST /sign-out/everywhere': { data: SignedOut }
  'POST /skus': { body: CreateSkusRequest; data: Sku }
  'POST /skus/{id}/assemble': { params: { id: string }; optionalBody: AssembleSkusRequest; data: AssemblyTask }
  'POST /smart-plugs': { body: {
      command_topic: string
      off_after_minutes?: number | null | undefined
      payload_off?: string | undefined
      payload_on?: string | undefined
      printer_id: string
      state_topic: string
      switches_on?: boolean | undefined
    }; data: SmartPlug }
  'POST /smart-plugs/{id}/switch': { params: { id: string }; body: {
      on: boolean
    }; data: SwitchedSmartPlug }
  'POST /spoolman': { body: {
      leader?: "spoolman" | "printyard" | undefined
      sends_usage?: boolean | undefined
      url: string
    }; data: SpoolmanConnection }
  'POST /spoolman/read': { data: SpoolmanAsked }
  'POST /spoolman/test': { body: {
      url: string
    }; data: SpoolmanTest }
  'POST /spoolman/usages/{id}/settle': { params: { id: string }; body: {
      is_told_again: boolean
    }; data: SettledUsage }
  'POST /task-links/look': { body: {
      token: string
    }; data: OfferedTask }
  'POST /task-links/take': { body: {
      token: string
    }; data: OfferedTask }
  'POST /totp': { data: BegunTotp }
  'POST /totp/backup-codes': { data: BackupCodes }
  'POST /totp/confirm': { body: {
      code: string
    }; data: BackupCodes }
  'POST /totp/remove': { data: Record<string, unknown> }
  'POST /webhooks': { body: CreateWebhookRequest; data: NewWebhook }
  'POST /webhooks/{id}/deliveries/{deliveryId}/redeliver': { params: { id: string; deliveryId: string }; data: WebhookDelivery }
  'POST /webhooks/{id}/redeliver': { params: { id: string }; body: RedeliverWebhookRequest; data: RedeliveredEvents }
  'POST /webhooks/{id}/rotate-secret': { params: { id: string }; optionalBody: RotateWebhookSecretRequest; data: RotatedSecret }
  'POST /webhooks/{id}/test': { params: { id: string }; data: WebhookDelivery }
  'POST /wiki': { body: CreateArticleRequest; data: WikiArticle }
  'POST /wiki/{id}/images': { params: { id: string }; body: FormData; data: WikiImage }
  'POST /wiki/{id}/publish': { params: { id: string }; data: WikiArticle }
  'POST /wiki/{id}/unpublish': { params: { id: string }; data: WikiArticle }
  'POST /worklist': { body: CreateTaskRequest; data: WorklistTask }
  'PUT /costs/materials/{id}': { params: { id: string }; body: {
      price: string | null
    }; data: MaterialPrice }
  'PUT /files/upload/{token}': { params: { token: string }; body: Blob; data: Uploaded }
  'PUT /files/{id}/versions/{version}/current': { params: { id: string; version: string }; data: PrintFileDetail }
  'PUT /inventory/{id}/threshold': { params: { id: string }; body: SetInventoryItemThresholdRequest; data: InventoryItem }
  'PUT /jobs/{id}/product': { params: { id: string }; body: SetJobProductRequest; data: JobDetail }
  'PUT /members/{id}/shifts': { params: { id: string }; body: {
      shifts: Array<{
        day: number
        from: string
        to: string
      }>
    }; data: ShiftsOfMember }
  'PUT /password': { body: {
      current_password?: string | undefined
      new_password: string
    }; data: Record<string, unknown> }
  'PUT /printers/{id}/maintenance': { params: { id: string }; body: SetPrinterMaintenanceRequest; data: PrinterDetail }
  'PUT /products/{id}/images/order': { params: { id: string }; body: OrderProductImagesRequest; data: Array<ProductImage> }
  'PUT /products/{id}/kit': { params: { id: string }; body: SetProductKitRequest; data: Product }
  'PUT /profile': { body: {
      language?: "en" | "de" | null | undefined
      name: string
    }; data: SignedInUser }
  'PUT /session/account': { body: {
      account_id: string
    }; data: Session }
  'PUT /skus/{id}/bom': { params: { id: string }; body: SetSkusBomRequest; data: SkuBom }
  'PUT /worklist/assignment-defaults': { body: SetTaskAssignmentDefaultsRequest; data: Array<DefaultAssignee> }
  'PUT /worklist/{id}/assign': { params: { id: string }; body: AssignTaskRequest; data: WorklistTask }
  'PUT /worklist/{id}/status': { params: { id: string }; body: SetTaskStatusRequest; data: WorklistTask }
}
