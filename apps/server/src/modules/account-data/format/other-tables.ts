/**
 * Kinds that are written by statements of their own: the account itself, and its people, whose names and addresses stand in
 * `users`, a table of all accounts.
 */
export const composedKinds = [
  {
    name: 'account',
    tables: ['accounts'],
    about: 'The account itself; one line.',
    columns: ['id', 'name', 'time_zone', 'requeue_rejected_units', 'require_second_factor', 'created_at', 'updated_at'],
  },
  {
    name: 'members',
    tables: ['members', 'users'],
    about: 'A person of the account with their role. Passwords and second factors are not exported.',
    columns: ['id', 'user_id', 'email', 'name', 'role', 'created_at', 'updated_at'],
  },
] as const

const secrets = 'Only hashes or sealed values, which open nothing elsewhere, are stored.'
const derived = 'Calculated again from the exported data.'
const messages = 'A log of messages that were sent, kept for a few days.'
const addressed = 'Its address or settings open the systems of others. It is entered again.'
const installation = 'Of the whole service, not of one account.'
const passing = 'Of use for minutes only.'

/** Reason why a table of the service is not in an export. */
export const leftOutTables: Record<string, string> = {
  account_imports: 'Says how the account came to this service.',
  api_keys: secrets,
  automation_feeds: 'A position in the events of this database.',
  automation_runs: messages,
  backup_codes: secrets,
  backup_runs: installation,
  backup_schedule: installation,
  commands: 'What hubs were told, with deadlines that are over; what people did stands in the events.',
  component_uses: derived,
  forecast_rounds: derived,
  gap_forecasts: derived,
  hub_connections: 'Which process holds a connection at this moment.',
  hub_join_codes: passing,
  idempotency_keys: passing,
  invitations: secrets,
  job_forecasts: derived,
  mqtt_brokers: addressed,
  notification_channels: addressed,
  notification_feeds: 'A position in the events of this database.',
  notification_states: 'What channels were told; channels are not exported.',
  notifications: messages,
  oidc_identities: 'Belongs to a person in all their accounts, and to the identity provider of this service.',
  order_forecasts: derived,
  order_import_progress: passing,
  order_item_states: derived,
  order_progress: derived,
  passkey_challenges: passing,
  passkeys: secrets,
  password_resets: secrets,
  pegs: derived,
  plan_gaps: derived,
  printer_marks: derived,
  printer_watches: 'Until when this service has watched; another begins for itself.',
  push_keys: installation,
  replan_requests: derived,
  scarce_materials: derived,
  schema_migrations: installation,
  second_factors: secrets,
  sessions: secrets,
  shop_orders: 'What was read of shops, which are connected again.',
  shop_pushes: 'Reports to shops, which are connected again.',
  shop_stock: 'What shops were told, which are connected again.',
  shops: addressed,
  smart_plugs: 'Its topics are those of a broker, which is not exported.',
  spoolman_connections: addressed,
  spoolman_spools: 'Which spool is which in Spoolman, which is connected again.',
  spoolman_usages: 'Reports to Spoolman, which is connected again.',
  uploads: passing,
  webhook_deliveries: messages,
  webhook_feeds: 'A position in the events of this database.',
  webhooks: addressed,
}
