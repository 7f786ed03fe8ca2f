/** Reason why a column of an exported table stays behind. */
export const columnReasons = {
  secret: 'A credential, or the key or hash of one. It is given again on the other side.',
  live: 'What a hub or printer reports by itself as soon as it is connected.',
  computed: 'Computed by the database from other columns.',
  local: 'A number that means something in this database alone.',
} as const
type ColumnReason = keyof typeof columnReasons

/** A table whose rows of an account are exported, a JSON object each. */
interface ExportedTable {
  name: string
  /** What a row is, in a sentence. */
  about: string
  /** Key that tells rows of an account apart; the lines are in its order. */
  key: readonly string[]
  /** Without `account_id`, which is in the manifest. */
  columns: readonly string[]
  without: Partial<Record<ColumnReason, readonly string[]>>
  /** Columns that name rows of tables which come later. */
  late: readonly string[]
  /** At most one row, which an account may have before an import: that one stays. */
  isSetting: boolean
}

/** The tables of an export, each after those that its rows name, but for `late` columns. */
export const exportedTables: readonly ExportedTable[] = [
  table('hubs', {
    about: 'A hub, by its name. It joins again on the other side.',
    columns: `id name created_at updated_at`,
    without: {
      secret: 'token_hash next_token_hash public_key',
      live: 'token_renewed_at journal_position journal_id last_seen_at claimed_at health newest_reports firmware_version hardware_version',
    },
  }),
  table('printers', {
    about:
      'A printer: its model and location, its connection without credentials, its loaded filament and the state of its plate.',
    columns: `
      id hub_id name model manufacturer location notes connection_type nozzle_size current_color
      current_color_hex current_filament_type current_build_plate has_ams filament_level firmware_version
      auto_start is_active in_maintenance maintenance_type last_maintenance_date total_print_seconds fence
      plate_state plate_job_id plate_changed_at plate_changed_by plate_change_reason created_at updated_at
      maintenance_interval_hours maintained_at_seconds power_group loaded_filament_grams
      ejection_cooldown_temp ejection_gcode ejection_check_after ejections_in_row connection_serial
      connection_host connection_port plate_unknown_reason`,
    without: {
      secret: 'connection_sealed',
      live: 'power_off_until health run_mark plate_run_mark out_of_reach_since error_since told_offline told_error fence_raised_at',
    },
  }),
  table('materials', {
    about: 'A spool, component, packaging or part, with its remaining quantity.',
    columns: `
      id kind type name color hex_code brand diameter size remaining low_threshold spool_weight status
      location printer_id slot loaded_at created_at updated_at`,
  }),
  table('spool_tags', {
    about: 'A tag on a spool, by which a reader or a printer names it.',
    columns: `id material_id kind value created_at`,
  }),
  table('products', {
    about: 'A product.',
    columns: `
      id name description category requires_assembly requires_post_processing is_active created_at updated_at
      wiki_id`,
    late: 'wiki_id',
  }),
  table('print_files', {
    about: 'A print file of the library.',
    columns: `id name product_id deleted_at created_at updated_at tags folder`,
  }),
  table('print_file_versions', {
    about: 'A version of a print file with the data of its slicer; the content is in `files/` under `sha256`.',
    columns: `
      id print_file_id version_number is_current_version notes original_name sha256 file_size_bytes format
      is_sliced number_of_units print_time_seconds filament_weight_grams filament_length_meters filament_type
      filament_color printer_model nozzle_diameter layer_count bed_type print_profile object_count
      archive_plate nozzle_temp bed_temp thumbnail_sha256 thumbnail_mime metadata created_at filaments
      width_mm depth_mm`,
    without: { computed: 'max_z_mm' },
  }),
  table('kit_parts', {
    about: 'A part of a kit.',
    columns: `
      id product_id name print_file_id quantity_per_kit fixed_color fixed_hex_code requires_assembly is_active
      position created_at updated_at`,
  }),
  table('skus', {
    about: 'A SKU of a product.',
    columns: `
      id product_id sku color filament_type hex_code quantity is_active created_at updated_at kit_part_id
      restock_point restock_to auto_produce`,
  }),
  table('wiki_articles', {
    about: 'A page of the wiki.',
    columns: `
      id title slug excerpt category tags product_id sku_id is_published published_at meta_title
      meta_description featured_image_url description estimated_time_minutes difficulty tools_required content
      sections revision created_at updated_at`,
  }),
  table('wiki_revisions', {
    about: 'An earlier text of a page of the wiki.',
    key: 'article_id number',
    columns: `article_id number fields article actor created_at`,
  }),
  table('wiki_images', {
    about: 'An image in a page of the wiki; its content is in `files/`.',
    columns: `id article_id token content_type sha256 thumb_sha256 size_bytes created_at`,
  }),
  table('product_images', {
    about: 'An image of a product; its content is in `files/`.',
    columns: `id product_id sort_order token content_type sha256 thumb_sha256 created_at updated_at size_bytes`,
  }),
  table('colors', {
    about: 'A colour of the catalogue.',
    columns: `id color_name hex_code filament_type is_active created_at updated_at`,
  }),
  table('inventory_items', {
    about: 'The stock of a SKU: the sums of its movements.',
    columns: `
      id product_sku_id ready_stock quantity_needs_assembly low_stock_threshold status is_active created_at
      updated_at image_url bin`,
  }),
  table('recipes', {
    about: 'A recipe: the file that makes a product, and the units of a plate.',
    columns: `
      id name product_id product_sku_id print_file_id units_per_plate rank is_active notes created_at
      updated_at`,
  }),
  table('recipe_outputs', {
    about: 'A further SKU that a plate of a recipe makes.',
    key: 'recipe_id product_sku_id',
    columns: `recipe_id product_sku_id position units`,
  }),
  table('bom_children', {
    about: 'A SKU that another is assembled of.',
    columns: `id sku_id child_sku_id quantity_required position created_at`,
  }),
  table('bom_materials', {
    about: 'A material that a SKU is assembled or packed with.',
    columns: `id sku_id material_id quantity_required position created_at`,
  }),
  table('kit_part_components', {
    about: 'A material that a part of a kit needs.',
    columns: `id kit_part_id material_id quantity_required notes position`,
  }),
  table('kit_extras', {
    about: 'A material that a kit needs beside its parts.',
    columns: `id product_id sku_id material_id quantity_required position created_at`,
  }),
  table('listing_maps', {
    about: 'The mapping of a shop listing to a SKU.',
    columns: `id platform shop seller_sku listing_id variation product_sku_id pack_size created_at updated_at`,
  }),
  table('orders', {
    about: "A customer's order. It holds personal data.",
    columns: `
      id order_number platform status customer_name customer_email customer_phone order_date items_total
      shipping_cost tax_amount discount_amount shipping_street shipping_city shipping_state shipping_zip
      shipping_country tracking_number tracking_url shipped_at external_id notes created_at updated_at
      stated_total shop currency priority ship_by external_id_repeated search_words is_paid customer_erased_at`,
    without: { computed: 'total_revenue' },
  }),
  table('order_items', {
    about: 'A line of an order.',
    columns: `
      id order_id product_sku_id sku product_name quantity unit_price quantity_fulfilled fulfillment_status
      notes created_at updated_at pack_size seller_sku listing_id variation mapped_by personalisation external_id`,
    without: { computed: 'total_price units' },
  }),
  table('shipments', {
    about: 'A parcel of an order.',
    columns: `id order_id carrier tracking_number tracking_url packed_by shipped_at created_at`,
  }),
  table('shipment_items', {
    about: 'Units of a line in a parcel.',
    columns: `id shipment_id order_id order_item_id quantity units`,
  }),
  table('order_returns', {
    about: 'Units that came back.',
    columns: `id order_id order_item_id quantity units disposition notes actor created_at`,
  }),
  table('order_picks', {
    about: 'Units that were picked for a line.',
    key: 'order_item_id',
    columns: `order_item_id order_id units actor picked_at`,
  }),
  table('order_promises', {
    about: 'A date that was promised for an order.',
    columns: `id order_id number ready_p50_at ready_p90_at promised_at made_at`,
  }),
  table('jobs', {
    about: 'A print job, with its place in the queue or its end.',
    columns: `
      id status print_file_id file_version_id printer_id product_id product_sku_id product_name sku_name
      file_name color filament_type material_type number_of_units quantity_per_print requires_assembly
      plates_total plates_done progress_percentage estimated_print_time_minutes actual_print_time_minutes
      filament_needed_grams failure_reason created_by time_submitted time_started time_completed created_at
      updated_at cancel_requested_at cancel_requested_by units_rejected reprint_of priority due_date
      queue_position any_color auto_assigned recipe_id option_position order_item_id`,
    without: { computed: 'priority_rank' },
  }),
  table('job_options', {
    about: 'A way in which a job can be printed.',
    key: 'job_id position',
    columns: `
      job_id position recipe_id print_file_id file_version_id file_name color filament_type material_type
      any_color quantity_per_print plates_total estimated_print_time_minutes filament_needed_grams also_makes`,
  }),
  table('job_outputs', {
    about: 'A SKU that a job makes, and its credited units.',
    key: 'job_id product_sku_id',
    columns: `job_id product_sku_id is_main units_per_plate units units_credited units_rejected requires_assembly`,
  }),
  table('unit_rejects', {
    about: 'The reason why units of a job were bad.',
    key: 'job_id type',
    columns: `job_id type times units`,
  }),
  table('attempts', {
    about: 'One start of one plate on one printer, and its progress.',
    columns: `
      id job_id plate_number printer_id hub_id file_version_id fence phase outcome reason_code evidence actor
      reserved_at confirmed_at finished_at updated_at unknown_since ejection progress seen_at time_note
      filament_map other_slot stop_type`,
  }),
  table('print_failures', {
    about: 'A print that failed or was stopped, and why.',
    columns: `
      id job_id attempt_id printer_id type typed_by_person reason_code reason notes resolved_at resolved_by
      occurred_at updated_at picture_wanted_until`,
  }),
  table('failure_pictures', {
    about: 'The camera picture of a print that failed or was stopped; its content is in `files/`.',
    key: 'failure_id',
    columns: `failure_id sha256 thumb_sha256 size_bytes taken_at`,
  }),
  table('filament_reservations', {
    about: 'Filament that is set aside for an attempt.',
    columns: `id attempt_id slot material_id milligrams`,
  }),
  table('assembly_tasks', {
    about: 'Units to be put together.',
    columns: `
      id kind status product_sku_id product_name sku quantity quantity_completed quantity_rejected job_id
      assigned_to notes created_by created_at updated_at completed_at order_item_id`,
    without: { computed: 'status_rank' },
  }),
  table('stock_movements', {
    about: 'A movement of the stock ledger.',
    columns: `
      id inventory_item_id stock reason change quantity_before quantity_after job_id notes actor created_at
      order_id assembly_task_id happened_at`,
  }),
  table('material_movements', {
    about: 'A movement of the ledger of materials.',
    columns: `
      id material_id reason change quantity_before quantity_after shortage job_id attempt_id notes actor
      created_at assembly_task_id shipment_id happened_at`,
  }),
  table('pinned_pegs', {
    about: 'Units that a person has reserved for a line of an order.',
    columns: `id order_item_id product_sku_id supply_kind supply_id units actor created_at updated_at`,
  }),
  table('worklist_tasks', {
    about: 'A task of a person.',
    columns: `
      id title subtitle description task_type priority status printer_id assigned_to estimated_time_minutes
      actual_time_minutes started_at completed_at due_date created_by created_at updated_at filament_key
      source subject_id attempt_id`,
  }),
  table('task_assignment_defaults', {
    about: 'The default assignee of tasks of a type.',
    columns: `id task_type assigned_to created_at updated_at`,
  }),
  table('printer_periods', {
    about: 'A period of the time of a printer, with its cause.',
    key: 'printer_id started_at',
    columns: `printer_id cause attempt_id job_id started_at ended_at`,
  }),
  table('order_settings', {
    about: 'Settings of orders; one line at most.',
    columns: `id currency handling_days working_days created_at updated_at auto_produce ship_lines_alone`,
    isSetting: true,
  }),
  table('material_settings', {
    about: 'Settings of materials; one line at most.',
    columns: `id checks_filament filament_margin created_at updated_at`,
    isSetting: true,
  }),
  table('scheduler_settings', {
    about: 'Settings of the scheduler; one line at most.',
    columns: `id working_days working_from working_to heating_at_once heating_gap_seconds created_at updated_at`,
    isSetting: true,
  }),
  table('cost_settings', {
    about: 'Prices of hours, energy and labour; one line at most.',
    key: '',
    columns: `
      currency machine_hour_price watts energy_price labour_hour_price plate_labour_seconds
      assembly_labour_seconds order_labour_seconds updated_at`,
    isSetting: true,
  }),
  table('platform_fees', {
    about: 'The fees of a shop platform.',
    key: 'platform',
    columns: `platform share_ppm fixed`,
  }),
  table('filament_prices', {
    about: 'The price of a filament type.',
    key: 'filament_type',
    columns: `filament_type price`,
  }),
  table('material_prices', {
    about: 'The price of a material.',
    key: 'material_id',
    columns: `material_id price updated_at`,
  }),
  table('model_prices', {
    about: 'The machine price of a printer model.',
    key: 'model',
    columns: `model machine_hour_price watts`,
  }),
  table('printer_prices', {
    about: 'The machine price of a printer.',
    key: 'printer_id',
    columns: `printer_id machine_hour_price watts`,
  }),
  table('shifts', {
    about: 'The weekly shifts of a member, and an override until a time.',
    columns: `id user_id weekly switched_on switched_until updated_at`,
  }),
  table('notification_rules', {
    about: 'A notification rule. The channels themselves are not exported.',
    columns: `
      id name is_active kinds least_severity locations printer_ids product_ids channel_ids user_ids
      to_acting_members to_on_shift quiet_from quiet_to time_zone urgent_passes digest_minutes created_by created_at
      updated_at`,
  }),
  table('automation_rules', {
    about: 'An automation rule. The channels and webhooks that its actions name are not exported.',
    columns: `
      id name mode kinds least_severity locations printer_ids product_ids times within_minutes most_per_hour actions
      created_by created_at updated_at`,
  }),
  table('events', {
    about: 'An event, with its actor and time.',
    columns: `id type subject_id data actor created_at`,
    without: { local: 'txid' },
  }),
]

interface TableText {
  about: string
  /** Default: `id`. */
  key?: string
  columns: string
  without?: Partial<Record<ColumnReason, string>>
  late?: string
  isSetting?: boolean
}

function table(name: string, { about, key = 'id', columns, without = {}, late = '', isSetting = false }: TableText) {
  const entries = Object.entries(without).map(([reason, names]) => [reason, words(names)])
  return {
    name,
    about,
    key: words(key),
    columns: words(columns),
    without: Object.fromEntries(entries) as ExportedTable['without'],
    late: words(late),
    isSetting,
  }
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
