/** What an account may have of one thing. */
interface QuotaSetting {
  /** The setting that changes it. */
  variable: string
  fallback: number
  /** In messages to people: `The account has 12 of 12 hubs.` */
  what: string
}

/**
 * Limits of one account, so that no key fills the disk or the database for others. They are far above what a farm of 1,000
 * printers uses. What only grows with work that was done (jobs, orders and tasks that are over, ledgers, events) has none.
 */
export const quotas = {
  hubs: { variable: 'PRINTYARD_QUOTA_HUBS', fallback: 1_000, what: 'hubs' },
  printers: { variable: 'PRINTYARD_QUOTA_PRINTERS', fallback: 10_000, what: 'printers' },
  files: { variable: 'PRINTYARD_QUOTA_FILES', fallback: 100_000, what: 'print files' },
  uploads: { variable: 'PRINTYARD_QUOTA_UPLOADS', fallback: 2_000, what: 'uploads that no file was made of' },
  storage_mb: { variable: 'PRINTYARD_QUOTA_STORAGE_MB', fallback: 500_000, what: 'MB of files and images' },
  jobs: { variable: 'PRINTYARD_QUOTA_JOBS', fallback: 50_000, what: 'jobs that are not over' },
  orders: { variable: 'PRINTYARD_QUOTA_ORDERS', fallback: 50_000, what: 'open orders' },
  listing_maps: { variable: 'PRINTYARD_QUOTA_LISTING_MAPS', fallback: 100_000, what: 'mapped listings' },
  products: { variable: 'PRINTYARD_QUOTA_PRODUCTS', fallback: 20_000, what: 'products' },
  skus: { variable: 'PRINTYARD_QUOTA_SKUS', fallback: 100_000, what: 'SKUs' },
  recipes: { variable: 'PRINTYARD_QUOTA_RECIPES', fallback: 100_000, what: 'recipes' },
  colors: { variable: 'PRINTYARD_QUOTA_COLORS', fallback: 5_000, what: 'colours' },
  materials: { variable: 'PRINTYARD_QUOTA_MATERIALS', fallback: 100_000, what: 'spools and other materials' },
  tasks: { variable: 'PRINTYARD_QUOTA_TASKS', fallback: 50_000, what: 'open tasks' },
  assembly_tasks: { variable: 'PRINTYARD_QUOTA_ASSEMBLY_TASKS', fallback: 50_000, what: 'open assembly tasks' },
  wiki_articles: { variable: 'PRINTYARD_QUOTA_WIKI_ARTICLES', fallback: 10_000, what: 'articles' },
  wiki_revisions: { variable: 'PRINTYARD_QUOTA_WIKI_REVISIONS', fallback: 200_000, what: 'revisions of articles' },
  members: { variable: 'PRINTYARD_QUOTA_MEMBERS', fallback: 1_000, what: 'members and open invitations' },
  api_keys: { variable: 'PRINTYARD_QUOTA_API_KEYS', fallback: 500, what: 'API keys' },
  webhooks: { variable: 'PRINTYARD_QUOTA_WEBHOOKS', fallback: 50, what: 'webhooks' },
  notification_channels: {
    variable: 'PRINTYARD_QUOTA_NOTIFICATION_CHANNELS',
    fallback: 2_000,
    what: 'notification channels',
  },
  notification_rules: {
    variable: 'PRINTYARD_QUOTA_NOTIFICATION_RULES',
    fallback: 200,
    what: 'rules of notifications',
  },
  automation_rules: { variable: 'PRINTYARD_QUOTA_AUTOMATION_RULES', fallback: 100, what: 'automation rules' },
  event_streams: { variable: 'PRINTYARD_QUOTA_EVENT_STREAMS', fallback: 200, what: 'open event streams' },
} as const satisfies Record<string, QuotaSetting>

export type Quota = keyof typeof quotas
export type Quotas = Readonly<Record<Quota, number>>

export const quotaNames = Object.keys(quotas) as Quota[]

/** Most that a quota can be set to. */
export const largestQuota = 1_000_000_000
