/** A list of the dashboard, and what it shows where it has nothing to show. */
export interface ListStates {
  /** The address of its page. */
  at: string
  /** The path of the route that gives its rows. */
  route: string
  /** What stands there in an account without any; of lists that are never empty, one of its rows. */
  empty: string | RegExp
  /** What its error is headed. */
  failed: string | RegExp
  /** With filters that nothing matches; a list without filters has none. */
  filtered?: {
    at: string
    none: string | RegExp
    /** The control that takes the filters away. */
    clear: string
  }
}

const filtered = (at: string, none: string | RegExp, clear = 'Show all') => ({ filtered: { at, none, clear } })

/** Every list that has a page, or a part of one, to itself. */
export const lists: readonly ListStates[] = [
  {
    at: '/printers',
    route: '/printers/live',
    empty: 'No printer yet',
    failed: 'The printers could not be read',
  },
  {
    at: '/queue',
    route: '/jobs/queue',
    empty: 'Nothing waits to be printed',
    failed: 'The queue could not be read',
    ...filtered('/queue?search=nothing', 'No job that waits matches'),
  },
  {
    at: '/queue?view=timeline',
    route: '/jobs/queue/timeline',
    empty: 'Nothing prints and nothing waits',
    failed: 'The timeline could not be read',
  },
  {
    at: '/history',
    route: '/jobs/history',
    empty: 'No job has ended yet',
    failed: 'The history could not be read',
    ...filtered('/history?status=failed', 'No job that ended matches'),
  },
  {
    at: '/failures',
    route: '/analytics/failures',
    empty: 'No failures',
    failed: 'The failures could not be read',
  },
  {
    at: '/files',
    route: '/files',
    empty: 'No file yet',
    failed: 'The files could not be read',
    ...filtered('/files?search=nothing', 'No file has “nothing” in its name'),
  },
  {
    at: '/products',
    route: '/products',
    empty: 'No product yet',
    failed: 'The products could not be read',
    ...filtered('/products?search=nothing', 'No product matches', 'Show those in use'),
  },
  {
    at: '/stock',
    route: '/inventory',
    empty: 'No stock yet',
    failed: 'The stock could not be read',
    ...filtered('/stock?search=nothing', 'Nothing in the stock matches', 'Show all in use'),
  },
  ...(['filament', 'components', 'packaging', 'parts'] as const).map(
    (kind): ListStates => ({
      at: kind === 'filament' ? '/materials' : `/materials?kind=${kind}`,
      route: `/materials/${kind}`,
      empty: /^No \w+ yet$/,
      failed: /The \w+ could not be read/,
      ...filtered(`/materials?kind=${kind}&status=low`, /^No \w+ in this state$/),
    }),
  ),
  {
    at: '/materials?tab=forecast',
    route: '/materials/forecast',
    empty: 'Nothing is needed yet',
    failed: 'The forecast could not be read',
  },
  {
    at: '/wiki',
    route: '/wiki',
    empty: 'No article yet',
    failed: 'The articles could not be read',
    ...filtered('/wiki?search=nothing', 'No article matches'),
  },
  {
    at: '/production',
    route: '/production/needs',
    empty: 'No units to print',
    failed: 'The units to print could not be read',
    ...filtered('/production?search=nothing', 'No matching units to print'),
  },
  {
    at: '/production?tab=shelf',
    route: '/production/shelf',
    empty: 'No SKU is kept on the shelf yet',
    failed: 'The levels of the shelf could not be read',
    ...filtered('/production?tab=shelf&search=nothing', 'No SKU kept on the shelf matches'),
  },
  {
    at: '/production?tab=unwanted',
    route: '/production/unwanted',
    empty: 'All that is queued is needed',
    failed: 'The work that is not needed could not be read',
  },
  {
    at: '/assembly',
    route: '/assembly',
    empty: 'Nothing to put together yet',
    failed: 'The assembly tasks could not be read',
    ...filtered('/assembly?status=cancelled', 'No assembly task matches'),
  },
  { at: '/hubs', route: '/hubs', empty: 'No hub yet', failed: 'The hubs could not be read' },
  {
    at: '/worklist',
    route: '/work-cards',
    empty: 'Nothing to do',
    failed: 'The worklist could not be read',
    ...filtered('/worklist?who=nobody', 'No task matches'),
  },
  {
    at: '/orders',
    route: '/orders',
    empty: 'No order yet',
    failed: 'The orders could not be read',
    ...filtered('/orders?search=nothing', 'No order matches'),
  },
  {
    at: '/orders/unmapped',
    route: '/orders',
    empty: 'Every line is mapped',
    failed: 'The lines could not be read',
  },
  {
    at: '/orders/unmapped',
    route: '/listing-maps',
    empty: 'No listing is mapped yet',
    failed: 'The mapped listings could not be read',
  },
  {
    at: '/labels',
    route: '/printers',
    empty: 'No printer yet',
    failed: 'The list could not be read',
    ...filtered('/labels?search=nothing', 'Nothing has “nothing” in its name'),
  },
  {
    at: '/settings/members',
    route: '/members',
    empty: 'owner@example.com',
    failed: 'The members could not be read',
  },
  { at: '/settings/api-keys', route: '/api-keys', empty: 'No API key yet', failed: 'The keys could not be read' },
  { at: '/settings/webhooks', route: '/webhooks', empty: 'No webhook yet', failed: 'The webhooks could not be read' },
  { at: '/settings/shops', route: '/shops', empty: 'No shop yet', failed: 'The shops could not be read' },
  {
    at: '/settings/notifications',
    route: '/notification-channels',
    empty: 'No channel yet',
    failed: 'The channels could not be read',
  },
  {
    at: '/settings/notifications',
    route: '/notification-rules',
    empty: 'No rule yet',
    failed: 'The rules could not be read',
  },
  {
    at: '/settings/notifications',
    route: '/notifications',
    empty: 'Nothing was sent yet',
    failed: 'The log could not be read',
    ...filtered('/settings/notifications?sent=failed', 'None in this state'),
  },
  {
    at: '/settings/automation',
    route: '/automation-rules',
    empty: 'No rule yet',
    failed: 'The rules could not be read',
  },
  {
    at: '/settings/automation',
    route: '/automation-runs',
    empty: 'No actions yet',
    failed: 'The log could not be read',
    ...filtered('/settings/automation?outcome=held', 'No runs with this outcome'),
  },
  {
    at: '/settings/sessions',
    route: '/sessions',
    empty: 'This one',
    failed: 'The sessions could not be read',
  },
  { at: '/settings/backups', route: '/backups', empty: 'No backup yet', failed: 'The backups could not be read' },
  {
    at: '/settings/audit',
    route: '/audit',
    empty: 'Owner',
    failed: 'The audit log could not be read',
    ...filtered('/settings/audit?type=hub.joined', 'No events of this kind'),
  },
]
